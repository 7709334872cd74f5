// SPDX-License-Identifier: Apache-2.0
package test;

import Kinds.*;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.tenon.Any;
import org.tenon.CdrType;
import org.tenon.CdrTypes;
import org.tenon.Holder;
import org.tenon.MinorCode;
import org.tenon.SystemException.Kind;
import org.tenon.TCKind;
import org.tenon.TypeCode;

/** Any and TypeCode over whatever engine. */
final class AnyTests {
  private AnyTests() {}

  private static final List<Card> HAND = List.of(new Card(Suit.clubs, (byte) 3, "x"), new Card(Suit.spades, (byte) 200, ""));

  static All everything(Keeper keeper) {
    return new All(true, 'c', '\u20ac', (byte) -1, (short) -2, (short) 65535, -3, -4, 5L, -6L, 1.5F, 0.1, new BigDecimal("0.25"),
        new BigDecimal("-1234.567"), "short", "wide \ud83d\ude00", Suit.spades, List.of(new int[] {1, 2, 3}), new Choice.Cards(HAND),
        Bits.two, Map.of("one", 1), keeper, Card._Type.INSTANCE.typeCode(), new double[] {1, 2}, new boolean[] {true, false});
  }

  static void all(CdrTests.Way way) {
    Keeper keeper = KeeperStub.of(way.activate(new KeeperImpl()));
    values(keeper);
    inOthers(keeper);
    types(keeper);
    raised(keeper);
  }

  private static <T> Any echoed(Keeper keeper, Any a) {
    Any five = Any.of(CdrTypes.INT, 5);
    Holder<Any> b = new Holder<>(five);
    Holder<Any> c = new Holder<>();
    Any result = keeper.echo_any(a, b, c);
    Check.equal(a, result);
    Check.equal(a, b.value);
    Check.equal(five, c.value);
    // What came is sent again.
    Check.equal(a, keeper.echo_any(result, b, c));
    return b.value;
  }

  private static <T> void echoes(Keeper keeper, CdrType<T> type, T value) {
    Any back = echoed(keeper, Any.of(type, value));
    Check.that(back.holds(type) && back.type().equal(type.typeCode()), "type of " + back);
    Check.that(org.tenon.Values.equal(value, back.get(type)), "expected " + value + ", got " + back);
  }

  private static void values(Keeper keeper) {
    echoes(keeper, CdrTypes.INT, -7);
    echoes(keeper, CdrTypes.BOOLEAN, true);
    echoes(keeper, CdrTypes.CHAR, 'x');
    echoes(keeper, CdrTypes.WCHAR, '\u20ac');
    echoes(keeper, CdrTypes.BYTE, (byte) 200);
    echoes(keeper, CdrTypes.SHORT, (short) -3);
    echoes(keeper, CdrTypes.LONG, 1L << 40);
    echoes(keeper, CdrTypes.FLOAT, 1.5F);
    echoes(keeper, CdrTypes.DOUBLE, 0.1);
    echoes(keeper, CdrTypes.LONG_DOUBLE, new BigDecimal("0.25"));
    echoes(keeper, CdrTypes.string(0), "t\u00e9xt");
    echoes(keeper, CdrTypes.wstring(7), "w\u00efde");
    echoes(keeper, CdrTypes.fixed(7, 3), new BigDecimal("-1234.567"));
    echoes(keeper, CdrTypes.intSequence(0), new int[] {1, 2, 3});
    echoes(keeper, CdrTypes.byteArray(3), new byte[] {1, 2, 3});
    echoes(keeper, CdrTypes.ANY, Any.of(CdrTypes.ANY, Any.EMPTY));
    echoes(keeper, CdrTypes.TYPE_CODE, Choice._Type.INSTANCE.typeCode());
    echoes(keeper, Card._Type.INSTANCE, HAND.get(1));
    echoes(keeper, Hand._Type.INSTANCE, HAND);
    echoes(keeper, Choice._Type.INSTANCE, new Choice.Cards(HAND));
    echoes(keeper, Choice._Type.INSTANCE, new Choice.Text("other"));
    echoes(keeper, Wide._Type.INSTANCE, new Wide.Two(2.5));
    echoes(keeper, Wide._Type.INSTANCE, new Wide.Default('z'));
    echoes(keeper, Far._Type.INSTANCE, new Far.Nearest((byte) 1));
    echoes(keeper, Far._Type.INSTANCE, new Far.Other(4, "near"));
    echoes(keeper, Triples._Type.INSTANCE, List.of(new int[] {-2, -1, 0}));
    echoes(keeper, Bits._Type.INSTANCE, Bits.one | Bits.two);
    echoes(keeper, KeeperStub._Type.INSTANCE, keeper);
    echoes(keeper, KeeperStub._Type.INSTANCE, null);
    echoes(keeper, CdrTypes.OBJECT, keeper);
    echoes(keeper, All._Type.INSTANCE, everything(keeper));
    echoes(keeper, Node._Type.INSTANCE, node(3));
    Any empty = echoed(keeper, Any.EMPTY);
    Check.equal(TCKind.tk_null, empty.type().kind());
    Check.equal(null, empty.value());
    Any any = echoed(keeper, Any.of(All._Type.INSTANCE, everything(keeper)));
    Map<?, ?> map = (Map<?, ?>) any.value();
    Check.equal("spades", map.get("colour"));
    Check.equal(Map.of("_d", "hearts", "cards", List.of(Map.of("colour", "clubs", "value", (byte) 3, "note", "x"),
        Map.of("colour", "spades", "value", (byte) 200, "note", ""))), map.get("chosen"));
    Check.equal(new double[] {1, 2}, map.get("doubles"));
    Check.equal((short) 65535, map.get("us"));
    Check.equal(new BigDecimal("-1234.567"), map.get("price"));
    Check.that(any.toString().startsWith("struct All {boolean flag; char c; "), any.toString());
    Check.equal("long -7", Any.of(CdrTypes.INT, -7).toString());
    Check.equal(Any.of(CdrTypes.INT, -7), echoed(keeper, Any.of(CdrTypes.INT, -7)));
    Check.that(!Any.of(CdrTypes.INT, -7).equals(Any.of(CdrTypes.INT, -8)), "other numbers");
    Check.that(!Any.of(CdrTypes.INT, 1).equals(Any.of(TypeCode.of(TCKind.tk_ulong), CdrTypes.INT, 1)), "other types");
    Check.raises(Kind.BAD_TYPECODE, MinorCode.TYPE_MISMATCH, () -> Any.of(CdrTypes.INT, 1).get(CdrTypes.SHORT));
    // Bounds and names of aliases do not matter.
    Check.equal("text", Any.of(Code._Type.INSTANCE, "text").get(CdrTypes.string(0)));
    Check.raises(Kind.MARSHAL, MinorCode.LENGTH_ABOVE_BOUND, () -> Any.of(CdrTypes.string(0), "123456789").get(Code._Type.INSTANCE));
    Check.raises(Kind.NO_IMPLEMENT, MinorCode.NO_VALUES_IN_ANY, () -> Any.of(CdrTypes.map(CdrTypes.INT, CdrTypes.INT, 8, 0), Map.of()));
  }

  static Node node(int depth) {
    List<Node> children = new ArrayList<>();
    for (int i = 0; i < depth; ++i) children.add(node(i));
    return new Node(depth, children, Any.of(CdrTypes.string(0), "n".repeat(depth)));
  }

  private static void inOthers(Keeper keeper) {
    Check.equal(node(4), keeper.echo_node(node(4)));
    for (int before = 0; before < 8; ++before) {
      List<Any> all = Arrays.asList(Any.of(CdrTypes.string(0), "x".repeat(before)), Any.of(CdrTypes.DOUBLE, 0.5),
          Any.of(All._Type.INSTANCE, everything(keeper)), Any.EMPTY);
      Check.equal(all, keeper.echo_anys(all));
    }
  }

  private static void types(Keeper keeper) {
    List<TypeCode> all = List.of(TypeCode.of(TCKind.tk_long), TypeCode.of(TCKind.tk_string), All._Type.INSTANCE.typeCode(),
        Node._Type.INSTANCE.typeCode(), Wide._Type.INSTANCE.typeCode(), Far._Type.INSTANCE.typeCode(), Bits._Type.INSTANCE.typeCode(),
        Refused._Type.INSTANCE.typeCode(), KeeperStub._Type.INSTANCE.typeCode(), TitledStub._Type.INSTANCE.typeCode(),
        Tree._Type.INSTANCE.typeCode(), Widest._Type.INSTANCE.typeCode(), Shape._Type.INSTANCE.typeCode(),
        Packed._Type.INSTANCE.typeCode(), TextBox._Type.INSTANCE.typeCode(), Everything._Type.INSTANCE.typeCode(),
        Bundle._Type.INSTANCE.typeCode(), TypeCode.fixed(31, 31), TypeCode.string(TCKind.tk_wstring, 3));
    for (TypeCode type : all) {
      TypeCode back = keeper.echo_type(type);
      Check.that(back.equal(type) && type.equals(back) && back.equivalent(type), "expected " + type + ", got " + back);
      Check.equal(type.hashCode(), back.hashCode());
      Check.equal(type.toString(), back.toString());
      for (TypeCode other : all) Check.that(other == type || !back.equal(other), type + " and " + other);
    }
    TypeCode widest = keeper.echo_type(Widest._Type.INSTANCE.typeCode());
    Check.equal(TypeCode.VM_TRUNCATABLE, widest.type_modifier());
    Check.equal("Wider", widest.concrete_base_type().name());
    Check.equal(TCKind.tk_null, Tree._Type.INSTANCE.typeCode().concrete_base_type().kind());
    Check.equal(2, widest.member_count());
    Check.that(widest.member_visibility(0) && !Base._Type.INSTANCE.typeCode().member_visibility(1), "visibility");
    TypeCode far = Far._Type.INSTANCE.typeCode();
    Check.equal(-5000000000L, far.member_label(0));
    Check.equal("other", far.member_name(2));
    Check.equal(-1, far.default_index());
    Check.equal(3, Choice._Type.INSTANCE.typeCode().member_count());
    Check.equal(2, Choice._Type.INSTANCE.typeCode().default_index());
    Check.equal("Kinds/Choice", Choice._Type.INSTANCE.typeCode().id().replace("IDL:", "").replace(":1.0", ""));
    Check.equal(5, Triples._Type.INSTANCE.typeCode().content_type().length());
    Check.equal(7, Amount._Type.INSTANCE.typeCode().content_type().fixed_digits());
    Check.raises(Kind.BAD_TYPECODE, MinorCode.TYPECODE_BAD_KIND, () -> TypeCode.of(TCKind.tk_long).id());
    Check.raises(Kind.BAD_TYPECODE, MinorCode.TYPECODE_BOUNDS, () -> far.member_name(3));
    Check.raises(Kind.BAD_PARAM, MinorCode.BAD_TYPECODE_ARGUMENT, () -> TypeCode.of(TCKind.tk_struct));
    Check.raises(Kind.BAD_PARAM, MinorCode.BAD_TYPECODE_ARGUMENT, () -> TypeCode.fixed(32, 0));
    TypeCode renamed = TypeCode.of(TCKind.tk_struct, "", "Other", parts -> parts.member("", Suit._Type.INSTANCE.typeCode())
        .member("", TypeCode.of(TCKind.tk_octet)).member("", TypeCode.of(TCKind.tk_string)));
    Check.that(renamed.equivalent(Card._Type.INSTANCE.typeCode()) && !renamed.equal(Card._Type.INSTANCE.typeCode()), "equivalence");
    Check.equal(HAND.get(0), echoed(keeper, Any.of(renamed, Card._Type.INSTANCE, HAND.get(0))).get(Card._Type.INSTANCE));
    Map<?, ?> unnamed = (Map<?, ?>) Any.of(renamed, Card._Type.INSTANCE, HAND.get(0)).value();
    Check.equal(Map.of("0", "clubs", "1", (byte) 3, "2", "x"), unnamed);
    Check.equal("struct Node {long value; alias Nodes = sequence<struct Node> children; any extra}",
        Node._Type.INSTANCE.typeCode().toString());
  }

  private static void raised(Keeper keeper) {
    try {
      keeper.fail(Any.of(CdrTypes.INT, 3));
      Check.that(false, "no exception");
    } catch (Refused e) {
      Check.equal("as asked", e.why());
      Check.equal(3, e.cause().value());
      Refused inside = echoed(keeper, Any.of(Refused._Type.INSTANCE, e)).get(Refused._Type.INSTANCE);
      Check.equal(e.cause(), inside.cause());
    }
  }
}
