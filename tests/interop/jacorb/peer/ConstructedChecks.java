// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client: structs, unions, arrays, and sequences of everything. Main thread only.
package peer;

import Interop.BinStruct;
import Interop.ByBoolean;
import Interop.ByChar;
import Interop.ByColour;
import Interop.ByLong;
import Interop.ByShort;
import Interop.Colour;
import Interop.Echo;
import Interop.Mixed;
import Interop.Outer;
import Interop.OuterPackage.Deep;
import Interop.Point;
import Interop.Primitives;
import Interop.Tree;
import java.math.BigDecimal;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

final class ConstructedChecks {
  private static final BinStruct LOW =
      new BinStruct(Short.MIN_VALUE, 'a', Integer.MIN_VALUE, (byte) 0, -Double.MAX_VALUE);
  private static final BinStruct HIGH =
      new BinStruct(Short.MAX_VALUE, 'z', Integer.MAX_VALUE, (byte) 255, Double.MIN_VALUE);

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

  private void all(String name, Object... list) {
    Exchange.all(report, echo, Echo.class, name, list);
  }

  private static <T> T[] make(int count, IntFunction<T[]> array, IntFunction<T> element) {
    return IntStream.range(0, count).mapToObj(element).toArray(array);
  }

  private static Mixed mixed(int seed) {
    return new Mixed("n".repeat(seed), Colour.from_int(seed % 3), seed % 2 != 0 ? HIGH : LOW,
        IntStream.range(0, seed).mapToDouble(i -> i * 0.25).toArray(),
        IntStream.range(0, 4).map(i -> seed * 10 + i).toArray(), make(3, String[]::new, "x"::repeat),
        make(seed % 5, Point[]::new, i -> new Point(i, -seed)));
  }

  private static Outer outer(int seed) {
    return new Outer((byte) seed, mixed(seed), (byte) 0x55, new Deep((byte) 1, Long.MIN_VALUE + seed), (byte) 0xaa);
  }

  private static Tree tree(int depth, int width) {
    return new Tree("level " + depth, make(depth > 0 ? width : 0, Tree[]::new, i -> tree(depth - 1, width)));
  }

  private void structs() {
    all("echo_bin", LOW, HIGH, new BinStruct((short) 1, 'x', 2, (byte) 3, 4.5));
    report.check("limits_high", () -> Exchange.same(echo.limits(true), new Primitives(true, (byte) 255, 'z',
        Short.MAX_VALUE, (short) 0xffff, Integer.MAX_VALUE, -1, Long.MAX_VALUE, -1L, Float.MAX_VALUE,
        Double.MAX_VALUE)) ? "" : "wrong values");
    report.check("limits_low", () -> Exchange.same(echo.limits(false), new Primitives(false, (byte) 0, 'a',
        Short.MIN_VALUE, (short) 0, Integer.MIN_VALUE, 0, Long.MIN_VALUE, 0L, -Float.MAX_VALUE,
        -Double.MAX_VALUE)) ? "" : "wrong values");
    Primitives p = new Primitives(true, (byte) 200, 'q', (short) -1, (short) 65535, -2, (int) 4000000000L, -3,
        Long.parseUnsignedLong("18000000000000000000"), 1.25f, -2.5);
    report.check("describe", () -> {
      String got = echo.describe(p);
      return got.equals("b=1 o=200 c=q s=-1 us=65535 l=-2 ul=4000000000 ll=-3 ull=18000000000000000000 f=5 d=-10")
          ? "" : "got " + got;
    });
    all("echo_primitives", p, new Primitives());
    all("echo_mixed", mixed(0), mixed(1), mixed(7));
    all("echo_outer", outer(0), outer(1), outer(2), outer(3), outer(9));
    all("echo_tree", tree(0, 0), tree(3, 4), tree(40, 1));
  }

  private void unions() {
    ByLong small = new ByLong();
    small.small_one((byte) 255);
    ByLong text = new ByLong();
    text.text(2, "two");
    ByLong bin = new ByLong();
    bin.bin(HIGH);
    ByLong numbers = new ByLong();
    numbers.numbers(new double[] {1.5, -2.5});
    all("echo_by_long", small, text, bin, numbers);
    all("echo_by_long_seq", Exchange.sequences(new ByLong[] {small, text, bin, numbers}));
    ByColour red = new ByColour();
    red.number(-5);
    ByColour green = new ByColour();
    green.text("green");
    ByColour blue = new ByColour();
    blue.__default();
    all("echo_by_colour", red, green, blue);
    ByBoolean yes = new ByBoolean();
    yes.number(0.1);
    ByBoolean no = new ByBoolean();
    no.integer(Long.MIN_VALUE);
    all("echo_by_boolean", yes, no);
    ByChar alpha = new ByChar();
    alpha.alpha((short) -7);
    ByChar omega = new ByChar();
    omega.omega(new Point(3, -4));
    ByChar rest = new ByChar();
    rest.rest((byte) 99);
    all("echo_by_char", alpha, omega, rest);
    ByShort inner = new ByShort();
    inner.inner(green);
    ByShort shade = new ByShort();
    shade.shade(Colour.blue);
    all("echo_by_short", inner, shade);
  }

  private void arrays() {
    all("echo_row", new int[] {1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE}, new int[] {5, 6, 7, 8});
    all("echo_matrix", new double[][] {{1, 2, 3}, {4, 5, 6.5}}, new double[][] {{0, 0, -1}, {0.1, 0, 0}});
    all("echo_names", new String[] {"", "one", "a longer word"}, new String[] {"b", "a longer word", "one"});
    all("echo_bin_pair", new BinStruct[] {LOW, HIGH}, new BinStruct[] {HIGH, HIGH});
  }

  private void ofPrimitives() {
    all("echo_short_seq", Exchange.sequences(new short[] {Short.MIN_VALUE, -1, 258}));
    all("echo_ushort_seq", Exchange.sequences(new short[] {(short) 65535, 0, 258}));
    all("echo_long_seq", Exchange.sequences(new int[] {Integer.MIN_VALUE, -1, 0x01020304}));
    all("echo_ulong_seq", Exchange.sequences(new int[] {-1, 0, 0x01020304}));
    all("echo_longlong_seq", Exchange.sequences(new long[] {Long.MIN_VALUE, -1, 258}));
    all("echo_ulonglong_seq", Exchange.sequences(new long[] {-1, 258}));
    all("echo_float_seq", Exchange.sequences(new float[] {0.5f, -1e30f, 3}));
    all("echo_double_seq", Exchange.sequences(new double[] {0.1, -1e300, 3}));
    all("echo_char_seq", Exchange.sequences(new char[] {'a', 'Z', '0', '~'}));
    all("echo_octet_seq", Exchange.sequences(new byte[] {0, (byte) 255, (byte) 128, 7}));
    all("echo_boolean_seq", Exchange.sequences(new boolean[] {true, false, false}));
  }

  private void ofConstructed() {
    all("echo_colour_seq", Exchange.sequences(new Colour[] {Colour.blue, Colour.red}));
    all("echo_string_seq", Exchange.sequences(new String[] {"", "one", "three"}));
    all("echo_short_text_seq", Exchange.sequences(new String[] {"", "sixteen chars ok"}));
    all("echo_money_seq",
        Exchange.sequences(new BigDecimal[] {new BigDecimal("-0.01"), new BigDecimal("9999999.99")}));
    all("echo_bin_seq", Exchange.sequences(new BinStruct[] {LOW, HIGH}));
    all("echo_mixed_seq", Exchange.sequences(new Mixed[] {mixed(0), mixed(2), mixed(5)}));
    all("echo_row_seq", Exchange.sequences(new int[][] {{-6, -5, -4, -3}, {1, 2, 3, 4}}));
    all("echo_long_seq_seq", new int[0][], new int[][] {{}, {1, -1}, {7}});
    all("echo_blobs", new byte[0][], new byte[][] {{}, {0}, {0, 1}, {0, 1, 2}});
    all("echo_four_longs", new int[0], new int[] {1, 2, 3, 4});
    all("echo_two_strings", new String[0], new String[] {"a", ""});
    all("echo_three_structs", new BinStruct[0], new BinStruct[] {LOW, HIGH, LOW});
  }
}
