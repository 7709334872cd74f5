// SPDX-License-Identifier: Apache-2.0
//
// JacORB's client, what is not about the shape of a value: exceptions, oneways, attributes, references that travel both
// ways, callbacks, forwarding, inheritance.
//
// Threads: the callback servant is called from the ORB's threads.
package peer;

import Interop.Base;
import Interop.BaseHelper;
import Interop.BinStruct;
import Interop.Callback;
import Interop.CallbackHelper;
import Interop.Detailed;
import Interop.Diamond;
import Interop.DiamondHelper;
import Interop.Echo;
import Interop.EchoHelper;
import Interop.Plain;
import Interop.Subscriber;
import java.util.Arrays;
import java.util.List;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.CORBA.SetOverrideType;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.SystemException;
import org.omg.Messaging.RELATIVE_RT_TIMEOUT_POLICY_TYPE;
import org.omg.PortableServer.POA;

final class BehaviourChecks {
  private final Report report;
  private final ORB orb;
  private final Echo echo;

  private BehaviourChecks(Report report, ORB orb, Echo echo) {
    this.report = report;
    this.orb = orb;
    this.echo = echo;
  }

  static void run(Report report, ORB orb, POA poa, Echo echo) throws Exception {
    BehaviourChecks checks = new BehaviourChecks(report, orb, echo);
    EchoBehaviour.Listener servant = new EchoBehaviour.Listener("client");
    Callback mine = CallbackHelper.narrow(poa.servant_to_reference(servant));
    checks.userExceptions();
    checks.systemExceptions();
    checks.onewaysAndAttributes();
    checks.callbacks(mine, servant);
    checks.timeouts(mine);
    checks.references(mine);
    checks.inheritance();
    checks.location();
  }

  private static boolean same(org.omg.CORBA.Object a, org.omg.CORBA.Object b) {
    return Exchange.same(a, b);
  }

  private interface Done {
    boolean yet();
  }

  /** A two-way call may overtake a oneway: asks until it is there, or for five seconds. */
  private static boolean soon(Done done) throws InterruptedException {
    for (int i = 0; i < 500 && !done.yet(); ++i) Thread.sleep(10);
    return done.yet();
  }

  private void userExceptions() {
    report.checkThrows("fail_plain", Plain.class, echo::fail_plain);
    report.check("fail_detailed", () -> {
      try {
        echo.fail_detailed("because", -3, new StringHolder());
      } catch (Detailed e) {
        boolean good = e.why.equals("because") && e.code == -3 && e.bin.s == -2 && e.bin.d == 0.5
            && Arrays.equals(e.hints, new String[] {"first hint", "because"});
        return good ? "" : "wrong members";
      }
      return "no exception";
    });
    report.checkThrows("fail_detailed_other", Plain.class, () -> echo.fail_detailed("because", 0, new StringHolder()));
  }

  private void systemExceptions() {
    record Wanted(int which, String name, int minor, int completed) {}
    for (Wanted w : List.of(new Wanted(0, "NO_PERMISSION", 17, 1), new Wanted(1, "BAD_PARAM", 42, 0),
        new Wanted(2, "NO_RESOURCES", 99, 2))) {
      report.check("fail_system_" + w.name, () -> {
        try {
          echo.fail_system(w.which);
        } catch (SystemException e) {
          boolean good = e.getClass().getSimpleName().equals(w.name) && e.minor == w.minor
              && e.completed.value() == w.completed;
          return good ? "" : Report.text(e);
        }
        return "no exception";
      });
    }
    report.checkRaises("fail_undeclared", List.of("UNKNOWN"), echo::fail_undeclared);
    report.check("alive_after_exceptions", () -> {
      echo.noop();
      return "";
    });
    report.checkRaises("unknown_operation", List.of("BAD_OPERATION"), () -> BaseHelper.unchecked_narrow(echo).who());
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
      return Exchange.same(echo.bin_attribute(), bin) ? "" : "another value came back";
    });
    report.check("attribute_readonly", () -> {
      int before = echo.calls();
      return echo.calls() > before ? "" : "calls did not grow";
    });
  }

  private void callbacks(Callback mine, EchoBehaviour.Listener servant) {
    report.check("call_back", () -> {
      String got = echo.call_back(mine, "you");
      return got.equals("client heard you") ? "" : "got " + got;
    });
    report.checkThrows("call_back_exception", Plain.class, () -> echo.call_back(mine, "refuse"));
    report.check("note_back", () -> {
      echo.note_back(mine, 20);
      return soon(() -> servant.heard.get() == 20) ? "" : servant.heard.get() + " notes";
    });
    report.check("attribute_reference", () -> {
      echo.listener(mine);
      return same(echo.listener(), mine) ? "" : "another reference came back";
    });
  }

  private void timeouts(Callback mine) {
    report.checkRaises("timeout", List.of("TIMEOUT"), () -> {
      org.omg.CORBA.Any hundredNanoseconds = orb.create_any();
      hundredNanoseconds.insert_ulonglong(1_500_000);
      Policy[] soon = {orb.create_policy(RELATIVE_RT_TIMEOUT_POLICY_TYPE.value, hundredNanoseconds)};
      EchoHelper.unchecked_narrow(echo._set_policy_override(soon, SetOverrideType.SET_OVERRIDE))
          .call_back(mine, "sleep");
    });
    report.check("alive_after_timeout", () -> {
      // Before the late reply comes, and after it.
      for (int i = 0; i < 2; ++i) {
        Object[] got = Exchange.call(echo, Echo.class, "echo_long", 7, i);
        if (!got[0].equals(7) || !got[1].equals(7) || !got[2].equals(i)) return "another call's answer";
        EchoBehaviour.pause(800);
      }
      return "";
    });
  }

  private String verdict(Object[] got, org.omg.CORBA.Object a, org.omg.CORBA.Object b) {
    return Exchange.verdict(Exchange.same(got[0], a), Exchange.same(got[1], a), Exchange.same(got[2], b));
  }

  private void references(Callback mine) {
    Callback theirs = echo.make_callback("server");
    report.check("make_callback", () -> {
      String got = theirs.said("me");
      return got.equals("server heard me") ? "" : "got " + got;
    });
    report.check("echo_callback",
        () -> verdict(Exchange.call(echo, Echo.class, "echo_callback", mine, theirs), mine, theirs));
    report.check("echo_callback_nil",
        () -> verdict(Exchange.call(echo, Echo.class, "echo_callback", null, null), null, null));
    report.check("echo_object",
        () -> verdict(Exchange.call(echo, Echo.class, "echo_object", theirs, null), theirs, null));
    report.check("echo_callback_seq", () -> {
      Object[] got = Exchange.call(echo, Echo.class, "echo_callback_seq", new Callback[] {mine, null, theirs},
          new Callback[0]);
      Callback[] r = (Callback[]) got[0];
      Callback[] b = (Callback[]) got[1];
      if (r.length != 3 || b.length != 3 || ((Callback[]) got[2]).length != 0) return "wrong lengths";
      return Exchange.verdict(same(r[0], mine) && r[1] == null && same(r[2], theirs), same(b[0], mine), true);
    });
    report.check("echo_subscriber", () -> {
      Object[] got = Exchange.call(echo, Echo.class, "echo_subscriber", new Subscriber("name", mine),
          new Subscriber("", null));
      Subscriber r = (Subscriber) got[0];
      return Exchange.verdict(r.name.equals("name") && same(r.target, mine),
          same(((Subscriber) got[1]).target, mine), ((Subscriber) got[2]).target == null);
    });
  }

  private void inheritance() {
    Base base = echo.diamond_as_base();
    report.check("inheritance", () -> {
      if (!base.who().equals("diamond")) return "got " + base.who();
      Diamond diamond = DiamondHelper.narrow(base);
      diamond.right_value(-9);
      IntHolder left = new IntHolder();
      IntHolder right = new IntHolder();
      diamond.all(21, left, right);
      return left.value == 42 && right.value == -9 && diamond.leftward(4) == 8 ? "" : "wrong results";
    });
    report.check("is_a", () -> {
      if (!base._is_a("IDL:tenon.test/Interop/Left:1.0")) return "not a Left";
      if (base._is_a("IDL:tenon.test/Interop/Echo:1.0")) return "claims to be an Echo";
      try {
        CallbackHelper.narrow(base);
      } catch (org.omg.CORBA.BAD_PARAM e) {
        return "";
      }
      return "narrowed to Callback";
    });
    report.check("gone", () -> {
      Base gone = echo.gone();
      if (!gone._non_existent()) return "_non_existent says that it exists";
      try {
        gone.who();
      } catch (org.omg.CORBA.OBJECT_NOT_EXIST e) {
        return "";
      }
      return "no exception";
    });
    report.check("forwarded", () -> {
      Base passing = echo.forwarded();
      return passing.who().equals("diamond") && passing.who().equals("diamond") ? "" : "wrong";
    });
  }

  private void location() {
    report.check("reference_text", () -> {
      org.omg.CORBA.Object again = orb.string_to_object(orb.object_to_string(echo));
      return again._is_equivalent(echo) && again._hash(1000) == echo._hash(1000) ? "" : "differs";
    });
  }
}
