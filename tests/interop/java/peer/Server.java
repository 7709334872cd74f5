// SPDX-License-Identifier: Apache-2.0
//
// The Java server of echo.idl. It follows the contracts that the IDL file states and nothing else.
//
// Threads: the ORB's, several at a time.
package peer;

import org.tenon.Orb;

public final class Server {
  private Server() {}

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Orb orb = options.orb();
    // SIGTERM is an orderly end.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      orb.destroy();
      Runtime.getRuntime().halt(0);
    }));
    Options.endLate(options.idleSeconds, 0);
    EchoImpl echo = new EchoImpl(orb);
    orb.activate(echo);
    orb.activate();
    options.publish(echo._reference().toText());
    orb.run();
  }
}
