// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * Writes CDR (CORBA 3.4 part 2 §9.3) into a direct buffer of its own, in the byte order that is asked for: engines ask for the machine's.
 *
 * <p>Octets that only align are zero. Faults of a value are a {@link SystemException}: BAD_PARAM for what its type does not allow,
 * DATA_CONVERSION for characters that the code set does not have, IMP_LIMIT above 2 GiB, NO_MEMORY. What was written is then worthless,
 * and reset() begins anew. Null is no value of IDL: a {@link NullPointerException}.
 *
 * <p>Names are those of {@link CdrReader}. One thread at a time. Room that grew for a large message is kept for {@value #PATIENCE} more
 * messages that would fit into a quarter of it, and then reduced to {@value #KEPT} octets, which are always kept.
 *
 * <p>Long because, as in CdrReader, each primitive is written alone, in sequences and arrays, and at constant places of a struct.
 */
public final class CdrWriter {
  /** The largest index of a buffer that is used. */
  static final int LARGEST = Integer.MAX_VALUE - 16;
  static final int KEPT = 64 * 1024;
  static final int PATIENCE = 64;

  private static final int FIRST_ROOM = 512;
  private static final int FEW = 8;

  private CompletionStatus completed = CompletionStatus.COMPLETED_NO;

  private ByteOrder order = ByteOrder.nativeOrder();
  private boolean little = order == ByteOrder.LITTLE_ENDIAN;
  private ByteBuffer buffer;
  private int position;
  private int capacity;
  private int start;
  private int small; // messages in turn that needed little of the room
  private int giopMinor = 2;
  private int charSet = CodeSets.UTF_8;
  private int wcharSet = CodeSets.UTF_16;
  private ValueWriter values; // null before the first value

  public CdrWriter() {
    take(FIRST_ROOM);
  }

  private void take(int octets) {
    ByteBuffer before = buffer;
    try {
      buffer = ByteBuffer.allocateDirect(octets).order(order);
    } catch (OutOfMemoryError e) {
      throw fault(SystemException.Kind.NO_MEMORY, MinorCode.OUT_OF_MEMORY);
    }
    capacity = octets;
    if (before != null) buffer.put(0, before, 0, position);
  }

  /** What its exceptions say from now on: COMPLETED_YES where it writes replies. */
  CdrWriter completed(CompletionStatus status) {
    completed = status;
    return this;
  }

  SystemException fault(SystemException.Kind kind, int minor) {
    return new SystemException(kind, minor, completed, null);
  }

  private SystemException overBound(int length, int bound) {
    return new SystemException(SystemException.Kind.BAD_PARAM, MinorCode.OVER_BOUND, completed, length + " where " + bound + " are allowed");
  }

  /** Begins a body at `format.position`, in its byte order, version of GIOP and code sets. */
  public CdrWriter reset(Body format) {
    return reset(format.position, format.littleEndian, format.giopMinor, format.charSet, format.wcharSet);
  }

  public CdrWriter reset(int position, boolean littleEndian, int giopMinor, int charSet, int wcharSet) {
    if (capacity > KEPT) giveBack();
    order = littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    little = littleEndian;
    buffer.order(order);
    this.position = 0;
    while (this.position < position) buffer.put(this.position++, (byte) 0);
    start = position;
    values = null;
    this.giopMinor = giopMinor;
    this.charSet = charSet;
    this.wcharSet = wcharSet;
    return this;
  }

  private void giveBack() {
    small = position < capacity / 4 ? small + 1 : 0;
    if (small < PATIENCE) return;
    small = 0;
    position = 0;
    take(KEPT);
  }

  /** The octets from {@link #start} to {@link #position}; good until something more is written. */
  public ByteBuffer buffer() {
    return buffer;
  }

  public int start() {
    return start;
  }

  public int position() {
    return position;
  }

  /** Octets that are allocated. */
  public int capacity() {
    return capacity;
  }

  // --- what generated code uses for structs whose layout is constant ---

  /** As {@link CdrReader#block}, with room for it. Generated code then writes all of the octets. */
  public int block(int first, int alignment, int size) {
    int at = align(first);
    if ((at & (alignment - 1)) != 0) return -1;
    if (size > capacity - at) grow(size);
    position = at + size;
    return at;
  }

  /** As {@link CdrReader#blocks}. */
  public int blocks(int count, int first, int alignment, int stride, int size) {
    if (count == 0) return -1;
    int at = align(first);
    if ((at & (alignment - 1)) != 0) return -1;
    long length = (long) (count - 1) * stride + size;
    if (length > capacity - at) grow(length);
    position = (int) (at + length);
    return at;
  }

  /** Integers that lie side by side as one, because each access to the buffer is checked. */
  public int joined(short a, short b) {
    return little ? a & 0xffff | b << 16 : a << 16 | b & 0xffff;
  }

  public long joined(int a, int b) {
    return little ? a & 0xffffffffL | (long) b << 32 : (long) a << 32 | b & 0xffffffffL;
  }

  public long joined(short a, short b, short c, short d) {
    return joined(joined(a, b), joined(c, d));
  }

  public void booleanAt(int at, boolean value) {
    buffer.put(at, value ? (byte) 1 : (byte) 0);
  }

  public void charAt(int at, char value) {
    buffer.put(at, toOctet(value));
  }

  public void bytesAt(int at, byte[] from, int count) {
    exactly(from.length, count);
    buffer.put(at, from);
  }

  public void booleansAt(int at, boolean[] from, int count) {
    exactly(from.length, count);
    for (int i = 0; i < count; ++i) booleanAt(at + i, from[i]);
  }

  public void charsAt(int at, char[] from, int count) {
    exactly(from.length, count);
    for (int i = 0; i < count; ++i) buffer.put(at + i, toOctet(from[i]));
  }

  public void shortsAt(int at, short[] from, int count) {
    exactly(from.length, count);
    if (count < FEW) {
      for (int i = 0; i < count; ++i) buffer.putShort(at + 2 * i, from[i]);
    } else {
      buffer.position(at).asShortBuffer().put(from);
      buffer.position(0);
    }
  }

  public void intsAt(int at, int[] from, int count) {
    exactly(from.length, count);
    if (count < FEW) {
      for (int i = 0; i < count; ++i) buffer.putInt(at + 4 * i, from[i]);
    } else {
      buffer.position(at).asIntBuffer().put(from);
      buffer.position(0);
    }
  }

  public void longsAt(int at, long[] from, int count) {
    exactly(from.length, count);
    if (count < FEW) {
      for (int i = 0; i < count; ++i) buffer.putLong(at + 8 * i, from[i]);
    } else {
      buffer.position(at).asLongBuffer().put(from);
      buffer.position(0);
    }
  }

  public void floatsAt(int at, float[] from, int count) {
    exactly(from.length, count);
    if (count < FEW) {
      for (int i = 0; i < count; ++i) buffer.putFloat(at + 4 * i, from[i]);
    } else {
      buffer.position(at).asFloatBuffer().put(from);
      buffer.position(0);
    }
  }

  public void doublesAt(int at, double[] from, int count) {
    exactly(from.length, count);
    if (count < FEW) {
      for (int i = 0; i < count; ++i) buffer.putDouble(at + 8 * i, from[i]);
    } else {
      buffer.position(at).asDoubleBuffer().put(from);
      buffer.position(0);
    }
  }

  public void fixedAt(int at, BigDecimal value, int digits, int scale) {
    String text = value.setScale(scale, RoundingMode.DOWN).unscaledValue().abs().toString();
    int halves = (digits / 2 + 1) * 2;
    int before = halves - 1 - text.length();
    if (text.length() > digits) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.FIXED_OVERFLOW);
    boolean negative = value.signum() < 0 && !text.equals("0");
    for (int i = 0; i < halves; i += 2) {
      int high = half(text, i - before);
      int low = i + 1 == halves - 1 ? (negative ? 0xd : 0xc) : half(text, i + 1 - before);
      buffer.put(at + i / 2, (byte) (high << 4 | low));
    }
  }

  private static int half(String text, int index) {
    return index < 0 ? 0 : text.charAt(index) - '0';
  }

  // --- primitives ---

  public void writeBoolean(boolean value) {
    writeByte(value ? (byte) 1 : (byte) 0);
  }

  public void writeByte(byte value) {
    if (position == capacity) grow(1);
    buffer.put(position++, value);
  }

  public void writeChar(char value) {
    writeByte(toOctet(value));
  }

  public void writeShort(short value) {
    int at = align(2);
    if (2 > capacity - at) grow(2);
    buffer.putShort(at, value);
    position = at + 2;
  }

  public void writeInt(int value) {
    int at = align(4);
    if (4 > capacity - at) grow(4);
    buffer.putInt(at, value);
    position = at + 4;
  }

  public void writeLong(long value) {
    int at = align(8);
    if (8 > capacity - at) grow(8);
    buffer.putLong(at, value);
    position = at + 8;
  }

  public void writeFloat(float value) {
    int at = align(4);
    if (4 > capacity - at) grow(4);
    buffer.putFloat(at, value);
    position = at + 4;
  }

  public void writeDouble(double value) {
    int at = align(8);
    if (8 > capacity - at) grow(8);
    buffer.putDouble(at, value);
    position = at + 8;
  }

  /** Rounds to nearest, ties to even; what is too large is DATA_CONVERSION. */
  public void writeLongDouble(BigDecimal value) {
    LongDouble.Bits bits = LongDouble.bits(value);
    if (bits == null) {
      throw new SystemException(SystemException.Kind.DATA_CONVERSION, 0, CompletionStatus.COMPLETED_NO, "too large for a long double");
    }
    boolean little = buffer.order() == ByteOrder.LITTLE_ENDIAN;
    writeLong(little ? bits.low() : bits.high());
    writeLong(little ? bits.high() : bits.low());
  }

  // --- text ---

  public void writeString(String text, int bound) {
    int length = text.length();
    if (bound != 0 && length > bound) throw overBound(length, bound);
    writeInt(length + 1);
    int at = position;
    if (length >= capacity - at) grow(length + 1L);
    for (int i = 0; i < length; ++i) {
      char c = text.charAt(i);
      // One comparison for ASCII without NUL.
      if (c - 1 >= 0x7f || c == 0) {
        writeConverted(text, at);
        return;
      }
      buffer.put(at + i, (byte) c);
    }
    buffer.put(at + length, (byte) 0);
    position = at + length + 1;
  }

  private void writeConverted(String text, int at) {
    if (text.indexOf(0) >= 0) throw fault(SystemException.Kind.BAD_PARAM, MinorCode.NUL_IN_ARGUMENT);
    ByteBuffer octets = encode(CharBuffer.wrap(text));
    int length = octets.remaining();
    position = at;
    if (length >= capacity - at) grow(length + 1L);
    buffer.putInt(at - 4, length + 1);
    buffer.put(at, octets, octets.position(), length);
    buffer.put(at + length, (byte) 0);
    position = at + length + 1;
  }

  private ByteBuffer encode(CharBuffer text) {
    Charset set = CodeSets.charset(charSet, completed);
    try {
      return set.newEncoder().encode(text);
    } catch (CharacterCodingException e) {
      throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    }
  }

  public void writeWChar(char value) {
    CodeSets.requireWide(wcharSet, giopMinor, true, completed);
    if (wcharSet == CodeSets.UTF_16 && Character.isSurrogate(value)) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    if (giopMinor == 1) {
      writeShort((short) value);
      return;
    }
    boolean mark = needsMark(value);
    writeByte((byte) (mark ? 4 : 2));
    if (mark) writeUnit((char) 0xfeff);
    writeUnit(value);
  }

  public void writeWString(String text, int bound) {
    CodeSets.requireWide(wcharSet, giopMinor, true, completed);
    int length = text.length();
    if (bound != 0 && length > bound) throw overBound(length, bound);
    if (text.indexOf(0) >= 0) throw fault(SystemException.Kind.BAD_PARAM, MinorCode.NUL_IN_ARGUMENT);
    if (wcharSet == CodeSets.UTF_16 && !CodeSets.paired(text)) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    if (giopMinor == 1) {
      writeInt(length + 1);
      for (int i = 0; i < length; ++i) writeShort((short) text.charAt(i));
      writeShort((short) 0);
      return;
    }
    boolean mark = length != 0 && needsMark(text.charAt(0));
    long octets = 2L * length + (mark ? 2 : 0);
    if (octets > LARGEST) throw fault(SystemException.Kind.IMP_LIMIT, MinorCode.MESSAGE_ABOVE_LIMIT);
    writeInt((int) octets);
    if (mark) writeUnit((char) 0xfeff);
    for (int i = 0; i < length; ++i) writeUnit(text.charAt(i));
  }

  // Text begins without a mark unless its first character would be taken for one.
  private static boolean needsMark(char first) {
    return first == 0xfeff || first == 0xfffe;
  }

  private void writeUnit(char unit) {
    writeByte((byte) (unit >> 8));
    writeByte((byte) unit);
  }

  // --- fixed-point ---

  /** Digits behind the scale are cut off; too many before it are DATA_CONVERSION. */
  public void writeFixed(BigDecimal value, int digits, int scale) {
    int length = digits / 2 + 1;
    int at = block(1, 1, length);
    fixedAt(at, value, digits, scale);
  }

  // --- sequences and arrays of primitives ---

  /** A sequence's length; above the bound: BAD_PARAM. */
  public void writeLength(int length, int bound) {
    if (bound != 0 && length > bound) throw overBound(length, bound);
    writeInt(length);
  }

  public void writeByteSequence(byte[] values, int bound) {
    writeLength(values.length, bound);
    writeByteArray(values, values.length);
  }

  public void writeByteArray(byte[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) bytesAt(at, values, count);
  }

  public void writeBooleanSequence(boolean[] values, int bound) {
    writeLength(values.length, bound);
    writeBooleanArray(values, values.length);
  }

  public void writeBooleanArray(boolean[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) booleansAt(at, values, count);
  }

  public void writeCharSequence(char[] values, int bound) {
    writeLength(values.length, bound);
    writeCharArray(values, values.length);
  }

  public void writeCharArray(char[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) charsAt(at, values, count);
  }

  public void writeShortSequence(short[] values, int bound) {
    writeLength(values.length, bound);
    writeShortArray(values, values.length);
  }

  public void writeShortArray(short[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 2, 2, 2, 2);
    if (at >= 0) shortsAt(at, values, count);
  }

  public void writeIntSequence(int[] values, int bound) {
    writeLength(values.length, bound);
    writeIntArray(values, values.length);
  }

  public void writeIntArray(int[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 4, 4, 4, 4);
    if (at >= 0) intsAt(at, values, count);
  }

  public void writeLongSequence(long[] values, int bound) {
    writeLength(values.length, bound);
    writeLongArray(values, values.length);
  }

  public void writeLongArray(long[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 8, 8, 8, 8);
    if (at >= 0) longsAt(at, values, count);
  }

  public void writeFloatSequence(float[] values, int bound) {
    writeLength(values.length, bound);
    writeFloatArray(values, values.length);
  }

  public void writeFloatArray(float[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 4, 4, 4, 4);
    if (at >= 0) floatsAt(at, values, count);
  }

  public void writeDoubleSequence(double[] values, int bound) {
    writeLength(values.length, bound);
    writeDoubleArray(values, values.length);
  }

  public void writeDoubleArray(double[] values, int count) {
    exactly(values.length, count);
    int at = blocks(count, 8, 8, 8, 8);
    if (at >= 0) doublesAt(at, values, count);
  }

  public void writeWCharSequence(char[] values, int bound) {
    writeLength(values.length, bound);
    writeWCharArray(values, values.length);
  }

  public void writeWCharArray(char[] values, int count) {
    exactly(values.length, count);
    for (char one : values) writeWChar(one);
  }

  /** Raises BAD_PARAM unless an array has the length of its type. */
  private void exactly(int length, int count) {
    if (length != count) throw overBound(length, count);
  }

  // --- other sequences and arrays ---

  public <T> void writeSequence(CdrType<T> type, List<T> values, int bound) {
    List<T> elements = indexed(values);
    int length = elements.size();
    writeLength(length, bound);
    for (int i = 0; i < length; ++i) type.write(this, elements.get(i));
  }

  /** The list itself, if its elements are found by their place without a search; else a copy that is so. */
  @SuppressWarnings("unchecked")
  public static <T> List<T> indexed(List<T> values) {
    return values instanceof RandomAccess ? values : (List<T>) Arrays.asList(values.toArray());
  }

  public <T> void writeArray(CdrType<T> type, T[] values, int count) {
    exactly(values.length, count);
    for (T value : values) type.write(this, value);
  }

  public <K, V> void writeMap(CdrType<K> key, CdrType<V> value, Map<K, V> values, int bound) {
    int length = values.size();
    writeLength(length, bound);
    int written = 0;
    for (Map.Entry<K, V> one : values.entrySet()) {
      key.write(this, one.getKey());
      value.write(this, one.getValue());
      ++written;
    }
    if (written != length) throw new ConcurrentModificationException();
  }

  // --- object references ---

  /** Null: the nil reference. */
  public void writeReference(ObjectReference reference) {
    if (reference == null) {
      writeInt(1);
      writeByte((byte) 0);
      writeInt(0);
      return;
    }
    References.write(this, reference.ior());
  }

  /** Of an interface; a servant that is not active raises OBJECT_NOT_EXIST. */
  public void writeObject(RemoteObject object) {
    writeReference(object == null ? null : object._reference());
  }

  // --- value types ---

  /** May be null. */
  public void writeValue(ValueBase value) {
    if (value == null) writeInt(ValueReader.NULL_TAG);
    else values().write(value);
  }

  /** An object or a value, or null. BAD_PARAM for anything else. */
  public void writeAbstract(AbstractBase object) {
    boolean reference = object instanceof RemoteObject;
    if (object != null && !reference && !(object instanceof ValueBase)) {
      throw fault(SystemException.Kind.BAD_PARAM, MinorCode.WRONG_ABSTRACT_TYPE);
    }
    writeBoolean(reference);
    if (reference) writeObject((RemoteObject) object);
    else writeValue((ValueBase) object);
  }

  // --- inside ---

  ValueWriter values() {
    if (values == null) values = new ValueWriter(this);
    return values;
  }

  /** Its values are not kept any longer. */
  void letGo() {
    values = null;
  }

  boolean inChunks() {
    return values != null && values.inChunks();
  }

  /** A repository id, whose octets are no text of a code set. */
  void writeRaw(String text) {
    writeInt(text.length() + 1);
    for (int i = 0; i < text.length(); ++i) writeByte((byte) text.charAt(i));
    writeByte((byte) 0);
  }

  /** Puts the size before a chunk; no chunk has the size 0. */
  void endChunk(int from) {
    int size = position - from;
    if (size == 0) position = from - 4;
    else buffer.putInt(from - 4, size);
  }

  ByteOrder order() {
    return order;
  }

  int giopMinor() {
    return giopMinor;
  }

  /** Of the next octet, modulo 8. */
  int phase() {
    return position & 7;
  }

  boolean hasOrder(Body format) {
    return little == format.littleEndian;
  }

  boolean hasCodeSets(Body format) {
    return giopMinor == format.giopMinor && charSet == format.charSet && wcharSet == format.wcharSet;
  }

  /** A copy of what has been written. */
  byte[] octets() {
    byte[] copy = new byte[position - start];
    buffer.get(start, copy);
    return copy;
  }

  /** Octets as they are, without a length. */
  /** Takes a body's octets, and lets it lie here. */
  void copy(Body body) {
    int size = body.end - body.position;
    reset(body.position & 7, body.littleEndian, body.giopMinor, body.charSet, body.wcharSet);
    int at = blocks(size, 1, 1, 1, 1);
    if (at >= 0) buffer.put(at, body.buffer, body.position, size);
    body.buffer = buffer;
    body.position = start;
    body.end = position;
  }

  void putOctets(byte[] octets) {
    int at = blocks(octets.length, 1, 1, 1, 1);
    if (at >= 0) buffer.put(at, octets);
  }

  private byte toOctet(char value) {
    if (value < 0x80) return (byte) value;
    if (charSet == CodeSets.ISO_8859_1 && value < 0x100) return (byte) value;
    ByteBuffer octets = encode(CharBuffer.wrap(new char[] {value}));
    if (octets.remaining() != 1) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    return octets.get();
  }

  private int align(int alignment) {
    int at = (position + alignment - 1) & -alignment;
    return at == position ? at : pad(at);
  }

  private int pad(int at) {
    if (at > capacity) grow(at - position);
    while (position < at) buffer.put(position++, (byte) 0);
    return at;
  }

  private void grow(long octets) {
    long need = position + octets;
    if (need > LARGEST) throw fault(SystemException.Kind.IMP_LIMIT, MinorCode.MESSAGE_ABOVE_LIMIT);
    take((int) Math.max(need, Math.min(2L * capacity, LARGEST)));
  }
}
