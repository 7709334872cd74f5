// SPDX-License-Identifier: Apache-2.0
package measured;

import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

/** JacORB's server of late.idl. Options: --ior FILE, --idle SECONDS, --address ADDRESS to listen at. */
final class Server {
  private Server() {}

  public static void main(String[] words) throws Exception {
    Commands options = new Commands(words);
    ORB orb = Jacorb.orb(options.address);
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    options.publish(orb.object_to_string(root.servant_to_reference(new Sink())));
    options.waitForTheEnd();
  }
}
