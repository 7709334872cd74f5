// SPDX-License-Identifier: Apache-2.0
package measured;

import org.tenon.Orb;

/**
 * Tenon's server of late.idl in Java. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init. With --wrapper the object is one
 * in C++, which calls the Java one by JNI.
 */
final class Server {
  private Server() {}

  public static void main(String[] words) throws Exception {
    Commands options = new Commands(words);
    Orb orb = Orb.init(options.others.toArray(new String[0]), Wrapper.ORB);
    Sink servant = new Sink();
    orb.activate();
    options.publish(options.wrapper ? Wrapper.serve(servant) : orb.activate(servant).toText());
    options.waitForTheEnd();
  }
}
