// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What generated records with arrays inside use, because arrays have neither equality nor text by content. */
public final class Values {
  private Values() {}

  public static boolean equal(Object a, Object b) {
    if (a instanceof List<?> x && b instanceof List<?> y) {
      if (x.size() != y.size()) return false;
      for (int i = 0; i < x.size(); ++i) {
        if (!equal(x.get(i), y.get(i))) return false;
      }
      return true;
    }
    if (a instanceof Map<?, ?> x && b instanceof Map<?, ?> y) {
      if (x.size() != y.size()) return false;
      for (Map.Entry<?, ?> one : x.entrySet()) {
        if (!y.containsKey(one.getKey()) || !equal(one.getValue(), y.get(one.getKey()))) return false;
      }
      return true;
    }
    return Objects.deepEquals(a, b);
  }

  public static int hash(Object... members) {
    int hash = 1;
    for (Object one : members) hash = 31 * hash + hashOf(one);
    return hash;
  }

  private static int hashOf(Object one) {
    if (one instanceof List<?> list) return hash(list.toArray());
    if (!(one instanceof Map<?, ?> map)) return Arrays.deepHashCode(new Object[] {one});
    int hash = 0; // maps have no order
    for (Map.Entry<?, ?> entry : map.entrySet()) hash += hashOf(entry.getKey()) ^ hashOf(entry.getValue());
    return hash;
  }
}
