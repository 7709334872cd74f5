// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * The values of one message that is being written: each object and each repository id once, and offsets to it after that. Chunks are as large
 * as can be: from one value inside to the next.
 */
final class ValueWriter {
  private final CdrWriter out;
  private final Map<Object, Integer> values = new IdentityHashMap<>();
  private final Map<String, Integer> ids = new HashMap<>();
  private int depth;
  private int level; // of chunks
  private int chunk; // where its octets begin; 0: none is open

  ValueWriter(CdrWriter out) {
    this.out = out;
  }

  boolean inChunks() {
    return level != 0;
  }

  boolean knows(Object value) {
    return values.containsKey(value);
  }

  void write(ValueBase value) {
    Integer known = values.get(value);
    if (known != null) {
      putOffset(known);
      return;
    }
    String[] names = value._truncatable_ids();
    begin(value, names, names.length > 1 || value instanceof CustomValue);
    try {
      value._write(out);
    } catch (StackOverflowError e) {
      throw out.fault(SystemException.Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP);
    }
    end();
  }

  /** `identity`: what later offsets are for; null: nothing. Returns the position of the value. */
  int begin(Object identity, String[] names, boolean wantsChunks) {
    if (++depth > ValueReader.DEEPEST) throw out.fault(SystemException.Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP);
    closeChunk();
    boolean chunked = wantsChunks || level != 0;
    out.writeInt(ValueReader.BASE_TAG | (names.length > 1 ? ValueReader.ID_LIST : ValueReader.ONE_ID)
        | (chunked ? ValueReader.CHUNKED : 0));
    int position = out.position() - 4;
    if (identity != null) values.put(identity, position);
    // A list is written again, with offsets to its ids: JacORB cannot read an offset to the list.
    if (names.length > 1) out.writeInt(names.length);
    for (String name : names) putId(name);
    if (chunked) {
      ++level;
      openChunk();
    }
    return position;
  }

  void end() {
    --depth;
    if (level == 0) return;
    closeChunk();
    out.writeInt(-level);
    if (--level != 0) openChunk();
  }

  void putOffset(int target) {
    out.writeInt(ValueReader.INDIRECTION);
    out.writeInt(target - out.position());
  }

  private void putId(String id) {
    out.block(4, 4, 0);
    Integer known = ids.putIfAbsent(id, out.position());
    if (known != null) putOffset(known);
    else out.writeRaw(id);
  }

  private void openChunk() {
    out.writeInt(0);
    chunk = out.position();
  }

  private void closeChunk() {
    if (chunk != 0) out.endChunk(chunk);
    chunk = 0;
  }
}
