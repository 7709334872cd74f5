// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.StructB;
import Late.StructC;
import Late.StructD;
import Late.StructE;
import Late.StructF;
import Late.TargetPOA;

/**
 * JacORB's servant of late.idl: it keeps what it is sent, and has what it returns ready. One call at a time. Twice because of the types.
 */
final class Sink extends TargetPOA {
  private Object last;
  private short[] a = new short[0];
  private StructB[] b = new StructB[0];
  private StructC[] c = new StructC[0];
  private StructD[] d = new StructD[0];
  private StructE[] e = new StructE[0];
  private StructF[] f = new StructF[0];

  @Override
  public void noop() {}

  @Override
  public void put_A(short[] s) {
    last = s;
  }

  @Override
  public void put_B(StructB[] s) {
    last = s;
  }

  @Override
  public void put_C(StructC[] s) {
    last = s;
  }

  @Override
  public void put_D(StructD[] s) {
    last = s;
  }

  @Override
  public void put_E(StructE[] s) {
    last = s;
  }

  @Override
  public void put_F(StructF[] s) {
    last = s;
  }

  @Override
  public short[] get_A(int elements) {
    if (a.length != elements) a = Values.a(elements);
    return a;
  }

  @Override
  public StructB[] get_B(int elements) {
    if (b.length != elements) b = Values.b(elements);
    return b;
  }

  @Override
  public StructC[] get_C(int elements) {
    if (c.length != elements) c = Values.c(elements);
    return c;
  }

  @Override
  public StructD[] get_D(int elements) {
    if (d.length != elements) d = Values.d(elements);
    return d;
  }

  @Override
  public StructE[] get_E(int elements) {
    if (e.length != elements) e = Values.e(elements);
    return e;
  }

  @Override
  public StructF[] get_F(int elements) {
    if (f.length != elements) f = Values.f(elements);
    return f;
  }

  @Override
  public void check(boolean on) {}

  @Override
  public long sum() {
    return Values.sum(last).total();
  }
}
