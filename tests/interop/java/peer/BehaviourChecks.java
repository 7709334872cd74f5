// SPDX-License-Identifier: Apache-2.0
//
// The Java client, what is not about the shape of a value: exceptions, oneways, attributes, references that travel both ways,
// callbacks, forwarding, inheritance.
//
// Threads: the callback servant is called from the ORB's threads.
package peer;

import Interop.Base;
import Interop.BaseStub;
import Interop.BinStruct;
import Interop.Callback;
import Interop.Detailed;
import Interop.Diamond;
import Interop.Echo;
import Interop.EchoStub;
import Interop.Plain;
import Interop.Subscriber;
import java.util.Arrays;
import java.util.List;
import org.tenon.CompletionStatus;
import org.tenon.Holder;
import org.tenon.ObjectReference;
import org.tenon.Orb;
import org.tenon.RemoteObject;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

final class BehaviourChecks {
  private final Report report;
  private final Echo echo;

  private BehaviourChecks(Report report, Echo echo) {
    this.report = report;
    this.echo = echo;
  }

  static void run(Report report, Orb orb, Echo echo, Options options) {
    BehaviourChecks checks = new BehaviourChecks(report, echo);
    Listener mine = new Listener("client");
    orb.activate(mine);
    orb.activate();
    checks.userExceptions();
    checks.systemExceptions();
    checks.onewaysAndAttributes();
    checks.callbacks(mine);
    checks.timeouts(mine, options);
    checks.references(mine);
    checks.inheritance();
    checks.referenceText(orb);
  }

  private interface Done {
    boolean yet();
  }

  /** A two-way call may overtake a oneway: asks until it is there, or for five seconds. */
  private static boolean soon(Done done) {
    for (int i = 0; i < 500 && !done.yet(); ++i) Listener.pause(10);
    return done.yet();
  }

  private static boolean same(RemoteObject a, RemoteObject b) {
    return Exchange.same(a, b);
  }

  private void userExceptions() {
    report.checkThrows("fail_plain", Plain.class, echo::fail_plain);
    report.check("fail_detailed", () -> {
      try {
        echo.fail_detailed("because", -3, new Holder<>());
      } catch (Detailed e) {
        boolean good = e.why().equals("because") && e.code() == -3 && e.bin().s() == -2 && e.bin().d() == 0.5
            && e.hints().equals(List.of("first hint", "because"));
        return good ? "" : "wrong members";
      }
      return "no exception";
    });
    report.checkThrows("fail_detailed_other", Plain.class, () -> echo.fail_detailed("because", 0, new Holder<>()));
  }

  private void systemExceptions() {
    record Wanted(int which, Kind kind, int minor, CompletionStatus completed) {}
    for (Wanted w : List.of(new Wanted(0, Kind.NO_PERMISSION, 17, CompletionStatus.COMPLETED_NO),
        new Wanted(1, Kind.BAD_PARAM, 42, CompletionStatus.COMPLETED_YES),
        new Wanted(2, Kind.NO_RESOURCES, 99, CompletionStatus.COMPLETED_MAYBE))) {
      report.check("fail_system_" + w.kind, () -> {
        try {
          echo.fail_system(w.which);
        } catch (SystemException e) {
          return e.kind() == w.kind && e.minor() == w.minor && e.completed() == w.completed ? "" : Report.text(e);
        }
        return "no exception";
      });
    }
    report.checkRaises("fail_undeclared", List.of(Kind.UNKNOWN), echo::fail_undeclared);
    report.check("alive_after_exceptions", () -> {
      echo.noop();
      return "";
    });
    report.checkRaises("unknown_operation", List.of(Kind.BAD_OPERATION), () -> BaseStub.of(echo._reference()).who());
  }

  private void onewaysAndAttributes() {
    report.check("oneways", () -> {
      echo.clear_notes();
      for (int i = 0; i < 50; ++i) echo.note(i);
      echo.note_text("four", new int[] {1, 2, 3});
      long wanted = 49 * 50 / 2 + 4 + 6;
      return soon(() -> echo.note_sum() == wanted) ? "" : "sum " + echo.note_sum();
    });
    report.check("attribute_string", () -> {
      echo.title("a title");
      return echo.title().equals("a title") ? "" : "another value came back";
    });
    report.check("attribute_struct", () -> {
      BinStruct bin = new BinStruct((short) 0, 'q', 0, (byte) 0, -0.25);
      echo.bin_attribute(bin);
      return echo.bin_attribute().equals(bin) ? "" : "another value came back";
    });
    report.check("attribute_readonly", () -> {
      int before = echo.calls();
      return echo.calls() > before ? "" : "calls did not grow";
    });
  }

  private void callbacks(Listener mine) {
    report.check("call_back", () -> {
      String got = echo.call_back(mine, "you");
      return got.equals("client heard you") ? "" : "got " + got;
    });
    report.checkThrows("call_back_exception", Plain.class, () -> echo.call_back(mine, "refuse"));
    report.check("note_back", () -> {
      echo.note_back(mine, 20);
      return soon(() -> mine.heard.get() == 20) ? "" : mine.heard.get() + " notes";
    });
    report.check("attribute_reference", () -> {
      echo.listener(mine);
      return same(echo.listener(), mine) ? "" : "another reference came back";
    });
  }

  private void timeouts(Listener mine, Options options) {
    report.checkRaises("timeout", List.of(Kind.TIMEOUT), () -> {
      // A limit of calls is an option of an ORB.
      try (Orb impatient = options.orb("impatient", "-ORBCallTimeout", "150")) {
        EchoStub.of(impatient.toReference(echo._reference().toText())).call_back(mine, "sleep");
      }
    });
    report.check("alive_after_timeout", () -> {
      // Before the late answer to the server's call comes, and after it.
      for (int i = 0; i < 2; ++i) {
        Holder<Integer> b = new Holder<>(i);
        Holder<Integer> c = new Holder<>();
        if (echo.echo_long(7, b, c) != 7 || b.value != 7 || c.value != i) return "another call's answer";
        Listener.pause(800);
      }
      return "";
    });
  }

  private void references(Callback mine) {
    Callback theirs = echo.make_callback("server");
    report.check("make_callback", () -> {
      String got = theirs.said("me");
      return got.equals("server heard me") ? "" : "got " + got;
    });
    report.check("echo_callback", () -> Exchange.<Callback>once(echo::echo_callback, mine, theirs));
    report.check("echo_callback_nil", () -> Exchange.<Callback>once(echo::echo_callback, null, null));
    report.check("echo_object", () -> Exchange.<RemoteObject>once(echo::echo_object, theirs, null));
    report.check("echo_callback_seq",
        () -> Exchange.<List<Callback>>once(echo::echo_callback_seq, Arrays.asList(mine, null, theirs), List.of()));
    report.check("echo_subscriber", () -> {
      Holder<Subscriber> b = new Holder<>(new Subscriber("", null));
      Holder<Subscriber> c = new Holder<>();
      Subscriber r = echo.echo_subscriber(new Subscriber("name", mine), b, c);
      boolean result = r.name().equals("name") && same(r.target(), mine);
      return Exchange.verdict(result, same(b.value.target(), mine), c.value.target() == null);
    });
  }

  private void inheritance() {
    Base base = echo.diamond_as_base();
    report.check("inheritance", () -> {
      if (!base.who().equals("diamond")) return "got " + base.who();
      Diamond diamond = Diamond.narrow(base);
      diamond.right_value(-9);
      Holder<Integer> left = new Holder<>();
      Holder<Integer> right = new Holder<>();
      diamond.all(21, left, right);
      return left.value == 42 && right.value == -9 && diamond.leftward(4) == 8 ? "" : "wrong results";
    });
    report.check("is_a", () -> {
      if (!base._is_a("IDL:tenon.test/Interop/Left:1.0")) return "not a Left";
      if (base._is_a("IDL:tenon.test/Interop/Echo:1.0")) return "claims to be an Echo";
      try {
        Callback.narrow(base);
      } catch (SystemException e) {
        return e.kind() == Kind.BAD_PARAM ? "" : Report.text(e);
      }
      return "narrowed to Callback";
    });
    report.check("gone", () -> {
      Base gone = echo.gone();
      if (!gone._non_existent()) return "_non_existent says that it exists";
      try {
        gone.who();
      } catch (SystemException e) {
        return e.kind() == Kind.OBJECT_NOT_EXIST ? "" : Report.text(e);
      }
      return "no exception";
    });
    report.check("forwarded", () -> {
      Base passing = echo.forwarded();
      return passing.who().equals("diamond") && passing.who().equals("diamond") ? "" : "wrong";
    });
  }

  private void referenceText(Orb orb) {
    report.check("reference_text", () -> {
      ObjectReference here = echo._reference();
      ObjectReference again = orb.toReference(here.toText());
      return again.equals(here) && again.hashCode() == here.hashCode() ? "" : "differs";
    });
  }
}
