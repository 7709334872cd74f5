// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * How often arguments are written anew because their server wants another format. Before GIOP 1.2 where the body begins depends on whether
 * the connection has sent its code sets yet, and two connections may take attempts in turn: who always writes what the last one wanted
 * then never fits the next. Stateless.
 */
final class Tries {
  static final int MOST = 32;

  private Tries() {}

  /** Whether the body is to begin where the last one began, and not where it was wanted. `tries` attempts have not fitted. */
  static boolean stays(int tries) {
    return tries > 2 && tries % 2 == 1;
  }
}
