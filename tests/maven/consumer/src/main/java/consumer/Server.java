// SPDX-License-Identifier: Apache-2.0
package consumer;

import Greeting.GreeterServant;
import org.tenon.Orb;

/** Prints a reference and serves until its input ends. */
public final class Server {
  private Server() {}

  public static void main(String[] arguments) throws Exception {
    try (Orb orb = Orb.init(arguments)) {
      String reference = orb.activate(new GreeterServant() {
        @Override
        public String greet(String name) {
          return "Hello, " + name + "!";
        }
      }).toText();
      orb.activate();
      System.out.println(reference);
      while (System.in.read() >= 0) {}
    }
  }
}
