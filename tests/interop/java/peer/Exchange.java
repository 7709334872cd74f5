// SPDX-License-Identifier: Apache-2.0
//
// The contract of every echo operation, once for all types: they have the shape T op(T, Holder<T>, Holder<T>). Stateless.
package peer;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.tenon.Holder;
import org.tenon.RemoteObject;

final class Exchange {
  private Exchange() {}

  /** An operation of a stub. */
  @FunctionalInterface
  interface Operation<T> {
    T call(T a, Holder<T> b, Holder<T> c);
  }

  /** The servant's part. */
  static <T> T serve(T a, Holder<T> b, Holder<T> c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  /** Each value is once `a` and once `b`, beside its successor. */
  @SafeVarargs
  static <T> void all(Report report, String check, Operation<T> operation, T... list) {
    report.check(check, () -> {
      for (int i = 0; i < list.length; ++i) {
        T next = list[(i + 1) % list.length];
        String wrong = once(operation, list[i], next);
        if (!wrong.isEmpty()) return "value " + i + ": " + wrong;
      }
      return "";
    });
  }

  static <T> String once(Operation<T> operation, T a, T b) {
    Holder<T> inout = new Holder<>(b);
    Holder<T> out = new Holder<>();
    T result = operation.call(a, inout, out);
    return verdict(same(result, a), same(inout.value, a), same(out.value, b));
  }

  static String verdict(boolean result, boolean inout, boolean out) {
    if (result && inout && out) return "";
    return "wrong" + (result ? "" : " result") + (inout ? "" : " inout") + (out ? "" : " out");
  }

  /** Numbers of one value and another scale, and references to one object, are the same; records compare themselves. */
  static boolean same(Object a, Object b) {
    if (a instanceof BigDecimal left) return b instanceof BigDecimal right && left.compareTo(right) == 0;
    if (a instanceof RemoteObject left) return b instanceof RemoteObject right && left._is_equivalent(right);
    if (!(a instanceof List<?> left)) return Objects.deepEquals(a, b);
    if (!(b instanceof List<?> right) || left.size() != right.size()) return false;
    for (int i = 0; i < left.size(); ++i) {
      if (!same(left.get(i), right.get(i))) return false;
    }
    return true;
  }

  /** Empty, one, some, and many: with lengths that leave every alignment behind. `some` is an array of primitives. */
  @SuppressWarnings("unchecked")
  static <T> T[] sequences(T some) {
    int length = java.lang.reflect.Array.getLength(some);
    Class<?> of = some.getClass().getComponentType();
    int[] lengths = {0, 1, length, 1021};
    T[] list = (T[]) java.lang.reflect.Array.newInstance(some.getClass(), lengths.length);
    for (int i = 0; i < lengths.length; ++i) {
      list[i] = (T) java.lang.reflect.Array.newInstance(of, lengths[i]);
      for (int k = 0; k < lengths[i]; ++k) java.lang.reflect.Array.set(list[i], k, java.lang.reflect.Array.get(some, k % length));
    }
    return list;
  }

  /** The same of elements that make a list. */
  @SafeVarargs
  @SuppressWarnings({"unchecked", "varargs"})
  static <T> List<T>[] lists(T... some) {
    List<T> many = new ArrayList<>();
    for (int i = 0; i < 1021; ++i) many.add(some[i % some.length]);
    return (List<T>[]) new List<?>[] {List.of(), List.of(some[0]), List.of(some), many};
  }
}
