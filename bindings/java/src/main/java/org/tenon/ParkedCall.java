// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * The wait of a virtual thread for its reply. A thread that waits in native code keeps its carrier from other virtual threads, so the
 * call goes out as an asynchronous one and the thread parks in Java; the results are copied, as the engine's memory is lent until they
 * have been told of.
 */
final class ParkedCall implements Engine.Completion {
  private static final java.lang.invoke.MethodHandle IS_VIRTUAL = find();

  private final Thread waiting = Thread.currentThread();
  private final Body into;
  private volatile boolean over;
  private int status;
  private SystemException failure;

  ParkedCall(Body into) {
    this.into = into;
  }

  /** Thread.isVirtual() of JDK 21 and newer. */
  private static java.lang.invoke.MethodHandle find() {
    try {
      return java.lang.invoke.MethodHandles.lookup().findVirtual(Thread.class, "isVirtual", java.lang.invoke.MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  static boolean isHere() {
    if (IS_VIRTUAL == null) return false;
    try {
      return (boolean) IS_VIRTUAL.invokeExact(Thread.currentThread());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The status, as of invoke(). An interruption stays for who looks for it, and ends no call. */
  int await() {
    boolean interrupted = false;
    while (!over) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) Thread.currentThread().interrupt();
    if (failure != null) throw failure;
    return status;
  }

  @Override
  public void done(int how, Body results, SystemException why) {
    try {
      status = how;
      failure = why;
      if (why == null) take(how, results);
    } catch (OutOfMemoryError e) {
      failure = new SystemException(SystemException.Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY, CompletionStatus.COMPLETED_YES, null, e);
    } finally {
      over = true;
      LockSupport.unpark(waiting);
    }
  }

  private void take(int how, Body results) {
    into.littleEndian = results.littleEndian;
    into.giopMinor = results.giopMinor;
    into.charSet = results.charSet;
    into.wcharSet = results.wcharSet;
    into.segments = results.segments;
    into.position = results.position & 7;
    into.buffer = null;
    if (how == Engine.AGAIN) return;
    int size = results.end - results.position;
    into.end = into.position + size;
    into.buffer = ByteBuffer.allocateDirect(into.end).put(into.position, results.buffer, results.position, size);
  }
}
