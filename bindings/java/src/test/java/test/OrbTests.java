// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.Echo;
import Constructs.EchoAsync;
import Constructs.EchoStub;
import Constructs.Failed;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.tenon.Holder;
import org.tenon.ObjectReference;
import org.tenon.Orb;
import org.tenon.Servant;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;
import org.tenon.ValueFactory;

/** The same calls over ORBs of the native library: across TCP, in older versions of GIOP, in one process; and what ends badly. */
public final class OrbTests {
  private OrbTests() {}

  public static void main(String[] arguments) throws Exception {
    String[] tcp = {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"};
    over("tcp", tcp, new String[] {"-ORBCollocation", "no"});
    over("giop-1.1", tcp, new String[] {"-ORBCollocation", "no", "-ORBGIOPVersion", "1.1"});
    over("pool", new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no", "-ORBServing", "pool"},
        new String[] {"-ORBCollocation", "no"});
    over("two-orbs", new String[] {"-ORBCollocation", "per-orb"}, new String[] {"-ORBCollocation", "per-orb"});
    over("one-orb", new String[] {}, null);
    otherCodeSet();
    otherByteOrder();
    views();
    callsInViews();
    thrown();
    options();
    afterTheEnd();
    manyThreads();
    interrupted();
    cancelled();
    virtualThreads();
    withoutEnd();
    System.out.println(Check.count() + " checks");
  }

  private static void over(String id, String[] ofServer, String[] ofClient) throws Exception {
    Orb server = Orb.init(ofServer, "server-" + id);
    Orb client = ofClient == null ? server : Orb.init(ofClient, "client-" + id);
    server.activate();
    try {
      CdrTests.all(new CdrTests.Way() {
        @Override
        public ObjectReference activate(Servant servant) {
          return client.toReference(server.activate(servant).toText());
        }

        @Override
        public void deactivate(Servant servant) {
          server.deactivate(servant);
        }

        @Override
        public void register(String valueType, ValueFactory factory) {
          server.registerValueFactory(valueType, factory);
          client.registerValueFactory(valueType, factory);
        }
      }, true);
    } catch (Throwable e) {
      throw new AssertionError("over " + id, e);
    } finally {
      client.destroy();
      if (client != server) server.destroy();
    }
  }

  /** A server that answers in the other byte order, as on another machine: its replies do not decide how requests are written. */
  private static void otherByteOrder() throws Exception {
    try (ForeignServer foreign = new ForeignServer(); Orb client = Orb.init(new String[0], "byte-order")) {
      Echo echo = EchoStub.of(client.toReference("corbaloc:iiop:1.2@127.0.0.1:" + foreign.port() + "/any"));
      String first = "";
      for (int i = 0; i < 3; ++i) {
        Check.equal(ForeignServer.RESULT, echo.add(1, (short) 2, 3, 4, 5, 6));
        String arguments = foreign.endOfRequest(4 + 2 + 2 + 8 + 4 + 4 + 8 + 4);
        if (i == 0) first = arguments;
        Check.equal(first, arguments);
      }
    }
  }

  /** A server whose text is ISO 8859-1: arguments are written once more, and later ones at once. */
  private static void otherCodeSet() {
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no", "-ORBNativeCharCodeSet", "ISO8859-1"},
            "latin-1");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "utf-8")) {
      server.activate();
      Echo echo = EchoStub.of(client.toReference(servant(server, new EchoImpl())._reference().toText()));
      for (int i = 0; i < 3; ++i) {
        Holder<String> y = new Holder<>("\u00fc");
        Check.equal("\u00e4\u00fc", echo.text("\u00e4", y, new Holder<>()));
        Check.equal("\u00e4", y.value);
        Check.raises(Kind.DATA_CONVERSION, Check.ANY_MINOR, () -> echo.text("\u20ac", new Holder<>(""), new Holder<>()));
      }
    }
  }

  private static void views() throws Exception {
    try (Orb orb = Orb.init(new String[0], "views")) {
      orb.activate();
      ViewTests.ended(Constructs.ViewingStub.of(orb.activate(new ViewTests.Impl())));
    }
  }

  /** A function that is given views may call the same server, however few connections there may be. */
  private static void callsInViews() throws Exception {
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"}, "viewed");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no", "-ORBConnectionsPerEndpoint", "1", "-ORBCallTimeout", "20000"}, "viewing")) {
      server.activate();
      Constructs.Viewing object = Constructs.ViewingStub.of(client.toReference(server.activate(new ViewTests.Impl()).toText()));
      List<Constructs.Sighting> some = ViewTests.some(3);
      Check.equal(some, object.echo(some, all -> object.echo(all, same -> object.echo(same))));
    }
  }

  /** What a servant has thrown is told to those who may know it. */
  private static void thrown() {
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no", "-ORBExceptionDetail", "full"},
            "telling");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "told")) {
      server.activate();
      Echo echo = EchoStub.of(client.toReference(server.activate(new EchoImpl() {
        @Override
        public void noop() {
          throw new IllegalStateException("a bug of the servant");
        }
      }).toText()));
      SystemException e = Check.raises(Kind.UNKNOWN, Check.ANY_MINOR, echo::noop);
      Check.that(e.getMessage().contains("IllegalStateException: a bug of the servant, at test.OrbTests"), e.getMessage());
      e = Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, () -> echo.any_object(new EchoImpl()));
      Check.that(e.getMessage().contains("orb.activate"), e.getMessage());
    }
  }

  private static void options() {
    try (Orb orb = Orb.init(new String[] {"first", "-ORBServing", "pool", "last"}, "options")) {
      Check.equal(List.of("first", "last"), Arrays.asList(orb.arguments()));
      SystemException wrong = Check.raises(Kind.BAD_PARAM, Check.ANY_MINOR, () -> Orb.init(new String[] {"-ORBNonsense"}, "none"));
      Check.that(wrong.getMessage().contains("-ORBNonsense"), wrong.getMessage());
      Check.raises(Kind.BAD_PARAM, Check.ANY_MINOR, () -> orb.toReference("nonsense:"));
      Check.equal(null, orb.toReference("IOR:00000000000000010000000000000000"));
      wrong = Check.raises(Kind.BAD_PARAM, Check.ANY_MINOR, () -> orb.initialReference("Nobody"));
      Check.that(wrong.getMessage().contains("Nobody"), wrong.getMessage());
    }
    String own = SystemException.badCaseLabel().getMessage();
    Check.equal("BAD_PARAM (minor 0x4f4d0022, COMPLETED_NO): the discriminator does not select this union member", own);
    Check.equal("TRANSIENT (minor 0x7f, COMPLETED_NO)", new SystemException(Kind.TRANSIENT, 0x7f).getMessage());
  }

  private static void afterTheEnd() throws Exception {
    Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"}, "short-lived");
    Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "longer-lived");
    server.activate();
    EchoImpl servant = new EchoImpl();
    server.publish("Echo", servant(server, servant));
    Echo echo = EchoStub.of(client.toReference(servant._reference().toText()));
    echo.noop();
    server.destroy();
    Check.raises(Kind.TRANSIENT, Check.ANY_MINOR, echo::noop);
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, server::activate);
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, () -> server.activate(new EchoImpl()));
    client.destroy();
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, echo::noop);
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, () -> client.toReference("corbaloc::1/x"));
    Check.raises(Kind.OBJECT_NOT_EXIST, Check.ANY_MINOR, () -> echo._reference().toText());
    Check.that(echo.toString().contains("OBJECT_NOT_EXIST"), echo.toString());
  }

  private static EchoImpl servant(Orb orb, EchoImpl servant) {
    orb.activate(servant);
    return servant;
  }

  /** Threads that the VM does not know serve threads that it does, which nest calls. */
  private static void manyThreads() throws Exception {
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"}, "many");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "callers")) {
      server.activate();
      EchoImpl servant = servant(server, new EchoImpl());
      Echo echo = EchoStub.of(client.toReference(servant._reference().toText()));
      CountDownLatch done = new CountDownLatch(8);
      AtomicInteger wrong = new AtomicInteger();
      for (int i = 0; i < 8; ++i) {
        int number = i;
        new Thread(() -> {
          try {
            for (int k = 0; k < 200; ++k) {
              if (!echo.echo_tree(Samples.tree(k % 20)).equals(Samples.tree(k % 20)) || echo.nested(echo, number % 4) != number % 4)
                wrong.incrementAndGet();
            }
          } catch (RuntimeException e) {
            e.printStackTrace();
            wrong.incrementAndGet();
          }
          done.countDown();
        }).start();
      }
      done.await();
      Check.equal(0, wrong.get());
    }
  }

  /** A call that is given up ends at once for its caller, and other calls go on. */
  private static void cancelled() throws Exception {
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no"}, "slow");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "impatient")) {
      server.activate();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch released = new CountDownLatch(1);
      EchoImpl slow = new EchoImpl() {
        @Override
        public void _wait(int x) {
          begun.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      };
      EchoAsync echo = EchoAsync.of(EchoStub.of(client.toReference(servant(server, slow)._reference().toText())));
      CompletableFuture<Void> waits = echo._wait(1);
      begun.await();
      Check.that(waits.cancel(true) && waits.isCancelled(), "cancel");
      Check.equal("echo", echo.name().get());
      released.countDown();
    }
  }

  /** More virtual threads wait for replies than there are carriers (ctest allows one): none of these is kept. */
  private static void virtualThreads() throws Exception {
    java.lang.reflect.Method start;
    try {
      start = Thread.class.getMethod("startVirtualThread", Runnable.class);
    } catch (NoSuchMethodException e) {
      System.out.println("not run: virtual threads, which want JDK 21 or newer; this is " + Runtime.version());
      return;
    }
    servantsOnVirtualThreads(start);
    try (Orb server = Orb.init(new String[] {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBCollocation", "no", "-ORBServing", "pool",
        "-ORBPoolThreads", "8"}, "for-many");
        Orb client = Orb.init(new String[] {"-ORBCollocation", "no"}, "many-virtual")) {
      server.activate();
      int many = 6;
      CountDownLatch all = new CountDownLatch(many);
      EchoImpl meeting = new EchoImpl() {
        @Override
        public void _wait(int x) {
          all.countDown(); // returns once everybody is here
          try {
            all.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      };
      Echo echo = EchoStub.of(client.toReference(servant(server, meeting)._reference().toText()));
      AtomicInteger right = new AtomicInteger();
      CountDownLatch done = new CountDownLatch(many);
      for (int i = 0; i < many; ++i) {
        int number = i;
        Runnable call = () -> {
          try {
            echo._wait(number);
            if (echo.echo_tree(Samples.tree(number % 9)).equals(Samples.tree(number % 9))) right.incrementAndGet();
            echo.fail(1);
          } catch (Failed e) {
            if (e.reason().equals("why")) right.incrementAndGet();
          } catch (Exception e) {
            e.printStackTrace();
          }
          done.countDown();
        };
        start.invoke(null, call);
      }
      done.await();
      Check.equal(2 * many, right.get());
    }
  }

  /** A oneway call to an object of the same ORB runs on the virtual thread that makes it; one carrier has many, one after the other. */
  private static void servantsOnVirtualThreads(java.lang.reflect.Method start) throws Exception {
    try (Orb orb = Orb.init(new String[] {}, "with-virtual")) {
      orb.activate();
      int many = 20;
      CountDownLatch come = new CountDownLatch(2 * many);
      EchoImpl counting = new EchoImpl() {
        @Override
        public void tell(int x) {
          come.countDown();
        }
      };
      Echo echo = EchoStub.of(servant(orb, counting)._reference());
      for (int i = 0; i < many; ++i) {
        Runnable calls = () -> {
          echo.tell(1);
          echo.tell(2);
        };
        start.invoke(null, calls);
      }
      Check.that(come.await(60, java.util.concurrent.TimeUnit.SECONDS), come.getCount() + " of " + 2 * many + " calls did not come");
    }
  }

  /** Calls in one process that nest until the stack is full: the servant has thrown something, and the VM goes on. */
  private static void withoutEnd() {
    try (Orb orb = Orb.init(new String[] {}, "without-end")) {
      orb.activate();
      Echo echo = EchoStub.of(servant(orb, new EchoImpl())._reference());
      for (int i = 0; i < 3; ++i) {
        Check.raises(Kind.UNKNOWN, Check.ANY_MINOR, () -> echo.nested(echo, 1_000_000));
        Check.equal(3, echo.nested(echo, 3));
      }
      for (int depth = 100; depth < 20_000; depth += 100) {
        try {
          Check.equal(2, deeper(echo, depth));
        } catch (StackOverflowError | SystemException e) {
          Check.equal(3, echo.nested(echo, 3));
        }
      }
    }
  }

  private static int deeper(Echo echo, int frames) {
    return frames == 0 ? echo.nested(echo, 2) : deeper(echo, frames - 1);
  }

  /** An interruption is kept for who looks for it, and stops no call. */
  private static void interrupted() {
    try (Orb orb = Orb.init(new String[] {}, "interrupted")) {
      orb.activate();
      Echo echo = EchoStub.of(servant(orb, new EchoImpl())._reference());
      Thread.currentThread().interrupt();
      echo.noop();
      Check.that(Thread.interrupted(), "the interruption is still there");
    }
  }
}
