// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** The stub of an object whose interface is not known: CORBA::Object. */
public final class ObjectStub extends Stub {
  private ObjectStub(ObjectReference reference) {
    super(reference);
  }

  /** Null: nil. */
  public static RemoteObject of(ObjectReference reference) {
    return reference == null ? null : new ObjectStub(reference);
  }

  public static RemoteObject read(CdrReader in) {
    return of(in.readReference());
  }
}
