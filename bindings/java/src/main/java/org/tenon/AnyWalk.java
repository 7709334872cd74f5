// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Goes through a value by its TypeCode: passes over it, copies it into another message, or makes the objects of {@link Any#value}. It checks
 * what generated code checks. Time is bounded by the octets that are there, whatever the type claims, and depth by the reader.
 */
final class AnyWalk {
  private static final int MOST_EMPTY = 1024;
  private static final long STEPS = 65536;
  private static final int STEPS_PER_OCTET = 64;
  private static final long PRIMITIVES = 1L << tk_short | 1L << tk_ushort | 1L << tk_long | 1L << tk_ulong | 1L << tk_float | 1L << tk_double
      | 1L << tk_boolean | 1L << tk_char | 1L << tk_octet | 1L << tk_longlong | 1L << tk_ulonglong | 1L << tk_wchar;

  private final CdrReader in;
  private final CdrWriter out; // null: nothing is copied
  private final boolean make;
  private long steps;
  private int ordinal; // of the last enumerator
  private Map<Integer, Integer> copied; // values by their positions: there and here

  AnyWalk(CdrReader in, CdrWriter out, boolean make) {
    this.in = in;
    this.out = out;
    this.make = make;
    steps = STEPS + (long) STEPS_PER_OCTET * in.left();
  }

  /** The octets of the value ahead, whose first one is then at `format.position`. */
  static byte[] take(CdrReader in, TypeCode type, Body format) {
    if (in.inOnePiece()) {
      int from = in.position();
      int depth = in.depth();
      ValueReader values = (type.kinds() & Any.MAY_HOLD_VALUES) != 0 ? in.values() : null;
      int valueDepth = values == null ? 0 : values.depth();
      int outer = values == null ? ValueReader.NO_TARGET : values.takeLowest();
      new AnyWalk(in, null, false).value(type);
      int lowest = values == null ? ValueReader.NO_TARGET : values.takeLowest();
      if (values != null) values.noteLowest(Math.min(outer, lowest)); // what this is a part of has to know, too
      format.position = from & 7;
      if (lowest >= from) return in.octets(from);
      // An offset leads to a value or repository id before this part of the message, so these octets alone are not enough.
      in.goBack(from, depth);
      values.depth(valueDepth);
    }
    format.position = 0;
    CdrWriter copy = new CdrWriter();
    copy.reset(format);
    new AnyWalk(in, copy, false).value(type);
    return copy.octets();
  }

  /** Values without octets, or types of very many parts, could keep it busy for ever. */
  private void step(int count) {
    steps -= count;
    if (steps < 0) throw in.fault(MinorCode.LENGTH_BEYOND_DATA);
  }

  private TypeCode unaliased(TypeCode written) {
    TypeCode type = written;
    for (; type.kind == tk_alias; type = type.parts().content) step(1);
    return type;
  }

  Object value(TypeCode written) {
    step(1);
    TypeCode type = unaliased(written);
    if (type.is(TypeCode.VALUES)) return anyValue(type); // these may be nested deeper, which is counted elsewhere
    in.enter();
    Object made = part(type);
    in.leave();
    return made;
  }

  private Object part(TypeCode type) {
    TypeCode.Parts parts = type.parts();
    int bound = Math.max(parts.length, 0); // what an int cannot hold is none
    if (type.is(PRIMITIVES)) return moved(type.kind, 0, 0);
    switch (type.kind) {
      case tk_null:
      case tk_void:
        return null;
      case tk_longdouble:
        return longDouble();
      case tk_string: {
        if (out == null && !make && parts.length == 0) {
          in.pass(in.readLength(1, 0)); // text without a bound is not looked into
          return null;
        }
        String value = in.readString(bound);
        if (out != null) out.writeString(value, bound);
        return value;
      }
      case tk_wstring:
        return moved(tk_wstring, 0, bound);
      case tk_fixed:
        return moved(tk_fixed, 0, CdrTypes.fixedCount(parts.length, parts.scale));
      case tk_TypeCode:
        return moved(tk_TypeCode, 0, 0);
      case tk_enum: {
        int ordinal = in.readOrdinal(parts.members.size());
        if (out != null) out.writeInt(ordinal);
        this.ordinal = ordinal;
        String name = parts.members.get(ordinal).name;
        return name.isEmpty() ? (Object) ordinal : name;
      }
      case tk_any:
        return nestedAny();
      case tk_Principal:
        return elements(TypeCode.of(tk_octet), length(1, 0));
      case tk_objref:
        return reference();
      case tk_abstract_interface: {
        boolean isReference = in.readBoolean();
        if (out != null) out.writeBoolean(isReference);
        return isReference ? reference() : anyValue(null);
      }
      case tk_except:
        in.passExceptionId(type.id);
        if (out != null) out.writeRaw(type.id);
        return members(parts);
      case tk_struct:
        return members(parts);
      case tk_union:
        return choice(parts);
      case tk_sequence:
        return elements(parts.content, length(smallest(parts.content), bound));
      case tk_array:
        if (parts.length < 0) throw in.fault(MinorCode.OUT_OF_DATA);
        in.require(parts.length, smallest(parts.content));
        return elements(parts.content, parts.length);
      default:
        throw noValues();
    }
  }

  private SystemException noValues() {
    return in.fault(SystemException.Kind.NO_IMPLEMENT, MinorCode.NO_VALUES_IN_ANY);
  }

  /** What a type of CdrTypes moves. Octets for characters that nobody looks at: they need not be of a code set that is known here. */
  private Object moved(int kind, int form, int count) {
    CdrType<Object> type = new CdrTypes.Simple<>(kind == tk_char && out == null && !make ? tk_octet : kind, form, count);
    Object value = type.read(in);
    if (out != null) type.write(out, value);
    return value;
  }

  /** Not decoded unless it is asked for: not all are numbers of Java. */
  private Object longDouble() {
    if (make) return in.readLongDouble();
    long one = in.readLong();
    long other = in.readLong();
    if (out == null) return null;
    boolean same = out.order() == in.buffer().order();
    out.writeLong(same ? one : other);
    out.writeLong(same ? other : one);
    return null;
  }

  private int length(int smallest, int bound) {
    int length = in.readLength(smallest, bound);
    if (out != null) out.writeInt(length);
    return length;
  }

  private Object nestedAny() {
    if (make) return Any.read(in);
    TypeCode type = TypeCode.read(in);
    if (out != null) type.write(out);
    return value(type);
  }

  private Object reference() {
    if (make) return ObjectStub.read(in);
    byte[] ior = References.read(in);
    if (out != null && ior != null) References.write(out, ior);
    else if (out != null) out.writeReference(null);
    return null;
  }

  /** A name that is there already, or none, is the index. */
  private static void put(Map<String, Object> made, String name, int index, Object value) {
    made.put(name.isEmpty() || made.containsKey(name) ? Integer.toString(index) : name, value);
  }

  private Object members(TypeCode.Parts parts) {
    Map<String, Object> made = make ? new LinkedHashMap<>() : null;
    for (int i = 0; i < parts.members.size(); ++i) {
      TypeCode.Member member = parts.members.get(i);
      Object value = value(member.type);
      if (make) put(made, member.name, i, value);
    }
    return made;
  }

  private Object choice(TypeCode.Parts parts) {
    TypeCode discriminator = unaliased(parts.content);
    Object label = part(discriminator);
    step(parts.members.size() / STEPS_PER_OCTET);
    TypeCode.Member member = selected(parts, label(discriminator.kind, label));
    Map<String, Object> made = make ? new LinkedHashMap<>() : null;
    if (make) made.put("_d", label);
    if (member == null) return made;
    Object value = value(member.type);
    if (make) put(made, member.name, 0, value);
    return made;
  }

  /** Null: the discriminator selects none. */
  static TypeCode.Member selected(TypeCode.Parts parts, long label) {
    for (int i = 0; i < parts.members.size(); ++i) {
      if (i != parts.otherwise && parts.members.get(i).label == label) return parts.members.get(i);
    }
    return parts.otherwise < 0 ? null : parts.members.get(parts.otherwise);
  }

  /** As labels are kept. */
  private long label(int kind, Object discriminator) {
    if (kind == tk_enum) return ordinal;
    if (discriminator instanceof Boolean yes) return yes ? 1 : 0;
    if (discriminator instanceof Character character) return character;
    long number = ((Number) discriminator).longValue();
    if (kind == tk_ushort) return number & 0xffff;
    if (kind == tk_octet || kind == tk_char) return number & 0xff;
    return kind == tk_ulong ? number & 0xffffffffL : number;
  }

  private Object elements(TypeCode element, int count) {
    TypeCode type = unaliased(element);
    if (type.is(PRIMITIVES)) return moved(type.kind, CdrTypes.ARRAY, count);
    List<Object> list = make ? new ArrayList<>() : null;
    int before = in.left();
    for (int i = 0; i < count; ++i) {
      if (i == MOST_EMPTY && in.left() == before) throw in.fault(MinorCode.LENGTH_BEYOND_DATA);
      Object value = value(type);
      if (make) list.add(value);
    }
    return list;
  }

  /** A length may not claim more elements than the octets that are left can hold. */
  private int smallest(TypeCode element) {
    TypeCode type = unaliased(element);
    if (type.is(1L << tk_null | 1L << tk_void | 1L << tk_struct | 1L << tk_array)) return 0;
    if (type.is(1L << tk_short | 1L << tk_ushort)) return 2;
    if (type.is(1L << tk_long | 1L << tk_ulong | 1L << tk_float | 1L << tk_enum | 1L << tk_string | 1L << tk_wstring
        | 1L << tk_sequence)) {
      return 4;
    }
    if (type.is(1L << tk_longlong | 1L << tk_ulonglong | 1L << tk_double)) return 8;
    return type.kind == tk_longdouble ? 16 : 1;
  }

  // --- values ---

  /** `type`: what is expected; null: any value type. */
  private Object anyValue(TypeCode type) {
    String expected = type == null ? "" : type.id;
    if (make) return in.readValue(ValueBase.class, expected, null);
    ValueReader values = in.values();
    ValueReader.Head head = values.begin();
    if (head.kind == ValueReader.Head.NULL) {
      if (out != null) out.writeInt(ValueReader.NULL_TAG);
    } else if (head.kind == ValueReader.Head.SHARED) {
      if (out != null) shared(type, head, values);
    } else if (!carried(head, type, values)) {
      state(head, type, values);
    }
    return null;
  }

  /** A value before the part that is copied is copied, too. */
  private void shared(TypeCode type, ValueReader.Head head, ValueReader values) {
    Integer there = copied == null ? null : copied.get(head.position);
    if (there != null) {
      out.values().putOffset(there);
    } else if (head.object != null && out.values().knows(head.object)) {
      out.writeValue((ValueBase) head.object);
    } else {
      long[] here = values.seek(head.position); // also counts as a second reading, which bounds the work
      if (head.object != null) out.writeValue((ValueBase) head.object);
      else anyValue(type);
      values.returnTo(here);
    }
  }

  /** Copies a value by its class, which knows more than the TypeCode, or finds its end so, where neither that nor chunks tell it. */
  private boolean carried(ValueReader.Head head, TypeCode type, ValueReader values) {
    boolean told = type != null && type.parts().length != TypeCode.VM_CUSTOM && head.id(type.id).equals(type.id);
    if (out == null && (head.chunked || told)) return false;
    ValueBase value = values.known(head, type == null ? "" : type.id);
    if (value != null && out != null) out.writeValue(value);
    return value != null;
  }

  private void state(ValueReader.Head head, TypeCode type, ValueReader values) {
    boolean whole = type != null && head.id(type.id).equals(type.id);
    boolean known = whole;
    if (type != null && head.chunked) {
      for (String id : head.ids) known |= id.equals(type.id);
    }
    known &= type != null && type.parts().length != TypeCode.VM_CUSTOM;
    // Without chunks the end of the value is unknown; and what is unknown cannot be copied.
    if (!known && (!head.chunked || out != null)) throw noValues();
    if (out != null) {
      // State of an unknown type is left out, so that the value becomes one of the known type.
      String[] ids = whole && head.ids.length > 1 ? head.ids : new String[] {type.id};
      if (copied == null) copied = new HashMap<>();
      copied.put(head.position, out.values().begin(null, ids, head.chunked));
    }
    try {
      if (known) members(type);
      values.end(head, !known || !whole);
    } catch (StackOverflowError e) {
      throw in.fault(MinorCode.NESTED_TOO_DEEP);
    }
    if (out != null) out.values().end();
  }

  private void members(TypeCode type) {
    TypeCode.Parts parts = type.parts();
    if (type.kind == tk_value_box) {
      value(parts.content);
      return;
    }
    if (parts.content != null) members(parts.content);
    members(parts);
  }
}
