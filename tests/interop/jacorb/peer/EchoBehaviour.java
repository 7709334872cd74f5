// SPDX-License-Identifier: Apache-2.0
//
// Every operation of Interop::Echo that is no echo: named and typed as in the generated EchoOperations, which Server looks
// them up by. Called from several threads: attributes are volatile, counters atomic.
package peer;

import Interop.Base;
import Interop.BaseHelper;
import Interop.BinStruct;
import Interop.Callback;
import Interop.Detailed;
import Interop.Diamond;
import Interop.Plain;
import Interop.Primitives;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StringHolder;
import org.omg.PortableServer.POA;

public final class EchoBehaviour {
  /** Answers callbacks, in the server as in the client. */
  static final class Listener extends Interop.CallbackPOA {
    private final String name;
    final AtomicInteger heard = new AtomicInteger();

    Listener(String name) {
      this.name = name;
    }

    @Override
    public String said(String text) throws Plain {
      if (text.equals("refuse")) throw new Plain();
      if (text.equals("sleep")) pause(700);
      return name + " heard " + text;
    }

    @Override
    public void noted(int value) {
      heard.incrementAndGet();
    }

    @Override
    public int notes() {
      return heard.get();
    }
  }

  static void pause(int milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class DiamondServant extends Interop.DiamondPOA {
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
    public String all(int value, IntHolder left, IntHolder rightResult) {
      left.value = value * 2;
      rightResult.value = right;
      return "all";
    }
  }

  private final ORB orb;
  private final Diamond diamond;
  private final Base gone;
  Base passing;
  org.omg.CORBA.Object dynamic;
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong noteSum = new AtomicLong();
  private volatile String title = "untitled";
  private volatile BinStruct bin = new BinStruct();
  private volatile Callback listener;

  EchoBehaviour(ORB orb, POA root) throws Exception {
    this.orb = orb;
    diamond = new DiamondServant()._this(orb);
    byte[] id = root.activate_object(new DiamondServant());
    gone = BaseHelper.narrow(root.id_to_reference(id));
    root.deactivate_object(id);
  }

  public void noop() {
    calls.incrementAndGet();
  }

  public Primitives limits(boolean high) {
    return high ? new Primitives(true, (byte) 255, 'z', Short.MAX_VALUE, (short) 0xffff, Integer.MAX_VALUE, -1,
            Long.MAX_VALUE, -1L, Float.MAX_VALUE, Double.MAX_VALUE)
        : new Primitives(false, (byte) 0, 'a', Short.MIN_VALUE, (short) 0, Integer.MIN_VALUE, 0, Long.MIN_VALUE, 0L,
            -Float.MAX_VALUE, -Double.MAX_VALUE);
  }

  public String describe(Primitives p) {
    return "b=" + (p.b ? 1 : 0) + " o=" + (p.o & 0xff) + " c=" + p.c + " s=" + p.s + " us=" + (p.us & 0xffff) + " l="
        + p.l + " ul=" + Integer.toUnsignedString(p.ul) + " ll=" + p.ll + " ull=" + Long.toUnsignedString(p.ull)
        + " f=" + (long) (p.f * 4) + " d=" + (long) (p.d * 4);
  }

  public int[] code_points(String text) {
    return text.codePoints().toArray();
  }

  public int[] code_points_wide(String text) {
    return text.codePoints().toArray();
  }

  public void fail_plain() throws Plain {
    throw new Plain();
  }

  public int fail_detailed(String why, int code, StringHolder lost) throws Plain, Detailed {
    if (code == 0) throw new Plain();
    throw new Detailed(why, code, new BinStruct((short) -2, '\0', 0, (byte) 0, 0.5), new String[] {"first hint", why});
  }

  public void fail_system(int which) {
    if (which == 0) throw new org.omg.CORBA.NO_PERMISSION(17, CompletionStatus.COMPLETED_NO);
    if (which == 1) throw new org.omg.CORBA.BAD_PARAM(42, CompletionStatus.COMPLETED_YES);
    if (which == 2) throw new org.omg.CORBA.NO_RESOURCES(99, CompletionStatus.COMPLETED_MAYBE);
  }

  public void fail_undeclared() {
    throw new IllegalStateException("no operation declares this");
  }

  public void note(int value) {
    noteSum.addAndGet(value);
  }

  public void note_text(String text, int[] values) {
    long sum = text.length();
    for (int value : values) sum += value;
    noteSum.addAndGet(sum);
  }

  public long note_sum() {
    return noteSum.get();
  }

  public void clear_notes() {
    noteSum.set(0);
  }

  public String title() {
    return title;
  }

  public void title(String value) {
    title = value;
  }

  public BinStruct bin_attribute() {
    return bin;
  }

  public void bin_attribute(BinStruct value) {
    bin = value;
  }

  public Callback listener() {
    return listener;
  }

  public void listener(Callback value) {
    listener = value;
  }

  public int calls() {
    return calls.incrementAndGet();
  }

  public String call_back(Callback target, String text) throws Plain {
    return target.said(text);
  }

  public int note_back(Callback target, int count) {
    for (int i = 0; i < count; ++i) target.noted(i);
    return target.notes();
  }

  public Callback make_callback(String name) {
    return new Listener(name)._this(orb);
  }

  public Base diamond_as_base() {
    return diamond;
  }

  public Diamond make_diamond() {
    return diamond;
  }

  public Base gone() {
    return gone;
  }

  public Base forwarded() {
    return passing;
  }

  public org.omg.CORBA.Object dynamic() {
    return dynamic;
  }

  public byte[] make_blob(int size) {
    byte[] blob = new byte[size];
    for (int i = 0; i < size; ++i) blob[i] = (byte) Integer.remainderUnsigned(i * 31 + 7, 251);
    return blob;
  }

  public long sum_blob(byte[] blob) {
    long sum = 0;
    for (byte octet : blob) sum += octet & 0xff;
    return sum;
  }

  public long sum_longs(int[] values) {
    long sum = 0;
    for (int value : values) sum += value;
    return sum;
  }

  public void quit() {
    System.exit(0);
  }
}
