// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/**
 * A value of any type, with its type. What a program puts in is kept as it is and not copied; what came in a message is kept as octets, so
 * that it needs no class, and goes out as it came where the next message has the same byte order, code sets and alignment; else it is
 * written anew by its TypeCode. Immutable as its value is; any thread.
 */
public final class Any {
  /** Without a value: of kind tk_null. */
  public static final Any EMPTY = new Any(TypeCode.of(tk_null), null, null, new byte[0], new Body(), null);

  static final long MAY_HOLD_VALUES = TypeCode.VALUES | (1L << tk_abstract_interface | 1L << tk_any);
  /** Their octets depend on code sets: also what may hold text that the TypeCode does not show. */
  private static final long TEXT = MAY_HOLD_VALUES | 1L << tk_char | 1L << tk_wchar | 1L << tk_string | 1L << tk_wstring
      | 1L << tk_TypeCode | 1L << tk_union;

  /** Where octets are put while they are read. */
  private static final ConcurrentLinkedQueue<CdrWriter> ROOMS = new ConcurrentLinkedQueue<>();

  private final TypeCode type;
  private final CdrType<Object> codec; // null: there are octets
  private final Object value;
  private final byte[] octets;
  private final Body format;
  private final Engine engine;

  private Any(TypeCode type, CdrType<Object> codec, Object value, byte[] octets, Body format, Engine engine) {
    this.type = type;
    this.codec = codec;
    this.value = value;
    this.octets = octets;
    this.format = format;
    this.engine = engine;
  }

  /** A value of a generated type: `Any.of(Card._Type.INSTANCE, card)`. Null where null is a value, of references and value types. */
  public static <T> Any of(CdrType<T> type, T value) {
    return of(type.typeCode(), type, value);
  }

  /** The same with another TypeCode, whose values look the same in messages. */
  @SuppressWarnings("unchecked")
  public static <T> Any of(TypeCode type, CdrType<T> codec, T value) {
    return new Any(type, (CdrType<Object>) codec, value, null, new Body(), null);
  }

  public TypeCode type() {
    return type;
  }

  /** Whether {@link #get} gives a value of that type: one of an equivalent type, whatever its bounds, or of a value type derived from it. */
  public boolean holds(CdrType<?> wanted) {
    TypeCode wantedType = wanted.typeCode();
    TypeCode at = type;
    while (!new TypeCodes(TypeCodes.UNBOUNDED).same(at, wantedType)) {
      at = at.unaliased();
      at = at.is(TypeCode.WITH_STATE) ? at.parts().content : null;
      if (at == null) return false;
    }
    return true;
  }

  /** What a program put in, where that is what comes out: objects that are not looked into. */
  private boolean isObject() {
    return codec != null
        && type.unaliased().is(TypeCode.VALUES | 1L << tk_objref | 1L << tk_abstract_interface | 1L << tk_any | 1L << tk_TypeCode);
  }

  /** BAD_TYPECODE if it is of another type; MARSHAL and DATA_CONVERSION if its octets are bad, or there is no factory for a value in it. */
  @SuppressWarnings("unchecked")
  public <T> T get(CdrType<T> wanted) {
    if (codec == wanted) return (T) value;
    if (!holds(wanted)) {
      throw new SystemException(SystemException.Kind.BAD_TYPECODE, MinorCode.TYPE_MISMATCH, CompletionStatus.COMPLETED_NO, type.toString());
    }
    if (isObject()) return (T) value;
    return in(room -> wanted.read(reader(room)));
  }

  /**
   * The value without a class for its type: numbers, characters and booleans boxed, with the bits of unsigned ones; String, BigDecimal; an
   * enumerator's name; arrays of primitives for sequences and arrays of them, lists for others; maps from names for structs, exceptions and
   * unions, whose discriminator is "_d"; Any, TypeCode, RemoteObject, ValueBase; null. Members without a name are called by their index,
   * enumerators without one are Integers. Raises what {@link #get} does, and NO_IMPLEMENT for references inside what this program made.
   */
  public Object value() {
    return isObject() ? value : in(room -> new AnyWalk(reader(room), null, true).value(type));
  }

  // --- in messages ---

  public static Any read(CdrReader in) {
    TypeCode type = TypeCode.read(in);
    Body format = in.format();
    byte[] octets = AnyWalk.take(in, type, format);
    return new Any(type, null, null, octets, format, in.engine());
  }

  public void write(CdrWriter out) {
    type.write(out);
    writeValue(out);
  }

  private void writeValue(CdrWriter out) {
    if (codec != null) {
      codec.write(out, value);
      return;
    }
    long kinds = type.kinds();
    boolean sameFormat = out.hasOrder(format) && (out.hasCodeSets(format) || (kinds & TEXT) == 0);
    // In a value of chunks, headers of values are between chunks.
    boolean movable = out.phase() == format.position && !(out.inChunks() && (kinds & MAY_HOLD_VALUES) != 0);
    if (sameFormat && movable) {
      out.putOctets(octets);
    } else {
      in(room -> new AnyWalk(reader(room), out, false).value(type));
    }
  }

  /** Calls it with the octets, which codecs want in a direct buffer. */
  private <T> T in(Function<CdrWriter, T> use) {
    CdrWriter room = ROOMS.poll();
    if (room == null) room = new CdrWriter();
    try {
      room.reset(format);
      if (codec != null) codec.write(room, value);
      else room.putOctets(octets);
      return use.apply(room);
    } finally {
      room.letGo();
      if (room.capacity() <= CdrWriter.KEPT) ROOMS.offer(room);
    }
  }

  private CdrReader reader(CdrWriter room) {
    return new CdrReader(engine).reset(room.buffer(), room.start(), room.position(), format.littleEndian, format.giopMinor,
        format.charSet, format.wcharSet, null);
  }

  /** In one format for all, and with zeros for octets that only align. */
  private byte[] canonical() {
    return in(room -> {
      CdrWriter out = new CdrWriter();
      new AnyWalk(reader(room), out, false).value(type);
      return out.octets();
    });
  }

  /** Equal types, names too, and equal values. */
  @Override
  public boolean equals(Object other) {
    if (this == other) return true;
    if (!(other instanceof Any that) || !type.equal(that.type)) return false;
    if (codec != null && that.codec != null && Values.equal(value, that.value)) return true;
    if (codec == null && that.codec == null && format.same(that.format) && Arrays.equals(octets, that.octets)) return true;
    try {
      return Arrays.equals(canonical(), that.canonical());
    } catch (SystemException e) { // of a value that cannot be written so
      return false;
    }
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  /** The type and, if it can be read, the value. */
  @Override
  public String toString() {
    String text;
    try {
      text = Arrays.deepToString(new Object[] {codec != null ? value : value()});
      text = text.substring(1, text.length() - 1);
    } catch (SystemException e) {
      text = "(" + e.getMessage() + ")";
    }
    return type + " " + text;
  }
}
