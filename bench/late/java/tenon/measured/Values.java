// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.StructB;
import Late.StructC;
import Late.StructD;
import Late.StructE;
import Late.StructF;
import Late.StructBView;
import Late.StructCView;
import Late.StructDView;
import Late.StructEView;
import Late.StructFView;
import Late.Target;
import Late.Viewer;
import java.util.Arrays;
import java.util.List;

/**
 * The values of late.idl as Tenon's mapping has them, and the calls. Twice because the two mappings differ in types and accessors
 * alone.
 */
final class Values {
  private Values() {}

  static short[] a(int count) {
    short[] all = new short[count];
    for (int i = 0; i < count; ++i) all[i] = Commands.pattern(i);
    return all;
  }

  private static StructB oneB(int at) {
    return new StructB(Commands.pattern(at), Commands.pattern(at + 1));
  }

  private static StructC oneC(int at) {
    return new StructC(oneB(at), oneB(at + 2));
  }

  private static StructD oneD(int at) {
    return new StructD(oneC(at), oneC(at + 4));
  }

  private static StructE oneE(int at) {
    return new StructE(oneD(at), oneD(at + 8));
  }

  private static StructF oneF(int at) {
    return new StructF(oneE(at), oneE(at + 16));
  }

  static List<StructB> b(int count) {
    StructB[] all = new StructB[count];
    for (int i = 0; i < count; ++i) all[i] = oneB(2 * i);
    return Arrays.asList(all);
  }

  static List<StructC> c(int count) {
    StructC[] all = new StructC[count];
    for (int i = 0; i < count; ++i) all[i] = oneC(4 * i);
    return Arrays.asList(all);
  }

  static List<StructD> d(int count) {
    StructD[] all = new StructD[count];
    for (int i = 0; i < count; ++i) all[i] = oneD(8 * i);
    return Arrays.asList(all);
  }

  static List<StructE> e(int count) {
    StructE[] all = new StructE[count];
    for (int i = 0; i < count; ++i) all[i] = oneE(16 * i);
    return Arrays.asList(all);
  }

  static List<StructF> f(int count) {
    StructF[] all = new StructF[count];
    for (int i = 0; i < count; ++i) all[i] = oneF(32 * i);
    return Arrays.asList(all);
  }

  private static void add(Commands.Sum sum, StructB one) {
    sum.add(one.a());
    sum.add(one.b());
  }

  private static void add(Commands.Sum sum, StructC one) {
    add(sum, one.a());
    add(sum, one.b());
  }

  private static void add(Commands.Sum sum, StructD one) {
    add(sum, one.a());
    add(sum, one.b());
  }

  private static void add(Commands.Sum sum, StructE one) {
    add(sum, one.a());
    add(sum, one.b());
  }

  private static void add(Commands.Sum sum, StructF one) {
    add(sum, one.a());
    add(sum, one.b());
  }

  /** Of a short[] or a list of structs. */
  static Commands.Sum sum(Object values) {
    Commands.Sum sum = new Commands.Sum();
    if (values instanceof short[] shorts) {
      for (short one : shorts) sum.add(one);
      return sum;
    }
    for (Object one : (List<?>) values) addAny(sum, one);
    return sum;
  }

  private static void addAny(Commands.Sum sum, Object one) {
    if (one instanceof StructB b) add(sum, b);
    if (one instanceof StructC c) add(sum, c);
    if (one instanceof StructD d) add(sum, d);
    if (one instanceof StructE e) add(sum, e);
    if (one instanceof StructF f) add(sum, f);
  }

  private static int total(StructBView one) {
    return one.a() + one.b();
  }

  private static int total(StructCView one) {
    return total(one.a()) + total(one.b());
  }

  private static int total(StructDView one) {
    return total(one.a()) + total(one.b());
  }

  private static int total(StructEView one) {
    return total(one.a()) + total(one.b());
  }

  /** The sum of all fields. */
  static int totalE(List<? extends StructEView> all) {
    int sum = 0;
    for (int i = 0, count = all.size(); i < count; ++i) sum += total(all.get(i));
    return sum;
  }

  static int totalF(List<? extends StructFView> all) {
    int sum = 0;
    for (int i = 0, count = all.size(); i < count; ++i) {
      StructFView one = all.get(i);
      sum += total(one.a()) + total(one.b());
    }
    return sum;
  }

  private static Object kept;
  private static int total;

  /** Answers a command (values.hpp). */
  static String answer(Target target, String[] words) {
    if (words.length != 3) return null;
    int elements = Integer.parseInt(words[1]);
    int count = Integer.parseInt(words[2]);
    if (words[0].startsWith("check_")) {
      String type = words[0].substring(6);
      target.check(true);
      call(target, "put_" + type, elements).run();
      String received = Long.toUnsignedString(target.sum());
      target.check(false);
      call(target, "get_" + type, elements).run();
      return received + " " + sum(kept).text();
    }
    Runnable call = call(target, words[0], elements);
    if (words[0].startsWith("view_") || words[0].startsWith("read_")) {
      call.run();
      int expected = 0;
      for (int i = 0; i < elements * (words[0].endsWith("E") ? 16 : 32); ++i) expected += Commands.pattern(i);
      if (total != expected) return "error the sum is " + total + " instead of " + expected;
    }
    return call == null ? null : Commands.mean(call, count);
  }

  private static Runnable call(Target target, String operation, int elements) {
    switch (operation) {
      case "noop":
        return target::noop;
      case "put_A":
        short[] a = a(elements);
        return () -> target.put_A(a);
      case "put_B":
        List<StructB> b = b(elements);
        return () -> target.put_B(b);
      case "put_C":
        List<StructC> c = c(elements);
        return () -> target.put_C(c);
      case "put_D":
        List<StructD> d = d(elements);
        return () -> target.put_D(d);
      case "put_E":
        List<StructE> e = e(elements);
        return () -> target.put_E(e);
      case "put_F":
        List<StructF> f = f(elements);
        return () -> target.put_F(f);
      case "view_E":
        List<StructE> viewedE = e(elements);
        return () -> total = ((Viewer) target).view_E(viewedE);
      case "view_F":
        List<StructF> viewedF = f(elements);
        return () -> total = ((Viewer) target).view_F(viewedF);
      case "read_E":
        return () -> total = target.get_E(elements, Values::totalE);
      case "read_F":
        return () -> total = target.get_F(elements, Values::totalF);
      case "get_A":
        return () -> kept = target.get_A(elements);
      case "get_B":
        return () -> kept = target.get_B(elements);
      case "get_C":
        return () -> kept = target.get_C(elements);
      case "get_D":
        return () -> kept = target.get_D(elements);
      case "get_E":
        return () -> kept = target.get_E(elements);
      case "get_F":
        return () -> kept = target.get_F(elements);
      default:
        return null;
    }
  }
}
