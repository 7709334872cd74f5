// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** What all interfaces of IDL inherit (CORBA::Object): stubs implement it, and so do servants. Nil is null. */
public interface RemoteObject {
  /** Of a servant that is not active: OBJECT_NOT_EXIST. */
  ObjectReference _reference();

  /** Whether the object has the interface; a stub asks the object. */
  boolean _is_a(String repositoryId);

  boolean _non_existent();

  default boolean _is_equivalent(RemoteObject other) {
    return other != null && _reference().equals(other._reference());
  }
}
