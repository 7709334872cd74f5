// SPDX-License-Identifier: Apache-2.0
//
// JacORB's server that wants a user and password (CSIv2): who() is the user. For users.py.
//
// Threads: JacORB's, several at a time.
package peer;

import Interop.BasePOA;
import org.jacorb.sasPolicy.SASPolicyValues;
import org.jacorb.sasPolicy.SASPolicyValuesHelper;
import org.jacorb.sasPolicy.SAS_POLICY_TYPE;
import org.jacorb.security.sas.SASInitializer;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.CSIIOP.EstablishTrustInClient;
import org.omg.PortableInterceptor.Current;
import org.omg.PortableInterceptor.CurrentHelper;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

public final class UsersServer {
  private UsersServer() {}

  static void useSas(Options options, String context) {
    options.properties.setProperty("org.omg.PortableInterceptor.ORBInitializerClass.sas", SASInitializer.class.getName());
    options.properties.setProperty("jacorb.security.sas.contextClass", context);
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endOrderly(options.idleSeconds, 0);
    useSas(options, UsersContext.class.getName());
    ORB orb = options.orb();
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    Any values = orb.create_any();
    short client = (short) EstablishTrustInClient.value;
    SASPolicyValuesHelper.insert(values, new SASPolicyValues(client, client, false));
    POA users = root.create_POA("users", root.the_POAManager(),
        new Policy[] {orb.create_policy(SAS_POLICY_TYPE.value, values)});
    Current current = CurrentHelper.narrow(orb.resolve_initial_references("PICurrent"));
    BasePOA servant = new BasePOA() {
      @Override
      public String who() {
        try {
          return current.get_slot(SASInitializer.sasPrincipalNamePIC).extract_string();
        } catch (org.omg.PortableInterceptor.InvalidSlot e) {
          return "no slot";
        }
      }
    };
    byte[] id = users.activate_object(servant);
    root.the_POAManager().activate();
    options.publish(orb.object_to_string(users.id_to_reference(id)));
    orb.run();
  }
}
