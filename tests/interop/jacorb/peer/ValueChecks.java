// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client, values that are one value: primitives, text, fixed, enums. Main thread only.
package peer;

import Interop.Colour;
import Interop.Echo;
import Interop.Single;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.omg.CORBA.CharHolder;
import org.omg.CORBA.StringHolder;

final class ValueChecks {
  private ValueChecks() {}

  private static final List<String> REFUSED_WIDE = List.of("BAD_PARAM", "MARSHAL", "INV_OBJREF");

  static void run(Report report, Echo echo, Options options) {
    numbers(report, echo);
    text(report, echo, options);
    wideText(report, echo, options);
  }

  private static void all(Report report, Echo echo, String name, Object... list) {
    Exchange.all(report, echo, Echo.class, name, list);
  }

  private static Object[] decimals(String... list) {
    return Arrays.stream(list).map(BigDecimal::new).toArray();
  }

  private static void numbers(Report report, Echo echo) {
    report.check("noop", () -> {
      echo.noop();
      return "";
    });
    all(report, echo, "echo_boolean", true, false);
    all(report, echo, "echo_octet", (byte) 0, (byte) 1, (byte) 127, (byte) 128, (byte) 255);
    all(report, echo, "echo_char", 'A', ' ', '~', '\0');
    all(report, echo, "echo_short", Short.MIN_VALUE, (short) -1, (short) 0, (short) 1, Short.MAX_VALUE);
    all(report, echo, "echo_ushort", (short) 0, (short) 1, (short) 0x8000, (short) 0xffff);
    all(report, echo, "echo_long", Integer.MIN_VALUE, -1, 0, 0x01020304, Integer.MAX_VALUE);
    all(report, echo, "echo_ulong", 0, 0x80000000, -1);
    all(report, echo, "echo_longlong", Long.MIN_VALUE, -1L, 0L, 0x0102030405060708L, Long.MAX_VALUE);
    all(report, echo, "echo_ulonglong", 0L, 1L << 63, -1L);
    all(report, echo, "echo_float", 0f, -1.5f, Float.MAX_VALUE, Float.MIN_VALUE, Float.POSITIVE_INFINITY, Float.NaN);
    all(report, echo, "echo_double", 0., -1.5, 0.1, Double.MAX_VALUE, Double.MIN_VALUE, Double.NEGATIVE_INFINITY,
        Double.NaN);
    all(report, echo, "echo_colour", Colour.red, Colour.green, Colour.blue);
    all(report, echo, "echo_single", Single.only);
    all(report, echo, "echo_money", decimals("0.00", "-1234567.89", "0.01", "9999999.99"));
    Exchange.as(report, "echo_money_all_digits", echo, Echo.class, "echo_money", decimals("-1234567.89", "9999999.99"));
    all(report, echo, "echo_huge", decimals("1234567890123456789012345678901", "-1"));
    all(report, echo, "echo_fraction", decimals("0.9999", "-0.0001"));
  }

  private static String pointsAre(int[] got, int... wanted) {
    return Arrays.equals(got, wanted) ? "" : "the servant read " + Arrays.toString(got);
  }

  private static void text(Report report, Echo echo, Options options) {
    String umlauts = "Gr\u00fc\u00dfe \u00e9\u00ff";
    Object[] list = {"", "x", "hello, world", umlauts, "q".repeat(5000)};
    if (options.bothUtf8()) {
      list = Arrays.copyOf(list, list.length + 1);
      list[list.length - 1] = "\u20ac \u6c34 \ud83d\ude00";
    }
    all(report, echo, "echo_string", list);
    all(report, echo, "echo_short_text", "", "sixteen chars ok", "x");
    report.checkRaises("echo_short_text_too_long", List.of("BAD_PARAM", "MARSHAL"),
        () -> echo.echo_short_text("seventeen chars!!", new StringHolder(""), new StringHolder()));
    if (options.anyUtf8()) {
      // What travels is UTF-8, where such a char is half a character.
      report.checkRaises("echo_char_half", List.of("DATA_CONVERSION"),
          () -> echo.echo_char('\u00e9', new CharHolder('b'), new CharHolder('c')));
    } else {
      Exchange.as(report, "echo_char_latin1", echo, Echo.class, "echo_char", '\u00e9', '\u00ff', '\u0080');
    }
    report.check("code_points",
        () -> pointsAre(echo.code_points(umlauts), 'G', 'r', 0xfc, 0xdf, 'e', ' ', 0xe9, 0xff));
  }

  private static void wideText(Report report, Echo echo, Options options) {
    if (!options.wide) {
      // GIOP 1.0 has no wide text: refused before the wire.
      report.checkRaises("wchar_refused", REFUSED_WIDE,
          () -> echo.echo_wchar('a', new CharHolder('b'), new CharHolder()));
      report.checkRaises("wstring_refused", REFUSED_WIDE,
          () -> echo.echo_wstring("w", new StringHolder(""), new StringHolder()));
      return;
    }
    all(report, echo, "echo_wchar", 'w', '\u00e9', '\u6c34');
    all(report, echo, "echo_wstring", "", "w", "w\u00efde", "\u6c34\u20ac", "\u00e9".repeat(3000));
    all(report, echo, "echo_short_wide_text", "", "sixteen \u6c34\u6c34\u6c34");
    report.check("code_points_wide",
        () -> pointsAre(echo.code_points_wide("a\u00e9\u6c34\ud83d\ude00"), 'a', 0xe9, 0x6c34, 0x1f600));
    Exchange.as(report, "echo_wstring_surrogates", echo, Echo.class, "echo_wstring", "\ud83d\ude00");
    all(report, echo, "echo_wchar_seq", new char[0], new char[] {'a', '\u00e9', '\u6c34'});
    all(report, echo, "echo_wstring_seq", new String[0], new String[] {"", "\u6c34 w"});
  }
}
