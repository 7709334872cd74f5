// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.concurrent.CompletableFuture;

/** The base of generated stubs. Immutable; any thread. Two are equal if their references are. */
public abstract class Stub implements RemoteObject {
  private static final Operation IS_A = new Operation("_is_a", false, true);
  private static final Operation NON_EXISTENT = new Operation("_non_existent", false, false);

  protected final ObjectReference _reference;

  protected Stub(ObjectReference reference) {
    _reference = reference;
  }

  /** A call of this thread; {@link Call} shows how it goes on. */
  protected final Call _begin(Operation operation) {
    return Call.begin(_reference, operation);
  }

  /** Whether a {@link WrapperCall} is to be taken: the object is in this process, and the thread may wait in native code. */
  protected final boolean _isNear() {
    return _reference.isNear() && !ParkedCall.isHere();
  }

  /** Writes the arguments of an asynchronous call: once for each format that is wanted. */
  @FunctionalInterface
  protected interface Arguments {
    void write(CdrWriter out);
  }

  /** Reads the results of a call, or raises its user exception, whose id it gets; null: there is none. */
  @FunctionalInterface
  protected interface Results<T> {
    T read(CdrReader in, String exceptionId) throws UserException;
  }

  /** An asynchronous call: its future is completed on a thread of the ORB. */
  protected final <T> CompletableFuture<T> _start(Operation operation, Arguments arguments, Results<T> results) {
    return new AsyncCall<>(_reference, operation, arguments, results).start();
  }

  /** For a user exception that the operation does not list: UNKNOWN. */
  protected static SystemException _unlisted(String exceptionId) {
    return new SystemException(SystemException.Kind.UNKNOWN, MinorCode.UNLISTED_USER_EXCEPTION, CompletionStatus.COMPLETED_YES, exceptionId);
  }

  @Override
  public final ObjectReference _reference() {
    return _reference;
  }

  @Override
  public boolean _is_a(String repositoryId) {
    Call call = _begin(IS_A);
    try {
      do {
        call.arguments().writeString(repositoryId, 0);
      } while (call.invoke());
      if (call.raised()) throw call.unlisted();
      return call.results().readBoolean();
    } finally {
      call.end();
    }
  }

  @Override
  public boolean _non_existent() {
    Call call = _begin(NON_EXISTENT);
    try {
      while (call.invoke()) call.arguments();
      if (call.raised()) throw call.unlisted();
      return call.results().readBoolean();
    } catch (SystemException e) {
      if (e.kind() == SystemException.Kind.OBJECT_NOT_EXIST) return true; // CORBA 3.4 part 1 §8.3.5
      throw e;
    } finally {
      call.end();
    }
  }

  /** What narrow() of an interface checks: BAD_PARAM unless the object has it. */
  protected static ObjectReference _checked(RemoteObject object, String repositoryId) {
    if (!object._is_a(repositoryId)) {
      throw new SystemException(SystemException.Kind.BAD_PARAM, 0, CompletionStatus.COMPLETED_NO, "not a " + repositoryId);
    }
    return object._reference();
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof Stub that && _reference.equals(that._reference);
  }

  @Override
  public final int hashCode() {
    return _reference.hashCode();
  }

  @Override
  public final String toString() {
    return _reference.toString();
  }
}
