// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.HashMap;
import java.util.Map;

/**
 * The values of one message that is being read (CORBA 3.4 part 2 §9.3.4): headers, indirections, chunks. Positions are offsets in the
 * message's body. Inside a chunked value the reader's end is that of the chunk; between two chunks it has no octets, so that the next
 * primitive takes the next chunk.
 */
final class ValueReader {
  static final int NULL_TAG = 0;
  static final int INDIRECTION = -1;
  static final int BASE_TAG = 0x7fffff00;
  static final int CODE_BASE = 1, ONE_ID = 2, ID_LIST = 6, CHUNKED = 8;
  /** How deep values may be inside values, since each level needs stack. */
  static final int DEEPEST = 2048;
  static final int NO_TARGET = Integer.MAX_VALUE;
  private static final int MOST_IDS = 256;
  private static final int MOST_PADDING = 7;
  private static final int FREE_OCTETS = 64 * 1024;

  /** What begin() found. */
  static final class Head {
    static final int NULL = 0, SHARED = 1, VALUE = 2;
    int kind;
    boolean chunked;
    boolean truncated; // its object is of a base
    int position; // of the tag: where indirections lead to
    Object object; // of a shared value, if one was made
    String[] ids = NO_IDS; // none: the type that is expected here

    /** The type's id. */
    String id(String expected) {
      return ids.length == 0 || ids[0].isEmpty() ? expected : ids[0];
    }
  }

  private static final String[] NO_IDS = {};

  /** A value that has been met; the level of chunks around it. */
  private static final class Met {
    final int level;
    ValueBase object;

    Met(int level) {
      this.level = level;
    }
  }

  private final CdrReader in;
  private final Map<Integer, Met> values = new HashMap<>();
  private final Map<Integer, Object> ids = new HashMap<>(); // ids and lists of them by their positions
  private int depth;
  private long sought;
  private int lowest = NO_TARGET;
  // Inside a chunked value:
  private boolean chunks;
  private int whole; // the message's end
  private int level;
  private int ended; // 0; or the level whose end tag has been read, which ends those inside it
  private int tag; // at a boundary of chunks

  ValueReader(CdrReader in) {
    this.in = in;
  }

  boolean inChunks() {
    return chunks;
  }

  /** The lowest position that an indirection has led to since it was asked for last. */
  int takeLowest() {
    int taken = lowest;
    lowest = NO_TARGET;
    return taken;
  }

  void noteLowest(int position) {
    lowest = Math.min(lowest, position);
  }

  int depth() {
    return depth;
  }

  void depth(int there) {
    depth = there;
  }

  // --- whole values ---

  /**
   * `expected`: the id of the type that is expected. `make`: makes one of that type, if that needs no factory. Few methods call each other
   * for a value inside another, so that little stack is needed.
   */
  <T> T read(Class<T> type, String expected, ValueFactory make) {
    Head head = begin();
    Object value = head.object;
    if (head.kind == Head.VALUE) {
      ValueBase made = make(head, expected, make);
      try {
        made._read(in);
        end(head, head.truncated || made instanceof CustomValue);
      } catch (StackOverflowError e) { // of a thread that has less than that many values want
        throw in.fault(MinorCode.NESTED_TOO_DEEP);
      }
      value = made;
    } else if (head.kind == Head.SHARED && value == null) {
      // It was passed over, in a part that a truncation left out, or in an Any.
      long[] here = seek(head.position);
      value = read(type, expected, make);
      returnTo(here);
    }
    if (value != null && !type.isInstance(value)) throw in.fault(MinorCode.WRONG_VALUE_TYPE);
    return type.cast(value);
  }

  private ValueBase make(String id, String expected, ValueFactory make) {
    if (make != null && id.equals(expected)) return make.create_for_unmarshal();
    ValueFactory factory = in.engine() == null ? null : in.engine().valueFactory(id);
    return factory == null ? null : factory.create_for_unmarshal();
  }

  /** Makes the object of the value, or of a base to which it is cut; values in its state may refer to it. */
  private ValueBase make(Head head, String expected, ValueFactory make) {
    ValueBase value = make(head.id(expected), expected, make);
    for (int i = 1; value == null && head.chunked && i < head.ids.length; ++i) {
      value = make(head.ids[i], expected, make);
      head.truncated = true;
    }
    if (value == null) {
      throw new SystemException(SystemException.Kind.MARSHAL, MinorCode.NO_VALUE_FACTORY, in.completed(),
          "no factory for " + head.id(expected));
    }
    values.get(head.position).object = value;
    return value;
  }

  /** The value whose head has been read, if there is a factory for its very type; null, and nothing has been read. */
  ValueBase known(Head head, String expected) {
    ValueBase value = make(head.id(expected), null, null);
    if (value == null) return null;
    values.get(head.position).object = value;
    value._read(in);
    end(head, value instanceof CustomValue);
    return value;
  }

  // --- parts of the encoding ---

  private static boolean isHead(int tag) {
    return tag >= BASE_TAG;
  }

  private static boolean isChunkSize(int tag) {
    return tag > 0 && tag < BASE_TAG;
  }

  private static boolean isEnd(int tag) {
    return tag < 0;
  }

  private int remaining() {
    return in.end - in.position;
  }

  private static int padding(int position) {
    return -position & 3;
  }

  private void end(int index) {
    in.end = index;
    in.beyond = chunks ? whole - index : 0;
  }

  /** From here on there are no octets before the next chunk. */
  private void stopHere() {
    end(in.position);
  }

  /** Whether a tag stands between two chunks; it is in `tag` then. False within a chunk, and at the message's end. */
  private boolean atBoundary() {
    if (!chunks || ended != 0) return false;
    // Less than a tag can only be padding that the sender counted as data.
    if (remaining() >= padding(in.position) + 4) return false;
    int at = in.end + padding(in.end);
    if (whole - at < 4) return false;
    tag = in.buffer().getInt(at);
    if (isEnd(tag) && Integer.compareUnsigned(-tag, level) > 0) throw in.fault(MinorCode.END_TAG_TOO_DEEP);
    return true;
  }

  /** Goes behind the tag at this boundary. */
  private void passTag() {
    in.position = in.end + padding(in.end) + 4;
  }

  boolean nextChunk() {
    if (ended != 0 || remaining() > MOST_PADDING) return false;
    in.position = in.end;
    if (!atBoundary() || !isChunkSize(tag)) return false;
    int size = tag;
    int at = in.end + padding(in.end) + 4;
    if (whole - at < size) return false;
    in.position = at;
    end(at + size);
    return true;
  }

  /** Whether this chunk has more octets than padding before a tag, which some ORBs count as data. */
  private boolean hasSurplus() {
    if (remaining() == 0) return false;
    if (remaining() != padding(in.position)) return true;
    for (int i = in.position; i < in.end; ++i) {
      if (in.buffer().get(i) != 0) return true;
    }
    return false;
  }

  /** An offset counts from its own position, and leads to a position before `before`. */
  private int readTarget(int before) {
    int offset = in.readInt();
    long target = (long) in.offset() - 4 + offset;
    if (offset >= 0 || target < in.firstOffset() || target >= before) throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
    noteLowest((int) target);
    return (int) target;
  }

  private Object earlier(int start) {
    Object known = ids.get(readTarget(start));
    if (known == null) throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
    return known;
  }

  private String readId() {
    int length = in.readInt();
    int at = in.offset() - 4;
    if (length == INDIRECTION) {
      if (earlier(at) instanceof String id) return id;
      throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
    }
    String id = in.readRaw(length);
    ids.put(at, id);
    return id;
  }

  private String[] readIds() {
    int count = in.readInt();
    int at = in.offset() - 4;
    if (count == INDIRECTION) {
      if (earlier(at) instanceof String[] list) return list;
      throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
    }
    if (count < 0 || count > MOST_IDS || count > in.left()) throw in.fault(MinorCode.BAD_VALUE_HEADER);
    String[] list = new String[count];
    for (int i = 0; i < count; ++i) list[i] = readId();
    ids.put(at, list);
    return list;
  }

  Head begin() {
    Head head = new Head();
    // Null and indirections are inside chunks, and the grammar allows them between chunks, too; headers of values are between chunks.
    boolean between = atBoundary() && !isChunkSize(tag);
    if (between) {
      if (hasSurplus()) throw in.fault(MinorCode.BAD_VALUE_HEADER);
      in.position = in.end;
      end(whole);
    }
    int first = in.readInt();
    head.position = in.offset() - 4;
    if (first == NULL_TAG) {
      head.kind = Head.NULL;
    } else if (first == INDIRECTION) {
      head.kind = Head.SHARED;
      head.position = readTarget(head.position);
      Met met = values.get(head.position);
      if (met == null) throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
      head.object = met.object;
    } else {
      beginState(head, first, between);
    }
    if (chunks && (between || head.kind == Head.VALUE)) stopHere();
    return head;
  }

  private void beginState(Head head, int first, boolean between) {
    head.kind = Head.VALUE;
    head.chunked = (first & CHUNKED) != 0;
    if (!isHead(first) || (first & 0xf0) != 0 || chunks && !(between && head.chunked)) throw in.fault(MinorCode.BAD_VALUE_HEADER);
    if (head.chunked && in.isSegmented()) throw in.fault(MinorCode.VALUE_IN_FRAGMENTS);
    if ((first & CODE_BASE) != 0) readId(); // only passed over: no code is ever fetched
    switch (first & ID_LIST) {
      case 0:
        break;
      case ONE_ID:
        head.ids = new String[] {readId()};
        break;
      case ID_LIST:
        head.ids = readIds();
        break;
      default:
        throw in.fault(MinorCode.BAD_VALUE_HEADER);
    }
    values.putIfAbsent(head.position, new Met(level)); // one that is read again is there
    if (++depth > DEEPEST) throw in.fault(MinorCode.NESTED_TOO_DEEP);
    if (head.chunked) {
      if (!chunks) whole = in.end;
      chunks = true;
      ++level;
    }
  }

  /** `skip`: what is left of the state is of a type that is not known. */
  void end(Head head, boolean skip) {
    if (head.kind != Head.VALUE) return;
    --depth;
    if (!head.chunked) return;
    toEndTag(skip);
    if (ended == level) ended = 0;
    --level;
    if (level == 0) {
      chunks = false;
      end(whole);
    } else {
      stopHere();
    }
  }

  /** Takes the end tag of the innermost chunked value, and what is before it. */
  private void toEndTag(boolean skip) {
    if (!skip && ended == 0 && hasSurplus()) throw in.fault(MinorCode.BAD_VALUE_END);
    while (ended == 0) {
      if (skip && remaining() < padding(in.position) + 4) in.position = in.end; // state, or padding
      if (!atBoundary()) {
        // Data of this chunk, or nothing at all.
        if (remaining() < 4) throw in.fault(MinorCode.OUT_OF_DATA);
        if (!skip) throw in.fault(MinorCode.BAD_VALUE_END);
        in.position = in.end;
      } else if (isEnd(tag)) {
        passTag();
        ended = -tag;
      } else if (!skip) {
        throw in.fault(MinorCode.BAD_VALUE_END);
      } else if (isHead(tag)) {
        end(begin(), true);
      } else if (tag == NULL_TAG) {
        passTag();
        stopHere();
      } else if (!nextChunk()) {
        throw in.fault(MinorCode.OUT_OF_DATA);
      }
    }
  }

  /** Goes to an earlier value, to read it again. How much that will be is not known, so all from there to here is counted. */
  long[] seek(int position) {
    Met met = values.get(position);
    if (met == null) throw in.fault(MinorCode.BAD_VALUE_INDIRECTION);
    if (in.isSegmented()) throw in.fault(MinorCode.VALUE_IN_FRAGMENTS);
    int messageEnd = chunks ? whole : in.end;
    sought += in.offset() - position;
    if (sought > 16L * (messageEnd - in.firstOffset()) + FREE_OCTETS) throw in.fault(MinorCode.TOO_MUCH_SHARING);
    long[] here = {in.position, in.end, chunks ? 1 : 0, level, ended};
    in.position = position;
    level = met.level;
    ended = 0;
    whole = messageEnd;
    chunks = level != 0;
    end(chunks ? position : messageEnd);
    return here;
  }

  void returnTo(long[] here) {
    in.position = (int) here[0];
    chunks = here[2] != 0;
    level = (int) here[3];
    ended = (int) here[4];
    end((int) here[1]);
  }
}
