// SPDX-License-Identifier: Apache-2.0
//
// The options that run.py gives to every peer's programs, and the ORB that follows from them. Main thread only.
// Twice because JacORB's programs (../../jacorb/peer) have another mapping: what they share is not worth a third folder.
package peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.tenon.Orb;

final class Options {
  String ior = "";
  String giop = "1.2";
  String endpoint = "iiop://127.0.0.1";
  String only = "";
  String skip = "";
  String charset = "UTF-8";
  String peerCharset = "";
  int idleSeconds = 60;
  int bigBytes = 1 << 20;
  boolean wide = true;
  boolean planes = false;
  boolean dynamic = true;
  boolean bmpOnly = false; // wide text is UCS-2 at one of the two
  private final List<String> orbArguments = new ArrayList<>();

  Options(String[] words) {
    for (int i = 0; i < words.length; ++i) {
      switch (words[i]) {
        case "--ior" -> ior = words[++i];
        case "--giop" -> giop = words[++i];
        case "--port" -> endpoint = "iiop://127.0.0.1:" + words[++i];
        case "--unix" -> endpoint = "giop:unix:" + words[++i];
        case "--only" -> only = words[++i];
        case "--skip" -> skip = words[++i];
        case "--native" -> charset = words[++i];
        case "--peer-native" -> peerCharset = words[++i];
        case "--idle" -> idleSeconds = Integer.parseInt(words[++i]);
        case "--big" -> bigBytes = Integer.parseInt(words[++i]);
        case "--no-wide" -> wide = false;
        case "--planes" -> planes = true;
        case "--bmp-only" -> bmpOnly = true;
        case "--no-dynamic" -> dynamic = false;
        default -> orbArguments.add(words[i]);
      }
    }
    wide = wide && !giop.equals("1.0");
    if (peerCharset.isEmpty()) peerCharset = charset;
    orbArguments.addAll(List.of("-ORBGIOPVersion", giop, "-ORBNativeCharCodeSet", charset));
  }

  boolean bothUtf8() {
    return charset.equals("UTF-8") && peerCharset.equals("UTF-8");
  }

  /** What travels is the server's native code set, into which text of Java is always converted. */
  boolean travelsAsUtf8() {
    return peerCharset.equals("UTF-8");
  }

  Orb orb() {
    return orb(null, "-ORBListenEndpoints", endpoint, "-ORBCallTimeout", "60000");
  }

  Orb orb(String id, String... more) {
    List<String> all = new ArrayList<>(orbArguments);
    all.addAll(List.of(more));
    return Orb.init(all.toArray(new String[0]), id);
  }

  String readReference() throws IOException {
    if (ior.startsWith("IOR:") || ior.startsWith("corba")) return ior;
    return Files.readString(Path.of(ior), StandardCharsets.US_ASCII).trim();
  }

  /** Written under another name and moved, so that a reader never sees half a reference. */
  void publish(String reference) throws IOException {
    Path partial = Path.of(ior + ".partial");
    Files.writeString(partial, reference + "\n", StandardCharsets.US_ASCII);
    Files.move(partial, Path.of(ior), StandardCopyOption.ATOMIC_MOVE);
  }

  /** No process outlives its time. */
  static void endLate(int seconds, int status) {
    Thread watch = new Thread(() -> {
      Listener.pause(seconds * 1000);
      Runtime.getRuntime().halt(status);
    });
    watch.setDaemon(true);
    watch.start();
  }
}
