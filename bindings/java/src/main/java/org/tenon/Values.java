// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.Arrays;
import java.util.List;
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
    return Objects.deepEquals(a, b);
  }

  public static int hash(Object... members) {
    int hash = 1;
    for (Object one : members) hash = 31 * hash + (one instanceof List<?> list ? hash(list.toArray()) : Arrays.deepHashCode(new Object[] {one}));
    return hash;
  }
}
