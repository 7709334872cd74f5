// SPDX-License-Identifier: Apache-2.0
package wrapped;

import Numbers.Colour;
import Numbers.Derived;
import Numbers.DerivedServant;
import Numbers.DerivedStub;
import Numbers.Empty;
import Numbers.Plain;
import Numbers.PlainStub;
import Numbers.Refused;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.tenon.CompletionStatus;
import org.tenon.Holder;
import org.tenon.Orb;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

/**
 * Operations of numbers in one process and over TCP, by classes that were generated with each of --java-wrappers: whatever way a call takes,
 * it ends in the same way. The argument is that option's value. The first fault ends the program.
 */
public final class Tests {
  private static int checks;

  private Tests() {}

  interface Body {
    void run() throws Exception;
  }

  static void that(boolean good, String what) {
    ++checks;
    if (!good) throw new AssertionError(what);
  }

  static void equal(Object expected, Object got) {
    that(Objects.equals(expected, got), "expected " + expected + ", got " + got);
  }

  static SystemException raises(Kind kind, int minor, Body body) {
    ++checks;
    try {
      body.run();
    } catch (SystemException e) {
      if (e.kind() != kind || minor != -1 && e.minor() != minor) throw new AssertionError("another exception: " + e, e);
      return e;
    } catch (Exception e) {
      throw new AssertionError("another exception: " + e, e);
    }
    throw new AssertionError("no " + kind);
  }

  public static void main(String[] arguments) throws Exception {
    boolean wrapped = !arguments[0].equals("never");
    declared(wrapped);
    wrapped &= !System.getProperty("tenon.engine", "jni").equals("ffm"); // which has none
    String[] tcp = {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"};
    over("one-orb", new String[] {}, null, wrapped);
    over("tcp", tcp, new String[] {"-ORBCollocation", "no"}, wrapped);
    over("giop-1.0", tcp, new String[] {"-ORBCollocation", "no", "-ORBGIOPVersion", "1.0"}, wrapped);
    over("giop-1.1", tcp, new String[] {"-ORBCollocation", "no", "-ORBGIOPVersion", "1.1"}, wrapped);
    over("two-orbs", new String[] {"-ORBCollocation", "per-orb"}, new String[] {"-ORBCollocation", "per-orb"}, wrapped);
    System.out.println(checks + " checks");
  }

  /** Which operations have wrappers. */
  private static void declared(boolean wrapped) {
    String stub = Arrays.toString(DerivedStub.class.getDeclaredFields());
    String servant = Arrays.toString(DerivedServant.class.getDeclaredFields());
    for (String name : new String[] {"noop", "flip", "six", "tell", "_get_level", "_set_paint", "checked", "more"})
      equal(wrapped, stub.contains("._wrapper_" + name));
    for (String name : new String[] {"seven", "divide", "count", "text", "letter", "itself", "asked_late"})
      that(!stub.contains("._wrapper_" + name), name);
    equal(wrapped, servant.contains("WrapperMethods"));
  }

  private static void over(String id, String[] ofServer, String[] ofClient, boolean wrapped) throws Exception {
    Orb server = Orb.init(ofServer, "server-" + id);
    Orb client = ofClient == null ? server : Orb.init(ofClient, "client-" + id);
    server.activate();
    try {
      PlainImpl servant = new PlainImpl();
      Derived object = DerivedStub.of(client.toReference(server.activate(servant).toText()));
      object.noop();
      equal(!wrapped, servant.cameLate);
      equal(ofClient == null && !wrapped, servant.wentLate);
      values(object, servant);
      exceptions(object);
      Odd.requests(object._reference());
      Odd.replies(server, client);
      servant.peer = object;
      equal(20, object.nested(20));
      threads(object);
      many(object);
      gone(server, client, object, servant);
    } catch (Throwable e) {
      throw new AssertionError("over " + id, e);
    } finally {
      client.destroy();
      if (client != server) server.destroy();
    }
  }

  private static void values(Derived object, PlainImpl servant) throws Exception {
    for (boolean each : new boolean[] {false, true}) equal(!each, object.flip(each));
    for (int i = Byte.MIN_VALUE; i <= Byte.MAX_VALUE; ++i) {
      equal((byte) ~i, object.an_octet((byte) i));
      equal((byte) -i, object.an_int8((byte) i));
    }
    for (short each : new short[] {Short.MIN_VALUE, -1, 0, 1, 0x1234, Short.MAX_VALUE}) {
      equal((short) ~each, object.a_short(each));
      equal((short) (each + 1), object.a_ushort(each));
    }
    for (int each : new int[] {Integer.MIN_VALUE, -1, 0, 1, 0x12345678, Integer.MAX_VALUE}) {
      equal(~each, object.a_long(each));
      equal(each + 1, object.a_ulong(each));
      equal(each + 1, object.more(each));
      equal(-each, object.asked_late(each));
      float number = Float.intBitsToFloat(each);
      if (!Float.isNaN(number)) equal(Float.floatToRawIntBits(-number), Float.floatToRawIntBits(object.a_float(number)));
    }
    for (long each : new long[] {Long.MIN_VALUE, -1, 0, 1, 0x123456789abcdefL, Long.MAX_VALUE}) {
      equal(~each, object.a_longlong(each));
      equal(each + 1, object.a_ulonglong(each));
    }
    for (float each : new float[] {-0f, 0f, Float.MIN_VALUE, Float.MAX_VALUE, Float.NEGATIVE_INFINITY, 1.5f, Float.NaN})
      equal(-each, object.a_float(each));
    for (double each : new double[] {-0.0, 0.0, Double.MIN_VALUE, Double.MAX_VALUE, Double.POSITIVE_INFINITY, 0.1, Double.NaN})
      equal(-each, object.a_double(each));
    equal(Colour.green, object.next(Colour.red));
    equal(Colour.blue, object.next(Colour.green));
    equal(1, object.mask(2));
    equal(1 + 2.0 * -2 + 3.0 * 300 + 5.0 * 0.5 + 7.0 * (1L << 40) + 22, object.six(true, (byte) -2, (short) 300, 0.5f, 1L << 40, Colour.blue));
    object.three(5, (byte) -3, 0.25);
    equal(2.25, object.level());
    object.level(-1e300);
    equal(-1e300, servant.level);
    object.paint(Colour.blue);
    equal(Colour.blue, object.paint());
    object.tell(77);
    for (int i = 0; object.told() != 77; ++i) { // a oneway may come late over TCP
      that(i < 10_000, "told");
      Thread.sleep(1);
    }
    equal(28 * 3, object.seven(3, 3, 3, 3, 3, 3, 3));
    Holder<Integer> rest = new Holder<>();
    equal(3, object.divide(17, 5, rest));
    equal(2, rest.value);
    rest.value = 8;
    object.count(rest);
    equal(9, rest.value);
    equal("aa", object.text("a"));
    equal('b', object.letter('a'));
    equal(object, object.itself(object));
  }

  private static void exceptions(Derived object) throws Exception {
    equal(0, object.checked(0));
    for (int i = 0; i < 3; ++i) {
      try {
        object.checked(PlainImpl.REFUSED);
        that(false, "no exception");
      } catch (Refused e) {
        equal(-7, e.why());
        equal("because \u00e4", e.text());
      }
      try {
        object.checked(PlainImpl.EMPTY);
        that(false, "no exception");
      } catch (Empty e) {
        that(true, "");
      }
      try {
        object.checked_colour(Colour.blue);
        that(false, "no exception");
      } catch (Refused e) {
        equal(2, e.why());
      }
    }
    equal(Colour.green, object.checked_colour(Colour.green));
    equal(CompletionStatus.COMPLETED_YES, raises(Kind.BAD_PARAM, 0x12345, () -> object.checked(PlainImpl.SYSTEM)).completed());
    int foreign = 0x544e0073;
    for (int how : new int[] {PlainImpl.RUNTIME, PlainImpl.DEEP, PlainImpl.ERROR, PlainImpl.BAD_MEMBER})
      equal(CompletionStatus.COMPLETED_MAYBE, raises(Kind.UNKNOWN, foreign, () -> object.checked(how)).completed());
    equal(CompletionStatus.COMPLETED_MAYBE, raises(Kind.NO_MEMORY, 0x544e0028, () -> object.checked(PlainImpl.NO_MEMORY)).completed());
    equal(CompletionStatus.COMPLETED_MAYBE, raises(Kind.UNKNOWN, 0x4f4d0001, () -> object.checked(PlainImpl.UNLISTED)).completed());
    raises(Kind.UNKNOWN, foreign, () -> object.next(Colour.blue)); // null is no value
    try {
      object.next(null);
      that(false, "no exception");
    } catch (NullPointerException e) {
      object.noop();
    }
    for (Body each : new Body[] {() -> object.paint(null), () -> object.six(false, (byte) 0, (short) 0, 0, 0, null)}) {
      try {
        each.run();
        that(false, "no exception");
      } catch (NullPointerException e) {
        that(true, "");
      }
    }
  }

  private static void threads(Derived object) throws Exception {
    CountDownLatch done = new CountDownLatch(4);
    AtomicInteger wrong = new AtomicInteger();
    for (int i = 0; i < 4; ++i) {
      int number = i;
      new Thread(() -> {
        try {
          for (int k = 0; k < 500; ++k) {
            if (object.a_long(k) != ~k || object.a_double(number) != -number || object.nested(2) != 2) wrong.incrementAndGet();
          }
        } catch (RuntimeException e) {
          e.printStackTrace();
          wrong.incrementAndGet();
        }
        done.countDown();
      }).start();
    }
    done.await();
    equal(0, wrong.get());
  }

  /** Over TCP these are served inside one native frame, so that a local reference that is left over would be seen: -Xcheck:jni counts them. */
  private static void many(Derived object) throws Exception {
    for (int i = 0; i < 100_000; ++i) {
      if (object.a_long(i) != ~i) that(false, "a_long(" + i + ")");
    }
    for (int i = 0; i < 2000; ++i) {
      try {
        object.checked(PlainImpl.EMPTY);
        that(false, "no exception");
      } catch (Empty e) {
        if (object.paint() != Colour.blue) that(false, "paint()");
      }
    }
  }

  private static void gone(Orb server, Orb client, Derived object, PlainImpl servant) {
    for (int i = 0; i < 200; ++i) {
      PlainImpl another = new PlainImpl();
      Plain plain = PlainStub.of(client.toReference(server.activate(another).toText()));
      equal(~i, plain.a_long(i));
      server.deactivate(another);
      equal(CompletionStatus.COMPLETED_NO, raises(Kind.OBJECT_NOT_EXIST, -1, () -> plain.a_long(1)).completed());
    }
    int why = raises(Kind.OBJECT_NOT_EXIST, -1, () -> deactivated(server, object, servant)).minor();
    raises(Kind.OBJECT_NOT_EXIST, why, () -> object.asked_late(1));
    Plain stays = PlainStub.of(client.toReference(server.activate(servant).toText()));
    equal(~1, stays.a_long(1));
    client.destroy();
    int minor = raises(Kind.OBJECT_NOT_EXIST, -1, () -> stays.a_long(1)).minor();
    raises(Kind.OBJECT_NOT_EXIST, minor, () -> stays.asked_late(1));
  }

  private static void deactivated(Orb server, Derived object, PlainImpl servant) {
    server.deactivate(servant);
    object.a_long(1);
  }
}
