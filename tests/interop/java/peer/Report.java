// SPDX-License-Identifier: Apache-2.0
//
// The lines that the client prints, and the totals. Main thread only.
// Twice because JacORB's client (../../jacorb/peer) has another class of system exceptions.
package peer;

import java.util.List;
import org.tenon.SystemException;

final class Report {
  interface Body {
    /** What is wrong, or nothing. */
    String run() throws Exception;
  }

  interface Act {
    void run() throws Exception;
  }

  private final String only;
  private final String skip;
  private int passed;
  private int failed;

  Report(String only, String skip) {
    this.only = only;
    this.skip = skip;
  }

  void check(String name, Body body) {
    if (!name.contains(only) || !skip.isEmpty() && name.contains(skip)) return;
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
  void checkRaises(String name, List<SystemException.Kind> wanted, Act act) {
    check(name, () -> {
      try {
        act.run();
      } catch (SystemException e) {
        return wanted.contains(e.kind()) ? "" : text(e) + ", not " + wanted.get(0);
      }
      return "no exception, wanted " + wanted.get(0);
    });
  }

  static String text(Exception e) {
    if (e instanceof SystemException) return e.getMessage();
    StringBuilder all = new StringBuilder(e.toString());
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
