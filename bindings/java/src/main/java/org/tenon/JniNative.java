// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;

/** Over libtenon-jni (bindings/java/native/jni.cpp). */
final class JniNative extends Native {
  JniNative() {
    if (!Libraries.load("libtenon-jni.so")) System.loadLibrary("tenon-jni");
  }

  @Override
  native long init(byte[][] arguments, int[] left, byte[] id);

  @Override
  native void run(long orb);

  @Override
  native void shutDown(long orb, boolean wait);

  @Override
  native void destroy(long orb);

  @Override
  native void freeOrb(long orb);

  @Override
  native long fromText(long orb, byte[] text);

  @Override
  native byte[] toText(long reference);

  @Override
  native long initialReference(long orb, byte[] name);

  @Override
  native long fromIor(long orb, byte[] ior);

  @Override
  native byte[] toIor(long reference);

  @Override
  native void freeReference(long reference);

  @Override
  native long operation(byte[] name, int flags);

  @Override
  native int invoke(long target, long operation, long arguments, int size, int timeoutMs, long block);

  @Override
  native int start(long target, long operation, long arguments, int size, int timeoutMs, long block,
      Engine.Completion waiting);

  @Override
  native void cancel(long pending);

  @Override
  native void freePending(long pending);

  @Override
  native void freeReply(long reply);

  @Override
  native long address(ByteBuffer buffer);

  @Override
  native ByteBuffer window(long address);

  @Override
  native long rootAdapter(long orb);

  @Override
  native void freeAdapter(long adapter);

  @Override
  native void setState(long adapter, int state);

  @Override
  native long makeInterface(byte[] names, int ids, int operations);

  @Override
  native long activate(long adapter, long interfaceHandle, Servant servant, byte[] id);

  @Override
  native void deactivate(long adapter, long reference);

  @Override
  native void publish(long orb, byte[] name, long reference);

  @Override
  native String meaning(int exception, int minor);
}
