// SPDX-License-Identifier: Apache-2.0
package measured;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.tenon.ObjectReference;
import org.tenon.Orb;
import org.tenon.Servant;

/**
 * Calls of operations of numbers in one process. Commands on standard input: a way, an operation of numbers.idl, how many calls.
 *   down-never, down-always, down-auto: Java calls a servant in C++, by a stub of that --java-wrappers
 *   up-never, up-always, up-auto: a stub in C++ calls a servant in Java
 *   c++: a stub in C++ calls a servant in C++
 * Main thread only.
 */
final class Numbers {
  private static final List<String> OPERATIONS = List.of("noop", "six", "given", "add", "mixed");

  static {
    System.loadLibrary("late-numbers");
  }

  private interface Down {
    double mean(ObjectReference reference, int operation, int count);
  }

  private Numbers() {}

  static native String sink();

  static native long stub(String reference);

  static native double mean(long stub, int operation, int count);

  public static void main(String[] words) throws Exception {
    Orb orb = Orb.init(words, "late");
    orb.activate();
    String sink = sink();
    ObjectReference reference = orb.toReference(sink);
    Map<String, Down> down = Map.of("down-never", never.Calls::mean, "down-always", always.Calls::mean, "down-auto", auto.Calls::mean);
    Map<String, Long> up = Map.of("up-never", up(orb, new never.Calls()), "up-always", up(orb, new always.Calls()), "up-auto",
        up(orb, new auto.Calls()), "c++", stub(sink));
    Commands.serve(command -> {
      int operation = command.length == 3 ? OPERATIONS.indexOf(command[1]) : -1;
      if (operation < 0) return null;
      int count = Integer.parseInt(command[2]);
      Down way = down.get(command[0]);
      if (way == null && !up.containsKey(command[0])) return null;
      double mean = way != null ? way.mean(reference, operation, count) : mean(up.get(command[0]), operation, count);
      return String.format(Locale.ROOT, "%.1f", mean);
    });
    Runtime.getRuntime().halt(0);
  }

  private static long up(Orb orb, Servant servant) {
    return stub(orb.activate(servant).toText());
  }
}
