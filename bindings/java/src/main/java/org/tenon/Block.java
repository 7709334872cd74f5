// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What a call, or an upcall, and the native side tell each other, at the offsets of its struct Block (bindings/java/native/border.hpp). One
 * thread at a time.
 */
final class Block {
  static final Cleaner CLEANER = Cleaner.create();
  private static final int DATA = 0, SIZE = 8, CHARS = 16, WCHARS = 20, LITTLE_ENDIAN = 24, GIOP_MINOR = 25, PHASE = 26;
  private static final int SEGMENT_COUNT = 28, SEGMENTS = 40, REPLY = 48, STATUS = 56, ERROR = 64, TEXT = 80, TEXT_SIZE = 496;
  private static final int RESULT_CHARS = 576, RESULT_WCHARS = 580;

  /** Its size, behind which an engine may have room of its own. */
  static final int END = 592;
  private static final int ROOM = 64;

  private ByteBuffer memory;
  /** Where it begins in `memory`. */
  private int base;
  private long address;
  private final Windows windows = new Windows();
  private ByteBuffer written;
  private long writtenAddress;

  Block() {
    memory = ByteBuffer.allocateDirect(END + ROOM).order(ByteOrder.nativeOrder());
    address = Native.LIBRARY.address(memory);
  }

  long address() {
    return address;
  }

  /** From now on it is what lies there. `at`: shows it, and nobody else changes its limit or byte order. */
  void move(long to, Windows at) {
    memory = at.at(to);
    base = Windows.index(to);
    address = to;
  }

  void putFormat(Body from) {
    memory.putInt(base + CHARS, from.charSet).putInt(base + WCHARS, from.wcharSet);
    memory.put(base + LITTLE_ENDIAN, (byte) (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0));
    memory.put(base + GIOP_MINOR, (byte) from.giopMinor).put(base + PHASE, (byte) from.position);
  }

  /** In which arguments are wanted. */
  void getFormat(Body into) {
    into.charSet = memory.getInt(base + CHARS);
    into.wcharSet = memory.getInt(base + WCHARS);
    into.giopMinor = memory.get(base + GIOP_MINOR);
    into.position = memory.get(base + PHASE);
    into.buffer = null;
  }

  void getBody(Body into) {
    windows.show(memory.getLong(base + DATA), memory.getLong(base + SIZE), memory.get(base + PHASE), into);
    into.littleEndian = memory.get(base + LITTLE_ENDIAN) != 0;
    into.giopMinor = memory.get(base + GIOP_MINOR);
    into.charSet = memory.getInt(base + CHARS);
    into.wcharSet = memory.getInt(base + WCHARS);
    int segments = memory.getInt(base + SEGMENT_COUNT);
    into.segments = segments == 0 ? null : windows.segments(memory.getLong(base + SEGMENTS), segments);
  }

  /** In which the results of an upcall are wanted. */
  void getResultFormat(Body into) {
    into.charSet = memory.getInt(base + RESULT_CHARS);
    into.wcharSet = memory.getInt(base + RESULT_WCHARS);
  }

  Windows windows() {
    return windows;
  }

  /** The reply, which the caller frees; 0 from then on. */
  long takeReply() {
    long taken = reply();
    memory.putLong(base + REPLY, 0);
    return taken;
  }

  long reply() {
    return memory.getLong(base + REPLY);
  }

  SystemException exception() {
    byte[] text = new byte[TEXT_SIZE];
    memory.get(base + TEXT, text);
    int size = 0;
    while (size < TEXT_SIZE && text[size] != 0) ++size;
    return exception(memory.getInt(base + ERROR), memory.getInt(base + ERROR + 4), memory.getInt(base + ERROR + 8),
        new String(text, 0, size, StandardCharsets.UTF_8));
  }

  static SystemException exception(int number, int minor, int completed, String text) {
    return new SystemException(SystemException.Kind.of(number), minor, CompletionStatus.values()[completed % 3],
        text.isEmpty() ? null : text);
  }

  /** Where a writer's buffer begins in memory; it is seldom another one than the last. */
  long addressOf(ByteBuffer buffer) {
    if (buffer != written) {
      written = buffer;
      writtenAddress = Native.LIBRARY.address(buffer);
    }
    return writtenAddress;
  }

  /** What an upcall returns. The octets stay where they are until the thread's next upcall. */
  void put(int status, CdrWriter results) {
    memory.putLong(base + DATA, addressOf(results.buffer()) + results.start());
    memory.putLong(base + SIZE, results.position() - results.start());
    memory.putLong(base + STATUS, status);
  }

  void put(int status, SystemException exception) {
    memory.putInt(base + ERROR, exception.kind().number()).putInt(base + ERROR + 4, exception.minor());
    memory.putInt(base + ERROR + 8, exception.completed().ordinal());
    byte[] text = exception.text() == null ? new byte[0] : exception.text().getBytes(StandardCharsets.UTF_8);
    int size = Math.min(text.length, TEXT_SIZE - 1);
    memory.put(base + TEXT, text, 0, size).put(base + TEXT + size, (byte) 0);
    memory.putLong(base + SIZE, 0).putLong(base + STATUS, status);
  }
}
