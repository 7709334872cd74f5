// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.StructB;
import Late.StructC;
import Late.StructD;
import Late.StructE;
import Late.StructF;
import Late.StructEView;
import Late.StructFView;
import Late.ViewerServant;
import java.util.List;

/** Tenon's servant of late.idl: it keeps what it is sent, and has what it returns ready. One call at a time. Twice because of the types. */
final class Sink extends ViewerServant {
  private Object last;
  private short[] a = new short[0];
  private List<StructB> b = List.of();
  private List<StructC> c = List.of();
  private List<StructD> d = List.of();
  private List<StructE> e = List.of();
  private List<StructF> f = List.of();

  @Override
  public void noop() {}

  @Override
  public void put_A(short[] s) {
    last = s;
  }

  @Override
  public void put_B(List<StructB> s) {
    last = s;
  }

  @Override
  public void put_C(List<StructC> s) {
    last = s;
  }

  @Override
  public void put_D(List<StructD> s) {
    last = s;
  }

  @Override
  public void put_E(List<StructE> s) {
    last = s;
  }

  @Override
  public void put_F(List<StructF> s) {
    last = s;
  }

  @Override
  public short[] get_A(int elements) {
    if (a.length != elements) a = Values.a(elements);
    return a;
  }

  @Override
  public List<StructB> get_B(int elements) {
    if (b.size() != elements) b = Values.b(elements);
    return b;
  }

  @Override
  public List<StructC> get_C(int elements) {
    if (c.size() != elements) c = Values.c(elements);
    return c;
  }

  @Override
  public List<StructD> get_D(int elements) {
    if (d.size() != elements) d = Values.d(elements);
    return d;
  }

  @Override
  public List<StructE> get_E(int elements) {
    if (e.size() != elements) e = Values.e(elements);
    return e;
  }

  @Override
  public List<StructF> get_F(int elements) {
    if (f.size() != elements) f = Values.f(elements);
    return f;
  }

  @Override
  public int view_E(List<? extends StructEView> s) {
    return Values.totalE(s);
  }

  @Override
  public int view_F(List<? extends StructFView> s) {
    return Values.totalF(s);
  }

  @Override
  public void check(boolean on) {}

  @Override
  public long sum() {
    return Values.sum(last).total();
  }
}
