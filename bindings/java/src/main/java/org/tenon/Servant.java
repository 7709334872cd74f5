// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** The base of generated servants, from which a program derives its own. Requests come from any number of threads. */
public abstract class Servant implements RemoteObject {
  private volatile ObjectReference reference;
  private volatile Engine engine;

  /** Decodes the arguments of an operation (its place in {@link InterfaceInfo#operations}), calls it and encodes its results. */
  protected abstract void _dispatch(int operation, CdrReader in, Reply reply) throws Exception;

  protected abstract InterfaceInfo _interface();

  /** Of generated code: the operations that have wrappers; null: none has. */
  protected WrapperMethods _wrappers() {
    return null;
  }

  /** For the native side; 0: no operation has a wrapper. */
  final long _wrapperHandle() {
    WrapperMethods methods = _wrappers();
    return methods == null ? 0 : methods.handle(_interface().operations().size());
  }

  /** For engines: what the interface is. */
  public final InterfaceInfo _information() {
    return _interface();
  }

  /** For engines: the reference that the servant has from now on; null: it is active no more. */
  public final void _activated(ObjectReference now) {
    reference = now;
  }

  /** The engine that the servant is or was active in; null: none. */
  final Engine _engine() {
    return engine;
  }

  final void _engine(Engine in) {
    engine = in;
  }

  final boolean _isActive() {
    return reference != null;
  }

  @Override
  public final ObjectReference _reference() {
    ObjectReference now = reference;
    if (now == null) {
      throw new SystemException(SystemException.Kind.OBJECT_NOT_EXIST, MinorCode.NOT_ACTIVATED, CompletionStatus.COMPLETED_NO,
          "the servant is not active: orb.activate(servant)");
    }
    return now;
  }

  @Override
  public boolean _is_a(String repositoryId) {
    return _interface().ids().contains(repositoryId);
  }

  @Override
  public boolean _non_existent() {
    return false;
  }

  /** For engines: runs one request. Nothing leaves it but by the reply. */
  public final void _serve(int operation, CdrReader in, Reply reply) {
    try {
      _dispatch(operation, in, reply);
    } catch (Throwable e) {
      reply.fail(answerTo(e));
    } finally {
      in.endViews();
    }
  }

  /** What a caller is told of what a servant has thrown, unless the operation lists it. */
  private static SystemException answerTo(Throwable thrown) {
    if (thrown instanceof SystemException e) return e;
    if (thrown instanceof OutOfMemoryError) return answer(SystemException.Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY, null, thrown);
    if (thrown instanceof UserException e) return answer(SystemException.Kind.UNKNOWN, MinorCode.UNLISTED_USER_EXCEPTION, e._id(), e);
    return answer(SystemException.Kind.UNKNOWN, MinorCode.FOREIGN_EXCEPTION, described(thrown), thrown);
  }

  /** With the place where it was thrown. */
  private static String described(Throwable thrown) {
    try {
      StackTraceElement[] trace = thrown.getStackTrace();
      return trace.length == 0 ? thrown.toString() : thrown + ", at " + trace[0];
    } catch (Throwable e) { // of the program's class
      return thrown.getClass().getName();
    }
  }

  private static SystemException answer(SystemException.Kind kind, int minor, String text, Throwable thrown) {
    return new SystemException(kind, minor, CompletionStatus.COMPLETED_MAYBE, text, thrown);
  }

  /** Answers a request whose method has thrown that when the native side called it; `listed`: ids with a blank behind each. */
  static void _answer(Throwable thrown, String listed, Reply reply) {
    try {
      if (thrown instanceof UserException e && listed.contains(e._id().concat(" "))) {
        e.write(reply.userException(e._id()));
      } else {
        reply.fail(answerTo(thrown));
      }
    } catch (Throwable e) {
      reply.fail(answerTo(e));
    }
  }

  /** Of generated code: an operation that the table does not have. */
  protected static SystemException _unknown(int operation) {
    return new SystemException(SystemException.Kind.BAD_OPERATION, MinorCode.UNKNOWN_OPERATION, CompletionStatus.COMPLETED_NO,
        "operation " + operation);
  }
}
