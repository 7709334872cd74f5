// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.Target;
import Late.ViewerStub;
import org.tenon.Orb;

/**
 * Tenon's client of late.idl in Java; commands on standard input (values.hpp). Options: --ior FILE; the rest goes to ORB_init. With
 * --wrapper the stub is one in C++, which is called by JNI.
 */
final class Client {
  private Client() {}

  public static void main(String[] words) throws Exception {
    Commands options = new Commands(words);
    Orb orb = Orb.init(options.others.toArray(new String[0]), Wrapper.ORB);
    String reference = options.readReference();
    Target target = options.wrapper ? new Wrapper(Wrapper.stub(reference)) : ViewerStub.of(orb.toReference(reference));
    Commands.serve(command -> Values.answer(target, command));
  }
}
