// SPDX-License-Identifier: Apache-2.0
package org.tenon;

/** The base of generated servants, from which a program derives its own. Requests come from any number of threads. */
public abstract class Servant implements RemoteObject {
  private volatile ObjectReference reference;
  private volatile Engine engine;

  /** Decodes the arguments of an operation (its place in {@link InterfaceInfo#operations}), calls it and encodes its results. */
  protected abstract void _dispatch(int operation, CdrReader in, Reply reply) throws Exception;

  protected abstract InterfaceInfo _interface();

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
    if (now == null) throw new SystemException(SystemException.Kind.OBJECT_NOT_EXIST, MinorCode.NOT_ACTIVATED);
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
    } catch (SystemException e) {
      reply.fail(e);
    } catch (UserException e) {
      reply.fail(new SystemException(SystemException.Kind.UNKNOWN, MinorCode.UNLISTED_USER_EXCEPTION, CompletionStatus.COMPLETED_MAYBE,
          e._id(), e));
    } catch (OutOfMemoryError e) {
      reply.fail(new SystemException(SystemException.Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY, CompletionStatus.COMPLETED_MAYBE, null, e));
    } catch (Throwable e) {
      reply.fail(new SystemException(SystemException.Kind.UNKNOWN, MinorCode.FOREIGN_EXCEPTION, CompletionStatus.COMPLETED_MAYBE,
          e.getClass().getName(), e));
    } finally {
      in.endViews();
    }
  }

  /** Of generated code: an operation that the table does not have. */
  protected static SystemException _unknown(int operation) {
    return new SystemException(SystemException.Kind.BAD_OPERATION, MinorCode.UNKNOWN_OPERATION, CompletionStatus.COMPLETED_NO,
        "operation " + operation);
  }
}
