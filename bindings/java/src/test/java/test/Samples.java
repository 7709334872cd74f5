// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Values of the test's types. */
final class Samples {
  private Samples() {}

  static StructB b(int n) {
    return new StructB((short) n, (short) -n);
  }

  static StructC c(int n) {
    return new StructC(b(n), b(n + 1));
  }

  static StructD d(int n) {
    return new StructD(c(n), c(n + 2));
  }

  static StructE e(int n) {
    return new StructE(d(n), d(n + 4));
  }

  static StructF f(int n) {
    return new StructF(e(n), e(n + 8));
  }

  static Constant constant(int n) {
    return new Constant((byte) n, n % 2 == 1, 'q', (short) n, (short) 65000, n, -2, 1L << 40, -1, 0.5F, -1.25, Colour.blue,
        new BigDecimal("-123.45"), new int[] {n, 2, 3}, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, c(n));
  }

  static Variable variable(int count) {
    List<Constant> blocks = new ArrayList<>();
    List<Tail> tails = new ArrayList<>();
    List<Shifting> shifts = new ArrayList<>();
    List<Late> lates = new ArrayList<>();
    List<StructF> ladder = new ArrayList<>();
    for (int i = 0; i < count; ++i) {
      blocks.add(constant(i));
      tails.add(new Tail(i, (short) i));
      shifts.add(new Shifting((short) i, i, (byte) i));
      lates.add(new Late((byte) i, i));
      ladder.add(f(i));
    }
    int[] numbers = new int[count];
    short[] shorts = new short[20 * count];
    for (int i = 0; i < shorts.length; ++i) shorts[i] = (short) (i * 7);
    return new Variable("title", "w\u20acde \ud83d\ude00", '\u20ac', new byte[count], new boolean[] {true, false, true},
        "chars".toCharArray(), "m\u20ac".toCharArray(), shorts, new long[] {Long.MIN_VALUE, 5}, new float[] {1, 2, 3},
        new double[] {0.1, 0.2}, List.of("a", "", "caf\u00e9 \ud83d\ude00"), List.of("", "\ufeffx", "\ufffe"),
        List.of(numbers, new int[0], new int[] {1, 2, 3}), List.of(Colour.red, Colour.blue),
        new String[][] {{"a", "b", "c"}, {"d", "e", "f"}}, new double[][] {{1, 2, 3}, {4, 5, 6}}, List.of("12345"),
        List.of(new BigDecimal("1.5"), new BigDecimal("-999.9"), new BigDecimal("0.0")), blocks, tails, shifts, lates, ladder);
  }

  @SuppressWarnings("unchecked")
  static Arrays arrays() {
    List<String>[] lists = (List<String>[]) new List<?>[] {List.of("a", "b"), List.of()};
    Shape[][] shapes = {{new Shape.Radius(2), new Shape.Sides(new int[] {1})}};
    return new Arrays(lists, List.<double[][]>of(new double[][] {{1, 2, 3}, {4, 5, 6}}, new double[2][3]), new StructE[] {e(1), e(2)}, shapes,
        List.of(List.of("x", "y"), List.of()), new String[] {"abc", ""}, new boolean[][] {{true}, {false, true}}, new int[] {1, 2, 4},
        new int[] {Flags.two}, new BigDecimal[] {new BigDecimal("1.5"), new BigDecimal("-99.9")}, new int[][][] {{{1, 2}, {3, 4}}});
  }

  static Maps maps() {
    return new Maps(Map.of("a", b(1), "b", b(2)), Map.of(1, true, 2, false), Map.of((byte) 1, List.of("x", "y")),
        Map.of(5L, Map.of('c', '\u20ac')), Map.of("a", new int[] {1, 2}, "b", new int[0]), (byte) (5 << Packed.high_bits_position | 3));
  }

  static Measured measured() {
    return new Measured((byte) 7, new BigDecimal("-0.75"), new BigDecimal[] {new BigDecimal(1), new BigDecimal("1e30").setScale(0)},
        List.of(new BigDecimal("0.5"), BigDecimal.ZERO));
  }

  static Tree tree(int depth) {
    if (depth == 0) return new Tree("leaf", List.of());
    return new Tree("depth " + depth, List.of(tree(depth - 1), new Tree("other", List.of())));
  }
}
