// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One call of a stub:
 *
 * <pre>
 * Call call = _begin(ADD);
 * try {
 *   do {
 *     CdrWriter out = call.arguments();
 *     ...
 *   } while (call.invoke());
 *   if (call.raised()) throw ...;
 *   CdrReader in = call.results();
 *   ...
 * } finally {
 *   call.end();
 * }
 * </pre>
 *
 * Each thread keeps a few of them, with their buffers; a call that is begun before another one has ended gets one of its own.
 */
public final class Call {
  /** The calls of a thread, of which the first `depth` are under way. */
  private static final class Pool {
    Call[] calls = new Call[4];
    int depth;
  }

  private static final ThreadLocal<Pool> POOL = ThreadLocal.withInitial(Pool::new);
  /** Of virtual threads, which are too many to keep something each; bounded by how many are under way at a time. */
  private static final ConcurrentLinkedQueue<Call> OF_VIRTUAL_THREADS = new ConcurrentLinkedQueue<>();

  /** Null: of a virtual thread. */
  private final Pool pool;
  private final CdrWriter out = new CdrWriter();
  private final Body body = new Body();
  private CdrReader in;
  private Engine engine;
  private Engine readersEngine;
  private long number;
  private int status;
  private int tries;
  private boolean oneway;
  private boolean over;
  private String exceptionId;

  private Call(Pool pool) {
    this.pool = pool;
  }

  static Call begin(ObjectReference target, Operation operation) {
    if (ParkedCall.isHere()) return beginVirtual(target, operation);
    Pool pool = POOL.get();
    if (pool.depth == pool.calls.length) pool.calls = Arrays.copyOf(pool.calls, 2 * pool.depth);
    Call call = pool.calls[pool.depth];
    if (call == null) {
      call = new Call(pool);
      pool.calls[pool.depth] = call;
    }
    ++pool.depth;
    boolean begun = false;
    try {
      call.start(target.engine(), target, operation);
      begun = true;
    } finally {
      if (!begun) --pool.depth;
    }
    return call;
  }

  private static Call beginVirtual(ObjectReference target, Operation operation) {
    Call call = OF_VIRTUAL_THREADS.poll();
    if (call == null) call = new Call(null);
    call.start(target.engine(), target, operation);
    return call;
  }

  private void start(Engine to, ObjectReference target, Operation operation) {
    engine = to;
    if (in == null || readersEngine != to) {
      in = new CdrReader(to).completed(CompletionStatus.COMPLETED_YES);
      readersEngine = to;
    }
    status = Engine.RESULTS;
    tries = 0;
    oneway = operation.oneway();
    exceptionId = null;
    body.buffer = null;
    body.segments = null;
    number = to.begin(target, operation, body);
    over = false;
    out.reset(body);
  }

  /** Empty, and in the format that is wanted now. */
  public CdrWriter arguments() {
    return out.reset(body);
  }

  /** Sends the request and waits for the reply. True: the arguments are to be written once more, and invoke() called again. */
  public boolean invoke() {
    if (pool == null && !oneway) {
      ParkedCall parked = new ParkedCall(body);
      start(parked);
      status = parked.await();
    } else {
      status = engine.invoke(number, out.buffer(), out.start(), out.position(), body);
    }
    if (status == Engine.AGAIN) {
      if (++tries == Tries.MOST) throw SystemException.formatsNeverFit();
      if (Tries.stays(tries)) body.position = out.start();
      return true;
    }
    if (body.buffer == null) return false; // oneway
    in.reset(body);
    if (status == Engine.USER_EXCEPTION) exceptionId = in.readString(0);
    return false;
  }

  /** Where the arguments that have been written begin. */
  int start() {
    return out.start();
  }

  /** The format in which the arguments are wanted. */
  void want(Body format) {
    body.position = format.position;
    body.giopMinor = format.giopMinor;
    body.charSet = format.charSet;
    body.wcharSet = format.wcharSet;
  }

  /** Sends the request; `completion` is told of the reply, unless this raises an exception. */
  Engine.Started start(Engine.Completion completion) {
    return engine.start(number, out.buffer(), out.start(), out.position(), body, completion);
  }

  /** Whether the reply is a user exception, whose members then are at results(). */
  public boolean raised() {
    return status == Engine.USER_EXCEPTION;
  }

  public String exceptionId() {
    return exceptionId;
  }

  public CdrReader results() {
    return in;
  }

  /** The results in memory of this call: what the engine has kept for it, such as a connection, is free for other calls. */
  public CdrReader keptResults() {
    out.copy(body);
    in.reset(body);
    giveBack();
    return in;
  }

  private void giveBack() {
    if (!over) engine.end(number, body);
    over = true;
  }

  /** For a user exception that the operation does not list: UNKNOWN. */
  public SystemException unlisted() {
    return new SystemException(SystemException.Kind.UNKNOWN, MinorCode.UNLISTED_USER_EXCEPTION, CompletionStatus.COMPLETED_YES, exceptionId);
  }

  /** Gives back the reply's memory and the call. The last thing, and once. */
  public void end() {
    in.endViews();
    in.letGo();
    out.letGo();
    giveBack();
    if (pool != null) {
      --pool.depth;
    } else {
      OF_VIRTUAL_THREADS.offer(this);
    }
  }
}
