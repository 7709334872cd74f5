// SPDX-License-Identifier: Apache-2.0
//
// The Java client of echo.idl: runs every operation with telling values against whatever server the given reference names, and
// prints one line per check: "ok NAME" or "FAIL NAME reason", under the names that the other peers' clients use. Exit status 0 only
// when all checks passed.
//
// Threads: one, but for the check that calls from several.
package peer;

import Interop.Echo;
import Interop.EchoStub;
import java.util.concurrent.atomic.AtomicInteger;
import org.tenon.Holder;
import org.tenon.ObjectStub;
import org.tenon.Orb;
import org.tenon.SystemException;

public final class Client {
  private Client() {}

  private static void large(Report report, Echo echo, int bytes) {
    report.check("make_blob", () -> {
      byte[] blob = echo.make_blob(bytes);
      if (blob.length != bytes) return "length " + blob.length;
      for (int i = 0; i < bytes; ++i) {
        if (blob[i] != (byte) Integer.remainderUnsigned(i * 31 + 7, 251)) return "octet " + i;
      }
      return "";
    });
    report.check("sum_blob", () -> {
      byte[] blob = new byte[bytes];
      long wanted = 0;
      for (int i = 0; i < bytes; ++i) {
        blob[i] = (byte) (i * 7 + (i >>> 8));
        wanted += blob[i] & 0xff;
      }
      return echo.sum_blob(blob) == wanted ? "" : "wrong sum";
    });
    report.check("sum_longs", () -> {
      int[] longs = new int[bytes / 4];
      long wanted = 0;
      for (int i = 0; i < longs.length; ++i) {
        longs[i] = i * 0x9E3779B1;
        wanted += longs[i];
      }
      return echo.sum_longs(longs) == wanted ? "" : "wrong sum";
    });
  }

  private static void severalThreads(Report report, Echo echo) {
    report.check("several_threads", () -> {
      AtomicInteger wrong = new AtomicInteger();
      Thread[] callers = new Thread[4];
      for (int t = 0; t < callers.length; ++t) {
        int base = t * 1000;
        callers[t] = new Thread(() -> {
          try {
            for (int i = 0; i < 100; ++i) {
              Holder<Integer> b = new Holder<>(i);
              Holder<Integer> c = new Holder<>();
              if (echo.echo_long(base + i, b, c) != base + i || c.value != i) wrong.incrementAndGet();
            }
          } catch (SystemException e) {
            wrong.incrementAndGet();
          }
        });
        callers[t].start();
      }
      for (Thread caller : callers) caller.join();
      return wrong.get() == 0 ? "" : "a thread got another's answer or none";
    });
  }

  public static void main(String[] words) throws Exception {
    Options options = new Options(words);
    Options.endLate(300, 3); // a client that hangs is a failure, not a guest
    Report report = new Report(options.only, options.skip);
    int status = 1;
    try (Orb orb = options.orb()) {
      Echo echo = EchoStub._narrow(ObjectStub.of(orb.toReference(options.readReference())));
      ValueChecks.run(report, echo, options);
      if (options.planes) PlaneChecks.run(report, echo, options);
      ConstructedChecks.run(report, echo);
      if (options.dynamic) DynamicChecks.run(report, echo, options);
      BehaviourChecks.run(report, orb, echo, options);
      large(report, echo, options.bigBytes);
      severalThreads(report, echo);
      status = report.summary();
    } catch (SystemException e) {
      System.out.println("FAIL start " + e.getMessage());
    }
    System.exit(status);
  }
}
