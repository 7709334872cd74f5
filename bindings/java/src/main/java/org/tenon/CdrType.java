// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** How values of a type are encoded, for what is generic: sequences and arrays of elements that are no primitives. Stateless. */
public interface CdrType<T> {
  T read(CdrReader in);

  void write(CdrWriter out, T value);
}
