// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** Makes the object of a value that has come, whose state is read then: `orb.registerValueFactory(Node._ID, Node::new)`. Any thread. */
@FunctionalInterface
public interface ValueFactory {
  ValueBase create_for_unmarshal();
}
