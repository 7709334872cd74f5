// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** Carries an out or inout parameter; numbers, characters and booleans are boxed. One thread at a time. */
public final class Holder<T> {
  public T value;

  public Holder() {}

  public Holder(T value) {
    this.value = value;
  }
}
