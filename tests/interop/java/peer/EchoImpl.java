// SPDX-License-Identifier: Apache-2.0
//
// The servant of Interop::Echo. Called from several threads: attributes are volatile, counters atomic.
package peer;

import Interop.Base;
import Interop.BaseStub;
import Interop.BinStruct;
import Interop.Callback;
import Interop.Detailed;
import Interop.Diamond;
import Interop.DiamondServant;
import Interop.Plain;
import Interop.Primitives;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.tenon.CompletionStatus;
import org.tenon.Holder;
import org.tenon.ObjectReference;
import org.tenon.Orb;
import org.tenon.RemoteObject;
import org.tenon.SystemException;
import org.tenon.SystemException.Kind;

final class EchoImpl extends EchoExchanges {
  private static final class DiamondImpl extends DiamondServant {
    private volatile int right;

    @Override
    public String who() {
      return "diamond";
    }

    @Override
    public int leftward(int value) {
      return value * 2;
    }

    @Override
    public int right_value() {
      return right;
    }

    @Override
    public void right_value(int value) {
      right = value;
    }

    @Override
    public String all(int value, Holder<Integer> left, Holder<Integer> rightResult) {
      left.value = value * 2;
      rightResult.value = right;
      return "all";
    }
  }

  private final Orb orb;
  private final Diamond diamond;
  private final Base gone;
  private final DynamicServantImpl dynamic = new DynamicServantImpl();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong noteSum = new AtomicLong();
  private volatile String title = "untitled";
  private volatile BinStruct bin = new BinStruct((short) 0, '\0', 0, (byte) 0, 0);
  private volatile Callback listener;

  EchoImpl(Orb orb) {
    this.orb = orb;
    DiamondImpl stays = new DiamondImpl();
    orb.activate(stays);
    diamond = stays;
    orb.activate(dynamic);
    DiamondImpl leaves = new DiamondImpl();
    ObjectReference left = orb.activate(leaves);
    orb.deactivate(leaves);
    gone = BaseStub.of(left);
  }

  @Override
  public void noop() {
    calls.incrementAndGet();
  }

  @Override
  public Primitives limits(boolean high) {
    return high ? new Primitives(true, (byte) 255, 'z', Short.MAX_VALUE, (short) 0xffff, Integer.MAX_VALUE, -1, Long.MAX_VALUE,
            -1L, Float.MAX_VALUE, Double.MAX_VALUE)
        : new Primitives(false, (byte) 0, 'a', Short.MIN_VALUE, (short) 0, Integer.MIN_VALUE, 0, Long.MIN_VALUE, 0L,
            -Float.MAX_VALUE, -Double.MAX_VALUE);
  }

  @Override
  public String describe(Primitives p) {
    return "b=" + (p.b() ? 1 : 0) + " o=" + Byte.toUnsignedInt(p.o()) + " c=" + p.c() + " s=" + p.s() + " us="
        + Short.toUnsignedInt(p.us()) + " l=" + p.l() + " ul=" + Integer.toUnsignedString(p.ul()) + " ll=" + p.ll() + " ull="
        + Long.toUnsignedString(p.ull()) + " f=" + (long) (p.f() * 4) + " d=" + (long) (p.d() * 4);
  }

  @Override
  public int[] code_points(String text) {
    return text.codePoints().toArray();
  }

  @Override
  public int[] code_points_wide(String text) {
    return text.codePoints().toArray();
  }

  @Override
  public void fail_plain() throws Plain {
    throw new Plain();
  }

  @Override
  public int fail_detailed(String why, int code, Holder<String> lost) throws Plain, Detailed {
    if (code == 0) throw new Plain();
    throw new Detailed(why, code, new BinStruct((short) -2, '\0', 0, (byte) 0, 0.5), List.of("first hint", why));
  }

  @Override
  public void fail_system(int which) {
    if (which == 0) throw new SystemException(Kind.NO_PERMISSION, 17, CompletionStatus.COMPLETED_NO, null);
    if (which == 1) throw new SystemException(Kind.BAD_PARAM, 42, CompletionStatus.COMPLETED_YES, null);
    if (which == 2) throw new SystemException(Kind.NO_RESOURCES, 99, CompletionStatus.COMPLETED_MAYBE, null);
  }

  @Override
  public void fail_undeclared() {
    throw new IllegalStateException("no operation declares this");
  }

  @Override
  public void note(int value) {
    noteSum.addAndGet(value);
  }

  @Override
  public void note_text(String text, int[] values) {
    long sum = text.length();
    for (int value : values) sum += value;
    noteSum.addAndGet(sum);
  }

  @Override
  public long note_sum() {
    return noteSum.get();
  }

  @Override
  public void clear_notes() {
    noteSum.set(0);
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public void title(String value) {
    title = value;
  }

  @Override
  public BinStruct bin_attribute() {
    return bin;
  }

  @Override
  public void bin_attribute(BinStruct value) {
    bin = value;
  }

  @Override
  public Callback listener() {
    return listener;
  }

  @Override
  public void listener(Callback value) {
    listener = value;
  }

  @Override
  public int calls() {
    return calls.incrementAndGet();
  }

  @Override
  public String call_back(Callback target, String text) throws Plain {
    return target.said(text);
  }

  @Override
  public int note_back(Callback target, int count) {
    for (int i = 0; i < count; ++i) target.noted(i);
    return target.notes();
  }

  @Override
  public Callback make_callback(String name) {
    Listener made = new Listener(name);
    orb.activate(made);
    return made;
  }

  @Override
  public Base diamond_as_base() {
    return diamond;
  }

  @Override
  public Diamond make_diamond() {
    return diamond;
  }

  @Override
  public Base gone() {
    return gone;
  }

  /** Java servants cannot forward yet. */
  @Override
  public Base forwarded() {
    throw new SystemException(Kind.NO_IMPLEMENT, 0);
  }

  @Override
  public RemoteObject dynamic() {
    return dynamic;
  }

  @Override
  public byte[] make_blob(int size) {
    byte[] blob = new byte[size];
    for (int i = 0; i < size; ++i) blob[i] = (byte) Integer.remainderUnsigned(i * 31 + 7, 251);
    return blob;
  }

  @Override
  public long sum_blob(byte[] blob) {
    long sum = 0;
    for (byte octet : blob) sum += octet & 0xff;
    return sum;
  }

  @Override
  public long sum_longs(int[] values) {
    long sum = 0;
    for (int value : values) sum += value;
    return sum;
  }

  /** Not on this thread, for which the end would wait. */
  @Override
  public void quit() {
    new Thread(() -> System.exit(0)).start();
  }
}
