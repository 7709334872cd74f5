// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.Target;
import Late.TargetStub;
import java.util.Arrays;
import java.util.Map;
import org.tenon.Orb;

/**
 * Calls between C++ and Java in one process and one ORB; commands on standard input: a way, and behind it one of values.hpp.
 *   up-wrapper, up-late: a stub in C++ calls a Java object, through a servant in C++ and JNI, or as a servant
 *   down-wrapper, down-late: Java calls a servant in C++, through JNI and a stub in C++, or by the generated stub
 *   c++: a stub in C++ calls a servant in C++
 * Options go to ORB_init. Main thread only.
 */
final class Local {
  private Local() {}

  public static void main(String[] words) throws Exception {
    Commands options = new Commands(words);
    Orb orb = Orb.init(options.others.toArray(new String[0]), Wrapper.ORB);
    orb.activate();
    Sink object = new Sink();
    String sink = Wrapper.sink();
    Map<String, Long> up = Map.of("up-wrapper", Wrapper.stub(Wrapper.serve(object)), "up-late",
        Wrapper.stub(orb.activate(object).toText()), "c++", Wrapper.stub(sink));
    Map<String, Target> down =
        Map.of("down-wrapper", new Wrapper(Wrapper.stub(sink)), "down-late", TargetStub.of(orb.toReference(sink)));
    Commands.serve(command -> {
      String[] rest = Arrays.copyOfRange(command, 1, command.length);
      if (up.containsKey(command[0])) return Wrapper.command(up.get(command[0]), String.join(" ", rest));
      return down.containsKey(command[0]) ? Values.answer(down.get(command[0]), rest) : null;
    });
    Runtime.getRuntime().halt(0);
  }
}
