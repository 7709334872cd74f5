// SPDX-License-Identifier: Apache-2.0
//
// The Java client, Any and TypeCode: every kind of value goes there and back, and the values that the server makes by itself are compared
// with our own. Main thread only.
package peer;

import Interop.Echo;
import InteropDynamic.Amount;
import InteropDynamic.Card;
import InteropDynamic.Choice;
import InteropDynamic.Code;
import InteropDynamic.Dynamic;
import InteropDynamic.DynamicStub;
import InteropDynamic.Hand;
import InteropDynamic.Node;
import InteropDynamic.Refused;
import InteropDynamic.Suit;
import InteropDynamic.Triples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.tenon.Any;
import org.tenon.CdrTypes;
import org.tenon.Holder;
import org.tenon.RemoteObject;
import org.tenon.TCKind;
import org.tenon.TypeCode;

final class DynamicChecks {
  private static final Any FIVE = Any.of(CdrTypes.INT, 5);

  private final Report report;
  private final Dynamic dynamic;
  private final boolean wide;

  private DynamicChecks(Report report, Dynamic dynamic, boolean wide) {
    this.report = report;
    this.dynamic = dynamic;
    this.wide = wide;
  }

  static void run(Report report, Echo echo, Options options) {
    Dynamic dynamic = Dynamic.narrow(echo.dynamic());
    if (dynamic == null) {
      report.check("dynamic", () -> "the server has no InteropDynamic::Dynamic");
      return;
    }
    DynamicChecks checks = new DynamicChecks(report, dynamic, options.wide);
    checks.values();
    checks.primitives();
    checks.read();
    checks.inOthers();
    checks.types();
  }

  /** What make(which) must hold; empty when right. */
  private String made(int which, Any any) {
    Any wanted = DynamicValues.make(which, dynamic);
    if (which == 9) {
      boolean right = any.type().kind() == TCKind.tk_objref && dynamic._is_equivalent((RemoteObject) any.value());
      return right ? "" : "wrong reference: " + any;
    }
    if (which == 6) return Exchange.same(any.value(), wanted.value()) ? "" : "wrong: " + any; // the peer may name it Amount
    if (!any.type().equal(wanted.type())) return "wrong type: " + any.type();
    return any.equals(wanted) ? "" : "wrong: " + any;
  }

  private String echoed(Any a, Function<Any, String> wrong) {
    Holder<Any> b = new Holder<>(FIVE);
    Holder<Any> c = new Holder<>();
    Any result = dynamic.echo_any(a, b, c);
    String found = wrong.apply(result);
    if (found.isEmpty()) found = wrong.apply(b.value);
    return !found.isEmpty() || c.value.equals(FIVE) ? found : "wrong out: " + c.value;
  }

  private void values() {
    for (int i = 0; i <= 12; ++i) {
      int which = i;
      if (which == 11 && !wide) continue;
      report.check("make_any_" + which, () -> made(which, dynamic.make(which)));
      report.check("echo_any_" + which, () -> {
        // What came is sent again; what we made ourselves follows.
        String wrong = echoed(dynamic.make(which), any -> made(which, any));
        return wrong.isEmpty() ? echoed(DynamicValues.make(which, dynamic), any -> made(which, any)) : wrong;
      });
    }
  }

  private void primitive(String name, Any a) {
    report.check("echo_any_" + name, () -> echoed(a, any -> any.equals(a) ? "" : "wrong: " + any));
  }

  private void primitives() {
    primitive("boolean", Any.of(CdrTypes.BOOLEAN, true));
    primitive("octet", Any.of(CdrTypes.BYTE, (byte) 200));
    primitive("char", Any.of(CdrTypes.CHAR, '~'));
    primitive("short", Any.of(CdrTypes.SHORT, Short.MIN_VALUE));
    primitive("ushort", Any.of(TypeCode.of(TCKind.tk_ushort), CdrTypes.SHORT, (short) 65535));
    primitive("ulong", Any.of(TypeCode.of(TCKind.tk_ulong), CdrTypes.INT, -1));
    primitive("longlong", Any.of(CdrTypes.LONG, Long.MIN_VALUE));
    primitive("ulonglong", Any.of(TypeCode.of(TCKind.tk_ulonglong), CdrTypes.LONG, -1L));
    primitive("float", Any.of(CdrTypes.FLOAT, -1.5F));
    primitive("double", Any.of(CdrTypes.DOUBLE, 0.1));
    if (wide) primitive("wchar", Any.of(CdrTypes.WCHAR, '\u6c34'));
  }

  private void read() {
    report.check("kind_of", () -> {
      int kind = dynamic.kind_of(DynamicValues.card(Suit.spades, 1, ""));
      return kind == TCKind.tk_struct ? "" : "kind " + kind;
    });
    report.check("card_rank", () -> dynamic.card_rank(DynamicValues.card(Suit.spades, 11, "a note")) == 2011 ? "" : "wrong rank");
    report.check("card_rank_refused", () -> {
      Any any = DynamicValues.make(0, dynamic);
      try {
        dynamic.card_rank(any);
      } catch (Refused e) {
        return e.why().equals("not a card") && e.cause().equals(any) ? "" : "wrong members";
      }
      return "no exception";
    });
  }

  private void inOthers() {
    Card card = new Card(Suit.hearts, (byte) 8, "odd length");
    Any odd = Any.of(Card._Type.INSTANCE, card);
    report.check("echo_holder", () -> {
      Holder<InteropDynamic.Holder> b = new Holder<>(new InteropDynamic.Holder("", Any.EMPTY));
      Holder<InteropDynamic.Holder> c = new Holder<>();
      InteropDynamic.Holder result = dynamic.echo_holder(new InteropDynamic.Holder("odd", odd), b, c);
      return Exchange.verdict(result.value().get(Card._Type.INSTANCE).equals(card),
          b.value.name().equals("odd") && b.value.value().get(Card._Type.INSTANCE).equals(card),
          c.value.value().type().kind() == TCKind.tk_null);
    });
    report.check("echo_any_seq", () -> {
      List<Any> a = new ArrayList<>();
      for (int i = 0; i < 13; ++i) a.add(i != 11 || wide ? dynamic.make(i) : Any.EMPTY);
      Holder<List<Any>> b = new Holder<>(List.of());
      Holder<List<Any>> c = new Holder<>();
      List<Any> result = dynamic.echo_any_seq(a, b, c);
      if (result.size() != 13 || b.value.size() != 13 || !c.value.isEmpty()) return "wrong lengths";
      for (int i = 0; i < 13; ++i) {
        String wrong = i == 11 && !wide ? "" : made(i, result.get(i));
        if (!wrong.isEmpty()) return wrong;
      }
      return "";
    });
  }

  private void types() {
    Map<String, TypeCode> all = new LinkedHashMap<>();
    all.put("long", TypeCode.of(TCKind.tk_long));
    all.put("string", TypeCode.of(TCKind.tk_string));
    all.put("any", TypeCode.of(TCKind.tk_any));
    all.put("Card", Card._Type.INSTANCE.typeCode());
    all.put("Hand", Hand._Type.INSTANCE.typeCode());
    all.put("Choice", Choice._Type.INSTANCE.typeCode());
    all.put("Node", Node._Type.INSTANCE.typeCode());
    all.put("Amount", Amount._Type.INSTANCE.typeCode());
    all.put("Triples", Triples._Type.INSTANCE.typeCode());
    all.put("Code", Code._Type.INSTANCE.typeCode());
    all.put("Refused", Refused._Type.INSTANCE.typeCode());
    all.put("Dynamic", DynamicStub._Type.INSTANCE.typeCode());
    all.put("Object", TypeCode.of(TCKind.tk_objref, "IDL:omg.org/CORBA/Object:1.0", "Object"));
    all.put("wstring", TypeCode.of(TCKind.tk_wstring));
    all.put("TypeCode", TypeCode.of(TCKind.tk_TypeCode));
    List<String> names = List.copyOf(all.keySet());
    for (int i = 0; i < names.size(); ++i) {
      TypeCode first = all.get(names.get(i));
      TypeCode next = all.get(names.get((i + 1) % names.size()));
      report.check("echo_typecode_" + names.get(i), () -> {
        Holder<TypeCode> b = new Holder<>(next);
        Holder<TypeCode> c = new Holder<>();
        TypeCode result = dynamic.echo_typecode(first, b, c);
        return Exchange.verdict(result.equal(first), b.value.equal(first), c.value.equal(next));
      });
    }
  }
}
