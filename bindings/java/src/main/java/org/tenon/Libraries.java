// SPDX-License-Identifier: Apache-2.0
package org.tenon;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the native libraries are: in the folder that the property `tenon.library.path` names, else in the jar, if it has those for this
 * machine. Stateless.
 */
final class Libraries {
  private static final String[] ALL = {"libtenon.so.1", "libtenon-c.so.1", "libtenon-jni.so"};

  private Libraries() {}

  /** Loads one of them, and those that it needs. False: neither place is there. */
  static boolean load(String name) {
    String folder = System.getProperty("tenon.library.path");
    if (folder != null) {
      System.load(Path.of(folder, name).toAbsolutePath().toString());
      return true;
    }
    String machine = System.getProperty("os.arch").equals("amd64") ? "x86_64" : System.getProperty("os.arch");
    String inside = "/native/linux-" + machine + "/";
    if (Libraries.class.getResource(inside + name) == null) return false;
    try {
      unpack(inside, name);
    } catch (IOException e) {
      throw new UncheckedIOException("Tenon's native libraries cannot be unpacked", e);
    }
    return true;
  }

  /** They find each other beside themselves. Once loaded they need no files any more. */
  private static void unpack(String from, String wanted) throws IOException {
    Path folder = Files.createTempDirectory("tenon-");
    try {
      for (String name : ALL) {
        try (InputStream in = Libraries.class.getResourceAsStream(from + name)) {
          if (in == null) throw new IOException("the jar has no " + from + name);
          Files.copy(in, folder.resolve(name));
        }
      }
      System.load(folder.resolve(wanted).toString());
    } finally {
      for (String name : ALL) Files.deleteIfExists(folder.resolve(name));
      Files.deleteIfExists(folder);
    }
  }
}
