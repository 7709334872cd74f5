// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Writes TypeCodes. A type that occurs again is an offset, which recursion needs and which keeps types with shared parts small. But TAO and
 * Orbix 2000 follow offsets to structs, unions, exceptions, values and aliases only: other kinds are written in full again, up to 64 KiB.
 */
final class TypeCodeWriter {
  private static final long REFERRED_TO = TypeCode.WITH_STATE | (1L << tk_struct | 1L << tk_union | 1L << tk_alias | 1L << tk_except);
  private static final int MOST_REPEATED = 64 * 1024;

  private final boolean little;
  private final int giopMinor;
  private final Map<TypeCode, int[]> written = new IdentityHashMap<>(); // where, and how many octets; 0: not yet complete
  private byte[] octets = new byte[256];
  private int size;
  private int base; // of the encapsulation that is being written
  private int depth;
  private int repeated;

  private TypeCodeWriter(boolean little, int giopMinor) {
    this.little = little;
    this.giopMinor = giopMinor;
  }

  static void write(CdrWriter out, TypeCode type) {
    out.writeInt(type.kind);
    if (type.is(TypeCode.WITHOUT_PARAMETERS)) return;
    TypeCode.Parts parts = type.parts();
    if (type.kind == tk_fixed) {
      out.writeShort((short) parts.length);
      out.writeShort((short) parts.scale);
    } else if (type.is(TypeCode.SIMPLE)) {
      out.writeInt(parts.length);
    } else {
      out.writeByteSequence(encapsulation(type, parts, out.order(), out.giopMinor()), 0);
    }
  }

  /** It is kept with the type in the form that nearly all messages want. */
  private static byte[] encapsulation(TypeCode type, TypeCode.Parts parts, ByteOrder order, int giopMinor) {
    boolean kept = order == ByteOrder.nativeOrder() && (giopMinor != 1 || (type.kinds() & 1L << tk_wchar) == 0);
    byte[] octets = kept ? type.encapsulation : null;
    if (octets != null) return octets;
    TypeCodeWriter writer = new TypeCodeWriter(order == ByteOrder.LITTLE_ENDIAN, giopMinor);
    writer.written.put(type, new int[] {-8, 0});
    writer.parameters(type, parts);
    octets = Arrays.copyOf(writer.octets, writer.size);
    if (kept) type.encapsulation = octets;
    return octets;
  }

  private void require(int end) {
    if (end > octets.length) octets = Arrays.copyOf(octets, Math.max(end, 2 * octets.length));
  }

  private void put(long value, int bytes) {
    int place = size + (base - size & bytes - 1);
    require(place + bytes);
    for (int i = 0; i < bytes; ++i) octets[little ? place + i : place + bytes - 1 - i] = (byte) (value >> 8 * i);
    size = place + bytes;
  }

  private void putText(String text) {
    int length = text.length();
    put(length + 1, 4);
    require(size + length + 1);
    for (int i = 0; i < length; ++i) octets[size + i] = (byte) text.charAt(i);
    octets[size + length] = 0;
    size += length + 1;
  }

  private void typeCode(TypeCode type) {
    if (++depth >= TypeCodeReader.DEEPEST) {
      throw new SystemException(SystemException.Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP);
    }
    node(type);
    --depth;
  }

  private void node(TypeCode type) {
    int at = size + (base - size & 3);
    boolean simple = type.is(TypeCode.WITHOUT_PARAMETERS | TypeCode.SIMPLE);
    int[] before = simple ? null : written.putIfAbsent(type, new int[] {at, 0});
    if (before != null && !inFullAgain(type, before)) {
      put(TypeCodeReader.INDIRECTION, 4);
      put(before[0] - (at + 4), 4); // counted from the offset itself
      return;
    }
    put(type.kind, 4);
    if (type.is(TypeCode.WITHOUT_PARAMETERS)) return;
    TypeCode.Parts parts = type.parts();
    if (type.kind == tk_fixed) {
      put(parts.length, 2);
      put(parts.scale, 2);
    } else if (simple) {
      put(parts.length, 4);
    } else {
      put(0, 4);
      int start = size;
      int outside = base;
      base = start;
      written.put(type, new int[] {at, 0});
      parameters(type, parts);
      base = outside;
      int end = size;
      size = start - 4;
      put(end - start, 4);
      size = end;
      written.put(type, new int[] {at, end - start});
    }
  }

  /** What is written again is bounded, since a few octets may refer to a large type many times. */
  private boolean inFullAgain(TypeCode type, int[] before) {
    if (before[1] == 0 || type.is(REFERRED_TO) || repeated + before[1] > MOST_REPEATED) return false;
    repeated += before[1];
    return true;
  }

  private void parameters(TypeCode type, TypeCode.Parts parts) {
    put(little ? 1 : 0, 1);
    if (type.is(TypeCode.WITH_ID)) {
      putText(type.id);
      putText(type.name);
    }
    boolean state = type.is(TypeCode.WITH_STATE);
    if (state) {
      put(parts.length, 2);
      typeCode(parts.content == null ? TypeCode.of(tk_null) : parts.content);
    } else if (parts.content != null) {
      typeCode(parts.content);
    }
    if (type.kind == tk_sequence || type.kind == tk_array) put(parts.length, 4);
    if (type.kind == tk_union) put(parts.otherwise, 4);
    if (!type.is(TypeCode.WITH_MEMBERS)) return;
    put(parts.members.size(), 4);
    int labels = type.kind == tk_union ? parts.content.unaliased().kind : tk_null;
    for (int i = 0; i < parts.members.size(); ++i) {
      TypeCode.Member member = parts.members.get(i);
      // The default member's label means nothing.
      if (labels != tk_null) putLabel(labels, i == parts.otherwise ? 0 : member.label);
      putText(member.name);
      if (member.type != null) typeCode(member.type);
      if (state) put(member.visible ? 1 : 0, 2);
    }
  }

  private void putLabel(int kind, long label) {
    switch (kind) {
      case tk_short:
      case tk_ushort:
        put(label, 2);
        break;
      case tk_long:
      case tk_ulong:
      case tk_enum:
        put(label, 4);
        break;
      case tk_longlong:
      case tk_ulonglong:
        put(label, 8);
        break;
      case tk_wchar:
        if (giopMinor == 1) {
          put(label, 2);
        } else {
          put(2, 1);
          put(label >> 8, 1);
          put(label, 1);
        }
        break;
      default:
        put(label, 1);
        break;
    }
  }
}
