// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads TypeCodes (CORBA 3.4 part 2 §9.3.5.1). An offset may lead to any earlier TypeCode of the same outermost one, be it complete or around
 * the offset. What is read takes no more memory than a fixed multiple of its octets; faults are MARSHAL.
 */
final class TypeCodeReader {
  /** TypeCodes inside one another, at most. */
  static final int DEEPEST = 128;
  static final int INDIRECTION = -1;

  private final CdrReader message;
  private final byte[] octets; // of the outermost encapsulation
  private final Map<Integer, TypeCode> known = new HashMap<>(); // by the index of their kind
  private int depth;
  private boolean indirections;
  // The encapsulation that is being read:
  private int base;
  private int at;
  private int end;
  private boolean little;

  private TypeCodeReader(CdrReader message, byte[] octets) {
    this.message = message;
    this.octets = octets;
  }

  static TypeCode read(CdrReader in) {
    int kind = known(in, in.readInt());
    if (TypeCode.in(kind, TypeCode.WITHOUT_PARAMETERS)) return TypeCode.of(kind);
    if (kind == tk_fixed) return fixed(in, in.readShort(), in.readShort());
    if (TypeCode.in(kind, TypeCode.SIMPLE)) return TypeCode.string(kind, in.readInt());
    TypeCodeReader reader = new TypeCodeReader(in, in.readByteSequence(0));
    reader.end = reader.octets.length;
    ++reader.depth;
    // Its kind and length are the eight octets before the encapsulation.
    TypeCode type = reader.encapsulated(kind, -8);
    if (reader.indirections && TypeCodes.endless(type)) throw in.fault(MinorCode.ENDLESS_TYPECODE);
    return type;
  }

  private static int known(CdrReader in, int kind) {
    if (kind < 0 || kind >= TCKind.COUNT) throw in.fault(MinorCode.BAD_TYPECODE_KIND);
    return kind;
  }

  private static TypeCode fixed(CdrReader in, short digits, short scale) {
    if (digits < 1 || digits > 31 || scale < 0 || scale > digits) throw in.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
    return TypeCode.fixed(digits, scale);
  }

  // --- numbers and texts of the encapsulation ---

  private int place(int size) {
    int place = at + (base - at & size - 1);
    if (place > end - size) throw message.fault(MinorCode.OUT_OF_DATA);
    at = place + size;
    return place;
  }

  private long number(int size) {
    int place = place(size);
    long value = 0;
    for (int i = 0; i < size; ++i) value = value << 8 | octets[little ? place + size - 1 - i : place + i] & 0xff;
    return value;
  }

  private int readInt() {
    return (int) number(4);
  }

  private short readShort() {
    return (short) number(2);
  }

  private int length(int smallest) {
    int length = readInt();
    if (length < 0 || (long) length * smallest > end - at) throw message.fault(MinorCode.LENGTH_BEYOND_DATA);
    return length;
  }

  private String text() {
    int length = length(1);
    if (length == 0) return "";
    int from = at;
    at += length;
    if (octets[at - 1] != 0) throw message.fault(MinorCode.STRING_WITHOUT_NUL);
    String text = new String(octets, from, length - 1, StandardCharsets.ISO_8859_1);
    if (text.indexOf(0) >= 0) throw message.fault(MinorCode.NUL_IN_STRING);
    return text;
  }

  // --- TypeCodes ---

  private TypeCode typeCode() {
    if (++depth > DEEPEST) throw message.fault(MinorCode.NESTED_TOO_DEEP);
    int number = readInt();
    TypeCode type = number == INDIRECTION ? earlier() : node(number, at - 4);
    --depth;
    return type;
  }

  private TypeCode earlier() {
    int place = place(4);
    at = place;
    indirections = true;
    // A multiple of four by the standard; VisiBroker for Java does not count the padding that it jumps back over, so it is rounded up.
    int offset = readInt() + 3 & ~3;
    TypeCode type = offset < 0 ? known.get(place + offset) : null;
    if (type == null) throw message.fault(MinorCode.BAD_TYPECODE_INDIRECTION);
    return type;
  }

  private TypeCode node(int number, int place) {
    int kind = known(message, number);
    TypeCode type;
    if (TypeCode.in(kind, TypeCode.WITHOUT_PARAMETERS)) {
      type = TypeCode.of(kind);
    } else if (kind == tk_fixed) {
      type = fixed(message, readShort(), readShort());
    } else if (TypeCode.in(kind, TypeCode.SIMPLE)) {
      type = TypeCode.string(kind, readInt());
    } else {
      return inside(kind, place);
    }
    known.put(place, type);
    return type;
  }

  private TypeCode inside(int kind, int place) {
    int length = length(1);
    int baseOutside = base;
    int endOutside = end;
    boolean littleOutside = little;
    base = at;
    end = at + length;
    TypeCode type = encapsulated(kind, place);
    at = end;
    base = baseOutside;
    end = endOutside;
    little = littleOutside;
    return type;
  }

  private TypeCode encapsulated(int kind, int place) {
    int order = (int) number(1);
    if (order > 1) throw message.fault(MinorCode.BAD_ENCAPSULATION);
    little = order == 1;
    boolean named = TypeCode.in(kind, TypeCode.WITH_ID);
    String id = named ? text() : "";
    TypeCode type = new TypeCode(kind, id, named ? text() : "", (TypeCode.Parts) null);
    // Without an id one cannot tell whether values of an exception begin with it.
    if (kind == tk_except && id.isEmpty()) throw message.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
    known.put(place, type);
    TypeCode.Parts parts = new TypeCode.Parts();
    switch (kind) {
      case tk_sequence:
      case tk_array:
        parts.content = typeCode();
        parts.length = readInt();
        break;
      case tk_alias:
      case tk_value_box:
        parts.content = typeCode();
        break;
      case tk_struct:
      case tk_except:
        members(kind, parts, 8);
        break;
      case tk_enum:
        members(kind, parts, 4);
        break;
      case tk_union:
        parts.content = typeCode();
        discriminator(parts.content);
        parts.otherwise = readInt();
        members(kind, parts, 9);
        if (parts.otherwise < -1 || parts.otherwise >= parts.members.size()) throw message.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
        break;
      case tk_value:
      case tk_event:
        parts.length = readShort();
        TypeCode content = typeCode();
        if (content.kind != tk_null) parts.content = content;
        if (parts.content != null && !content.is(TypeCode.WITH_STATE) || parts.length < 0 || parts.length > 3) {
          throw message.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
        }
        members(kind, parts, 10);
        break;
      default:
        break;
    }
    type.set(parts);
    return type;
  }

  /** An alias around the union may be unfinished, and one of itself is found only at the end. */
  private int discriminator(TypeCode type) {
    TypeCode below = type;
    for (int steps = 0; below.kind == tk_alias; ++steps) {
      TypeCode.Parts parts = below.partsSoFar();
      if (parts == null || steps > known.size()) throw message.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
      below = parts.content;
    }
    if (!below.is(TypeCode.DISCRIMINATORS)) throw message.fault(MinorCode.BAD_TYPECODE_PARAMETERS);
    return below.kind;
  }

  private void members(int kind, TypeCode.Parts parts, int smallest) {
    int count = length(smallest);
    int labels = kind == tk_union ? discriminator(parts.content) : tk_null;
    for (int i = 0; i < count; ++i) {
      long label = labels == tk_null ? 0 : label(labels);
      String name = text();
      TypeCode type = kind == tk_enum ? null : typeCode();
      parts.add(name, type, label, TypeCode.in(kind, TypeCode.WITH_STATE) && readShort() == 1);
    }
  }

  private long label(int kind) {
    switch (kind) {
      case tk_short:
        return readShort();
      case tk_ushort:
        return number(2);
      case tk_long:
        return readInt();
      case tk_ulong:
      case tk_enum:
        return number(4);
      case tk_longlong:
      case tk_ulonglong:
        return number(8);
      case tk_wchar:
        return wideLabel();
      default:
        return number(1);
    }
  }

  private long wideLabel() {
    if (message.giopMinor() == 1) return number(2);
    int length = (int) number(1);
    if (length != 2 && length != 4) throw message.fault(MinorCode.BAD_WIDE_TEXT);
    long first = number(1) << 8 | number(1);
    if (length == 2) return first;
    long second = number(1) << 8 | number(1);
    if (first == 0xfeff) return second;
    if (first != 0xfffe) throw message.fault(MinorCode.BAD_WIDE_TEXT);
    return Character.reverseBytes((char) second);
  }
}
