// SPDX-License-Identifier: Apache-2.0
package wrapped;

import Numbers.Plain;
import Numbers.PlainStub;
import java.util.List;
import org.tenon.CdrReader;
import org.tenon.CdrWriter;
import org.tenon.CompletionStatus;
import org.tenon.InterfaceInfo;
import org.tenon.ObjectReference;
import org.tenon.Operation;
import org.tenon.Orb;
import org.tenon.Reply;
import org.tenon.Servant;
import org.tenon.Stub;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

/** Peers that send what the types do not have: each fault ends as late demarshalling has it. */
final class Odd {
  // Of org.tenon.MinorCode, as peers see them:
  private static final int OUT_OF_DATA = 0x544e0001, BAD_BOOLEAN = 0x544e0002, OUT_OF_RANGE = 0x544e008c, UNLISTED = 0x4f4d0001;

  private Odd() {}

  /** Writes what it likes as arguments. */
  private static final class Client extends Stub {
    Client(ObjectReference reference) {
      super(reference);
    }

    void send(String operation, byte... octets) {
      org.tenon.Call call = _begin(new Operation(operation, false, true));
      try {
        do {
          CdrWriter out = call.arguments();
          for (byte each : octets) out.writeByte(each);
        } while (call.invoke());
        if (call.raised()) throw call.unlisted();
      } finally {
        call.end();
      }
    }
  }

  /** Answers what it likes. */
  private static final class Server extends Servant {
    private static final InterfaceInfo INFO = new InterfaceInfo(List.of("IDL:Numbers/Plain:1.0", InterfaceInfo.OBJECT),
        List.of("flip", "next", "a_longlong", "checked", "noop"));
    byte[] results = {};
    String exception;

    @Override
    protected InterfaceInfo _interface() {
      return INFO;
    }

    @Override
    protected void _dispatch(int operation, CdrReader in, Reply reply) {
      CdrWriter out = exception != null ? reply.userException(exception) : reply.results();
      for (byte each : results) out.writeByte(each);
    }
  }

  static void requests(ObjectReference object) {
    Client client = new Client(object);
    no(Kind.MARSHAL, BAD_BOOLEAN, () -> client.send("flip", (byte) 2));
    no(Kind.MARSHAL, OUT_OF_DATA, () -> client.send("flip"));
    no(Kind.MARSHAL, OUT_OF_DATA, () -> client.send("a_long", (byte) 1, (byte) 2, (byte) 3));
    no(Kind.MARSHAL, OUT_OF_DATA, () -> client.send("three", new byte[15]));
    byte three = 3;
    no(Kind.MARSHAL, OUT_OF_RANGE, () -> client.send("next", three, three, three, three));
    no(Kind.MARSHAL, OUT_OF_RANGE, () -> client.send("_set_paint", (byte) -1, (byte) -1, (byte) -1, (byte) -1));
    client.send("three", new byte[32]); // wherever the body begins
    client.send("noop", new byte[9]); // more than the operation has is passed over
  }

  static void replies(Orb server, Orb client) {
    Server servant = new Server();
    Plain plain = PlainStub.of(client.toReference(server.activate(servant).toText()));
    servant.results = new byte[] {2};
    yes(BAD_BOOLEAN, () -> plain.flip(true));
    yes(OUT_OF_DATA, () -> plain.next(Numbers.Colour.red));
    yes(OUT_OF_DATA, () -> plain.a_longlong(1));
    servant.results = new byte[] {3, 3, 3, 3};
    yes(OUT_OF_RANGE, () -> plain.next(Numbers.Colour.red));
    plain.noop();
    servant.results = new byte[0];
    yes(OUT_OF_DATA, () -> plain.flip(true));
    servant.exception = "IDL:Numbers/Refused:1.0";
    yes(OUT_OF_DATA, () -> checked(plain));
    servant.exception = "IDL:Numbers/Unheard:1.0";
    SystemException unlisted = Tests.raises(Kind.UNKNOWN, UNLISTED, () -> checked(plain));
    Tests.equal(CompletionStatus.COMPLETED_YES, unlisted.completed());
    Tests.equal("IDL:Numbers/Unheard:1.0", unlisted.text());
    unlisted = Tests.raises(Kind.UNKNOWN, UNLISTED, plain::noop);
    Tests.equal(CompletionStatus.COMPLETED_YES, unlisted.completed());
    servant.exception = "IDL:Numbers/Empty:1.0";
    try {
      plain.checked(1);
      Tests.that(false, "no exception");
    } catch (Numbers.Empty e) {
      Tests.that(true, "");
    } catch (Numbers.Refused e) {
      Tests.that(false, "another exception");
    }
    server.deactivate(servant);
  }

  private static void checked(Plain plain) {
    try {
      plain.checked(1);
    } catch (org.tenon.UserException e) {
      throw new AssertionError(e);
    }
  }

  private static void no(Kind kind, int minor, Tests.Body body) {
    Tests.equal(CompletionStatus.COMPLETED_NO, Tests.raises(kind, minor, body).completed());
  }

  private static void yes(int minor, Tests.Body body) {
    Tests.equal(CompletionStatus.COMPLETED_YES, Tests.raises(Kind.MARSHAL, minor, body).completed());
  }
}
