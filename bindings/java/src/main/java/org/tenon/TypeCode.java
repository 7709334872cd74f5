// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import static org.tenon.TCKind.*;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A type of IDL as a value (CORBA 3.4 part 1 §8.11). Generated classes have theirs (`Card._Type.INSTANCE.typeCode()`); {@link #of} makes
 * others. Immutable; any thread. What a kind does not have is BAD_TYPECODE with the minor codes of the engine, and so is a member that is
 * not there.
 */
public final class TypeCode {
  /** As {@link #type_modifier} gives them. */
  public static final int VM_NONE = 0, VM_CUSTOM = 1, VM_ABSTRACT = 2, VM_TRUNCATABLE = 3;

  static final long WITHOUT_PARAMETERS =
      (1L << tk_objref) - 1 | 1L << tk_longlong | 1L << tk_ulonglong | 1L << tk_longdouble | 1L << tk_wchar;
  /** Parameters follow without an encapsulation. */
  static final long SIMPLE = 1L << tk_string | 1L << tk_wstring | 1L << tk_fixed;
  static final long WITH_STATE = 1L << tk_value | 1L << tk_event;
  static final long VALUES = WITH_STATE | 1L << tk_value_box;
  static final long WITH_MEMBERS = WITH_STATE | 1L << tk_struct | 1L << tk_union | 1L << tk_enum | 1L << tk_except;
  static final long WITH_ID = WITH_MEMBERS | VALUES | 1L << tk_objref | 1L << tk_alias | 1L << tk_native | 1L << tk_abstract_interface
      | 1L << tk_local_interface | 1L << tk_component | 1L << tk_home;
  static final long DISCRIMINATORS = 1L << tk_short | 1L << tk_ushort | 1L << tk_long | 1L << tk_ulong | 1L << tk_longlong
      | 1L << tk_ulonglong | 1L << tk_boolean | 1L << tk_char | 1L << tk_wchar | 1L << tk_octet | 1L << tk_enum;

  private static final TypeCode[] BASIC = new TypeCode[tk_fixed];

  static {
    for (int kind = tk_null; kind < BASIC.length; ++kind) {
      if (in(kind, WITHOUT_PARAMETERS | SIMPLE)) BASIC[kind] = new TypeCode(kind, "", "", new Parts());
    }
  }

  static final class Member {
    final String name;
    final TypeCode type; // null: of an enumerator
    final long label;
    final boolean visible;

    Member(String name, TypeCode type, long label, boolean visible) {
      this.name = name;
      this.type = type;
      this.label = label;
      this.visible = visible;
    }
  }

  /** What a type is made of, while it is being made. */
  public static final class Parts {
    /** Element, original type, discriminator, concrete base; null: none. */
    TypeCode content;
    /** Bound or number of elements, digits of a fixed, modifier of a value type. */
    int length;
    int scale;
    int otherwise = -1;
    final List<Member> members = new ArrayList<>(0);

    Parts() {}

    Parts(TypeCode content, int length) {
      this.content = content;
      this.length = length;
    }

    /** The original type of an alias or box, the discriminator of a union, the concrete base of a value type. */
    public Parts content(TypeCode type) {
      content = type;
      return this;
    }

    /** Of a value type: one of the constants `VM_`. */
    public Parts modifier(int modifier) {
      length = modifier;
      return this;
    }

    /** Of a struct or exception. */
    public Parts member(String name, TypeCode type) {
      return add(name, type, 0, false);
    }

    /** Of a union, once for each label, which is a number, a character or an ordinal. */
    public Parts label(long label, String name, TypeCode type) {
      return add(name, type, label, false);
    }

    /** Of a union: what the labels do not select. */
    public Parts otherwise(String name, TypeCode type) {
      otherwise = members.size();
      return add(name, type, 0, false);
    }

    /** Of a value type. */
    public Parts state(String name, TypeCode type, boolean isPublic) {
      return add(name, type, 0, isPublic);
    }

    /** Of an enum. */
    public Parts enumerators(String... names) {
      for (String name : names) add(name, null, 0, false);
      return this;
    }

    Parts add(String name, TypeCode type, long label, boolean visible) {
      members.add(new Member(name, type, label, visible));
      return this;
    }
  }

  final int kind;
  final String id;
  final String name;
  /** Null: the type is still being read. */
  private volatile Parts parts;
  private final Consumer<Parts> making;
  private volatile long kinds;
  /** Of TypeCodeWriter. */
  volatile byte[] encapsulation;

  /** For a reader, which sets the parts. */
  TypeCode(int kind, String id, String name, Parts parts) {
    this.kind = kind;
    this.id = id;
    this.name = name;
    this.parts = parts;
    making = null;
  }

  private TypeCode(int kind, String id, String name, Consumer<Parts> making) {
    this.kind = kind;
    this.id = id;
    this.name = name;
    this.making = making;
  }

  /** Of a kind without parameters, or of a string or wstring without a bound. */
  public static TypeCode of(int kind) {
    TypeCode basic = kind >= 0 && kind < BASIC.length ? BASIC[kind] : null;
    if (basic == null) throw badArgument("no TypeCode without parameters is a " + TCKind.name(kind));
    return basic;
  }

  /**
   * Of a kind with an id. What it is made of is asked for when it is needed first, so that types may contain each other; once or more
   * often, by any thread.
   */
  public static TypeCode of(int kind, String id, String name, Consumer<Parts> making) {
    if (kind < 0 || kind >= TCKind.COUNT || !in(kind, WITH_ID)) throw badArgument("no TypeCode with an id is a " + TCKind.name(kind));
    return new TypeCode(kind, id, name, making);
  }

  /** Of a kind that has an id and a name only, such as tk_objref. */
  public static TypeCode of(int kind, String id, String name) {
    return of(kind, id, name, parts -> {});
  }

  /** GIOP has no maps: a sequence of structs without a name. */
  public static TypeCode map(TypeCode key, TypeCode value, int bound) {
    return sequence(of(tk_struct, "", "", parts -> parts.member("key", key).member("value", value)), bound);
  }

  /** tk_string or tk_wstring. */
  public static TypeCode string(int kind, int bound) {
    if (kind != tk_string && kind != tk_wstring) throw badArgument("no string is a " + TCKind.name(kind));
    return bound == 0 ? of(kind) : new TypeCode(kind, "", "", new Parts(null, bound));
  }

  public static TypeCode fixed(int digits, int scale) {
    if (digits < 1 || digits > 31 || scale < 0 || scale > digits) throw badArgument("fixed<" + digits + "," + scale + ">");
    Parts parts = new Parts(null, digits);
    parts.scale = scale;
    return new TypeCode(tk_fixed, "", "", parts);
  }

  /** 0: no bound. */
  public static TypeCode sequence(TypeCode element, int bound) {
    return new TypeCode(tk_sequence, "", "", new Parts(element, bound));
  }

  /** Of several dimensions: an array of arrays. */
  public static TypeCode array(TypeCode element, int length) {
    return new TypeCode(tk_array, "", "", new Parts(element, length));
  }

  private static SystemException badArgument(String text) {
    return new SystemException(SystemException.Kind.BAD_PARAM, MinorCode.BAD_TYPECODE_ARGUMENT, CompletionStatus.COMPLETED_NO, text);
  }

  Parts parts() {
    Parts known = parts;
    if (known != null) return known;
    known = new Parts();
    making.accept(known);
    if (kind == tk_union && (known.content == null || !known.content.unaliased().is(DISCRIMINATORS)))
      throw badArgument("a union without a discriminator");
    parts = known;
    return known;
  }

  /** Null while the type is being read. */
  Parts partsSoFar() {
    return parts;
  }

  void set(Parts read) {
    parts = read;
  }

  /** Whether a set of kinds has one. */
  static boolean in(int kind, long kinds) {
    return (kinds >>> kind & 1) != 0;
  }

  boolean is(long kindsOfTypes) {
    return in(kind, kindsOfTypes);
  }

  TypeCode unaliased() {
    TypeCode below = this;
    while (below.kind == tk_alias) below = below.parts().content;
    return below;
  }

  /** The kinds of the type and of all that it is made of. */
  long kinds() {
    long found = kinds;
    if (found != 0) return found;
    Set<TypeCode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    ArrayDeque<TypeCode> waiting = new ArrayDeque<>();
    waiting.add(this);
    while (!waiting.isEmpty()) {
      TypeCode type = waiting.pop();
      if (!seen.add(type)) continue;
      found |= 1L << type.kind;
      Parts of = type.parts();
      if (of.content != null) waiting.push(of.content);
      for (Member member : of.members) {
        if (member.type != null) waiting.push(member.type);
      }
    }
    kinds = found;
    return found;
  }

  // --- what the standard has ---

  private static SystemException badKind() {
    return new SystemException(SystemException.Kind.BAD_TYPECODE, MinorCode.TYPECODE_BAD_KIND);
  }

  private Parts partsOf(long kinds) {
    if (!in(kind, kinds)) throw badKind();
    return parts();
  }

  private Member memberOf(long kinds, int index) {
    List<Member> members = partsOf(kinds).members;
    if (index < 0 || index >= members.size()) {
      throw new SystemException(SystemException.Kind.BAD_TYPECODE, MinorCode.TYPECODE_BOUNDS);
    }
    return members.get(index);
  }

  /** One of {@link TCKind}. */
  public int kind() {
    return kind;
  }

  /** The repository id. */
  public String id() {
    partsOf(WITH_ID);
    return id;
  }

  /** Without its scope; may be empty. */
  public String name() {
    partsOf(WITH_ID);
    return name;
  }

  /** Of a union with two labels for a member, that member counts twice. */
  public int member_count() {
    return partsOf(WITH_MEMBERS).members.size();
  }

  public String member_name(int index) {
    return memberOf(WITH_MEMBERS, index).name;
  }

  public TypeCode member_type(int index) {
    return memberOf(WITH_MEMBERS & ~1L << tk_enum, index).type;
  }

  /** As a number, of a character or enumerator, too; of the default member it means nothing. */
  public long member_label(int index) {
    return memberOf(1L << tk_union, index).label;
  }

  public TypeCode discriminator_type() {
    return partsOf(1L << tk_union).content;
  }

  /** -1: there is no default member. */
  public int default_index() {
    return partsOf(1L << tk_union).otherwise;
  }

  /** A bound, where 0 is none, or the number of an array's elements; unsigned. */
  public int length() {
    return partsOf(1L << tk_string | 1L << tk_wstring | 1L << tk_sequence | 1L << tk_array).length;
  }

  public TypeCode content_type() {
    return partsOf(1L << tk_sequence | 1L << tk_array | 1L << tk_alias | 1L << tk_value_box).content;
  }

  public int fixed_digits() {
    return partsOf(1L << tk_fixed).length;
  }

  public int fixed_scale() {
    return partsOf(1L << tk_fixed).scale;
  }

  /** Whether a value type's member is public. */
  public boolean member_visibility(int index) {
    return memberOf(WITH_STATE, index).visible;
  }

  public int type_modifier() {
    return partsOf(WITH_STATE).length;
  }

  /** Without a base: of kind tk_null. */
  public TypeCode concrete_base_type() {
    TypeCode base = partsOf(WITH_STATE).content;
    return base == null ? BASIC[0] : base;
  }

  /** The same in every respect, names and aliases too. */
  public boolean equal(TypeCode other) {
    return this == other || new TypeCodes(TypeCodes.EQUAL).same(this, other);
  }

  /** Types of one id are the same; aliases and names do not matter. */
  public boolean equivalent(TypeCode other) {
    return this == other || new TypeCodes(TypeCodes.EQUIVALENT).same(this, other);
  }

  /** As {@link #equal}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof TypeCode that && equal(that);
  }

  @Override
  public int hashCode() {
    return 31 * kind + id.hashCode();
  }

  /** For people, such as "struct Card {octet value; string note}"; cut where it would be very long. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    TypeCodes.print(this, out, new ArrayList<>());
    return out.toString();
  }

  // --- in messages ---

  public static TypeCode read(CdrReader in) {
    return TypeCodeReader.read(in);
  }

  public void write(CdrWriter out) {
    TypeCodeWriter.write(out, this);
  }
}
