// SPDX-License-Identifier: Apache-2.0
package test;

import Constructs.*;
import java.math.BigDecimal;
import java.util.List;
import org.tenon.Holder;
import org.tenon.RemoteObject;

/** Gives back what it gets. */
class EchoImpl extends EchoServant {
  Base.Mode state = Base.Mode.off;
  volatile int told;

  @Override
  public void noop() {}

  @Override
  public boolean flip(boolean x) {
    return !x;
  }

  @Override
  public char next(char x) {
    return (char) (x + 1);
  }

  @Override
  public char wide(char x) {
    return x;
  }

  @Override
  public byte low(byte x) {
    return x;
  }

  @Override
  public long add(int a, short b, long c, float d, double e, int f) {
    return a + (b & 0xffff) + c + (long) d + (long) e + (f & 0xffffffffL);
  }

  @Override
  public String text(String x, Holder<String> y, Holder<String> z) {
    z.value = x + y.value;
    y.value = x;
    return z.value;
  }

  @Override
  public char wide_given() {
    return 'x';
  }

  @Override
  public String short_given() {
    return "too long";
  }

  @Override
  public String wide_text(String x) {
    return x;
  }

  @Override
  public String echo_short_text(String x) {
    return x;
  }

  @Override
  public Constant echo_constant(Constant x, Holder<Constant> y) {
    y.value = x;
    return x;
  }

  @Override
  public List<Constant> echo_constants(List<Constant> x) {
    return x;
  }

  @Override
  public Variable echo_variable(Variable x, Holder<Integer> n) {
    n.value = n.value + 1;
    return x;
  }

  @Override
  public Tree echo_tree(Tree x) {
    return x;
  }

  @Override
  public Shape echo_shape(Shape x, Holder<Constructs.Number> y, Holder<Maybe> z) {
    z.value = y.value.discriminator() == 1 ? new Maybe.Value(5) : new Maybe.Default();
    return x;
  }

  @Override
  public List<Shape> echo_shapes(List<Shape> x) {
    return x;
  }

  @Override
  public Letter echo_letter(Letter x, Huge y, Holder<Huge> z) {
    z.value = y;
    return x;
  }

  @Override
  public Child echo_child(Child x) {
    return x;
  }

  @Override
  public Keywords echo_keywords(Keywords x) {
    return x;
  }

  @Override
  public Hidden.Override hide(Hidden.Override x) {
    return x;
  }

  @Override
  public BigDecimal echo_price(BigDecimal x) {
    return x;
  }

  @Override
  public BigDecimal echo_real(BigDecimal x, Holder<BigDecimal> y, Holder<Exactly> z) {
    z.value = new Exactly.Value(y.value);
    y.value = x;
    return x;
  }

  @Override
  public Measured echo_measured(Measured x) {
    return x;
  }

  @Override
  public double[][] echo_matrix(double[][] x) {
    return x;
  }

  @Override
  public void fail(int how) throws Empty, Failed {
    switch (how) {
      case 0:
        throw new Empty();
      case 1:
        throw new Failed("why", new int[] {1, 2}, 3);
      case 2:
        throw new IllegalStateException("foreign");
      case 3:
        throw new org.tenon.SystemException(org.tenon.SystemException.Kind.NO_PERMISSION, 42);
      case 4:
        throw new OutOfMemoryError("for the test");
      case 5:
        throw EchoImpl.<RuntimeException>unchecked(new Base.Refused(new Base.Setting(Base.Mode.on, 1)));
      case 6:
        fail(6);
        break;
      default:
        break;
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T unchecked(Throwable e) throws T {
    throw (T) e;
  }

  @Override
  public Listener echo_listener(Listener x) {
    return x;
  }

  @Override
  public List<Listener> echo_listeners(List<Listener> x) {
    return x;
  }

  @Override
  public RemoteObject any_object(RemoteObject x) {
    return x;
  }

  @Override
  public void _wait(int _finalize) {}

  @Override
  public void tell(int x) {
    told = x;
  }

  @Override
  public int nested(Echo peer, int depth) {
    return depth == 0 ? 0 : 1 + peer.nested(peer, depth - 1);
  }

  @Override
  public Arrays echo_arrays(Arrays x, Holder<OneArray> y) {
    return x;
  }

  @Override
  public Maps echo_maps(Maps x) {
    return x;
  }

  @Override
  public short[] ladder_a(short[] x) {
    return x;
  }

  @Override
  public List<StructE> ladder_e(List<StructE> x) {
    return x;
  }

  @Override
  public Base.Mode state() {
    return state;
  }

  @Override
  public void state(Base.Mode value) {
    state = value;
  }

  @Override
  public Base.Setting change(Base.Setting to) throws Base.Refused {
    if (to.value() > Base.limit) throw new Base.Refused(to);
    return new Base.Setting(state, to.value());
  }

  @Override
  public String name() {
    return "echo";
  }
}
