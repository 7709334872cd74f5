// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client, Any and TypeCode: every kind of value goes there and back, and the values that the server makes by itself
// are compared with our own. Main thread only.
package peer;

import Interop.Echo;
import InteropDynamic.Card;
import InteropDynamic.CardHelper;
import InteropDynamic.ChoiceHelper;
import InteropDynamic.CodeHelper;
import InteropDynamic.AmountHelper;
import InteropDynamic.Dynamic;
import InteropDynamic.DynamicHelper;
import InteropDynamic.HandHelper;
import InteropDynamic.Holder;
import InteropDynamic.NodeHelper;
import InteropDynamic.Refused;
import InteropDynamic.RefusedHelper;
import InteropDynamic.Suit;
import InteropDynamic.TriplesHelper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StructMember;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;

final class DynamicChecks {
  private final Report report;
  private final ORB orb;
  private final Dynamic dynamic;
  private final boolean wide;

  private DynamicChecks(Report report, ORB orb, Dynamic dynamic, boolean wide) {
    this.report = report;
    this.orb = orb;
    this.dynamic = dynamic;
    this.wide = wide;
  }

  static void run(Report report, ORB orb, Echo echo, Options options) {
    Dynamic dynamic = DynamicHelper.narrow(echo.dynamic());
    if (dynamic == null) {
      report.check("dynamic", () -> "the server has no InteropDynamic::Dynamic");
      return;
    }
    DynamicChecks checks = new DynamicChecks(report, orb, dynamic, options.wide);
    checks.values();
    checks.primitives();
    checks.read();
    checks.inOthers();
    checks.types();
  }

  /** What make(which) must hold; empty when right. */
  private String made(int which, Any any) {
    if (which == 9) {
      boolean right = any.type().kind() == TCKind.tk_objref && dynamic._is_equivalent(any.extract_Object());
      return right ? "" : "wrong reference";
    }
    Any wanted = DynamicValues.make(orb, which);
    if (!any.type().equal(wanted.type())) return "wrong type: " + any.type();
    return any.equal(wanted) ? "" : "wrong: " + any;
  }

  private Any five() {
    Any any = orb.create_any();
    any.insert_long(5);
    return any;
  }

  private void values() {
    for (int i = 0; i <= 12; ++i) {
      int which = i;
      if (which == 11 && !wide) continue;
      report.check("make_any_" + which, () -> made(which, dynamic.make(which)));
      report.check("echo_any_" + which, () -> {
        // What came is sent again; what we made ourselves follows.
        for (Any a : List.of(dynamic.make(which), ours(which))) {
          Object[] got = Exchange.call(dynamic, Dynamic.class, "echo_any", a, five());
          String wrong = made(which, (Any) got[0]);
          if (wrong.isEmpty()) wrong = made(which, (Any) got[1]);
          if (wrong.isEmpty() && !((Any) got[2]).equal(five())) wrong = "wrong out";
          if (!wrong.isEmpty()) return wrong;
        }
        return "";
      });
    }
  }

  private Any ours(int which) {
    return which == 9 ? DynamicValues.reference(orb, dynamic) : DynamicValues.make(orb, which);
  }

  private interface Insert {
    void into(Any any);
  }

  private void primitive(String name, Insert insert) {
    report.check("echo_any_" + name, () -> {
      Any a = orb.create_any();
      insert.into(a);
      Object[] got = Exchange.call(dynamic, Dynamic.class, "echo_any", a, five());
      return Exchange.verdict(((Any) got[0]).equal(a), ((Any) got[1]).equal(a), ((Any) got[2]).equal(five()));
    });
  }

  private void primitives() {
    primitive("boolean", any -> any.insert_boolean(true));
    primitive("octet", any -> any.insert_octet((byte) 200));
    primitive("char", any -> any.insert_char('~'));
    primitive("short", any -> any.insert_short(Short.MIN_VALUE));
    primitive("ushort", any -> any.insert_ushort((short) 65535));
    primitive("ulong", any -> any.insert_ulong(-1));
    primitive("longlong", any -> any.insert_longlong(Long.MIN_VALUE));
    primitive("ulonglong", any -> any.insert_ulonglong(-1));
    primitive("float", any -> any.insert_float(-1.5f));
    primitive("double", any -> any.insert_double(0.1));
    primitive("nil", any -> any.insert_Object(null));
    if (wide) primitive("wchar", any -> any.insert_wchar('\u6c34'));
  }

  private void read() {
    report.check("kind_of", () -> {
      int kind = dynamic.kind_of(DynamicValues.card(orb, Suit.spades, 1, ""));
      return kind == TCKind._tk_struct ? "" : "kind " + kind;
    });
    report.check("card_rank",
        () -> dynamic.card_rank(DynamicValues.card(orb, Suit.spades, 11, "a note")) == 2011 ? "" : "wrong rank");
    report.check("card_rank_refused", () -> {
      Any any = DynamicValues.make(orb, 0);
      try {
        dynamic.card_rank(any);
      } catch (Refused e) {
        return e.why.equals("not a card") && e.cause.equal(any) ? "" : "wrong members";
      }
      return "no exception";
    });
  }

  private void inOthers() {
    Any odd = DynamicValues.card(orb, Suit.hearts, 8, "odd length");
    report.check("echo_holder", () -> {
      Object[] got = Exchange.call(dynamic, Dynamic.class, "echo_holder", new Holder("odd", odd),
          new Holder("", orb.create_any()));
      Holder r = (Holder) got[0];
      Holder b = (Holder) got[1];
      return Exchange.verdict(r.value.equal(odd), b.name.equals("odd") && b.value.equal(odd),
          ((Holder) got[2]).value.type().kind() == TCKind.tk_null);
    });
    report.check("echo_any_seq", () -> {
      Any[] a = new Any[13];
      for (int i = 0; i < 13; ++i) a[i] = i != 11 || wide ? dynamic.make(i) : orb.create_any();
      Object[] got = Exchange.call(dynamic, Dynamic.class, "echo_any_seq", a, new Any[0]);
      Any[] r = (Any[]) got[0];
      if (r.length != 13 || ((Any[]) got[1]).length != 13 || ((Any[]) got[2]).length != 0) return "wrong lengths";
      for (int i = 0; i < 13; ++i) {
        String wrong = i == 11 && !wide ? "" : made(i, r[i]);
        if (!wrong.isEmpty()) return wrong;
      }
      return "";
    });
  }

  /** Types that occur again: JacORB writes them as indirections. */
  private TypeCode repeated() {
    TypeCode[] types = {CardHelper.type(), NodeHelper.type(), CardHelper.type(), HandHelper.type(), NodeHelper.type()};
    StructMember[] members = new StructMember[types.length];
    for (int i = 0; i < types.length; ++i) members[i] = new StructMember("member" + i, types[i], null);
    return orb.create_struct_tc("IDL:tenon.test/InteropDynamic/Repeated:1.0", "Repeated", members);
  }

  private void types() {
    Map<String, TypeCode> all = new LinkedHashMap<>();
    all.put("long", orb.get_primitive_tc(TCKind.tk_long));
    all.put("string", orb.get_primitive_tc(TCKind.tk_string));
    all.put("any", orb.get_primitive_tc(TCKind.tk_any));
    all.put("Card", CardHelper.type());
    all.put("Hand", HandHelper.type());
    all.put("Choice", ChoiceHelper.type());
    all.put("Node", NodeHelper.type());
    all.put("Amount", AmountHelper.type());
    all.put("Triples", TriplesHelper.type());
    all.put("Code", CodeHelper.type());
    all.put("Refused", RefusedHelper.type());
    all.put("Dynamic", DynamicHelper.type());
    all.put("Object", orb.create_interface_tc("IDL:omg.org/CORBA/Object:1.0", "Object"));
    all.put("wstring", orb.create_wstring_tc(0));
    all.put("TypeCode", orb.get_primitive_tc(TCKind.tk_TypeCode));
    all.put("Repeated", repeated());
    List<String> names = List.copyOf(all.keySet());
    for (int i = 0; i < names.size(); ++i) {
      TypeCode first = all.get(names.get(i));
      TypeCode next = all.get(names.get((i + 1) % names.size()));
      report.check("echo_typecode_" + names.get(i), () -> {
        Object[] got = Exchange.call(dynamic, Dynamic.class, "echo_typecode", first, next);
        return Exchange.verdict(first.equal((TypeCode) got[0]), first.equal((TypeCode) got[1]),
            next.equal((TypeCode) got[2]));
      });
    }
  }
}
