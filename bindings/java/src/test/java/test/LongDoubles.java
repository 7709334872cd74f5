// SPDX-License-Identifier: Apache-2.0
package test;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.tenon.CdrReader;
import org.tenon.CdrTypes;
import org.tenon.CdrWriter;
import org.tenon.CodeSets;
import org.tenon.SystemException.Kind;

/** Long doubles: octets written down by hand, rounding, and the ends of the range. */
final class LongDoubles {
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  private LongDoubles() {}

  private static BigDecimal power(int exponent) {
    return exponent < 0 ? BigDecimal.ONE.divide(TWO.pow(-exponent)) : TWO.pow(exponent);
  }

  /** High half, then low half, in hexadecimal digits. */
  private static String written(BigDecimal value) {
    CdrWriter out = new CdrWriter().reset(0, false, 2, CodeSets.UTF_8, CodeSets.UTF_16);
    out.writeByte((byte) 1);
    out.writeLongDouble(value);
    Check.equal(24, out.position());
    return String.format("%016x %016x", out.buffer().getLong(8), out.buffer().getLong(16));
  }

  private static CdrReader reader(boolean little, long first, long second) {
    ByteBuffer octets = ByteBuffer.allocateDirect(16).order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    octets.putLong(0, first).putLong(8, second);
    return new CdrReader(null).reset(octets, 0, 16, little, 2, CodeSets.UTF_8, CodeSets.UTF_16, null);
  }

  private static BigDecimal read(long high, long low) {
    BigDecimal value = CdrTypes.LONG_DOUBLE.read(reader(false, high, low));
    Check.equal(value, CdrTypes.LONG_DOUBLE.read(reader(true, low, high)));
    return value;
  }

  private static void same(String octets, BigDecimal value) {
    Check.equal(octets, written(value));
    long high = Long.parseUnsignedLong(octets.substring(0, 16), 16);
    long low = Long.parseUnsignedLong(octets.substring(17), 16);
    Check.that(read(high, low).compareTo(value) == 0, octets + " is another number");
  }

  static void run() {
    BigDecimal unit = power(-112); // of the last digit of 1
    BigDecimal least = power(-16494);
    BigDecimal largest = TWO.subtract(unit).multiply(power(16383));
    same("0000000000000000 0000000000000000", BigDecimal.ZERO);
    same("3fff000000000000 0000000000000000", BigDecimal.ONE);
    same("bfff800000000000 0000000000000000", new BigDecimal("-1.500"));
    same("4005900000000000 0000000000000000", new BigDecimal("1e2"));
    same("3fff000000000000 0000000000000001", BigDecimal.ONE.add(unit));
    same("3fff000000000001 8000000000000000", BigDecimal.ONE.add(power(-48)).add(power(-49)));
    same("7ffeffffffffffff ffffffffffffffff", largest);
    same("fffeffffffffffff ffffffffffffffff", largest.negate());
    same("0001000000000000 0000000000000000", power(-16382));
    same("0000ffffffffffff ffffffffffffffff", power(-16382).subtract(least));
    same("8000000000000000 0000000000000001", least.negate());
    rounding(unit, least, largest);
    Check.raises(Kind.DATA_CONVERSION, 0, () -> read(0x7fffL << 48, 0));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> read(0xffffL << 48, 0));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> read(0x7fff8L << 44, 1));
    Random random = new Random(5);
    for (int i = 0; i < 300; ++i) {
      long high = random.nextLong();
      if ((high >>> 48 & 0x7fff) == 0x7fff) continue;
      long low = i % 3 == 0 ? 0 : random.nextLong();
      Check.equal(String.format("%016x %016x", high, low), written(read(high, low)));
    }
  }

  private static void rounding(BigDecimal unit, BigDecimal least, BigDecimal largest) {
    BigDecimal half = unit.divide(TWO);
    BigDecimal little = new BigDecimal("1e-100");
    Check.equal("3fff000000000000 0000000000000000", written(BigDecimal.ONE.add(half)));
    Check.equal("3fff000000000000 0000000000000001", written(BigDecimal.ONE.add(half).add(little)));
    Check.equal("3fff000000000000 0000000000000002", written(BigDecimal.ONE.add(unit).add(half)));
    Check.equal("3fff000000000000 0000000000000001", written(BigDecimal.ONE.add(unit).add(half).subtract(little)));
    Check.equal("4000000000000000 0000000000000000", written(TWO.subtract(half.divide(TWO)))); // the carry raises the exponent
    Check.equal("3ffd555555555555 5555555555555555", written(BigDecimal.ONE.divide(BigDecimal.valueOf(3), 60, java.math.RoundingMode.DOWN)));
    Check.equal("0000000000000000 0000000000000000", written(least.divide(TWO)));
    Check.equal("0000000000000000 0000000000000001", written(least.divide(TWO).multiply(new BigDecimal("1.01"))));
    Check.equal("0000000000000000 0000000000000002", written(least.multiply(new BigDecimal("1.5"))));
    Check.equal("0001000000000000 0000000000000000", written(power(-16382).subtract(least.divide(TWO))));
    Check.equal("0000000000000000 0000000000000000", written(new BigDecimal("1e-2000000000")));
    Check.equal("7ffeffffffffffff ffffffffffffffff", written(largest.add(new BigDecimal("1e4000"))));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> written(power(16384)));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> written(power(16384).subtract(power(16383 - 113))));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> written(new BigDecimal("1e2000000000")));
    Check.raises(Kind.DATA_CONVERSION, 0, () -> written(new BigDecimal("-1e4933")));
  }
}
