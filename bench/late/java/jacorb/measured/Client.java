// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.Target;
import Late.TargetHelper;

/** JacORB's client of late.idl; commands on standard input (values.hpp). Options: --ior FILE. */
final class Client {
  private Client() {}

  public static void main(String[] words) throws Exception {
    Commands options = new Commands(words);
    Target target = TargetHelper.narrow(Jacorb.orb(options.address).string_to_object(options.readReference()));
    Commands.serve(command -> Values.answer(target, command));
    Runtime.getRuntime().halt(0);
  }
}
