// SPDX-License-Identifier: Apache-2.0
//
// JacORB's GSSUP takes any password; this one takes that of users.py.
package peer;

import java.nio.charset.StandardCharsets;
import org.jacorb.security.sas.GssUpContext;
import org.omg.CORBA.ORB;
import org.omg.IOP.Codec;

public final class UsersContext extends GssUpContext {
  @Override
  public boolean validateContext(ORB orb, Codec codec, byte[] token) {
    return super.validateContext(orb, codec, token)
        && new String(initialContextToken.password, StandardCharsets.UTF_8).equals("secret");
  }
}
