// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads CDR (CORBA 3.4 part 2 §9.3) out of a body that lies in a direct buffer.
 *
 * <p>It never reads behind the body, and it allocates no more for a length than the octets that are left can justify. Each fault is a
 * {@link SystemException}: MARSHAL, or DATA_CONVERSION for characters. Whoever reads stops there: what was read before the fault is lost.
 *
 * <p>Primitives have Java's names: {@code readInt} reads a long or unsigned long of IDL, {@code readLong} a long long. A bound of 0 means
 * that there is none. One thread at a time; reset() makes it ready for the next body without allocating.
 *
 * <p>Long because each primitive is read alone, in sequences and arrays, and at constant places of a struct.
 */
public final class CdrReader {
  /** Values of recursive types may be nested so deeply. */
  public static final int DEEPEST = 256;

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);
  private static final int[] NO_SEGMENTS = {};
  private static final int FEW = 8; // elements that a loop reads sooner than a view of the buffer
  private static final int LARGEST_SCRATCH = 4096;

  private final Engine engine;
  private ByteBuffer buffer = NOTHING;
  private boolean little;
  int position;
  int end;
  int beyond; // octets in later segments, or behind this chunk of a value
  private ValueReader values; // null before the first value
  private int depth;
  private int giopMinor = 2;
  private int charSet = CodeSets.UTF_8;
  private int wcharSet = CodeSets.UTF_16;
  private byte[] scratch = new byte[64];
  private CompletionStatus completed = CompletionStatus.COMPLETED_NO;
  private Lent lent; // the last one; it leads to those before

  private int first;
  private int last;

  // Only where a message came in fragments of GIOP 1.1:
  private ByteBuffer whole;
  private int[] segments = NO_SEGMENTS;
  private int segment;

  /** Object references are made by the engine; with null they cannot be read. */
  public CdrReader(Engine engine) {
    this.engine = engine;
  }

  /** What its exceptions say from now on: COMPLETED_YES where it reads replies. */
  CdrReader completed(CompletionStatus status) {
    completed = status;
    return this;
  }

  /** Begins with the body's first octet. The buffer's byte order becomes that of the body. */
  public CdrReader reset(Body body) {
    return reset(body.buffer, body.position, body.end, body.littleEndian, body.giopMinor, body.charSet, body.wcharSet, body.segments);
  }

  public CdrReader reset(ByteBuffer buffer, int position, int end, boolean littleEndian, int giopMinor, int charSet, int wcharSet,
      int[] segments) {
    if (position < 0 || position > end || end > buffer.limit() || end > CdrWriter.LARGEST) throw new IndexOutOfBoundsException();
    buffer.order(littleEndian ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    this.buffer = buffer;
    little = littleEndian;
    this.position = position;
    this.end = end;
    this.giopMinor = giopMinor;
    this.charSet = charSet;
    this.wcharSet = wcharSet;
    first = position;
    last = end;
    beyond = 0;
    depth = 0;
    values = null;
    this.segments = segments == null ? NO_SEGMENTS : segments;
    if (this.segments.length != 0) beginSegments();
    return this;
  }

  // --- what generated code uses for structs whose layout is constant ---

  /** The buffer, for absolute access at places that {@link #block} or {@link #blocks} gave; it has the body's byte order. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * The index of a struct of constant size whose first member is aligned to `first` and whose layout is the one from a multiple of
   * `alignment`; the reader then stands behind it. -1, and nothing has been read: it begins elsewhere or is not in one piece, so it is
   * read member by member.
   */
  public int block(int first, int alignment, int size) {
    int at = (position + first - 1) & -first;
    if ((at & (alignment - 1)) != 0 || at > end - size) return -1;
    position = at + size;
    return at;
  }

  /** The same for `count` structs that begin every `stride` octets, of which the last one has `size`. */
  public int blocks(int count, int first, int alignment, int stride, int size) {
    int at = (position + first - 1) & -first;
    long length = (long) (count - 1) * stride + size;
    if (count == 0 || (at & (alignment - 1)) != 0 || at + length > end) return -1;
    position = (int) (at + length);
    return at;
  }

  /** Whether what blocks() finds can be lent: where the buffer is the whole body. */
  public boolean lends() {
    return segments.length == 0;
  }

  /** For views of this body, which end at endViews(). */
  public Lent lend() {
    lent = new Lent(this, lent);
    return lent;
  }

  void endViews() {
    for (; lent != null; lent = lent.before) lent.end();
  }

  public boolean booleanAt(int at) {
    return toBoolean(buffer.get(at));
  }

  public char charAt(int at) {
    return toChar(buffer.get(at));
  }

  /** Integers that lie side by side and were read as one: the first one in the lowest bits. */
  public int shorts(int read) {
    return little ? read : read << 16 | read >>> 16;
  }

  public long shorts(long read) {
    return little ? read : shorts((int) (read >>> 32)) & 0xffffffffL | (long) shorts((int) read) << 32;
  }

  public long ints(long read) {
    return little ? read : read << 32 | read >>> 32;
  }

  public byte[] bytesAt(int at, int count) {
    byte[] to = new byte[count];
    buffer.get(at, to);
    return to;
  }

  public boolean[] booleansAt(int at, int count) {
    boolean[] to = new boolean[count];
    for (int i = 0; i < count; ++i) to[i] = toBoolean(buffer.get(at + i));
    return to;
  }

  public char[] charsAt(int at, int count) {
    char[] to = new char[count];
    for (int i = 0; i < count; ++i) to[i] = toChar(buffer.get(at + i));
    return to;
  }

  public short[] shortsAt(int at, int count) {
    short[] to = new short[count];
    if (count < FEW) {
      for (int i = 0; i < count; ++i) to[i] = buffer.getShort(at + 2 * i);
    } else {
      buffer.position(at).asShortBuffer().get(to);
      buffer.position(0);
    }
    return to;
  }

  public int[] intsAt(int at, int count) {
    int[] to = new int[count];
    if (count < FEW) {
      for (int i = 0; i < count; ++i) to[i] = buffer.getInt(at + 4 * i);
    } else {
      buffer.position(at).asIntBuffer().get(to);
      buffer.position(0);
    }
    return to;
  }

  public long[] longsAt(int at, int count) {
    long[] to = new long[count];
    if (count < FEW) {
      for (int i = 0; i < count; ++i) to[i] = buffer.getLong(at + 8 * i);
    } else {
      buffer.position(at).asLongBuffer().get(to);
      buffer.position(0);
    }
    return to;
  }

  public float[] floatsAt(int at, int count) {
    float[] to = new float[count];
    if (count < FEW) {
      for (int i = 0; i < count; ++i) to[i] = buffer.getFloat(at + 4 * i);
    } else {
      buffer.position(at).asFloatBuffer().get(to);
      buffer.position(0);
    }
    return to;
  }

  public double[] doublesAt(int at, int count) {
    double[] to = new double[count];
    if (count < FEW) {
      for (int i = 0; i < count; ++i) to[i] = buffer.getDouble(at + 8 * i);
    } else {
      buffer.position(at).asDoubleBuffer().get(to);
      buffer.position(0);
    }
    return to;
  }

  public BigDecimal fixedAt(int at, int digits, int scale) {
    return toFixed(buffer, at, digits, scale);
  }

  // --- primitives ---

  public boolean readBoolean() {
    return toBoolean(readByte());
  }

  public byte readByte() {
    int at = position;
    if (at >= end) at = advance(1, 1);
    else position = at + 1;
    return buffer.get(at);
  }

  public char readChar() {
    return toChar(readByte());
  }

  public short readShort() {
    int at = (position + 1) & -2;
    if (at > end - 2) at = advance(2, 2);
    else position = at + 2;
    return buffer.getShort(at);
  }

  public int readInt() {
    int at = (position + 3) & -4;
    if (at > end - 4) at = advance(4, 4);
    else position = at + 4;
    return buffer.getInt(at);
  }

  public long readLong() {
    int at = (position + 7) & -8;
    if (at > end - 8) at = advance(8, 8);
    else position = at + 8;
    return buffer.getLong(at);
  }

  public float readFloat() {
    int at = (position + 3) & -4;
    if (at > end - 4) at = advance(4, 4);
    else position = at + 4;
    return buffer.getFloat(at);
  }

  public double readDouble() {
    int at = (position + 7) & -8;
    if (at > end - 8) at = advance(8, 8);
    else position = at + 8;
    return buffer.getDouble(at);
  }

  /** Exact; infinity and what is not a number are DATA_CONVERSION. */
  public BigDecimal readLongDouble() {
    long one = readLong();
    long other = readLong();
    boolean little = buffer.order() == ByteOrder.LITTLE_ENDIAN;
    BigDecimal value = LongDouble.of(little ? other : one, little ? one : other);
    if (value == null) {
      throw new SystemException(SystemException.Kind.DATA_CONVERSION, 0, completed, "a long double that is infinite or not a number");
    }
    return value;
  }

  /** An enum's ordinal, of which there are `count`. */
  public int readOrdinal(int count) {
    return ordinal(readInt(), count);
  }

  public int ordinalAt(int at, int count) {
    return ordinal(buffer.getInt(at), count);
  }

  private int ordinal(int number, int count) {
    if (Integer.compareUnsigned(number, count) >= 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.VALUE_OUT_OF_RANGE);
    return number;
  }

  // --- text ---

  public String readString(int bound) {
    int length = readLength(1, 0);
    if (length == 0) return ""; // some old ORBs send an empty string so
    byte[] octets = length <= scratch.length ? scratch : room(length);
    takeOctets(octets, length);
    if (octets[length - 1] != 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.STRING_WITHOUT_NUL);
    String text = decode(octets, length - 1);
    if (text.indexOf(0) >= 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.NUL_IN_STRING);
    if (bound != 0 && text.length() > bound) throw fault(SystemException.Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND);
    return text;
  }

  private byte[] room(int length) {
    byte[] room = new byte[Math.max(length, 64)];
    if (length <= LARGEST_SCRATCH) scratch = room;
    return room;
  }

  private String decode(byte[] octets, int length) {
    if (charSet == CodeSets.UTF_8) {
      String text = new String(octets, 0, length, StandardCharsets.UTF_8);
      // The replacement character stands for malformed octets, or for itself.
      return text.indexOf(0xfffd) < 0 ? text : decode(octets, length, StandardCharsets.UTF_8);
    }
    if (charSet == CodeSets.ISO_8859_1) return new String(octets, 0, length, StandardCharsets.ISO_8859_1);
    return decode(octets, length, CodeSets.charset(charSet, completed));
  }

  private String decode(byte[] octets, int length, Charset set) {
    try {
      return set.newDecoder().decode(ByteBuffer.wrap(octets, 0, length)).toString();
    } catch (CharacterCodingException e) {
      throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.MALFORMED_CHARS);
    }
  }

  /** A wchar of Java is one unit of UTF-16: a character that takes two is DATA_CONVERSION. */
  public char readWChar() {
    CodeSets.requireWide(wcharSet, giopMinor, false, completed);
    char c;
    if (giopMinor == 1) {
      c = (char) readShort();
    } else {
      int length = readByte() & 0xff;
      byte[] octets = scratch;
      if (length != 2 && length != 4) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_WIDE_TEXT);
      takeOctets(octets, length);
      c = unit(octets, 0);
      if (length == 4) {
        if (Character.isSurrogate(c)) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
        if (c != 0xfeff && c != 0xfffe) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_WIDE_TEXT);
        c = c == 0xfeff ? unit(octets, 2) : Character.reverseBytes(unit(octets, 2));
      }
    }
    if (wcharSet == CodeSets.UTF_16 && Character.isSurrogate(c)) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    return c;
  }

  public String readWString(int bound) {
    CodeSets.requireWide(wcharSet, giopMinor, false, completed);
    String text = giopMinor == 1 ? readUnits() : readWideOctets();
    if (text.indexOf(0) >= 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.NUL_IN_STRING);
    if (bound != 0 && text.length() > bound) throw fault(SystemException.Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND);
    if (wcharSet == CodeSets.UTF_16 && !CodeSets.paired(text)) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.CHAR_NOT_IN_CODE_SET);
    return text;
  }

  // GIOP 1.1: the length counts units and the NUL, in the byte order of the message.
  private String readUnits() {
    int length = readLength(2, 0);
    if (length == 0) return "";
    char[] units = new char[length - 1];
    for (int i = 0; i < units.length; ++i) units[i] = (char) readShort();
    if (readShort() != 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.STRING_WITHOUT_NUL);
    return new String(units);
  }

  // GIOP 1.2: the length counts octets, big-endian unless a mark in front says otherwise; there is no NUL.
  private String readWideOctets() {
    int length = readLength(1, 0);
    if (length % 2 != 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_WIDE_TEXT);
    byte[] octets = length <= scratch.length ? scratch : room(length);
    takeOctets(octets, length);
    int from = 0;
    char[] units = new char[length / 2];
    for (int i = 0; i < units.length; ++i) units[i] = unit(octets, 2 * i);
    if (units.length > 1 && (units[0] == 0xfeff || units[0] == 0xfffe)) {
      from = 1;
      if (units[0] == 0xfffe) {
        for (int i = 0; i < units.length; ++i) units[i] = Character.reverseBytes(units[i]);
      }
    } // a mark alone is the character itself, of a peer that does not know marks
    return new String(units, from, units.length - from);
  }

  private static char unit(byte[] octets, int at) {
    return (char) ((octets[at] & 0xff) << 8 | octets[at + 1] & 0xff);
  }

  // --- fixed-point ---

  public BigDecimal readFixed(int digits, int scale) {
    int length = digits / 2 + 1;
    int at = block(1, 1, length);
    if (at >= 0) return toFixed(buffer, at, digits, scale);
    byte[] octets = new byte[length];
    takeOctets(octets, length);
    return toFixed(ByteBuffer.wrap(octets), 0, digits, scale);
  }

  private BigDecimal toFixed(ByteBuffer from, int at, int digits, int scale) {
    char[] text = new char[digits + 1];
    int halves = (digits / 2 + 1) * 2; // digits, one more in front if their number is even, and the sign
    int to = 1;
    for (int i = 0; i < halves - 1; ++i) {
      int digit = (from.get(at + i / 2) >> (i % 2 == 0 ? 4 : 0)) & 15;
      if (digit > 9 || i < halves - 1 - digits && digit != 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_FIXED);
      if (i >= halves - 1 - digits) text[to++] = (char) ('0' + digit);
    }
    int sign = from.get(at + halves / 2 - 1) & 15;
    if (sign != 0xc && sign != 0xd) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_FIXED);
    text[0] = sign == 0xc ? '+' : '-';
    return new BigDecimal(new BigInteger(new String(text)), scale);
  }

  // --- sequences and arrays of primitives ---

  /** A sequence's length: no more than the octets that are left can hold, each element having `smallest` or more. */
  public int readLength(int smallest, int bound) {
    int length = readInt();
    if (length < 0 || (long) length * smallest > left()) throw fault(SystemException.Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA);
    if (bound != 0 && length > bound) throw fault(SystemException.Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND);
    return length;
  }

  /** Raises unless `count` elements of an array can be in the octets that are left. */
  public void require(int count, int smallest) {
    if ((long) count * smallest > left()) throw fault(SystemException.Kind.MARSHAL, MinorCode.OUT_OF_DATA);
  }

  public byte[] readByteSequence(int bound) {
    return readByteArray(readLength(1, bound));
  }

  public byte[] readByteArray(int count) {
    require(count, 1);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) return bytesAt(at, count);
    byte[] to = new byte[count];
    for (int i = 0; i < count; ++i) to[i] = readByte();
    return to;
  }

  public boolean[] readBooleanSequence(int bound) {
    return readBooleanArray(readLength(1, bound));
  }

  public boolean[] readBooleanArray(int count) {
    require(count, 1);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) return booleansAt(at, count);
    boolean[] to = new boolean[count];
    for (int i = 0; i < count; ++i) to[i] = readBoolean();
    return to;
  }

  public char[] readCharSequence(int bound) {
    return readCharArray(readLength(1, bound));
  }

  public char[] readCharArray(int count) {
    require(count, 1);
    int at = blocks(count, 1, 1, 1, 1);
    if (at >= 0) return charsAt(at, count);
    char[] to = new char[count];
    for (int i = 0; i < count; ++i) to[i] = readChar();
    return to;
  }

  public short[] readShortSequence(int bound) {
    return readShortArray(readLength(2, bound));
  }

  public short[] readShortArray(int count) {
    require(count, 2);
    int at = blocks(count, 2, 2, 2, 2);
    if (at >= 0) return shortsAt(at, count);
    short[] to = new short[count];
    for (int i = 0; i < count; ++i) to[i] = readShort();
    return to;
  }

  public int[] readIntSequence(int bound) {
    return readIntArray(readLength(4, bound));
  }

  public int[] readIntArray(int count) {
    require(count, 4);
    int at = blocks(count, 4, 4, 4, 4);
    if (at >= 0) return intsAt(at, count);
    int[] to = new int[count];
    for (int i = 0; i < count; ++i) to[i] = readInt();
    return to;
  }

  public long[] readLongSequence(int bound) {
    return readLongArray(readLength(8, bound));
  }

  public long[] readLongArray(int count) {
    require(count, 8);
    int at = blocks(count, 8, 8, 8, 8);
    if (at >= 0) return longsAt(at, count);
    long[] to = new long[count];
    for (int i = 0; i < count; ++i) to[i] = readLong();
    return to;
  }

  public float[] readFloatSequence(int bound) {
    return readFloatArray(readLength(4, bound));
  }

  public float[] readFloatArray(int count) {
    require(count, 4);
    int at = blocks(count, 4, 4, 4, 4);
    if (at >= 0) return floatsAt(at, count);
    float[] to = new float[count];
    for (int i = 0; i < count; ++i) to[i] = readFloat();
    return to;
  }

  public double[] readDoubleSequence(int bound) {
    return readDoubleArray(readLength(8, bound));
  }

  public double[] readDoubleArray(int count) {
    require(count, 8);
    int at = blocks(count, 8, 8, 8, 8);
    if (at >= 0) return doublesAt(at, count);
    double[] to = new double[count];
    for (int i = 0; i < count; ++i) to[i] = readDouble();
    return to;
  }

  public char[] readWCharSequence(int bound) {
    return readWCharArray(readLength(giopMinor == 1 ? 2 : 3, bound));
  }

  public char[] readWCharArray(int count) {
    require(count, giopMinor == 1 ? 2 : 3);
    char[] to = new char[count];
    for (int i = 0; i < count; ++i) to[i] = readWChar();
    return to;
  }

  // --- other sequences and arrays ---

  /** A list of fixed size over an array of its own. */
  @SuppressWarnings("unchecked")
  public <T> List<T> readSequence(CdrType<T> type, int smallest, int bound) {
    Object[] elements = new Object[readLength(smallest, bound)];
    for (int i = 0; i < elements.length; ++i) elements[i] = type.read(this);
    return (List<T>) Arrays.asList(elements);
  }

  /** Makes an array of the same class as `none`, which has no elements. */
  public <T> T[] readArray(CdrType<T> type, int smallest, int count, T[] none) {
    require(count, smallest);
    T[] to = Arrays.copyOf(none, count);
    for (int i = 0; i < count; ++i) to[i] = type.read(this);
    return to;
  }

  /** A map in the order in which its pairs came; a key that comes twice is MARSHAL. */
  public <K, V> Map<K, V> readMap(CdrType<K> key, CdrType<V> value, int smallest, int bound) {
    int length = readLength(smallest, bound);
    Map<K, V> map = new LinkedHashMap<>();
    for (int i = 0; i < length; ++i) {
      K one = key.read(this);
      map.put(one, value.read(this));
      if (map.size() != i + 1) throw fault(SystemException.Kind.MARSHAL, MinorCode.DUPLICATE_KEY);
    }
    return map;
  }

  // --- object references ---

  /** Null: the nil reference. */
  public ObjectReference readReference() {
    byte[] ior = References.read(this);
    if (ior == null) return null;
    if (engine == null) throw new SystemException(SystemException.Kind.NO_IMPLEMENT, 0);
    return engine.reference(ior);
  }

  // --- value types ---

  /**
   * A value, or null; WRONG_VALUE_TYPE unless it is one of `type`. `id`: the repository id of that type, which a value has that names none.
   * `make` makes one of that id; null: the ORB's factories do.
   */
  public <T> T readValue(Class<T> type, String id, ValueFactory make) {
    return values().read(type, id, make);
  }

  public ValueBase readValue() {
    return readValue(ValueBase.class, "", null);
  }

  // --- nesting ---

  /** Around each value of a recursive type. */
  public void enter() {
    if (++depth > DEEPEST) throw fault(SystemException.Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP);
  }

  public void leave() {
    --depth;
  }

  // --- inside ---

  /** Octets that are left. */
  public int left() {
    return end - position + beyond;
  }

  int giopMinor() {
    return giopMinor;
  }

  Engine engine() {
    return engine;
  }

  int depth() {
    return depth;
  }

  int position() {
    return position;
  }

  /** In which the body is; without a place. */
  Body format() {
    Body format = new Body();
    format.littleEndian = buffer.order() == ByteOrder.LITTLE_ENDIAN;
    format.giopMinor = giopMinor;
    format.charSet = charSet;
    format.wcharSet = wcharSet;
    return format;
  }

  /** Its values are not kept any longer. */
  void letGo() {
    values = null;
  }

  CompletionStatus completed() {
    return completed;
  }

  ValueReader values() {
    if (values == null) values = new ValueReader(this);
    return values;
  }

  /** In the body, across segments: where indirections lead to. */
  int offset() {
    return last - left();
  }

  int firstOffset() {
    return first;
  }

  boolean isSegmented() {
    return segments.length != 0;
  }

  /** Whether octets from here on mean the same elsewhere. */
  boolean inOnePiece() {
    return segments.length == 0 && (values == null || !values.inChunks());
  }

  /** Text as it is, of which `length` octets with the NUL are ahead. */
  String readRaw(int length) {
    if (length < 0 || length > left()) throw fault(MinorCode.LENGTH_BEYOND_DATA);
    byte[] octets = new byte[length];
    takeOctets(octets, length);
    if (length != 0 && octets[length - 1] != 0) throw fault(MinorCode.STRING_WITHOUT_NUL);
    String text = new String(octets, 0, Math.max(length - 1, 0), StandardCharsets.ISO_8859_1);
    if (text.indexOf(0) >= 0) throw fault(MinorCode.NUL_IN_STRING);
    return text;
  }

  /** The octets from an earlier position on. */
  byte[] octets(int from) {
    return bytesAt(from, position - from);
  }

  void goBack(int to, int depthThere) {
    position = to;
    depth = depthThere;
  }

  /** Passes over octets. */
  void pass(int count) {
    for (int more = count; more > end - position; ) {
      more -= end - position;
      position = end;
      if (!nextPiece()) throw fault(MinorCode.OUT_OF_DATA);
      count = more;
    }
    position += count;
  }

  /** Of generated code: passes over an exception's repository id in an Any, which omniORB does not send. */
  public CdrReader passExceptionId(String id) {
    ByteBuffer bufferHere = buffer;
    int positionHere = position;
    int endHere = end;
    int beyondHere = beyond;
    int segmentHere = segment;
    try {
      int length = readInt();
      if (length == id.length() + 1 && readRaw(length).equals(id)) return this;
    } catch (SystemException e) {
      // What is there is no text.
    }
    buffer = bufferHere;
    position = positionHere;
    end = endHere;
    beyond = beyondHere;
    segment = segmentHere;
    return this;
  }

  /** Fills the beginning of `to`, across segments. */
  void takeOctets(byte[] to, int count) {
    int done = 0;
    while (true) {
      int part = Math.min(count - done, end - position);
      buffer.get(position, to, done, part);
      position += part;
      done += part;
      if (done == count) return;
      if (!nextPiece()) throw fault(SystemException.Kind.MARSHAL, MinorCode.OUT_OF_DATA);
    }
  }

  /** MARSHAL. */
  SystemException fault(int minor) {
    return fault(SystemException.Kind.MARSHAL, minor);
  }

  SystemException fault(SystemException.Kind kind, int minor) {
    return new SystemException(kind, minor, completed, null);
  }

  private boolean toBoolean(byte octet) {
    if ((octet & ~1) != 0) throw fault(SystemException.Kind.MARSHAL, MinorCode.BAD_BOOLEAN);
    return octet != 0;
  }

  private char toChar(byte octet) {
    return octet >= 0 ? (char) octet : wideChar(octet);
  }

  private char wideChar(byte octet) {
    if (charSet == CodeSets.ISO_8859_1) return (char) (octet & 0xff);
    CharBuffer text = CharBuffer.wrap(decode(new byte[] {octet}, 1, CodeSets.charset(charSet, completed)));
    if (text.length() != 1) throw fault(SystemException.Kind.DATA_CONVERSION, MinorCode.MALFORMED_CHARS);
    return text.charAt(0);
  }

  /** The place of a primitive that is not in the rest of this segment. Each segment begins with a whole one. */
  private int advance(int alignment, int size) {
    while (nextPiece()) {
      int at = (position + alignment - 1) & -alignment;
      if (at > end - size) continue;
      position = at + size;
      return at;
    }
    throw fault(SystemException.Kind.MARSHAL, MinorCode.OUT_OF_DATA);
  }

  private boolean nextPiece() {
    return values != null && values.inChunks() ? values.nextChunk() : nextSegment();
  }

  private void beginSegments() {
    whole = buffer;
    segment = 0;
    end = segmentEnd(position);
    beyond = last - end;
  }

  private int segmentEnd(int from) {
    if (segment >= segments.length) return last;
    long to = (long) first + segments[segment];
    return (int) Math.max(from, Math.min(to, last));
  }

  /** Goes on with the next segment in a view of its own, whose indices have that segment's alignment. */
  private boolean nextSegment() {
    if (segment >= segments.length) return false;
    int from = last - beyond;
    int phase = segments[segment + 1] & 7;
    segment += 2;
    int to = segmentEnd(from);
    ByteOrder order = buffer.order();
    if (from >= phase) {
      buffer = whole.slice(from - phase, to - from + phase).order(order);
    } else {
      buffer = ByteBuffer.allocateDirect(phase + to - from).order(order);
      buffer.put(phase, whole, from, to - from);
    }
    position = phase;
    end = phase + to - from;
    beyond = last - to;
    return true;
  }
}
