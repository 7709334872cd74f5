// SPDX-License-Identifier: Apache-2.0
package measured;

import java.util.Properties;
import org.omg.CORBA.ORB;

/** JacORB as it comes, but silent and with one address. */
final class Jacorb {
  private Jacorb() {}

  static ORB orb(String address) {
    Properties properties = new Properties();
    properties.setProperty("jacorb.log.default.verbosity", "0");
    properties.setProperty("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    properties.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    properties.setProperty("OAIAddr", address);
    return ORB.init(new String[0], properties);
  }
}
