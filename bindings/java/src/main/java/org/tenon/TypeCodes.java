// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Compares two types. Pairs that are still to be compared wait; types that were ever paired are in one class, and are not paired again: so
 * there are fewer comparisons than types, also where they are in a circle. And what else looks at whole types.
 */
final class TypeCodes {
  static final int EQUAL = 0, EQUIVALENT = 1;
  /** Equivalent, whatever bounds there are. */
  static final int UNBOUNDED = 2;
  private static final int LONGEST_TEXT = 4096;
  private static final long BOUNDED = (1L << tk_string | 1L << tk_wstring | 1L << tk_sequence);

  private final int rule;
  private final ArrayDeque<TypeCode> waiting = new ArrayDeque<>(); // pairs
  private final Map<TypeCode, TypeCode> above = new IdentityHashMap<>();

  TypeCodes(int rule) {
    this.rule = rule;
  }

  boolean same(TypeCode a, TypeCode b) {
    want(a, b);
    while (!waiting.isEmpty()) {
      if (!sameNode(waiting.poll(), waiting.poll())) return false;
    }
    return true;
  }

  private void want(TypeCode a, TypeCode b) {
    TypeCode left = rule == EQUAL ? a : a.unaliased();
    TypeCode right = rule == EQUAL ? b : b.unaliased();
    if (left == right) return;
    TypeCode classOfLeft = representative(left);
    TypeCode classOfRight = representative(right);
    if (classOfLeft == classOfRight) return;
    above.put(classOfLeft, classOfRight);
    waiting.add(left);
    waiting.add(right);
  }

  private TypeCode representative(TypeCode type) {
    TypeCode at = type;
    for (TypeCode up = above.get(at); up != null; up = above.get(at)) {
      TypeCode next = above.get(up);
      if (next != null) above.put(at, next); // halves the way
      at = next != null ? next : up;
    }
    return at;
  }

  private boolean sameNode(TypeCode a, TypeCode b) {
    if (a.kind != b.kind) return false;
    if (rule == EQUAL) {
      if (!a.id.equals(b.id) || !a.name.equals(b.name)) return false;
    } else if (!a.id.isEmpty() && !b.id.isEmpty()) {
      return a.id.equals(b.id);
    }
    TypeCode.Parts left = a.parts();
    TypeCode.Parts right = b.parts();
    if (left.length != right.length && !(rule == UNBOUNDED && a.is(BOUNDED))) return false;
    if (left.scale != right.scale || left.otherwise != right.otherwise) return false;
    if ((left.content == null) != (right.content == null)) return false;
    if (left.content != null) want(left.content, right.content);
    if (left.members.size() != right.members.size()) return false;
    for (int i = 0; i < left.members.size(); ++i) {
      TypeCode.Member one = left.members.get(i);
      TypeCode.Member other = right.members.get(i);
      if (rule == EQUAL && !one.name.equals(other.name) || one.visible != other.visible) return false;
      if (i != left.otherwise && one.label != other.label) return false;
      if (one.type != null) want(one.type, other.type);
    }
    return true;
  }

  /** `around`: types that are being printed, which are named alone where they occur again. */
  static void print(TypeCode type, StringBuilder out, List<TypeCode> around) {
    if (out.length() > LONGEST_TEXT) {
      if (out.charAt(out.length() - 1) != '.') out.append("...");
      return;
    }
    out.append(TCKind.name(type.kind));
    if (type.is(TypeCode.WITH_ID)) out.append(' ').append(type.name.isEmpty() ? type.id : type.name);
    for (TypeCode one : around) {
      if (one == type) return;
    }
    around.add(type);
    TypeCode.Parts parts = type.parts();
    boolean alias = type.kind == tk_alias;
    if (type.kind == tk_fixed) out.append('<').append(parts.length).append(',').append(parts.scale).append('>');
    if (parts.content != null) {
      out.append(alias ? " = " : "<");
      print(parts.content, out, around);
      if (!alias) out.append('>');
    }
    if (parts.length != 0 && type.is(BOUNDED | 1L << tk_array)) out.append('[').append(Integer.toUnsignedString(parts.length)).append(']');
    if (type.is(TypeCode.WITH_MEMBERS)) {
      String before = " {";
      for (TypeCode.Member member : parts.members) {
        out.append(before);
        before = "; ";
        if (out.length() > LONGEST_TEXT) break;
        if (member.type != null) print(member.type, out, around);
        out.append(member.type != null ? " " : "").append(member.name);
      }
      out.append(parts.members.isEmpty() ? " {}" : "}");
    }
    around.remove(around.size() - 1);
  }

  /** Whether a value of the type would contain one of the same type without end: in a circle of types that hold their parts directly. */
  static boolean endless(TypeCode root) {
    Map<TypeCode, Boolean> known = new IdentityHashMap<>(); // true: in the way to where the search is
    ArrayDeque<TypeCode> later = new ArrayDeque<>();
    later.add(root);
    while (!later.isEmpty()) {
      TypeCode start = later.pop();
      if (known.containsKey(start)) continue;
      ArrayDeque<TypeCode> way = new ArrayDeque<>();
      ArrayDeque<Iterator<TypeCode>> parts = new ArrayDeque<>();
      known.put(start, true);
      way.push(start);
      parts.push(held(start, later));
      while (!way.isEmpty()) {
        if (!parts.peek().hasNext()) {
          parts.pop();
          known.put(way.pop(), false);
          continue;
        }
        TypeCode part = parts.peek().next();
        Boolean open = known.putIfAbsent(part, true);
        if (open == null) {
          way.push(part);
          parts.push(held(part, later));
        } else if (open) {
          return true;
        }
      }
    }
    return false;
  }

  /** The parts that each value has. Those that it may be without, as a sequence is empty or a value null, go to `later`. */
  private static Iterator<TypeCode> held(TypeCode type, ArrayDeque<TypeCode> later) {
    TypeCode.Parts parts = type.parts();
    ArrayDeque<TypeCode> held = new ArrayDeque<>();
    if (parts.content != null) (type.kind == tk_sequence || type.kind == tk_value_box ? later : held).add(parts.content);
    for (TypeCode.Member member : parts.members) {
      if (member.type != null) (type.is(TypeCode.WITH_STATE) ? later : held).add(member.type);
    }
    return held.iterator();
  }
}
