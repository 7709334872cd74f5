// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.Echo;
import Constructs.EchoAsync;
import Constructs.EchoStub;
import java.util.concurrent.atomic.AtomicInteger;
import org.tenon.Orb;
import org.tenon.SystemException;

/** A VM that exits while threads of its own and of the ORB are in calls: it must end, with the status that it was told. */
public final class ExitTests {
  private ExitTests() {}

  public static void main(String[] arguments) throws Exception {
    Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"}, "server");
    Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "client");
    server.activate();
    EchoImpl servant = new EchoImpl();
    server.activate(servant);
    Echo echo = EchoStub.of(client.toReference(servant._reference().toText()));
    EchoAsync async = EchoAsync.of(echo);
    AtomicInteger calls = new AtomicInteger();
    for (int i = 0; i < 6; ++i) {
      new Thread(() -> {
        try {
          while (true) {
            async.echo_tree(Samples.tree(3)).thenRun(calls::incrementAndGet);
            echo.nested(echo, 1);
          }
        } catch (SystemException e) {
          System.err.println(e.getMessage());
        }
      }).start();
    }
    while (calls.get() < 500) Thread.onSpinWait();
    System.exit(0);
  }
}
