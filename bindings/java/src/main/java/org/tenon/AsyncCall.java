// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.concurrent.CompletableFuture;

/**
 * An asynchronous call. Its arguments are written by the thread that starts it; again, on a thread of the ORB, where the server wants another
 * format. Its results are read, and the future is completed, on a thread of the ORB.
 */
final class AsyncCall<T> extends CompletableFuture<T> implements Engine.Completion {
  private final ObjectReference target;
  private final Operation operation;
  private final Stub.Arguments arguments;
  private final Stub.Results<T> results;
  // Of the attempt that is being made; the thread that is told of its end comes after it.
  private int tries;
  private int start;
  private Engine.Started started; // guarded by this

  AsyncCall(ObjectReference target, Operation operation, Stub.Arguments arguments, Stub.Results<T> results) {
    this.target = target;
    this.operation = operation;
    this.arguments = arguments;
    this.results = results;
  }

  /** What goes wrong is the future's exception. */
  AsyncCall<T> start() {
    return start(null);
  }

  /** `wanted`: the format of the arguments, if it is known. */
  private AsyncCall<T> start(Body wanted) {
    try {
      Call call = Call.begin(target, operation);
      try {
        if (wanted != null) call.want(wanted);
        arguments.write(call.arguments());
        start = call.start();
        Engine.Started now = call.start(this);
        synchronized (this) {
          started = now;
        }
        if (isCancelled()) now.cancel();
      } finally {
        call.end();
      }
    } catch (RuntimeException | Error e) {
      completeExceptionally(e);
    }
    return this;
  }

  /** As of CompletableFuture; the ORB gives the call up, too, and whether it has been executed is not known. */
  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    Engine.Started call;
    synchronized (this) {
      call = started;
    }
    if (cancelled && call != null) call.cancel();
    return cancelled;
  }

  @Override
  public void done(int status, Body body, SystemException failure) {
    try {
      if (failure != null) {
        completeExceptionally(failure);
      } else if (status != Engine.AGAIN) {
        CdrReader in = new CdrReader(target.engine()).completed(CompletionStatus.COMPLETED_YES).reset(body);
        complete(results.read(in, status == Engine.USER_EXCEPTION ? in.readString(0) : null));
      } else if (++tries < Tries.MOST) {
        if (Tries.stays(tries)) body.position = start;
        start(body);
      } else {
        completeExceptionally(SystemException.formatsNeverFit());
      }
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }
}
