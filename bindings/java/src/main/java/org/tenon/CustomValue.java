// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** A `custom valuetype`: the program writes and reads the state itself, in the same order. What these raise is what the call raises. */
public interface CustomValue extends ValueBase {
  void marshal(CdrWriter os);

  void unmarshal(CdrReader is);

  @Override
  default void _read(CdrReader in) {
    unmarshal(in);
  }

  @Override
  default void _write(CdrWriter out) {
    marshal(out);
  }
}
