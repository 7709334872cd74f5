// SPDX-License-Identifier: Apache-2.0
//
// The contract of every echo operation, once for all types: the Java mapping gives each the same shape, T op(T,
// THolder, THolder), so that reflection can call and serve them. Comparison goes by the generated classes' fields, since
// the mapping gives them no equals(). Stateless.
package peer;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

final class Exchange {
  private Exchange() {}

  static Method operation(Class<?> type, String name) {
    return Arrays.stream(type.getMethods()).filter(m -> m.getName().equals(name) && m.getParameterCount() == 3)
        .findFirst().orElseThrow(() -> new IllegalArgumentException("no operation " + name));
  }

  static Object valueOf(Object holder) throws ReflectiveOperationException {
    return holder.getClass().getField("value").get(holder);
  }

  static Object holderOf(Class<?> type, Object value) throws ReflectiveOperationException {
    Object holder = type.getDeclaredConstructor().newInstance();
    if (value != null) type.getField("value").set(holder, value);
    return holder;
  }

  /** The servant's part. */
  static Object serve(Object[] abc) throws ReflectiveOperationException {
    Field value = abc[1].getClass().getField("value");
    value.set(abc[2], value.get(abc[1]));
    value.set(abc[1], abc[0]);
    return abc[0];
  }

  /** The client's part: result, inout and out of one call. */
  static Object[] call(Object target, Class<?> type, String name, Object a, Object b) throws Exception {
    Method method = operation(type, name);
    Object inout = holderOf(method.getParameterTypes()[1], b);
    Object out = holderOf(method.getParameterTypes()[2], null);
    try {
      Object result = method.invoke(target, a, inout, out);
      return new Object[] {result, valueOf(inout), valueOf(out)};
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  /** Each value is once `a` and once `b`, beside its successor. */
  static void all(Report report, Object target, Class<?> type, String name, Object... list) {
    as(report, name, target, type, name, list);
  }

  static void as(Report report, String check, Object target, Class<?> type, String name, Object... list) {
    report.check(check, () -> {
      for (int i = 0; i < list.length; ++i) {
        Object b = list[(i + 1) % list.length];
        Object[] got = call(target, type, name, list[i], b);
        String wrong = verdict(same(got[0], list[i]), same(got[1], list[i]), same(got[2], b));
        if (!wrong.isEmpty()) return "value " + i + ": " + wrong;
      }
      return "";
    });
  }

  static String verdict(boolean result, boolean inout, boolean out) {
    if (result && inout && out) return "";
    return "wrong" + (result ? "" : " result") + (inout ? "" : " inout") + (out ? "" : " out");
  }

  /** Empty, one, some, and many: with lengths that leave every alignment behind. `some` is an array. */
  static Object[] sequences(Object some) {
    Class<?> of = some.getClass().getComponentType();
    int length = Array.getLength(some);
    Object one = Array.newInstance(of, 1);
    Array.set(one, 0, Array.get(some, 0));
    Object many = Array.newInstance(of, 1021);
    for (int i = 0; i < 1021; ++i) Array.set(many, i, Array.get(some, i % length));
    return new Object[] {Array.newInstance(of, 0), one, some, many};
  }

  static boolean same(Object a, Object b) {
    return same(a, b, new IdentityHashMap<>());
  }

  /** `seen` says which object of b stands for which of a, so that graphs are compared as graphs: sharing and cycles. */
  private static boolean same(Object a, Object b, Map<Object, Object> seen) {
    if (a == b) return true;
    if (a == null || b == null) return false;
    if (a instanceof org.omg.CORBA.Object left) {
      return b instanceof org.omg.CORBA.Object right && left._is_equivalent(right);
    }
    if (a instanceof org.omg.CORBA.Any left) return b instanceof org.omg.CORBA.Any right && left.equal(right);
    if (a instanceof BigDecimal left) return b instanceof BigDecimal right && left.compareTo(right) == 0;
    if (a.getClass() != b.getClass()) return false;
    if (a.getClass().isArray()) return sameArrays(a, b, seen);
    if (a.getClass().getName().startsWith("java.")) return a.equals(b);
    if (seen.containsKey(a)) return seen.get(a) == b;
    seen.put(a, b);
    return sameFields(a.getClass(), a, b, seen);
  }

  private static boolean sameArrays(Object a, Object b, Map<Object, Object> seen) {
    int length = Array.getLength(a);
    if (length != Array.getLength(b)) return false;
    for (int i = 0; i < length; ++i) {
      if (!same(Array.get(a, i), Array.get(b, i), seen)) return false;
    }
    return true;
  }

  private static boolean sameFields(Class<?> type, Object a, Object b, Map<Object, Object> seen) {
    for (; type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) continue;
        field.setAccessible(true);
        try {
          if (!same(field.get(a), field.get(b), seen)) return false;
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return true;
  }

  static List<Integer> unsigned(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }
}
