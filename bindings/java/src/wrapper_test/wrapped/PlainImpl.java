// SPDX-License-Identifier: Apache-2.0
package wrapped;

import Numbers.Colour;
import Numbers.DerivedServant;
import Numbers.Empty;
import Numbers.Plain;
import Numbers.Refused;
import org.tenon.CompletionStatus;
import org.tenon.Holder;
import org.tenon.SystemException;

/** Answers in a way that tells whether all bits have come. Any thread. */
class PlainImpl extends DerivedServant {
  static final int REFUSED = 1, EMPTY = 2, SYSTEM = 3, RUNTIME = 4, NO_MEMORY = 5, DEEP = 6, UNLISTED = 7, BAD_MEMBER = 8, ERROR = 9;

  /** The peer of nested(); null: nobody. */
  volatile Plain peer;
  volatile int told;
  volatile double level;
  volatile Colour paint = Colour.red;
  /** By which way the last call of noop() has come in, and by which it was made, if on this thread. */
  volatile boolean cameLate;
  volatile boolean wentLate;

  @Override
  public void noop() {
    cameLate = false;
    wentLate = false;
    for (StackTraceElement each : new Throwable().getStackTrace()) {
      cameLate |= each.getClassName().equals("org.tenon.Upcalls");
      wentLate |= each.getClassName().equals("org.tenon.Call");
    }
  }

  @Override
  public boolean flip(boolean x) {
    return !x;
  }

  @Override
  public byte an_octet(byte x) {
    return (byte) ~x;
  }

  @Override
  public byte an_int8(byte x) {
    return (byte) -x;
  }

  @Override
  public short a_short(short x) {
    return (short) ~x;
  }

  @Override
  public short a_ushort(short x) {
    return (short) (x + 1);
  }

  @Override
  public int a_long(int x) {
    return ~x;
  }

  @Override
  public int a_ulong(int x) {
    return x + 1;
  }

  @Override
  public long a_longlong(long x) {
    return ~x;
  }

  @Override
  public long a_ulonglong(long x) {
    return x + 1;
  }

  @Override
  public float a_float(float x) {
    return -x;
  }

  @Override
  public double a_double(double x) {
    return -x;
  }

  @Override
  public Colour next(Colour x) {
    return x == Colour.blue ? null : Colour.values()[x.ordinal() + 1];
  }

  @Override
  public int mask(int x) {
    return x ^ 3;
  }

  @Override
  public double six(boolean a, byte b, short c, float d, long e, Colour f) {
    return (a ? 1 : 0) + 2.0 * b + 3.0 * c + 5.0 * d + 7.0 * e + 11.0 * f.ordinal();
  }

  @Override
  public void three(long a, byte b, double c) {
    level = a + b + c;
  }

  @Override
  public void tell(int x) {
    told = x;
  }

  @Override
  public int told() {
    return told;
  }

  @Override
  public double level() {
    return level;
  }

  @Override
  public void level(double value) {
    level = value;
  }

  @Override
  public Colour paint() {
    return paint;
  }

  @Override
  public void paint(Colour value) {
    paint = value;
  }

  @Override
  public int checked(int how) throws Refused, Empty {
    switch (how) {
      case REFUSED: throw new Refused(-7, "because \u00e4");
      case EMPTY: throw new Empty();
      case SYSTEM: throw new SystemException(SystemException.Kind.BAD_PARAM, 0x12345, CompletionStatus.COMPLETED_YES, "text");
      case RUNTIME: throw new IllegalStateException("no state");
      case NO_MEMORY: throw new OutOfMemoryError("not really");
      case DEEP: return checked(how) + 1;
      case UNLISTED: throw PlainImpl.<RuntimeException>thrown(new Unlisted());
      case BAD_MEMBER: throw new Refused(1, null);
      case ERROR: throw new AssertionError("no");
      default: return how;
    }
  }

  /** A user exception that no operation lists. */
  private static final class Unlisted extends org.tenon.UserException {
    private static final long serialVersionUID = 1;

    @Override
    public String _id() {
      return "IDL:Unlisted:1.0";
    }

    @Override
    public void write(org.tenon.CdrWriter out) {}
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> T thrown(Throwable which) throws T {
    throw (T) which;
  }

  @Override
  public Colour checked_colour(Colour x) throws Refused {
    if (x == Colour.blue) throw new Refused(x.ordinal(), "blue");
    return x;
  }

  @Override
  public int nested(int depth) {
    return depth == 0 ? 0 : 1 + peer.nested(depth - 1);
  }

  @Override
  public int seven(int a, int b, int c, int d, int e, int f, int g) {
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g;
  }

  @Override
  public int divide(int a, int b, Holder<Integer> rest) throws Refused {
    if (b == 0) throw new Refused(a, "zero");
    rest.value = a % b;
    return a / b;
  }

  @Override
  public void count(Holder<Integer> x) {
    ++x.value;
  }

  @Override
  public String text(String x) {
    return x + x;
  }

  @Override
  public char letter(char x) {
    return (char) (x + 1);
  }

  @Override
  public Plain itself(Plain x) {
    return x;
  }

  @Override
  public int asked_late(int x) {
    return -x;
  }

  @Override
  public int more(int x) {
    return x + 1;
  }
}
