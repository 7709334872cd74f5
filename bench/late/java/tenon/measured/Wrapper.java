// SPDX-License-Identifier: Apache-2.0
package measured;

import Late.StructB;
import Late.StructC;
import Late.StructD;
import Late.StructE;
import Late.StructF;
import Late.Target;
import java.util.List;
import org.tenon.ObjectReference;

/**
 * The simple wrapper of the paper: a stub in C++, called by native methods that read and make the Java objects field by field, and a
 * servant in C++ that calls a Java object in that way. The ORB is the one that Java has under the name ORB. Any thread.
 */
final class Wrapper implements Target {
  static final String ORB = "late";

  static {
    System.loadLibrary("late-wrapper");
  }

  private final long stub;

  Wrapper(long stub) {
    this.stub = stub;
  }

  /** A servant in C++ that calls this object; its reference. The root POA is active. */
  static native String serve(Target object);

  /** A servant in C++ that ignores what it is sent; its reference. */
  static native String sink();

  /** A stub in C++. */
  static native long stub(String reference);

  /** Runs a command (values.hpp) over a stub in C++. */
  static native String command(long stub, String command);

  private static native void noop(long stub);

  private static native void putA(long stub, short[] s);

  private static native void putB(long stub, List<StructB> s);

  private static native void putC(long stub, List<StructC> s);

  private static native void putD(long stub, List<StructD> s);

  private static native void putE(long stub, List<StructE> s);

  private static native void putF(long stub, List<StructF> s);

  private static native short[] getA(long stub, int elements);

  private static native List<StructB> getB(long stub, int elements);

  private static native List<StructC> getC(long stub, int elements);

  private static native List<StructD> getD(long stub, int elements);

  private static native List<StructE> getE(long stub, int elements);

  private static native List<StructF> getF(long stub, int elements);

  private static native void check(long stub, boolean on);

  private static native long sum(long stub);

  @Override
  public void noop() {
    noop(stub);
  }

  @Override
  public void put_A(short[] s) {
    putA(stub, s);
  }

  @Override
  public void put_B(List<StructB> s) {
    putB(stub, s);
  }

  @Override
  public void put_C(List<StructC> s) {
    putC(stub, s);
  }

  @Override
  public void put_D(List<StructD> s) {
    putD(stub, s);
  }

  @Override
  public void put_E(List<StructE> s) {
    putE(stub, s);
  }

  @Override
  public void put_F(List<StructF> s) {
    putF(stub, s);
  }

  @Override
  public short[] get_A(int elements) {
    return getA(stub, elements);
  }

  @Override
  public List<StructB> get_B(int elements) {
    return getB(stub, elements);
  }

  @Override
  public List<StructC> get_C(int elements) {
    return getC(stub, elements);
  }

  @Override
  public List<StructD> get_D(int elements) {
    return getD(stub, elements);
  }

  @Override
  public List<StructE> get_E(int elements) {
    return getE(stub, elements);
  }

  @Override
  public List<StructF> get_F(int elements) {
    return getF(stub, elements);
  }

  @Override
  public void check(boolean on) {
    check(stub, on);
  }

  @Override
  public long sum() {
    return sum(stub);
  }

  @Override
  public ObjectReference _reference() {
    throw new UnsupportedOperationException("a stub in C++ has no reference in Java");
  }

  @Override
  public boolean _is_a(String repositoryId) {
    return false;
  }

  @Override
  public boolean _non_existent() {
    return false;
  }
}
