// SPDX-License-Identifier: Apache-2.0
//
// What Tenon's test and bench programs need around their servants: options, the file that publishes a reference, and
// an end that always comes. Nothing here is needed to use Tenon; examples/ shows what is.
//
// Threads: main only.
#pragma once

#include <sys/prctl.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace program {

struct Options {
  std::string ior;           // file with a reference: written by a server, read by a client
  std::string giop = "1.2";  // the version both sides were started with; the client's expectations follow
  std::string port = "0";    // 0: any
  std::string unix_path;     // listen on this Unix-domain socket instead
  std::string endpoint;      // or here, as -ORBListenEndpoints has it
  std::string only;          // run the checks whose name contains this
  std::string skip;          // and of these not those whose name contains this; empty: all
  std::string native = "UTF-8";
  std::string peer_native;     // of the other side; the same unless told
  unsigned idle_seconds = 60;  // a server ends when it was not told to for so long
  unsigned big_bytes = 1 << 20;
  bool dynamic = true;
  bool wide = true;              // the server takes wchar and wstring (never in GIOP 1.0)
  bool planes = false;           // check text of every plane of Unicode
  bool bmp_only = false;         // wide text is UCS-2 at one of the two
  int server_pid = 0;            // of a server that the client may kill
  bool wchar_is_unit = false;    // a wchar is one UTF-16 unit there
  bool double_digits = false;    // a long double of one of the two machines has fewer digits than the other's
  std::vector<std::string> orb;  // what goes to ORB_init

  int argc = 0;
  std::vector<char*> argv;
  /// For ORB_init; stays valid as long as this object.
  char** arguments() {
    argv.clear();
    for (std::string& word : orb) argv.push_back(word.data());
    argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    return argv.data();
  }
};

inline bool native_is_utf8 = true;
inline bool peer_is_utf8 = true;

inline unsigned number(const std::string& text) {
  return static_cast<unsigned>(std::strtoul(text.c_str(), nullptr, 10));
}

inline Options parse(int argc, char** argv) {
  Options o;
  o.orb.emplace_back(argv[0]);
  const auto value = [&](int& i) -> std::string {
    if (i + 1 >= argc) {
      std::fprintf(stderr, "%s: %s wants a value\n", argv[0], argv[i]);
      std::exit(2);
    }
    return argv[++i];
  };
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--ior") {
      o.ior = value(i);
    } else if (name == "--giop") {
      o.giop = value(i);
    } else if (name == "--port") {
      o.port = value(i);
    } else if (name == "--unix") {
      o.unix_path = value(i);
    } else if (name == "--endpoint") {
      o.endpoint = value(i);
    } else if (name == "--only") {
      o.only = value(i);
    } else if (name == "--skip") {
      o.skip = value(i);
    } else if (name == "--native") {
      o.native = value(i);
    } else if (name == "--peer-native") {
      o.peer_native = value(i);
    } else if (name == "--idle") {
      o.idle_seconds = number(value(i));
    } else if (name == "--big") {
      o.big_bytes = number(value(i));
    } else if (name == "--no-dynamic") {
      o.dynamic = false;
    } else if (name == "--no-wide") {
      o.wide = false;
    } else if (name == "--planes") {
      o.planes = true;
    } else if (name == "--server-pid") {
      o.server_pid = static_cast<int>(number(value(i)));
    } else if (name == "--bmp-only") {
      o.bmp_only = true;
    } else if (name == "--double-digits") {
      o.double_digits = true;
    } else if (name == "--wchar-is-unit") {
      o.wchar_is_unit = true;
    } else {
      o.orb.push_back(name);
    }
  }
  native_is_utf8 = o.native == "UTF-8";
  peer_is_utf8 = o.peer_native.empty() ? native_is_utf8 : o.peer_native == "UTF-8";
  for (const char* word : {"-ORBGIOPVersion", o.giop.c_str(), "-ORBNativeCharCodeSet", o.native.c_str()}) {
    o.orb.emplace_back(word);
  }
  o.wide = o.wide && o.giop != "1.0";
  return o;
}

inline std::string endpoint(const Options& o) {
  if (!o.endpoint.empty()) return o.endpoint;
  if (!o.unix_path.empty()) return "giop:unix:" + o.unix_path;
  return "iiop://127.0.0.1" + (o.port == "0" ? "" : ":" + o.port);
}

/// Written under another name and moved, so that a reader never sees half a reference.
inline void publish(const std::string& path, const std::string& reference) {
  const std::string partial = path + ".partial";
  std::FILE* f = std::fopen(partial.c_str(), "w");
  if (f == nullptr || std::fprintf(f, "%s\n", reference.c_str()) < 0 || std::fclose(f) != 0 ||
      std::rename(partial.c_str(), path.c_str()) != 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
}

inline std::string read_reference(const std::string& path) {
  if (path.starts_with("IOR:") || path.starts_with("corba")) return path;
  std::FILE* f = std::fopen(path.c_str(), "r");
  if (f == nullptr) {
    std::perror(path.c_str());
    std::exit(2);
  }
  std::string text(1 << 16, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), f));
  std::fclose(f);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

/// Before ORB_init, so that every thread leaves these signals to main. The parent's death ends this program, too.
inline void hold_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}

/// Until SIGTERM or SIGINT, or so long; makes no system call meanwhile.
inline void wait_for_the_end(unsigned seconds) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  const timespec limit{static_cast<std::time_t>(seconds), 0};
  sigtimedwait(&set, nullptr, &limit);
}

}  // namespace program
