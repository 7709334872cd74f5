// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * The operations of a servant's class that the native side calls with their arguments one by one ({@link WrapperCall}). Of generated
 * code: one object per class; any thread.
 */
public final class WrapperMethods {
  private final Class<? extends Servant> of;
  private final String text;
  /** The native side's; it lives as long as the process. */
  private long handle;

  /** Lines "NUMBER METHOD SIGNATURE EXCEPTION... ": places among the operations, and ids of the exceptions that they list. */
  public WrapperMethods(Class<? extends Servant> of, String text) {
    this.of = of;
    this.text = text;
  }

  synchronized long handle(int operations) {
    if (handle == 0) handle = make(of, text, operations);
    return handle;
  }

  private static native long make(Class<?> of, String methods, int operations);
}
