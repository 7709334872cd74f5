// SPDX-License-Identifier: Apache-2.0
package measured;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the Java programs of late.idl have around their calls, whichever ORB they use: options, commands (values.hpp), and an end. */
final class Commands {
  /** Answers one command; null: it does not know it. */
  interface Answer {
    String of(String[] words) throws Exception;
  }

  String ior = "";
  int idleSeconds = 60;
  String address = "127.0.0.1";
  boolean wrapper;
  final List<String> others = new ArrayList<>();

  Commands(String[] words) {
    for (int i = 0; i < words.length; ++i) {
      switch (words[i]) {
        case "--ior" -> ior = words[++i];
        case "--idle" -> idleSeconds = Integer.parseInt(words[++i]);
        case "--address" -> address = words[++i];
        case "--wrapper" -> wrapper = true;
        default -> others.add(words[i]);
      }
    }
  }

  String readReference() throws IOException {
    return Files.readString(Path.of(ior), StandardCharsets.US_ASCII).trim();
  }

  /** Written under another name and moved, so that a reader never sees half a reference. */
  void publish(String reference) throws IOException {
    Path partial = Path.of(ior + ".partial");
    Files.writeString(partial, reference + "\n", StandardCharsets.US_ASCII);
    Files.move(partial, Path.of(ior), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The end of a server: SIGTERM, its time, or its parent's end. */
  void waitForTheEnd() throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    long parent = parent();
    for (int i = 0; i < idleSeconds && parent() == parent; ++i) Thread.sleep(1000);
    Runtime.getRuntime().halt(0);
  }

  private static long parent() {
    return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
  }

  static void serve(Answer answer) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null && !line.equals("quit"); line = in.readLine()) {
      String said;
      try {
        said = answer.of(line.trim().split(" +"));
      } catch (Exception e) {
        e.printStackTrace();
        said = "error " + e;
      }
      System.out.println(said == null ? "error unknown command" : said);
      System.out.flush();
    }
  }

  /** Nanoseconds of a call, the mean. */
  static String mean(Runnable call, int count) {
    long begin = System.nanoTime();
    for (int i = 0; i < count; ++i) call.run();
    long end = System.nanoTime();
    return String.format(Locale.ROOT, "%.1f", (double) (end - begin) / count);
  }

  /** A sum over shorts, as values.hpp has it. */
  static final class Sum {
    private long total;
    private long place;

    void add(short value) {
      total += ++place * (value & 0xffff);
    }

    String text() {
      return Long.toUnsignedString(total);
    }

    long total() {
      return total;
    }
  }

  static short pattern(int place) {
    return (short) (place * 7919 + 13);
  }
}
