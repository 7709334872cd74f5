// SPDX-License-Identifier: Apache-2.0
package test;

import Kinds.*;
import java.nio.ByteOrder;
import org.tenon.Any;
import org.tenon.CdrReader;
import org.tenon.CdrWriter;
import org.tenon.CodeSets;
import org.tenon.LoopBack;
import org.tenon.MinorCode;
import org.tenon.SystemException.Kind;
import org.tenon.TCKind;
import org.tenon.TypeCode;

/** TypeCodes and values that are made to take much time, memory or stack, or that lie. */
final class HostileTypes {
  private HostileTypes() {}

  private static CdrReader reader(CdrWriter out) {
    return new CdrReader(new LoopBack(true, 2, 0)).reset(out.buffer(), 0, out.position(), ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, 2,
        CodeSets.UTF_8, CodeSets.UTF_16, null);
  }

  /** An Any of that type whose value are numbers. */
  private static CdrReader any(TypeCode type, int... numbers) {
    CdrWriter out = new CdrWriter();
    type.write(out);
    for (int number : numbers) out.writeInt(number);
    return reader(out);
  }

  private static TypeCode struct(TypeCode... members) {
    return TypeCode.of(TCKind.tk_struct, "", "S", parts -> {
      for (TypeCode member : members) parts.member("m", member);
    });
  }

  private static TypeCode itself(int kind, int levels) {
    TypeCode[] made = new TypeCode[levels + 1];
    for (int i = 0; i <= levels; ++i) {
      int next = i == levels ? 0 : i + 1;
      made[i] = TypeCode.of(kind, "IDL:T:1.0", "T" + i, parts -> {
        if (kind == TCKind.tk_alias) parts.content(made[next]);
        else parts.member("m", made[next]);
      });
    }
    return made[0];
  }

  static void run() throws Exception {
    types();
    values();
    stack();
  }

  private static void types() {
    TypeCode octet = TypeCode.of(TCKind.tk_octet);
    for (int levels : new int[] {0, 1, 50}) {
      Check.raises(Kind.MARSHAL, MinorCode.ENDLESS_TYPECODE, () -> TypeCode.read(any(itself(TCKind.tk_struct, levels))));
      Check.raises(Kind.MARSHAL, MinorCode.ENDLESS_TYPECODE, () -> TypeCode.read(any(itself(TCKind.tk_alias, levels))));
    }
    TypeCode deep = octet;
    for (int i = 0; i < 126; ++i) deep = TypeCode.sequence(deep, 0);
    TypeCode deepest = deep;
    Check.equal(deepest, TypeCode.read(any(deepest)));
    Check.raises(Kind.MARSHAL, MinorCode.NESTED_TOO_DEEP, () -> any(TypeCode.sequence(TypeCode.sequence(deepest, 0), 0)));
    // Elements and structs without octets.
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA, () -> Any.read(any(TypeCode.sequence(struct(), 0), 0x7fffffff)));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA, () -> Any.read(any(TypeCode.array(struct(), 0x7fffffff))));
    Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, () -> Any.read(any(TypeCode.array(octet, 0x7fffffff), 1, 2)));
    Check.raises(Kind.MARSHAL, MinorCode.OUT_OF_DATA, () -> Any.read(any(TypeCode.array(octet, -1), 1, 2)));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA, () -> Any.read(any(TypeCode.sequence(octet, 0), 0x7fffffff)));
    TypeCode twice = struct();
    for (int i = 0; i < 60; ++i) twice = struct(twice, twice);
    TypeCode much = twice;
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_BEYOND_DATA, () -> Any.read(any(much)));
    Check.equal(much, TypeCode.read(any(much)));
    Check.that(much.toString().length() < 10000 && much.equivalent(TypeCode.read(any(much))), "a large type");
    Check.raises(Kind.MARSHAL, MinorCode.BAD_TYPECODE_KIND, () -> TypeCode.read(number(TCKind.tk_event + 1)));
    Check.raises(Kind.MARSHAL, MinorCode.BAD_TYPECODE_KIND, () -> TypeCode.read(number(-1)));
    Check.raises(Kind.NO_IMPLEMENT, MinorCode.NO_VALUES_IN_ANY, () -> Any.read(any(TypeCode.of(TCKind.tk_native, "IDL:N:1.0", "N"))));
  }

  private static CdrReader number(int... numbers) {
    CdrWriter out = new CdrWriter();
    for (int number : numbers) out.writeInt(number);
    return reader(out);
  }

  private static final int TAG = 0x7fffff00;
  private static final int CHUNKED = 8;

  private static void values() {
    check(MinorCode.BAD_VALUE_INDIRECTION, -1, -4); // to itself
    check(MinorCode.BAD_VALUE_INDIRECTION, -1, 4);
    check(MinorCode.BAD_VALUE_INDIRECTION, -1, -2147483648);
    check(MinorCode.BAD_VALUE_INDIRECTION, TAG + 2, -1, -8); // an id that is a tag
    check(MinorCode.BAD_VALUE_HEADER, 5);
    check(MinorCode.BAD_VALUE_HEADER, TAG + 4); // neither one id nor a list
    check(MinorCode.BAD_VALUE_HEADER, TAG + 6, 257);
    check(MinorCode.BAD_VALUE_HEADER, TAG + 6, -2);
    check(MinorCode.BAD_VALUE_HEADER, TAG + 0x10);
    check(MinorCode.LENGTH_BEYOND_DATA, TAG + 2, 0x7fffffff);
    check(MinorCode.OUT_OF_DATA, TAG);
    check(MinorCode.OUT_OF_DATA, TAG + CHUNKED, 100, 1, 2, 3); // a chunk beyond the end
    check(MinorCode.OUT_OF_DATA, TAG + CHUNKED, 0x7ffffeff, 1, 0, 0, -1);
    check(MinorCode.END_TAG_TOO_DEEP, TAG + CHUNKED, 12, 1, 0, 0, -2);
    check(MinorCode.BAD_VALUE_END, TAG + CHUNKED, 16, 1, 0, 0, 7, -1); // more state than the type has
    check(MinorCode.BAD_VALUE_HEADER, TAG + CHUNKED, 4, 1, TAG, 4, 2, 0, 0); // a value without chunks inside one with
    Check.equal(1, tree(TAG, 1, 0, 0).id());
    Check.equal(2, tree(TAG + CHUNKED, 4, 2, 8, 0, 0, -1).id()); // chunks end anywhere
    Tree tree = tree(TAG + CHUNKED, 4, 3, TAG + CHUNKED, 12, 4, 0, 0, -2, 4, 0, -1);
    Check.that(tree.left().id() == 4 && tree.right() == null, "a value inside");
    check(MinorCode.OUT_OF_DATA, TAG + CHUNKED, 4, 3, TAG + CHUNKED, 12, 4, 0, 0, -1, 4, 0, -1); // that tag ends both
  }

  private static Tree tree(int... numbers) {
    LoopBack engine = new LoopBack(true, 2, 0);
    engine.valueFactories.put(Tree._ID, Tree::new);
    CdrWriter out = new CdrWriter();
    for (int number : numbers) out.writeInt(number);
    return Tree.read(new CdrReader(engine).reset(out.buffer(), 0, out.position(), ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, 2,
        CodeSets.UTF_8, CodeSets.UTF_16, null));
  }

  private static void check(int minor, int... numbers) {
    Check.raises(Kind.MARSHAL, minor, () -> tree(numbers));
  }

  /** Values as deep as may be in an Any, which a thread with little stack passes over. */
  private static void stack() throws InterruptedException {
    CdrWriter out = new CdrWriter();
    Tree._Type.INSTANCE.typeCode().write(out);
    for (int i = 0; i < 2048; ++i) {
      out.writeInt(TAG);
      out.writeInt(i);
    }
    for (int i = 0; i < 2048 + 1; ++i) out.writeInt(0);
    for (long size : new long[] {16 << 20, 200 << 10}) {
      Throwable[] raised = new Throwable[1];
      Thread thread = new Thread(null, () -> {
        try {
          Any.read(reader(out));
        } catch (Throwable e) {
          raised[0] = e;
        }
      }, "stack", size);
      thread.start();
      thread.join();
      Check.that(raised[0] == null || size < 16 << 20 && raised[0] instanceof org.tenon.SystemException e
          && e.minor() == MinorCode.NESTED_TOO_DEEP, "raised " + raised[0]);
    }
  }
}
