// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What libtenon-jni has (bindings/java/native/jni.cpp). Handles are addresses; 0 is null. Each may raise a {@link SystemException}. Any
 * thread.
 *
 * <p>The libraries are those of the folder that the property `tenon.library.path` names, else those that the jar has for this machine,
 * else what System.loadLibrary() finds.
 */
final class Native {
  private static final String[] LIBRARIES = {"libtenon.so.1", "libtenon-c.so.1", "libtenon-jni.so"};

  static {
    load();
  }

  private Native() {}

  private static void load() {
    String folder = System.getProperty("tenon.library.path");
    if (folder != null) {
      System.load(Path.of(folder, "libtenon-jni.so").toAbsolutePath().toString());
      return;
    }
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
    if (Native.class.getResource("/native/linux-" + machine + "/libtenon-jni.so") == null) {
      System.loadLibrary("tenon-jni");
      return;
    }
    try {
      unpack("/native/linux-" + machine + "/");
    } catch (IOException e) {
      throw new UncheckedIOException("Tenon's native libraries cannot be unpacked", e);
    }
  }

  /** They find each other beside themselves. Once loaded they need no files any more. */
  private static void unpack(String from) throws IOException {
    Path folder = Files.createTempDirectory("tenon-");
    try {
      for (String name : LIBRARIES) {
        try (InputStream in = Native.class.getResourceAsStream(from + name)) {
          if (in == null) throw new IOException("the jar has no " + from + name);
          Files.copy(in, folder.resolve(name));
        }
      }
      System.load(folder.resolve("libtenon-jni.so").toString());
    } finally {
      for (String name : LIBRARIES) Files.deleteIfExists(folder.resolve(name));
      Files.deleteIfExists(folder);
    }
  }

  /** `left` gets the places of those arguments that are no options of the ORB; the places behind them stay as they are. */
  static native long init(byte[][] arguments, int[] left, byte[] id);

  static native void run(long orb);

  static native void shutDown(long orb, boolean wait);

  static native void destroy(long orb);

  static native void freeOrb(long orb);

  static native long fromText(long orb, byte[] text);

  static native byte[] toText(long reference);

  static native long initialReference(long orb, byte[] name);

  static native long fromIor(long orb, byte[] ior);

  static native byte[] toIor(long reference);

  static native void freeReference(long reference);

  /** `flags` as in tenon/c.h. It lives as long as the process. */
  static native long operation(byte[] name, int flags);

  /** A status of tenon/c.h; what else there is to say is in the block. */
  static native int invoke(long target, long operation, long arguments, int size, int timeoutMs, long block);

  /** As invoke(), but returns when the request is on its way; `waiting` is told of the end unless this fails. The call's handle is where
   * the block has the reply of others. */
  static native int start(long target, long operation, long arguments, int size, int timeoutMs, long block,
      Engine.Completion waiting);

  static native void cancel(long pending);

  static native void freePending(long pending);

  static native void freeReply(long reply);

  /** Null: there is no memory. */
  static native ByteBuffer makeBlock();

  static native void freeBlock(long block);

  static native long address(ByteBuffer buffer);

  static native ByteBuffer window(long address);

  static native long rootAdapter(long orb);

  static native void freeAdapter(long adapter);

  static native void setState(long adapter, int state);

  /** Ids, then operations, each followed by a NUL. It lives as long as the process. */
  static native long makeInterface(byte[] names, int ids, int operations);

  /** `id`: null, and the adapter makes one. */
  static native long activate(long adapter, long interfaceHandle, Servant servant, byte[] id);

  static native void deactivate(long adapter, long reference);

  static native void publish(long orb, byte[] name, long reference);
}
