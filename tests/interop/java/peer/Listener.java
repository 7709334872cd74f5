// SPDX-License-Identifier: Apache-2.0
//
// Answers callbacks, in the server as in the client. Called from the ORB's threads.
package peer;

import Interop.CallbackServant;
import Interop.Plain;
import java.util.concurrent.atomic.AtomicInteger;

final class Listener extends CallbackServant {
  private final String name;
  final AtomicInteger heard = new AtomicInteger();

  Listener(String name) {
    this.name = name;
  }

  @Override
  public String said(String text) throws Plain {
    if (text.equals("refuse")) throw new Plain();
    if (text.equals("sleep")) pause(700);
    return name + " heard " + text;
  }

  @Override
  public void noted(int value) {
    heard.incrementAndGet();
  }

  @Override
  public int notes() {
    return heard.get();
  }

  static void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
