// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An engine without a network, for tests: the octets of a request are copied once to the servant, and those of the reply back, in the byte
 * order, version of GIOP and at the place that the test chooses. Requests and replies can be changed on their way.
 */
public final class LoopBack implements Engine {
  /** What happens to octets on their way. */
  public interface Change {
    byte[] apply(byte[] octets);
  }

  public final Body format = new Body();
  public Change request = octets -> octets;
  public Change reply = octets -> octets;
  /** Asks for the arguments of each call twice. */
  public boolean again;
  /** Bodies come in fragments of so many octets, a multiple of 8, and lie elsewhere than their alignment says; 0: in one piece. */
  public int fragments;
  /** Attempts want bodies that begin at 4 and at 0 in turn. */
  public boolean alternating;
  private int attempts;
  public byte[] lastRequest;
  public byte[] lastReply;
  public final Map<String, ValueFactory> valueFactories = new ConcurrentHashMap<>();
  private final Map<String, Servant> servants = new ConcurrentHashMap<>();
  private int activated;

  /** A call under way. */
  private record Started(Servant servant, Operation operation, boolean[] repeated) {}

  private final List<Started> started = new ArrayList<>();

  public LoopBack(boolean littleEndian, int giopMinor, int position) {
    format.littleEndian = littleEndian;
    format.giopMinor = giopMinor;
    format.position = position;
  }

  private void copyFormat(Body to) {
    to.position = format.position;
    to.littleEndian = format.littleEndian;
    to.giopMinor = format.giopMinor;
    to.charSet = format.charSet;
    to.wcharSet = format.wcharSet;
    to.segments = format.segments;
  }

  @Override
  public synchronized long begin(ObjectReference target, Operation operation, Body body) {
    copyFormat(body);
    started.add(new Started(servants.get(key(target.ior())), operation, new boolean[1]));
    return started.size() - 1;
  }

  private static String key(byte[] ior) {
    return new String(ior, StandardCharsets.ISO_8859_1);
  }

  private Body bodyOf(byte[] octets) {
    Body body = new Body();
    copyFormat(body);
    if (fragments != 0) {
      body.segments = segmentsOf(octets.length);
      body.position = (format.position + 3) % 8;
    }
    body.buffer = ByteBuffer.allocateDirect(body.position + octets.length);
    body.buffer.put(body.position, octets);
    body.end = body.position + octets.length;
    return body;
  }

  /** What is aligned to 8 or less does not lie across a multiple of 8, so that there may be cuts. */
  private int[] segmentsOf(int length) {
    int[] segments = new int[2 * (length / fragments + 2)];
    int count = 0;
    segments[count++] = 0;
    segments[count++] = format.position;
    for (int offset = fragments - format.position; offset < length; offset += fragments) {
      segments[count++] = offset;
      segments[count++] = 0;
    }
    return java.util.Arrays.copyOf(segments, count);
  }

  private boolean asked;

  @Override
  public int invoke(long number, ByteBuffer arguments, int position, int end, Body body) {
    Started call = started.get((int) number);
    if (again && !call.repeated[0]) {
      call.repeated[0] = true;
      copyFormat(body);
      return AGAIN;
    }
    if (alternating) {
      format.position = ++attempts % 2 * 4;
      if (position != format.position) {
        copyFormat(body);
        return AGAIN;
      }
    }
    if (!call.operation.hasArguments() && position != end) throw new AssertionError("arguments of " + call.operation);
    byte[] octets = new byte[end - position];
    arguments.get(position, octets);
    lastRequest = octets;
    if (call.servant == null) throw new SystemException(SystemException.Kind.OBJECT_NOT_EXIST, MinorCode.NOT_ACTIVATED);
    CdrReader in = new CdrReader(this).reset(bodyOf(request.apply(octets)));
    Reply answer = new Reply().reset(format);
    if (call.operation.name().equals("_is_a")) {
      answer.results().writeBoolean(call.servant._is_a(in.readString(0)));
    } else if (call.operation.name().equals("_non_existent")) {
      answer.results().writeBoolean(false);
    } else {
      call.servant._serve(call.servant._information().operations().indexOf(call.operation.name()), in, answer);
    }
    if (answer.status() == Reply.SYSTEM_EXCEPTION) throw answer.systemException();
    if (call.operation.oneway()) return RESULTS;
    byte[] results = new byte[answer.body().position() - answer.body().start()];
    answer.body().buffer().get(answer.body().start(), results);
    lastReply = results;
    Body from = bodyOf(reply.apply(results));
    body.buffer = from.buffer;
    body.position = from.position;
    body.end = from.end;
    body.littleEndian = from.littleEndian;
    body.segments = from.segments;
    return answer.status();
  }

  @Override
  public Engine.Started start(long number, ByteBuffer arguments, int position, int end, Body body, Completion waiting) {
    // The second try of an asynchronous call is a call of its own.
    started.get((int) number).repeated[0] = asked;
    asked = again && !asked;
    Body results = new Body();
    int status = invoke(number, arguments, position, end, results);
    waiting.done(status, results, null);
    return () -> {};
  }

  @Override
  public synchronized void end(long number, Body body) {
    if (number != started.size() - 1) throw new AssertionError("calls end in another order");
    started.remove((int) number);
  }

  @Override
  public ObjectReference reference(byte[] ior) {
    return new LoopReference(this, ior).reference;
  }

  /** IORs by the number of a reference. */
  private final Map<Long, byte[]> iors = new ConcurrentHashMap<>();

  private static final class LoopReference {
    final ObjectReference reference;

    LoopReference(LoopBack engine, byte[] ior) {
      long handle = engine.iors.size();
      engine.iors.put(handle, ior);
      reference = new ObjectReference(engine, handle);
    }
  }

  @Override
  public byte[] ior(ObjectReference reference) {
    return iors.get(reference.handle());
  }

  @Override
  public synchronized ObjectReference activate(Servant servant) {
    CdrWriter out = new CdrWriter();
    out.writeString(servant._information().ids().get(0), 0);
    out.writeInt(1);
    out.writeInt(99);
    out.writeByteSequence(("object" + activated++).getBytes(StandardCharsets.ISO_8859_1), 0);
    byte[] ior = new byte[out.position()];
    out.buffer().get(0, ior);
    servants.put(key(ior), servant);
    ObjectReference reference = reference(ior);
    servant._activated(reference);
    return reference;
  }

  @Override
  public void deactivate(Servant servant) {
    servants.remove(key(servant._reference().ior()));
    servant._activated(null);
  }

  @Override
  public ObjectReference toReference(String text) {
    return reference(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Override
  public String toText(ObjectReference reference) {
    return key(ior(reference));
  }

  @Override
  public ValueFactory valueFactory(String id) {
    return valueFactories.get(id);
  }
}
