// SPDX-License-Identifier: Apache-2.0
package consumer;

import Greeting.GreeterStub;
import org.tenon.Orb;

/** Greets by the reference that is its first argument. */
public final class Client {
  private Client() {}

  public static void main(String[] arguments) {
    try (Orb orb = Orb.init(arguments)) {
      System.out.println(GreeterStub.of(orb.toReference(orb.arguments()[0])).greet(orb.arguments()[1]));
    }
  }
}
