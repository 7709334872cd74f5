// SPDX-License-Identifier: Apache-2.0
//
// The operator's console of the line-card monitor: a Java client of the C++ server, which is also called back by it. Both run on one
// kind of engine: this one is behind JNI, and what crosses is octets.
import LineCard.ADSL_Line;
import LineCard.ADSL_Line_Card;
import LineCard.ListenerServant;
import LineCard.Monitor;
import LineCard.MonitorStub;
import LineCard.No_Such_Line;
import LineCard.Severity;
import LineCard.Too_Many_Lines;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.tenon.Orb;
import org.tenon.SystemException;

public final class Console {
  /** Alarms come on a thread of the ORB while the main thread waits in its call. */
  private static final class Bell extends ListenerServant {
    private final CountDownLatch rung = new CountDownLatch(1);

    @Override
    public void alarm(int line, Severity howBad, String what) {
      System.out.printf("  alarm     line %d, %s: %s%n", line, howBad, what);
      rung.countDown();
    }
  }

  private Console() {}

  public static void main(String[] arguments) throws Exception {
    try (Orb orb = Orb.init(arguments)) {
      String[] left = orb.arguments();
      if (left.length != 1) {
        System.err.println("usage: Console REFERENCE [-ORB options], where REFERENCE is IOR:, corbaloc: or file: text");
        System.exit(2);
      }
      run(orb, MonitorStub.of(orb.toReference(left[0])));
    } catch (SystemException e) {
      System.err.println("Console: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void run(Orb orb, Monitor monitor) throws InterruptedException, Too_Many_Lines {
    show(monitor.get(4));
    try {
      monitor.get(1 << 30);
    } catch (Too_Many_Lines e) {
      System.out.printf("  refused   %d lines, of which the card has %d%n", Integer.toUnsignedLong(e.asked()), Integer.toUnsignedLong(e.most()));
    }

    Bell bell = new Bell();
    orb.activate(bell);
    orb.activate();
    monitor.subscribe(bell);
    try {
      monitor.unplug(3);
    } catch (No_Such_Line e) {
      System.out.println("  there is no line " + e.line());
    }
    if (!bell.rung.await(10, TimeUnit.SECONDS)) throw new IllegalStateException("no alarm came");

    try {
      monitor.restart();
    } catch (SystemException e) {
      System.out.println("  refused   restart: " + e.kind());
    }
    monitor.push(monitor.get(16));
    System.out.println("  received  " + monitor.received() + " lines that this console has pushed");
  }

  private static void show(ADSL_Line_Card card) {
    System.out.printf("  card      %s, %.1f W, up for %d s%n", card.card().name(), card.card().power(), card.card().uptime());
    int number = 0;
    for (ADSL_Line line : card.line()) {
      System.out.printf("  line %-4d near %5.1f dB, far %5.1f dB, %d cells%n", number++, line.near_end().raw().signal_to_noise(),
          line.far_end().raw().signal_to_noise(), line.near_end().atm().cells());
    }
  }
}
