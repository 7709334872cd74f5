// SPDX-License-Identifier: Apache-2.0
package measured;

import java.util.Properties;
import org.omg.CORBA.ORB;

/** JacORB as it comes, but silent and on the loopback interface. */
final class Jacorb {
  private Jacorb() {}

  static ORB orb() {
    Properties properties = new Properties();
    properties.setProperty("jacorb.log.default.verbosity", "0");
    properties.setProperty("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    properties.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    properties.setProperty("OAIAddr", "127.0.0.1");
    return ORB.init(new String[0], properties);
  }
}
