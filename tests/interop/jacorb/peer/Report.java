// SPDX-License-Identifier: Apache-2.0
//
// The lines that the client prints, and the totals. Main thread only.
package peer;

import java.util.List;

final class Report {
  interface Body {
    /** What is wrong, or nothing. */
    String run() throws Exception;
  }

  interface Act {
    void run() throws Exception;
  }

  private final String only;
  private int passed;
  private int failed;

  Report(String only) {
    this.only = only;
  }

  void check(String name, Body body) {
    if (!name.contains(only)) return;
    String wrong;
    try {
      wrong = body.run();
    } catch (Exception e) {
      wrong = "exception " + text(e);
    }
    if (wrong.isEmpty()) {
      ++passed;
      System.out.println("ok " + name);
    } else {
      ++failed;
      System.out.println("FAIL " + name + " " + wrong.replace('\n', ' '));
    }
    System.out.flush();
  }

  /** The act must end with an exception of this class. */
  void checkThrows(String name, Class<? extends Exception> wanted, Act act) {
    check(name, () -> {
      try {
        act.run();
      } catch (Exception e) {
        return wanted.isInstance(e) ? "" : text(e) + ", not " + wanted.getSimpleName();
      }
      return "no exception, wanted " + wanted.getSimpleName();
    });
  }

  /** The act must end with one of these system exceptions. */
  void checkRaises(String name, List<String> wanted, Act act) {
    check(name, () -> {
      try {
        act.run();
      } catch (org.omg.CORBA.SystemException e) {
        return wanted.contains(e.getClass().getSimpleName()) ? "" : text(e) + ", not " + wanted.get(0);
      }
      return "no exception, wanted " + wanted.get(0);
    });
  }

  static String text(Exception e) {
    StringBuilder all = new StringBuilder(e.toString());
    if (e instanceof org.omg.CORBA.SystemException s) {
      all.append(" minor 0x").append(Integer.toHexString(s.minor)).append(" completed ").append(s.completed.value());
    }
    StackTraceElement[] trace = e.getStackTrace();
    for (int i = 0; i < Math.min(4, trace.length); ++i) all.append(" < ").append(trace[i]);
    return all.toString();
  }

  int summary() {
    System.out.println("done " + (passed + failed) + " checks, " + failed + " failed");
    System.out.flush();
    return failed == 0 && passed > 0 ? 0 : 1;
  }
}
