// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * What a call, or an upcall, and the native side tell each other: memory of the native side, at the offsets of its struct Block. One thread
 * at a time.
 */
final class Block {
  static final Cleaner CLEANER = Cleaner.create();
  private static final int DATA = 0, SIZE = 8, CHARS = 16, WCHARS = 20, LITTLE_ENDIAN = 24, GIOP_MINOR = 25, PHASE = 26;
  private static final int SEGMENT_COUNT = 28, SEGMENTS = 40, REPLY = 48, STATUS = 56, ERROR = 64, TEXT = 80, TEXT_SIZE = 496;
  private static final int RESULT_CHARS = 576, RESULT_WCHARS = 580;

  private final ByteBuffer memory;
  final long address;
  private final Windows windows = new Windows();
  private ByteBuffer written;
  private long writtenAddress;

  Block() {
    ByteBuffer made = Native.makeBlock();
    if (made == null) throw new SystemException(SystemException.Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY);
    memory = made.order(ByteOrder.nativeOrder());
    address = Native.address(memory);
    long of = address;
    CLEANER.register(this, () -> Native.freeBlock(of));
  }

  void putFormat(Body from) {
    memory.putInt(CHARS, from.charSet).putInt(WCHARS, from.wcharSet);
    memory.put(LITTLE_ENDIAN, (byte) (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0));
    memory.put(GIOP_MINOR, (byte) from.giopMinor).put(PHASE, (byte) from.position);
  }

  /** In which arguments are wanted. */
  void getFormat(Body into) {
    into.charSet = memory.getInt(CHARS);
    into.wcharSet = memory.getInt(WCHARS);
    into.giopMinor = memory.get(GIOP_MINOR);
    into.position = memory.get(PHASE);
    into.buffer = null;
  }

  void getBody(Body into) {
    windows.show(memory.getLong(DATA), memory.getLong(SIZE), memory.get(PHASE), into);
    into.littleEndian = memory.get(LITTLE_ENDIAN) != 0;
    into.giopMinor = memory.get(GIOP_MINOR);
    into.charSet = memory.getInt(CHARS);
    into.wcharSet = memory.getInt(WCHARS);
    int segments = memory.getInt(SEGMENT_COUNT);
    into.segments = segments == 0 ? null : windows.segments(memory.getLong(SEGMENTS), segments);
  }

  /** In which the results of an upcall are wanted. */
  void getResultFormat(Body into) {
    into.charSet = memory.getInt(RESULT_CHARS);
    into.wcharSet = memory.getInt(RESULT_WCHARS);
  }

  Windows windows() {
    return windows;
  }

  /** The reply, which the caller frees; 0 from then on. */
  long takeReply() {
    long taken = reply();
    memory.putLong(REPLY, 0);
    return taken;
  }

  long reply() {
    return memory.getLong(REPLY);
  }

  SystemException exception() {
    byte[] text = new byte[TEXT_SIZE];
    memory.get(TEXT, text);
    int size = 0;
    while (size < TEXT_SIZE && text[size] != 0) ++size;
    return exception(memory.getInt(ERROR), memory.getInt(ERROR + 4), memory.getInt(ERROR + 8),
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
      writtenAddress = Native.address(buffer);
    }
    return writtenAddress;
  }

  /** What an upcall returns. The octets stay where they are until the thread's next upcall. */
  void put(int status, CdrWriter results) {
    memory.putLong(DATA, addressOf(results.buffer()) + results.start());
    memory.putLong(SIZE, results.position() - results.start());
    memory.putLong(STATUS, status);
  }

  void put(int status, SystemException exception) {
    memory.putInt(ERROR, exception.kind().number()).putInt(ERROR + 4, exception.minor());
    memory.putInt(ERROR + 8, exception.completed().ordinal());
    byte[] text = exception.text() == null ? new byte[0] : exception.text().getBytes(StandardCharsets.UTF_8);
    int size = Math.min(text.length, TEXT_SIZE - 1);
    memory.put(TEXT, text, 0, size).put(TEXT + size, (byte) 0);
    memory.putLong(SIZE, 0).putLong(STATUS, status);
  }
}
