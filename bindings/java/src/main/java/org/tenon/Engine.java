// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;

/**
 * The border between this package and the ORB below it. Stubs and servants do not see which implementation they have. No types cross it:
 * bodies are octets, operations are names, references are IORs. Any thread may call any method; a call belongs to one thread at a time.
 *
 * <p>Failures are a {@link SystemException}. On the server's side an engine gives a request to {@link Servant#_serve}, answers the
 * operations of CORBA::Object itself, and reuses its readers and replies.
 */
public interface Engine {
  /** Of {@link #invoke}: the reply's results are at `body`. */
  int RESULTS = 0;
  /** The repository id of a user exception and its members are at `body`. */
  int USER_EXCEPTION = 1;
  /** The arguments are to be written once more, in what `body` says now, and sent by another invoke(). */
  int AGAIN = 2;

  /** Whether {@link WrapperCall}s over the reference are possible, and stay in this process. It may be asked once for each reference. */
  default boolean isNear(ObjectReference reference) {
    return false;
  }

  /** Begins a call and puts into `body` the format that its arguments are to be written in. Returns a number for the other methods. */
  long begin(ObjectReference target, Operation operation, Body body);

  /**
   * Sends the octets from index `position` to `end`, whose first one is at `body.position`, and waits for the reply unless the operation
   * is oneway. The arguments are the caller's again when it returns; the reply's memory is lent until {@link #end}.
   */
  int invoke(long call, ByteBuffer arguments, int position, int end, Body body);

  /** How an asynchronous call ends. */
  interface Completion {
    /** On a thread of the engine; never throws. A failure, or the status of an invoke(), whose results live until this returns. */
    void done(int status, Body results, SystemException failure);
  }

  /** A call that is under way. */
  interface Started {
    /** Ends it soon, with TRANSIENT unless its reply has come. */
    void cancel();
  }

  /** As invoke(), without waiting: `waiting` is told of the end, once, unless this raises an exception. The arguments are copied. */
  Started start(long call, ByteBuffer arguments, int position, int end, Body body, Completion waiting);

  /** Gives back the reply's memory. Once for each begin() that returned, also after a failure. Raises nothing. */
  void end(long call, Body body);

  /** A reference out of an IOR: IOP::IOR in CDR, in the byte order of the machine, from a multiple of 4. It is never nil. */
  ObjectReference reference(byte[] ior);

  /** The IOR of a reference, in the same form. Asked for once per reference. */
  byte[] ior(ObjectReference reference);

  /** Makes the servant's object known and returns its reference; a second time it is the same. */
  ObjectReference activate(Servant servant);

  /** Requests for it raise OBJECT_NOT_EXIST from now on. */
  void deactivate(Servant servant);

  /** "IOR:..." and the other forms of a reference as text; BAD_PARAM for anything else. Null: nil. */
  ObjectReference toReference(String text);

  String toText(ObjectReference reference);

  /** Makes the objects of values of a type, by its repository id; null: there is none. Any thread, while others are registered. */
  ValueFactory valueFactory(String id);
}
