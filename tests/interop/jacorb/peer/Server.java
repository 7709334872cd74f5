// SPDX-License-Identifier: Apache-2.0
//
// JacORB's server of echo.idl and dynamic.idl: what Tenon's client is run against. It follows the contracts that the IDL
// files state and nothing else.
//
// Threads: JacORB's, several at a time.
package peer;

import Interop.Base;
import Interop.BaseHelper;
import Interop.EchoOperations;
import Interop.EchoPOATie;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.Servant;

public final class Server {
  private Server() {}

  private static Base passing(POA root, org.omg.CORBA.Object to) throws Exception {
    PassOn.to = to;
    POA poa = root.create_POA(PassOn.ADAPTER, root.the_POAManager(), new Policy[0]);
    Servant never = new Interop.BasePOA() {
      @Override
      public String who() {
        return "whom the interceptor did not pass on";
      }
    };
    return BaseHelper.narrow(poa.id_to_reference(poa.activate_object(never)));
  }

  /** The echo operations are all alike; the others are those of EchoBehaviour. */
  private static EchoOperations echo(EchoBehaviour behaviour) {
    return (EchoOperations) Proxy.newProxyInstance(
        Server.class.getClassLoader(), new Class<?>[] {EchoOperations.class}, (proxy, method, arguments) -> {
          if (method.getName().startsWith("echo_")) return Exchange.serve(arguments);
          try {
            return EchoBehaviour.class.getMethod(method.getName(), method.getParameterTypes())
                .invoke(behaviour, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endOrderly(options.idleSeconds, 0);
    options.properties.setProperty("org.omg.PortableInterceptor.ORBInitializerClass." + PassOn.class.getName(), "");
    ORB orb = options.orb();
    POA root = org.omg.PortableServer.POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    EchoBehaviour behaviour = new EchoBehaviour(orb, root);
    behaviour.passing = passing(root, behaviour.make_diamond());
    if (options.dynamic) behaviour.dynamic = new DynamicServant(orb)._this(orb);
    options.poa(orb); // from here on the ORB takes both ways, if it shall
    options.publish(orb.object_to_string(new EchoPOATie(echo(behaviour))._this(orb)));
    orb.run();
  }
}
