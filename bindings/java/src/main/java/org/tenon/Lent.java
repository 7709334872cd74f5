// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;

/**
 * The memory of a message that views are of (@tenon::view). It ends with the upcall or the call that lent it: a view that is read later is
 * BAD_INV_ORDER. One thread at a time.
 */
public final class Lent {
  private ByteBuffer buffer;
  private CdrReader reader;
  final Lent before;

  Lent(CdrReader reader, Lent before) {
    this.reader = reader;
    this.before = before;
    buffer = reader.buffer();
  }

  public ByteBuffer buffer() {
    ByteBuffer now = buffer;
    if (now == null) throw ended();
    return now;
  }

  public CdrReader reader() {
    CdrReader now = reader;
    if (now == null) throw ended();
    return now;
  }

  void end() {
    buffer = null;
    reader = null;
  }

  private static SystemException ended() {
    return new SystemException(SystemException.Kind.BAD_INV_ORDER, 0, CompletionStatus.COMPLETED_MAYBE,
        "a view of a message that has ended");
  }
}
