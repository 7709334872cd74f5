// SPDX-License-Identifier: Apache-2.0
package test;

import java.util.Objects;
import org.tenon.SystemException;

/** What tests say; the first fault ends the program, so that its exit status is the verdict. */
final class Check {
  private static int checks;

  /** For {@link #raises}. */
  static final int ANY_MINOR = -1;

  private Check() {}

  interface Body {
    void run() throws Exception;
  }

  static void that(boolean good, String what) {
    ++checks;
    if (!good) throw new AssertionError(what);
  }

  static void equal(Object expected, Object got) {
    that(Objects.deepEquals(expected, got), "expected " + expected + ", got " + got);
  }

  static SystemException raises(SystemException.Kind kind, int minor, Body body) {
    ++checks;
    try {
      body.run();
    } catch (SystemException e) {
      if (e.kind() != kind || e.minor() != minor && minor != ANY_MINOR) throw new AssertionError("another exception: " + e, e);
      return e;
    } catch (Exception e) {
      throw new AssertionError("another exception: " + e, e);
    }
    throw new AssertionError("no " + kind);
  }

  static void raisesAny(Class<? extends Exception> kind, Body body) {
    ++checks;
    try {
      body.run();
    } catch (Exception e) {
      if (!kind.isInstance(e)) throw new AssertionError("another exception: " + e, e);
      return;
    }
    throw new AssertionError("no " + kind);
  }

  static int count() {
    return checks;
  }
}
