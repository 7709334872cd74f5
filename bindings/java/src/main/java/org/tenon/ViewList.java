// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.Function;

/** A sequence of structs where a message has them; each get() makes a view of one. As {@link Lent}. */
public abstract class ViewList<V> extends AbstractList<V> implements RandomAccess {
  protected final Lent lent;
  private final int first;
  private final int stride;
  private final int count;

  protected ViewList(Lent lent, int first, int stride, int count) {
    this.lent = lent;
    this.first = first;
    this.stride = stride;
    this.count = count;
  }

  @Override
  public final int size() {
    return count;
  }

  /** The index of an element in the buffer. */
  protected final int place(int index) {
    return first + Objects.checkIndex(index, count) * stride;
  }

  /** What `copy` makes of each, when it is asked for. */
  public static <V, T> List<T> copies(List<? extends V> views, Function<V, T> copy) {
    List<? extends V> all = CdrWriter.indexed(views);
    class Copies extends AbstractList<T> implements RandomAccess {
      @Override
      public int size() {
        return all.size();
      }

      @Override
      public T get(int index) {
        return copy.apply(all.get(index));
      }
    }
    return new Copies();
  }
}
