// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/**
 * What all value types of IDL inherit (CORBA 3.4 part 1 §9): generated classes implement it. A value travels with its state, and keeps its
 * shape: what is one object at the sender is one object at the receiver. Null is a value of every value type. As thread-safe as its class.
 */
public interface ValueBase {
  /** The type's repository id, then those of the bases to which a receiver may cut it. Not to be changed. */
  String[] _truncatable_ids();

  /** Reads the state. Generated, or {@link CustomValue#unmarshal}. */
  void _read(CdrReader in);

  /** Writes the state. */
  void _write(CdrWriter out);
}
