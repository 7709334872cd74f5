// SPDX-License-Identifier: Apache-2.0
//
// What omniORB's programs (of tests, benchmarks and the demo) have around their servants and calls: options, the file
// that publishes references, a server's and a client's main, and an end that always comes. Not a framework; omniORB only.
//
// Threads: touch() from any thread, the rest from main.
#pragma once

#include <omniORB4/CORBA.h>
#include <omniORB4/omniInterceptors.h>

#include <unistd.h>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace peer {

struct Options {
  std::string ior;               // file with a reference: written by a server, read by a client
  std::string giop = "1.2";      // the version both sides were started with; the client's expectations follow
  std::string port = "0";        // 0: any
  std::string unix_path;         // listen on this Unix-domain socket instead
  std::string only;              // run the checks whose name contains this
  unsigned idle_seconds = 60;    // a server without a request for so long ends
  unsigned big_bytes = 1 << 20;  // size of the largest message
  std::string native = "ISO-8859-1";  // native char code set; text in the program is in it
  std::string peer_native;            // of the other side; the same unless told
  bool dynamic = true;                // run the checks of Any and TypeCode
  bool wide = true;                   // the server takes wchar and wstring (never in GIOP 1.0)
  bool permanent = false;             // a server's forwards are LOCATION_FORWARD_PERM
  bool planes = false;                // check text of every plane of Unicode
  std::vector<std::string> orb;       // what goes to ORB_init
};

inline bool native_is_utf8 = false;
inline bool peer_is_utf8 = false;

inline bool take(const char* name, int& i, int argc, char** argv, std::string& out) {
  if (std::strcmp(argv[i], name) != 0) return false;
  if (i + 1 >= argc) {
    std::fprintf(stderr, "%s: %s wants a value\n", argv[0], name);
    std::exit(2);
  }
  out = argv[++i];
  return true;
}

inline Options parse(int argc, char** argv) {
  Options o;
  o.orb.emplace_back(argv[0]);
  for (int i = 1; i < argc; ++i) {
    std::string number;
    if (take("--ior", i, argc, argv, o.ior) || take("--giop", i, argc, argv, o.giop) ||
        take("--port", i, argc, argv, o.port) || take("--unix", i, argc, argv, o.unix_path) ||
        take("--only", i, argc, argv, o.only) || take("--native", i, argc, argv, o.native) ||
        take("--peer-native", i, argc, argv, o.peer_native)) {
      continue;
    }
    if (take("--idle", i, argc, argv, number)) {
      o.idle_seconds = static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10));
    } else if (take("--big", i, argc, argv, number)) {
      o.big_bytes = static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10));
    } else if (std::strcmp(argv[i], "--no-dynamic") == 0) {
      o.dynamic = false;
    } else if (std::strcmp(argv[i], "--no-wide") == 0) {
      o.wide = false;
    } else if (std::strcmp(argv[i], "--permanent") == 0) {
      o.permanent = true;
    } else if (std::strcmp(argv[i], "--planes") == 0) {
      o.planes = true;
    } else {
      o.orb.emplace_back(argv[i]);
    }
  }
  o.wide = o.wide && o.giop != "1.0";
  native_is_utf8 = o.native == "UTF-8";
  peer_is_utf8 = o.peer_native.empty() ? native_is_utf8 : o.peer_native == "UTF-8";
  o.orb.emplace_back("-ORBnativeCharCodeSet");
  o.orb.push_back(o.native);
  o.orb.emplace_back("-ORBmaxGIOPVersion");
  o.orb.push_back(o.giop);
  return o;
}

// Unless it is told where. A client does so too whose own objects are called, or that must not be asked by another name than this
// address.
inline void listen(Options& o) {
  for (const std::string& word : o.orb) {
    if (word == "-ORBendPoint") return;
  }
  o.orb.emplace_back("-ORBendPoint");
  o.orb.push_back(!o.unix_path.empty() ? "giop:unix:" + o.unix_path
                                       : "giop:tcp:127.0.0.1:" + (o.port == "0" ? std::string() : o.port));
}

inline CORBA::ORB_ptr init(const Options& o) {
  std::vector<char*> args;
  std::vector<std::string> kept = o.orb;
  for (auto& a : kept) args.push_back(a.data());
  int count = static_cast<int>(args.size());
  args.push_back(nullptr);
  CORBA::ORB_ptr orb = CORBA::ORB_init(count, args.data());
  if (count > 1) {
    std::fprintf(stderr, "%s: unknown option %s\n", args[0], args[1]);
    std::exit(2);
  }
  return orb;
}

// Written under another name and moved, so that a reader never sees half a reference.
inline void publish(const std::string& path, const char* ior) {
  const std::string partial = path + ".partial";
  std::FILE* f = std::fopen(partial.c_str(), "w");
  if (f == nullptr || std::fprintf(f, "%s\n", ior) < 0 || std::fclose(f) != 0 ||
      std::rename(partial.c_str(), path.c_str()) != 0) {
    std::perror(path.c_str());
    std::exit(1);
  }
}

inline std::string read_ior(const std::string& path) {
  if (path.rfind("IOR:", 0) == 0 || path.rfind("corba", 0) == 0) return path;
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

inline volatile std::sig_atomic_t stopped = 0;
inline std::atomic<unsigned> activity{0};

inline void stop(int) { stopped = 1; }
inline void touch() { activity.fetch_add(1, std::memory_order_relaxed); }

// For servers whose servants do not touch; what is measured does without.
inline void touch_at_requests() {
  using Received = omni::omniInterceptors::serverReceiveRequest_T;
  omniORB::getInterceptors()->serverReceiveRequest.add([](Received::info_T&) -> CORBA::Boolean {
    touch();
    return true;
  });
}

// Returns when told to stop, when nothing was asked for idle_seconds, or when the parent went away.
inline void wait_for_the_end(unsigned idle_seconds) {
  constexpr unsigned ticks_per_second = 20;
  const pid_t parent = getppid();
  unsigned seen = activity.load();
  unsigned quiet = 0;
  while (stopped == 0 && quiet < idle_seconds * ticks_per_second && getppid() == parent) {
    usleep(1000000 / ticks_per_second);
    const unsigned now = activity.load();
    quiet = now == seen ? quiet + 1 : 0;
    seen = now;
  }
}

// A POA whose objects may be called over connections that the peer has opened, and whose servants call back that way. It makes a
// difference only when omniORB is told to offer or to accept such connections.
inline PortableServer::POA_ptr bidirectional_poa(CORBA::ORB_ptr orb, PortableServer::POA_ptr root) {
  PortableServer::POAManager_var gate = root->the_POAManager();
  CORBA::Any bidirectional;
  bidirectional <<= BiDirPolicy::BOTH;
  CORBA::PolicyList policies;
  policies.length(1);
  policies[0] = orb->create_policy(BiDirPolicy::BIDIRECTIONAL_POLICY_TYPE, bidirectional);
  return root->create_POA("bidirectional", gate, policies);
}

// A server whose POA is active.
struct Server {
  const Options& options;
  CORBA::ORB_ptr orb;
  PortableServer::POA_ptr poa;

  // Takes over the caller's reference to the servant.
  CORBA::Object_ptr activate(PortableServer::ServantBase* servant) const {
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    servant->_remove_ref();
    return poa->id_to_reference(id);
  }
  std::string text(CORBA::Object_ptr object) const {
    CORBA::String_var ior = orb->object_to_string(object);
    return ior.in();
  }
};

// `make(server)` activates the servants and returns what is published: a reference, or several, a line each.
template <class Make>
int server_main(int argc, char** argv, const Make& make) {
  Options options = parse(argc, argv);
  std::signal(SIGTERM, stop);
  std::signal(SIGINT, stop);
  listen(options);
  try {
    CORBA::ORB_var orb = init(options);
    CORBA::Object_var root = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(root);
    PortableServer::POAManager_var gate = poa->the_POAManager();
    gate->activate();
    for (const std::string& word : options.orb) {
      if (word == "-ORBacceptBiDirectionalGIOP") poa = bidirectional_poa(orb, poa);
    }
    const std::string references = make(Server{options, orb, poa});
    publish(options.ior, references.c_str());
    wait_for_the_end(options.idle_seconds);
    orb->shutdown(true);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: CORBA exception %s\n", e._name());
    return 1;
  }
}

// The object of a reference as text; whatever is none of an Interface ends the program.
template <class Interface>
typename Interface::_var_type object_of(CORBA::ORB_ptr orb, const std::string& text) {
  CORBA::Object_var object = orb->string_to_object(text.c_str());
  typename Interface::_var_type narrowed = Interface::_narrow(object);
  if (CORBA::is_nil(narrowed)) {
    std::printf("FAIL narrow the reference is not of the interface\n");
    std::exit(1);
  }
  return narrowed;
}

// `run(orb, references)`, where references is what the server published, returns the program's status.
template <class Run>
int client_main(const Options& options, const Run& run) {
  try {
    CORBA::ORB_var orb = init(options);
    const int status = run(orb.in(), read_ior(options.ior));
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start CORBA exception %s\n", e._name());
    return 1;
  }
}

}  // namespace peer
