// SPDX-License-Identifier: Apache-2.0
//
// The options that run.py gives to every peer's programs, and the JacORB that follows from them. Main thread only.
package peer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.omg.BiDirPolicy.BIDIRECTIONAL_POLICY_TYPE;
import org.omg.BiDirPolicy.BOTH;
import org.omg.BiDirPolicy.BidirectionalPolicyValueHelper;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.ImplicitActivationPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

final class Options {
  String ior = "";
  String giop = "1.2";
  String port = "0";
  String only = "";
  String charset = "UTF-8";
  String peerCharset = "";
  int idleSeconds = 60;
  int bigBytes = 1 << 20;
  boolean wide = true;
  boolean dynamic = true;
  boolean planes = false;
  boolean bothWays = false; // connections carry requests in both directions
  final List<String> orbArguments = new ArrayList<>();
  final Properties properties = new Properties();

  Options(String[] words) {
    properties.setProperty("jacorb.log.default.verbosity", "0"); // --set ...=4 says everything
    for (int i = 0; i < words.length; ++i) {
      switch (words[i]) {
        case "--ior" -> ior = words[++i];
        case "--giop" -> giop = words[++i];
        case "--port" -> port = words[++i];
        case "--only" -> only = words[++i];
        case "--native" -> charset = words[++i];
        case "--peer-native" -> peerCharset = words[++i];
        case "--idle" -> idleSeconds = Integer.parseInt(words[++i]);
        case "--big" -> bigBytes = Integer.parseInt(words[++i]);
        case "--set" -> {
          String[] setting = words[++i].split("=", 2);
          properties.setProperty(setting[0], setting[1]);
        }
        case "--no-wide" -> wide = false;
        case "--planes" -> planes = true;
        case "--no-dynamic" -> dynamic = false;
        case "--both-ways" -> bothWays = true;
        default -> orbArguments.add(words[i]);
      }
    }
    wide = wide && !giop.equals("1.0");
    if (peerCharset.isEmpty()) peerCharset = charset;
    System.setProperty("javax.rmi.CORBA.UtilClass", JavaValues.class.getName());
    properties.setProperty("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    properties.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    properties.setProperty("jacorb.giop_minor_version", giop.substring(2));
    properties.setProperty("jacorb.codeset", "true");
    properties.setProperty("jacorb.native_char_codeset", charset.equals("UTF-8") ? "UTF8" : "ISO8859_1");
    properties.setProperty("jacorb.native_wchar_codeset", "UTF16");
    properties.setProperty("jacorb.connection.client.pending_reply_timeout", "60000");
    if (bothWays) {
      properties.setProperty("org.omg.PortableInterceptor.ORBInitializerClass.both_ways",
          "org.jacorb.orb.giop.BiDirConnectionInitializer");
    }
    properties.setProperty("OAIAddr", "127.0.0.1");
    if (!port.equals("0")) properties.setProperty("OAPort", port);
  }

  boolean bothUtf8() {
    return charset.equals("UTF-8") && peerCharset.equals("UTF-8");
  }

  boolean anyUtf8() {
    return charset.equals("UTF-8") || peerCharset.equals("UTF-8");
  }

  org.omg.CORBA.ORB orb() {
    return org.omg.CORBA.ORB.init(orbArguments.toArray(new String[0]), properties);
  }

  /** The root POA, active; or one whose objects may be called over connections that this side has opened. */
  POA poa(org.omg.CORBA.ORB orb) throws Exception {
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    if (!bothWays) return root;
    org.omg.CORBA.Any value = orb.create_any();
    BidirectionalPolicyValueHelper.insert(value, BOTH.value);
    Policy[] policies = {
      orb.create_policy(BIDIRECTIONAL_POLICY_TYPE.value, value),
      root.create_implicit_activation_policy(ImplicitActivationPolicyValue.IMPLICIT_ACTIVATION)
    };
    return root.create_POA("both_ways", root.the_POAManager(), policies);
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

  /** SIGTERM is an orderly end; and no process outlives its time. */
  static void endOrderly(int seconds, int statusWhenLate) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
    endLate(seconds, statusWhenLate);
  }

  static void endLate(int seconds, int status) {
    Thread watch = new Thread(() -> {
      try {
        Thread.sleep(seconds * 1000L);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      Runtime.getRuntime().halt(status);
    });
    watch.setDaemon(true);
    watch.start();
  }
}
