// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** How values of a type are encoded, for what is generic: sequences and arrays of elements that are no primitives. Stateless. */
public interface CdrType<T> {
  T read(CdrReader in);

  void write(CdrWriter out, T value);

  /** What goes with a value in an {@link Any}. NO_IMPLEMENT where its class was generated without `--any`, or has none of its own. */
  default TypeCode typeCode() {
    throw new SystemException(SystemException.Kind.NO_IMPLEMENT, MinorCode.NO_VALUES_IN_ANY);
  }
}
