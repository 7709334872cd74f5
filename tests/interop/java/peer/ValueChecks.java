// SPDX-License-Identifier: Apache-2.0
//
// The Java client, values that are one value: primitives, text, fixed, enums. Main thread only.
package peer;

import Interop.Colour;
import Interop.Echo;
import Interop.Single;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.tenon.Holder;
import org.tenon.SystemException.Kind;

final class ValueChecks {
  private static final List<Kind> REFUSED_WIDE = List.of(Kind.BAD_PARAM, Kind.MARSHAL, Kind.INV_OBJREF);

  private final Report report;
  private final Echo echo;

  private ValueChecks(Report report, Echo echo) {
    this.report = report;
    this.echo = echo;
  }

  static void run(Report report, Echo echo, Options options) {
    ValueChecks checks = new ValueChecks(report, echo);
    checks.numbers();
    checks.decimals();
    checks.text(options);
    checks.wideText(options);
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  private <T> void all(String name, Exchange.Operation<T> operation, T... list) {
    Exchange.all(report, name, operation, list);
  }

  private static BigDecimal[] decimals(String... list) {
    return Arrays.stream(list).map(BigDecimal::new).toArray(BigDecimal[]::new);
  }

  private void numbers() {
    report.check("noop", () -> {
      echo.noop();
      return "";
    });
    all("echo_boolean", echo::echo_boolean, true, false);
    all("echo_octet", echo::echo_octet, (byte) 0, (byte) 1, (byte) 127, (byte) 128, (byte) 255);
    all("echo_char", echo::echo_char, 'A', ' ', '~', '\0');
    all("echo_short", echo::echo_short, Short.MIN_VALUE, (short) -1, (short) 0, (short) 1, Short.MAX_VALUE);
    all("echo_ushort", echo::echo_ushort, (short) 0, (short) 1, (short) 0x8000, (short) 0xffff);
    all("echo_long", echo::echo_long, Integer.MIN_VALUE, -1, 0, 0x01020304, Integer.MAX_VALUE);
    all("echo_ulong", echo::echo_ulong, 0, 0x80000000, -1);
    all("echo_longlong", echo::echo_longlong, Long.MIN_VALUE, -1L, 0L, 0x0102030405060708L, Long.MAX_VALUE);
    all("echo_ulonglong", echo::echo_ulonglong, 0L, 1L << 63, -1L);
    all("echo_float", echo::echo_float, 0f, -1.5f, Float.MAX_VALUE, Float.MIN_VALUE, Float.POSITIVE_INFINITY, Float.NaN);
    all("echo_double", echo::echo_double, 0., -1.5, 0.1, Double.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY, Double.NaN);
    all("echo_colour", echo::echo_colour, Colour.red, Colour.green, Colour.blue);
    all("echo_single", echo::echo_single, Single.only);
  }

  private void decimals() {
    // An x87 has these, too, so that its long double gives them back: a third cut off after 63 binary digits, its largest number.
    BigDecimal two = BigDecimal.valueOf(2);
    BigDecimal third = new BigDecimal(Long.MAX_VALUE / 3).divide(two.pow(63));
    BigDecimal largest = two.pow(64).subtract(BigDecimal.ONE).multiply(two.pow(16383 - 63));
    all("echo_longdouble", echo::echo_longdouble, BigDecimal.ZERO, new BigDecimal("-1.5"), third, largest);
    all("echo_money", echo::echo_money, decimals("0", "-1234567.89", "0.01", "9999999.99"));
    all("echo_money_all_digits", echo::echo_money, decimals("-1234567.89", "9999999.99"));
    all("echo_huge", echo::echo_huge, decimals("1234567890123456789012345678901", "-1"));
    all("echo_fraction", echo::echo_fraction, decimals("0.9999", "-0.0001"));
  }

  private static String pointsAre(int[] got, int... wanted) {
    return Arrays.equals(got, wanted) ? "" : "the servant read " + Arrays.toString(got);
  }

  private void text(Options options) {
    String umlauts = "Gr\u00fc\u00dfe \u00e9\u00ff";
    String[] list = {"", "x", "hello, world", umlauts, "q".repeat(5000)};
    if (options.bothUtf8()) {
      list = Arrays.copyOf(list, list.length + 1);
      list[list.length - 1] = "\u20ac \u6c34 \ud83d\ude00";
    }
    all("echo_string", echo::echo_string, list);
    all("echo_short_text", echo::echo_short_text, "", "sixteen chars ok", "x");
    report.checkRaises("echo_short_text_too_long", List.of(Kind.BAD_PARAM, Kind.MARSHAL),
        () -> echo.echo_short_text("seventeen chars!!", new Holder<>(""), new Holder<>()));
    if (options.travelsAsUtf8()) {
      // Such a char would be half a character there.
      report.checkRaises("echo_char_half", List.of(Kind.DATA_CONVERSION),
          () -> echo.echo_char('\u00e9', new Holder<>('b'), new Holder<>('c')));
    } else {
      all("echo_char_latin1", echo::echo_char, '\u00e9', '\u00ff', '\u0080');
    }
    report.check("code_points", () -> pointsAre(echo.code_points(umlauts), 'G', 'r', 0xfc, 0xdf, 'e', ' ', 0xe9, 0xff));
  }

  private void wideText(Options options) {
    if (!options.wide) {
      // There is no wide text with this peer: refused before the wire.
      report.checkRaises("wchar_refused", REFUSED_WIDE, () -> echo.echo_wchar('a', new Holder<>('b'), new Holder<>()));
      report.checkRaises("wstring_refused", REFUSED_WIDE, () -> echo.echo_wstring("w", new Holder<>(""), new Holder<>()));
      return;
    }
    all("echo_wchar", echo::echo_wchar, 'w', '\u00e9', '\u6c34');
    all("echo_wstring", echo::echo_wstring, "", "w", "w\u00efde", "\u6c34\u20ac", "\u00e9".repeat(3000));
    all("echo_short_wide_text", echo::echo_short_wide_text, "", "sixteen \u6c34\u6c34\u6c34");
    report.check("code_points_wide",
        () -> pointsAre(echo.code_points_wide("a\u00e9\u6c34\ud83d\ude00"), 'a', 0xe9, 0x6c34, 0x1f600));
    all("echo_wstring_surrogates", echo::echo_wstring, "\ud83d\ude00");
    all("echo_wchar_seq", echo::echo_wchar_seq, new char[0], new char[] {'a', '\u00e9', '\u6c34'});
    all("echo_wstring_seq", echo::echo_wstring_seq, List.of(), List.of("", "\u6c34 w"));
  }
}
