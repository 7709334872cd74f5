// SPDX-License-Identifier: Apache-2.0
//
// The Java client, text of every plane of Unicode: what travels between these two native code sets, and what is DATA_CONVERSION.
// A char of Java is one UTF-16 unit, so only wchars of plane 0 are sent. Prints "table ROW COLUMN OUTCOME" beside each check.
package peer;

import Interop.Echo;
import java.util.Arrays;
import org.tenon.Holder;
import org.tenon.SystemException;

final class PlaneChecks {
  private static final int PLANES = 17;

  private PlaneChecks() {}

  private static int[] charactersOf(int plane) {
    if (plane == 0) return new int[] {'a', 0x7f, 0x80, 0xe9, 0x100, 0x20ac, 0x6c34, 0xd7ff, 0xe000, 0xfffd};
    int first = plane << 16;
    return new int[] {first, first + 1, first + 0xf600, first + 0xfffd};
  }

  private static void expect(Report report, String column, int plane, boolean travels, Report.Body send) {
    String row = String.format("%02d", plane);
    report.check("planes_" + column + "_" + row, () -> {
      String outcome = "travels";
      String wrong = "";
      try {
        wrong = send.run();
        if (!wrong.isEmpty()) outcome = "is-changed";
      } catch (SystemException e) {
        outcome = e.kind().name();
      }
      System.out.println("table " + row + " " + column + " " + outcome);
      return outcome.equals(travels ? "travels" : "DATA_CONVERSION") ? "" : outcome + " " + wrong;
    });
  }

  private static String send(Exchange.Operation<String> operation, String text) {
    return Exchange.once(operation, text, text).isEmpty() ? "" : "comes back otherwise";
  }

  private static String reads(int[] got, int[] characters) {
    return Arrays.equals(got, characters) ? "" : "the servant reads something else";
  }

  static void run(Report report, Echo echo, Options options) {
    for (int plane = 0; plane < PLANES; ++plane) {
      int[] characters = charactersOf(plane);
      String text = new String(characters, 0, characters.length);
      if (options.charset.equals("UTF-8")) {
        expect(report, "string", plane, options.bothUtf8(),
            () -> send(echo::echo_string, text) + reads(echo.code_points(text), characters));
      }
      if (!options.wide) continue;
      expect(report, "wstring", plane, plane == 0 || !options.bmpOnly,
          () -> send(echo::echo_wstring, text) + reads(echo.code_points_wide(text), characters));
      if (plane == 0) expect(report, "wchar", plane, true, () -> wchars(echo, characters));
    }
    report.check("planes_latin1", () -> {
      int[] characters = new int[255];
      for (int i = 0; i < characters.length; ++i) characters[i] = i + 1;
      String text = new String(characters, 0, characters.length);
      return send(echo::echo_string, text) + reads(echo.code_points(text), characters);
    });
  }

  private static String wchars(Echo echo, int[] characters) {
    for (int character : characters) {
      char a = (char) character;
      Holder<Character> b = new Holder<>(a);
      Holder<Character> c = new Holder<>();
      if (echo.echo_wchar(a, b, c) != a || b.value != a || c.value != a) return "comes back otherwise";
    }
    return "";
  }
}
