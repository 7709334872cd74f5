// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * IDL long double on the wire, IEEE 754 binary128 (CORBA 3.4 part 2 §9.3.1.4), from and to decimals, which can say each of its numbers.
 * `high` has the sign, 15 bits of the exponent and the upper 48 of the fraction. Stateless.
 */
final class LongDouble {
  private static final int FRACTION = 112; // bits
  private static final int BIAS = 16383;
  private static final int SPECIAL = 0x7fff; // exponent of infinity and of what is not a number
  private static final int LEAST = 1 - BIAS - FRACTION; // power of two of the smallest number's only bit
  private static final long HIGH_FRACTION = (1L << FRACTION - 64) - 1;
  private static final BigInteger ONE = BigInteger.ONE.shiftLeft(FRACTION);
  // Numbers of at least 10 to the one power are too large, and those below 10 to the other less than half of the smallest one.
  private static final long TOO_LARGE = 4932;
  private static final long NOTHING = -4966;

  /** The 16 octets of a number. */
  record Bits(long high, long low) {}

  /** Powers of 5, of which a peer could else let each number compute the greatest anew. */
  private static final class Fives {
    private static final int STEP = 256;
    private static final BigInteger[] POWERS = new BigInteger[-LEAST / STEP + 1];

    static {
      POWERS[0] = BigInteger.ONE;
      BigInteger step = BigInteger.valueOf(5).pow(STEP);
      for (int i = 1; i < POWERS.length; ++i) POWERS[i] = POWERS[i - 1].multiply(step);
    }

    static BigInteger times(BigInteger number, int power) {
      return number.multiply(BigInteger.valueOf(5).pow(power % STEP)).multiply(POWERS[power / STEP]);
    }
  }

  private LongDouble() {}

  /** Exact; null: infinity, or not a number. The sign of zero is lost. */
  static BigDecimal of(long high, long low) {
    int exponent = (int) (high >>> FRACTION - 64) & SPECIAL;
    if (exponent == SPECIAL) return null;
    BigInteger bits = BigInteger.valueOf(high & HIGH_FRACTION).shiftLeft(64).or(new BigInteger(Long.toUnsignedString(low)));
    if (exponent != 0) bits = bits.or(ONE);
    if (bits.signum() == 0) return BigDecimal.ZERO;
    int power = Math.max(exponent, 1) + LEAST - 1;
    int zeros = bits.getLowestSetBit(); // so that halves and quarters have few digits
    bits = bits.shiftRight(zeros);
    power += zeros;
    if (high < 0) bits = bits.negate();
    if (power >= 0) return new BigDecimal(bits.shiftLeft(power));
    return new BigDecimal(Fives.times(bits, -power), -power);
  }

  /** Rounds to nearest, ties to even; null: too large. */
  static Bits bits(BigDecimal value) {
    long digitsBeforePoint = (long) value.precision() - value.scale();
    if (value.signum() == 0 || digitsBeforePoint <= NOTHING) return new Bits(value.signum() < 0 ? Long.MIN_VALUE : 0, 0);
    if (digitsBeforePoint - 1 > TOO_LARGE) return null;
    BigDecimal size = value.abs();
    BigInteger above = size.unscaledValue();
    BigInteger below = BigInteger.TEN.pow(Math.max(size.scale(), 0));
    if (size.scale() < 0) above = above.multiply(BigInteger.TEN.pow(-size.scale()));
    int logarithm = above.bitLength() - below.bitLength(); // or one more than this
    boolean smaller = logarithm >= 0 ? above.compareTo(below.shiftLeft(logarithm)) < 0 : above.shiftLeft(-logarithm).compareTo(below) < 0;
    if (smaller) --logarithm;
    int power = Math.max(logarithm - FRACTION, LEAST);
    BigDecimal dividend = new BigDecimal(above.shiftLeft(Math.max(-power, 0)));
    BigDecimal divisor = new BigDecimal(below.shiftLeft(Math.max(power, 0)));
    BigInteger rounded = dividend.divide(divisor, 0, RoundingMode.HALF_EVEN).unscaledValue();
    BigInteger all = rounded; // of the numbers that have no bit before the fraction
    if (rounded.compareTo(ONE) >= 0) all = rounded.add(BigInteger.valueOf(power - LEAST).shiftLeft(FRACTION)); // a carry raises the exponent
    if (all.shiftRight(FRACTION).intValue() >= SPECIAL) return null;
    return new Bits(all.shiftRight(64).longValue() | (value.signum() < 0 ? Long.MIN_VALUE : 0), all.longValue());
  }
}
