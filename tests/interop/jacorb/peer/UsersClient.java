// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client with a user and password (CSIv2): UsersClient --ior IOR USER PASSWORD prints what who() says, or the exception. For users.py.
//
// Threads: one.
package peer;

import Interop.BaseHelper;
import java.util.List;
import org.jacorb.security.sas.GssUpContext;
import org.omg.CORBA.ORB;

public final class UsersClient {
  private UsersClient() {}

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endLate(options.idleSeconds, 3);
    List<String> account = options.orbArguments;
    UsersServer.useSas(options, GssUpContext.class.getName());
    GssUpContext.setUsernamePassword(account.get(0), account.get(1));
    ORB orb = ORB.init(new String[0], options.properties);
    try {
      System.out.println(BaseHelper.unchecked_narrow(orb.string_to_object(options.readReference())).who());
    } catch (org.omg.CORBA.SystemException e) {
      System.out.println(e.getClass().getSimpleName());
    }
    Runtime.getRuntime().halt(0);
  }
}
