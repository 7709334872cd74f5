// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The ORB of libtenon-c. */
final class NativeEngine implements Engine {
  private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  /** A call between begin() and end(): it belongs to the body that comes with each. */
  private static final class Kept {
    final Block block = new Block();
    ObjectReference target;
    long operation;
  }

  /** The format that a reference's server has asked for. */
  private record Format(int charSet, int wcharSet, int giopMinor) {}

  private final long orb;
  private final ConcurrentHashMap<InterfaceInfo, Long> interfaces = new ConcurrentHashMap<>();
  final ConcurrentHashMap<String, ValueFactory> valueFactories = new ConcurrentHashMap<>();
  private long adapter;

  NativeEngine(long orb) {
    this.orb = orb;
  }

  long orb() {
    return orb;
  }

  /** The root POA, active from now on. */
  synchronized long adapter() {
    if (adapter == 0) {
      long made = Native.LIBRARY.rootAdapter(orb);
      adapter = made;
      Block.CLEANER.register(this, () -> Native.LIBRARY.freeAdapter(made));
    }
    return adapter;
  }

  ObjectReference made(long handle) {
    if (handle == 0) return null;
    ObjectReference reference = new ObjectReference(this, handle);
    Block.CLEANER.register(reference, () -> Native.LIBRARY.freeReference(handle));
    return reference;
  }

  @Override
  public boolean isNear(ObjectReference reference) {
    return Native.LIBRARY instanceof JniNative && WrapperCall.isLocal(reference.handle());
  }

  @Override
  public long begin(ObjectReference target, Operation operation, Body body) {
    Kept call;
    if (body.kept instanceof Kept known) {
      call = known;
    } else {
      call = new Kept();
      body.kept = call;
    }
    call.target = target;
    call.operation = operation.interned instanceof Long known ? known : intern(operation);
    body.position = 0;
    body.littleEndian = LITTLE; // what it was of the last reply
    if (target.kept instanceof Format learnt) {
      body.charSet = learnt.charSet;
      body.wcharSet = learnt.wcharSet;
      body.giopMinor = learnt.giopMinor;
    } else {
      body.charSet = CodeSets.UTF_8;
      body.wcharSet = CodeSets.UTF_16;
      body.giopMinor = 2;
    }
    return 0;
  }

  private static long intern(Operation operation) {
    long made = Native.LIBRARY.operation(operation.name().getBytes(StandardCharsets.UTF_8), operation.oneway() ? Native.ONEWAY : 0);
    operation.interned = made;
    return made;
  }

  @Override
  public int invoke(long number, ByteBuffer arguments, int position, int end, Body body) {
    Kept call = (Kept) body.kept;
    Block block = call.block;
    block.putFormat(body);
    long from = block.addressOf(arguments) + position;
    int status = Native.LIBRARY.invoke(call.target.handle(), call.operation, from, end - position, 0, block.address());
    Reference.reachabilityFence(arguments);
    switch (status) {
      case Native.OK:
      case Native.USER_EXCEPTION:
        if (block.reply() == 0) {
          body.buffer = null;
        } else {
          block.getBody(body);
        }
        return engineStatus(status);
      case Native.WRITE_AGAIN:
        block.getFormat(body);
        call.target.kept = new Format(body.charSet, body.wcharSet, body.giopMinor);
        return AGAIN;
      default:
        throw block.exception();
    }
  }

  static int engineStatus(int status) {
    return status == Native.OK ? RESULTS : status == Native.USER_EXCEPTION ? Engine.USER_EXCEPTION : AGAIN;
  }

  /** An asynchronous call. Its native handle goes once the call is over, whichever thread sees that first. */
  private static final class Pending implements Completion, Started {
    private final ObjectReference target;
    private final Completion waiting;
    private long handle;
    private boolean over;

    Pending(ObjectReference target, Completion waiting) {
      this.target = target;
      this.waiting = waiting;
    }

    synchronized void begun(long pending) {
      handle = pending;
      if (over) free();
    }

    private void free() {
      Native.LIBRARY.freePending(handle);
      handle = 0;
    }

    @Override
    public synchronized void cancel() {
      if (handle != 0) Native.LIBRARY.cancel(handle);
    }

    @Override
    public void done(int status, Body results, SystemException failure) {
      synchronized (this) {
        over = true;
        if (handle != 0) free();
      }
      if (failure == null && status == AGAIN) target.kept = new Format(results.charSet, results.wcharSet, results.giopMinor);
      waiting.done(status, results, failure);
    }
  }

  @Override
  public Started start(long number, ByteBuffer arguments, int position, int end, Body body, Completion waiting) {
    Kept call = (Kept) body.kept;
    Pending pending = new Pending(call.target, waiting);
    call.block.putFormat(body);
    long from = call.block.addressOf(arguments) + position;
    int status = Native.LIBRARY.start(call.target.handle(), call.operation, from, end - position, 0, call.block.address(), pending);
    Reference.reachabilityFence(arguments);
    if (status != Native.OK) throw call.block.exception();
    pending.begun(call.block.takeReply());
    return pending;
  }

  @Override
  public void end(long number, Body body) {
    Kept call = (Kept) body.kept;
    long reply = call.block.takeReply();
    if (reply != 0) Native.LIBRARY.freeReply(reply);
    call.target = null;
  }

  @Override
  public ObjectReference reference(byte[] ior) {
    return made(Native.LIBRARY.fromIor(orb, ior));
  }

  @Override
  public byte[] ior(ObjectReference reference) {
    return Native.LIBRARY.toIor(reference.handle());
  }

  private long interfaceOf(InterfaceInfo info) {
    return interfaces.computeIfAbsent(info, each -> {
      StringBuilder names = new StringBuilder();
      List<String> ids = each.ids().stream().filter(id -> !id.equals(InterfaceInfo.OBJECT)).toList();
      for (String id : ids) names.append(id).append('\0');
      for (String name : each.operations()) names.append(name).append('\0');
      return Native.LIBRARY.makeInterface(names.toString().getBytes(StandardCharsets.UTF_8), ids.size(), each.operations().size());
    });
  }

  @Override
  public ObjectReference activate(Servant servant) {
    synchronized (servant) {
      if (servant._isActive()) return servant._reference();
      servant._engine(this);
      ObjectReference made = made(Native.LIBRARY.activate(adapter(), interfaceOf(servant._information()), servant, null));
      servant._activated(made);
      return made;
    }
  }

  @Override
  public void deactivate(Servant servant) {
    synchronized (servant) {
      Native.LIBRARY.deactivate(adapter(), servant._reference().handle());
      servant._activated(null);
    }
  }

  @Override
  public ObjectReference toReference(String text) {
    return made(Native.LIBRARY.fromText(orb, text.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public String toText(ObjectReference reference) {
    return new String(Native.LIBRARY.toText(reference.handle()), StandardCharsets.UTF_8);
  }

  @Override
  public ValueFactory valueFactory(String id) {
    return valueFactories.get(id);
  }
}
