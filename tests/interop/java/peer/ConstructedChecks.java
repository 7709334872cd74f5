// SPDX-License-Identifier: Apache-2.0
//
// The Java client: structs, unions, arrays, and sequences of everything. Main thread only.
package peer;

import Interop.BinStruct;
import Interop.ByBoolean;
import Interop.ByChar;
import Interop.ByColour;
import Interop.ByLong;
import Interop.ByShort;
import Interop.ByULongLong;
import Interop.Colour;
import Interop.Echo;
import Interop.Mixed;
import Interop.Outer;
import Interop.Point;
import Interop.Primitives;
import Interop.Tree;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

final class ConstructedChecks {
  private static final BinStruct LOW = new BinStruct(Short.MIN_VALUE, 'a', Integer.MIN_VALUE, (byte) 0, -Double.MAX_VALUE);
  private static final BinStruct HIGH = new BinStruct(Short.MAX_VALUE, 'z', Integer.MAX_VALUE, (byte) 255, Double.MIN_VALUE);

  private final Report report;
  private final Echo echo;

  private ConstructedChecks(Report report, Echo echo) {
    this.report = report;
    this.echo = echo;
  }

  static void run(Report report, Echo echo) {
    ConstructedChecks checks = new ConstructedChecks(report, echo);
    checks.structs();
    checks.unions();
    checks.arrays();
    checks.ofPrimitives();
    checks.ofConstructed();
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private <T> void all(String name, Exchange.Operation<T> operation, T... list) {
    Exchange.all(report, name, operation, list);
  }

  private static <T> List<T> make(int count, IntFunction<T> element) {
    return IntStream.range(0, count).mapToObj(element).toList();
  }

  private static Mixed mixed(int seed) {
    return new Mixed("n".repeat(seed), Colour.values()[seed % 3], seed % 2 != 0 ? HIGH : LOW,
        IntStream.range(0, seed).mapToDouble(i -> i * 0.25).toArray(), IntStream.range(0, 4).map(i -> seed * 10 + i).toArray(),
        make(3, "x"::repeat).toArray(new String[0]), make(seed % 5, i -> new Point(i, -seed)));
  }

  private static Outer outer(int seed) {
    return new Outer((byte) seed, mixed(seed), (byte) 0x55, new Outer.Deep((byte) 1, Long.MIN_VALUE + seed), (byte) 0xaa);
  }

  private static Tree tree(int depth, int width) {
    return new Tree("level " + depth, make(depth > 0 ? width : 0, i -> tree(depth - 1, width)));
  }

  private void structs() {
    all("echo_bin", echo::echo_bin, LOW, HIGH, new BinStruct((short) 1, 'x', 2, (byte) 3, 4.5));
    Primitives high = new Primitives(true, (byte) 255, 'z', Short.MAX_VALUE, (short) 0xffff, Integer.MAX_VALUE, -1, Long.MAX_VALUE,
        -1L, Float.MAX_VALUE, Double.MAX_VALUE);
    report.check("limits_high", () -> echo.limits(true).equals(high) ? "" : "wrong values");
    Primitives low = new Primitives(false, (byte) 0, 'a', Short.MIN_VALUE, (short) 0, Integer.MIN_VALUE, 0, Long.MIN_VALUE, 0L,
        -Float.MAX_VALUE, -Double.MAX_VALUE);
    report.check("limits_low", () -> echo.limits(false).equals(low) ? "" : "wrong values");
    Primitives some = new Primitives(true, (byte) 200, 'q', (short) -1, (short) 65535, -2, (int) 4000000000L, -3,
        Long.parseUnsignedLong("18000000000000000000"), 1.25f, -2.5);
    report.check("describe", () -> {
      String got = echo.describe(some);
      String wanted = "b=1 o=200 c=q s=-1 us=65535 l=-2 ul=4000000000 ll=-3 ull=18000000000000000000 f=5 d=-10";
      return got.equals(wanted) ? "" : "got " + got;
    });
    all("echo_primitives", echo::echo_primitives, some, low);
    all("echo_mixed", echo::echo_mixed, mixed(0), mixed(1), mixed(7));
    all("echo_outer", echo::echo_outer, outer(0), outer(1), outer(2), outer(3), outer(9));
    all("echo_tree", echo::echo_tree, tree(0, 0), tree(3, 4), tree(40, 1));
  }

  private void unions() {
    ByLong[] several = {new ByLong.Small_one((byte) 255), new ByLong.Text(2, "two"), new ByLong.Bin(HIGH),
        new ByLong.Numbers(1000, new double[] {1.5, -2.5})};
    all("echo_by_long", echo::echo_by_long, several);
    all("echo_by_long_seq", echo::echo_by_long_seq, Exchange.lists(several));
    ByColour green = new ByColour.Text("green");
    all("echo_by_colour", echo::echo_by_colour, new ByColour.Number(-5), green, new ByColour.Default(Colour.blue));
    all("echo_by_boolean", echo::echo_by_boolean, new ByBoolean.Number(0.1), new ByBoolean.Integer(Long.MIN_VALUE));
    all("echo_by_char", echo::echo_by_char, new ByChar.Alpha((short) -7), new ByChar.Omega(new Point(3, -4)),
        new ByChar.Rest('Q', (byte) 99));
    all("echo_by_ulonglong", echo::echo_by_ulonglong, new ByULongLong.Zero((byte) 1), new ByULongLong.Top(new int[] {1, 2, 3, 4}),
        new ByULongLong.Default(5));
    all("echo_by_short", echo::echo_by_short, new ByShort.Inner(green), new ByShort.Shade(Colour.blue));
  }

  private void arrays() {
    all("echo_row", echo::echo_row, new int[] {1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE}, new int[] {5, 6, 7, 8});
    all("echo_matrix", echo::echo_matrix, new double[][] {{1, 2, 3}, {4, 5, 6.5}}, new double[][] {{0, 0, -1}, {0.1, 0, 0}});
    all("echo_names", echo::echo_names, new String[] {"", "one", "a longer word"}, new String[] {"b", "a longer word", "one"});
    all("echo_bin_pair", echo::echo_bin_pair, new BinStruct[] {LOW, HIGH}, new BinStruct[] {HIGH, HIGH});
  }

  private void ofPrimitives() {
    all("echo_short_seq", echo::echo_short_seq, Exchange.sequences(new short[] {Short.MIN_VALUE, -1, 258}));
    all("echo_ushort_seq", echo::echo_ushort_seq, Exchange.sequences(new short[] {(short) 65535, 0, 258}));
    all("echo_long_seq", echo::echo_long_seq, Exchange.sequences(new int[] {Integer.MIN_VALUE, -1, 0x01020304}));
    all("echo_ulong_seq", echo::echo_ulong_seq, Exchange.sequences(new int[] {-1, 0, 0x01020304}));
    all("echo_longlong_seq", echo::echo_longlong_seq, Exchange.sequences(new long[] {Long.MIN_VALUE, -1, 258}));
    all("echo_ulonglong_seq", echo::echo_ulonglong_seq, Exchange.sequences(new long[] {-1, 258}));
    all("echo_float_seq", echo::echo_float_seq, Exchange.sequences(new float[] {0.5f, -1e30f, 3}));
    all("echo_double_seq", echo::echo_double_seq, Exchange.sequences(new double[] {0.1, -1e300, 3}));
    all("echo_char_seq", echo::echo_char_seq, Exchange.sequences(new char[] {'a', 'Z', '0', '~'}));
    all("echo_octet_seq", echo::echo_octet_seq, Exchange.sequences(new byte[] {0, (byte) 255, (byte) 128, 7}));
    all("echo_boolean_seq", echo::echo_boolean_seq, Exchange.sequences(new boolean[] {true, false, false}));
  }

  private void ofConstructed() {
    all("echo_colour_seq", echo::echo_colour_seq, Exchange.lists(Colour.blue, Colour.red));
    all("echo_string_seq", echo::echo_string_seq, Exchange.lists("", "one", "three"));
    all("echo_short_text_seq", echo::echo_short_text_seq, Exchange.lists("", "sixteen chars ok"));
    all("echo_money_seq", echo::echo_money_seq, Exchange.lists(new BigDecimal("-0.01"), new BigDecimal("9999999.99")));
    all("echo_bin_seq", echo::echo_bin_seq, Exchange.lists(LOW, HIGH));
    all("echo_mixed_seq", echo::echo_mixed_seq, Exchange.lists(mixed(0), mixed(2), mixed(5)));
    all("echo_row_seq", echo::echo_row_seq, Exchange.lists(new int[] {-6, -5, -4, -3}, new int[] {1, 2, 3, 4}));
    all("echo_long_seq_seq", echo::echo_long_seq_seq, List.of(), List.of(new int[0], new int[] {1, -1}, new int[] {7}));
    all("echo_blobs", echo::echo_blobs, List.of(), List.of(new byte[0], new byte[] {0}, new byte[] {0, 1}, new byte[] {0, 1, 2}));
    all("echo_four_longs", echo::echo_four_longs, new int[0], new int[] {1, 2, 3, 4});
    all("echo_two_strings", echo::echo_two_strings, List.of(), List.of("a", ""));
    all("echo_three_structs", echo::echo_three_structs, List.of(), List.of(LOW, HIGH, LOW));
  }
}
