// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;

/**
 * libtenon-c (include/tenon/c.h), by whichever way the property `tenon.engine` names: `jni`, through libtenon-jni, or `ffm`, through
 * java.lang.foreign of JDK 22 and newer. Handles are addresses; 0 is null. Each method may raise a {@link SystemException}. Any thread.
 */
abstract class Native {
  // Of tenon/c.h:
  static final int OK = 0, USER_EXCEPTION = 1, SYSTEM_EXCEPTION = 2, WRITE_AGAIN = 3, NO_ROOM = 5;
  static final int ONEWAY = 1;
  static final int ACTIVE = 1;
  /** Of a tenon_error's text, in octets, NUL included. */
  static final int TEXT_SIZE = 496;

  private static final int FFM_SINCE = 22;

  static final Native LIBRARY = choose();

  private static Native choose() {
    String name = System.getProperty("tenon.engine", "jni");
    if (name.equals("jni")) return new JniNative();
    if (!name.equals("ffm")) throw refused(name, ": the engines are jni and ffm");
    if (Runtime.version().feature() < FFM_SINCE) throw refused(name, " wants JDK " + FFM_SINCE + " or newer; this is " + Runtime.version());
    try {
      // The archive has it for such JDKs only.
      return (Native) Class.forName("org.tenon.FfmNative").getDeclaredConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw refused(name, ": this tenon.jar has been built where no compiler for JDK " + FFM_SINCE + " was, without that engine");
    } catch (ReflectiveOperationException e) {
      throw e.getCause() instanceof Error error ? error : new LinkageError("-Dtenon.engine=ffm: " + e.getCause(), e);
    }
  }

  private static UnsatisfiedLinkError refused(String name, String why) {
    return new UnsatisfiedLinkError("-Dtenon.engine=" + name + why);
  }

  /** `left` gets the places of those arguments that are no options of the ORB; the places behind them stay as they are. */
  abstract long init(byte[][] arguments, int[] left, byte[] id);

  abstract void run(long orb);

  abstract void shutDown(long orb, boolean wait);

  abstract void destroy(long orb);

  abstract void freeOrb(long orb);

  abstract long fromText(long orb, byte[] text);

  abstract byte[] toText(long reference);

  abstract long initialReference(long orb, byte[] name);

  abstract long fromIor(long orb, byte[] ior);

  abstract byte[] toIor(long reference);

  abstract void freeReference(long reference);

  /** `flags` as in tenon/c.h. It lives as long as the process. */
  abstract long operation(byte[] name, int flags);

  /** A status of tenon/c.h; what else there is to say is in the block. */
  abstract int invoke(long target, long operation, long arguments, int size, int timeoutMs, long block);

  /** As invoke(), but returns when the request is on its way; `waiting` is told of the end unless this fails. The call's handle is where
   * the block has the reply of others. */
  abstract int start(long target, long operation, long arguments, int size, int timeoutMs, long block, Engine.Completion waiting);

  abstract void cancel(long pending);

  abstract void freePending(long pending);

  abstract void freeReply(long reply);

  /** Where index 0 of a direct buffer lies. */
  abstract long address(ByteBuffer buffer);

  /** What lies at that address and behind it, nearly two gigabytes; not all of it is memory. */
  abstract ByteBuffer window(long address);

  abstract long rootAdapter(long orb);

  abstract void freeAdapter(long adapter);

  abstract void setState(long adapter, int state);

  /** Ids, then operations, each followed by a NUL. It lives as long as the process. */
  abstract long makeInterface(byte[] names, int ids, int operations);

  /** `id`: null, and the adapter makes one. */
  abstract long activate(long adapter, long interfaceHandle, Servant servant, byte[] id);

  abstract void deactivate(long adapter, long reference);

  abstract void publish(long orb, byte[] name, long reference);

  /** Of a system exception's minor code; null if that is not known. */
  abstract String meaning(int exception, int minor);
}
