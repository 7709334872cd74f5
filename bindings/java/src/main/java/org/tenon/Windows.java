// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Direct buffers through which memory of the engine is read where it is. To make one for each body would take longer than most calls, so
 * each shows two gigabytes from a multiple of one on, and its limit is set to the end of the body that is being read. One thread at a time.
 */
final class Windows {
  private static final int SHIFT = 30;
  /** So that the end of a body is an index that a reader takes, wherever it begins. */
  private static final long LARGEST = (1L << SHIFT) - 64;
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(8);

  private final Map<Long, ByteBuffer> all = new HashMap<>();
  private long last = -1;
  private ByteBuffer lastOne;

  /** Shows `size` octets at `address`, where a body begins at `phase` modulo 8. */
  void show(long address, long size, int phase, Body body) {
    if (size == 0) {
      body.position = phase;
      body.end = phase;
      body.buffer = NOTHING;
      return;
    }
    if ((address - phase & 7) != 0 || size > LARGEST) {
      copy(address, size, phase, body);
      return;
    }
    ByteBuffer window = at(address);
    int from = index(address);
    // Alignment counts from index 0, which is a multiple of 8 in memory.
    body.position = from;
    body.end = from + (int) size;
    window.limit(body.end);
    body.buffer = window;
  }

  /** Of what lies at the address, in its window. */
  static int index(long address) {
    return (int) (address & (1L << SHIFT) - 1);
  }

  /** The window that shows the address and a gigabyte behind it. */
  ByteBuffer at(long address) {
    long number = address >>> SHIFT;
    if (number != last) {
      last = number;
      lastOne = all.computeIfAbsent(number, key -> Native.LIBRARY.window(key << SHIFT).order(ByteOrder.nativeOrder()));
    }
    return lastOne;
  }

  /** A body that does not lie in memory as in its message. */
  private void copy(long address, long size, int phase, Body body) {
    if (size > Integer.MAX_VALUE - 16) throw new SystemException(SystemException.Kind.IMP_LIMIT, 0, CompletionStatus.COMPLETED_MAYBE,
        "a body of " + size + " octets");
    ByteBuffer made = ByteBuffer.allocateDirect((int) size + 8);
    for (long done = 0; done < size;) {
      ByteBuffer window = at(address + done);
      int from = index(address + done);
      int here = (int) Math.min(size - done, LARGEST);
      window.limit(from + here);
      made.put(phase + (int) done, window, from, here);
      done += here;
    }
    body.position = phase;
    body.end = phase + (int) size;
    body.buffer = made.limit(body.end);
  }

  /** Pairs of an offset and a phase. */
  int[] segments(long address, int count) {
    ByteBuffer window = at(address);
    int from = index(address);
    int limit = window.limit();
    window.limit(from + 16 * count).order(ByteOrder.nativeOrder()); // readers set the order of their body
    int[] made = new int[2 * count];
    for (int i = 0; i < made.length; ++i) made[i] = (int) window.getLong(from + 8 * i);
    window.limit(limit);
    return made;
  }
}
