// SPDX-License-Identifier: Apache-2.0
//
// What TLS alone costs: messages of an ORB's sizes by OpenSSL over blocking sockets, without an ORB.
//
//   raw_tls server --address FILE --certificate FILE --key FILE [--tickets 0|1] [--idle SECONDS]
//   raw_tls client --address FILE --authorities FILE             commands on standard input:
//     pingpong COUNT REQUEST REPLY          two-way messages of these sizes        -> "P50 P99" nanoseconds
//     calls COUNT REQUEST REPLY             the same without a clock               -> "done"
//     flood COUNT SIZE PAYLOAD              one-way messages, proved received      -> MB/s of payload
//     handshakes COUNT REPLY HEX RESUME PORT   connections with one call each: HEX is the request; PORT 0: a server of this
//                                           program, else an ORB's; RESUME 1: sessions are resumed -> connections a second
//
// One SSL_write for each message, TCP_NODELAY, TLS 1.3. A connection begins with a Plan, unless the server is an ORB. An error ends
// the program. Threads: the server has one for each connection.

#include <openssl/ssl.h>

#include <csignal>
#include <memory>
#include <thread>

#include "bench/raw/sockets.hpp"

namespace {

struct Options {
  std::string address, certificate, key, authorities, tickets = "0", idle = "60";
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    std::string* value = name == "--address"       ? &o.address
                         : name == "--certificate" ? &o.certificate
                         : name == "--key"         ? &o.key
                         : name == "--authorities" ? &o.authorities
                         : name == "--tickets"     ? &o.tickets
                         : name == "--idle"        ? &o.idle
                                                   : nullptr;
    if (value == nullptr) {
      std::fprintf(stderr, "raw_tls: unknown option %s\n", argv[i]);
      std::exit(2);
    }
    *value = argv[i + 1];
  }
  return o;
}

struct Plan {
  std::uint32_t request = 0;
  std::uint32_t reply =
      0;  // 0: messages are counted, and one whose first octet is not zero asks how many came
};

struct FreeSession {
  void operator()(SSL* session) const { SSL_free(session); }
};

/// A TLS connection over a socket, which goes with it.
class Tls {
 public:
  Tls(SSL_CTX* context, int fd) : fd_(fd), session_(SSL_new(context)) {
    raw::send_at_once(fd);
    SSL_set_fd(session_.get(), fd);
  }
  ~Tls() {
    session_.reset();
    close(fd_);
  }
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  SSL* session() const { return session_.get(); }
  bool send(const void* from, std::size_t size) const {
    std::size_t put = 0;
    return SSL_write_ex(session_.get(), from, size, &put) == 1;
  }
  bool receive(void* to, std::size_t size) const {
    auto* at = static_cast<char*>(to);
    for (std::size_t got = 0; size > 0; at += got, size -= got) {
      if (SSL_read_ex(session_.get(), at, size, &got) != 1) return false;
    }
    return true;
  }

 private:
  const int fd_;
  std::unique_ptr<SSL, FreeSession> session_;
};

SSL_CTX* context(bool server) {
  SSL_CTX* const made = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
  SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION);
  SSL_CTX_set_read_ahead(made, 1);  // one read for a small record instead of two
  return made;
}

// ---- server ----------------------------------------------------------------------------------------------

void stop(int) {}  // interrupts accept(), which ends the program

void serve_connection(SSL_CTX* context, int fd) {
  const Tls tls(context, fd);
  Plan plan;
  if (SSL_accept(tls.session()) != 1 || !tls.receive(&plan, sizeof plan)) return;
  std::vector<char> buffer(std::max<std::size_t>({plan.request, plan.reply, 8}));
  std::uint64_t count = 0;
  while (tls.receive(buffer.data(), plan.request)) {
    if (plan.reply != 0) {
      if (!tls.send(buffer.data(), plan.reply)) return;
    } else if (buffer[0] == 0) {
      ++count;
    } else {
      if (!tls.send(&count, sizeof count)) return;
      count = 0;
    }
  }
  SSL_shutdown(tls.session());
}

int serve(const Options& o) {
  struct sigaction action{};
  action.sa_handler = stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  alarm(static_cast<unsigned>(std::strtoul(o.idle.c_str(), nullptr, 10)));
  SSL_CTX* const tls = context(true);
  if (SSL_CTX_use_certificate_chain_file(tls, o.certificate.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls, o.key.c_str(), SSL_FILETYPE_PEM) != 1) {
    raw::die("certificate");
  }
  SSL_CTX_set_num_tickets(tls, o.tickets == "1" ? 1 : 0);
  const int listener = raw::listen_on("", o.address);
  while (true) {
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) break;
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread(serve_connection, tls, fd).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  std::fflush(nullptr);
  _exit(0);
}

// ---- client ----------------------------------------------------------------------------------------------

class Client {
 public:
  explicit Client(const Options& o) : context_(context(false)) {
    if (SSL_CTX_load_verify_file(context_, o.authorities.c_str()) != 1) raw::die("authorities");
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER, nullptr);
    std::FILE* f = std::fopen(o.address.c_str(), "r");
    unsigned port = 0;
    if (f != nullptr && std::fscanf(f, "tcp %u", &port) == 1) port_ = static_cast<std::uint16_t>(port);
    if (f != nullptr) std::fclose(f);
  }

  std::unique_ptr<Tls> connect_to(std::uint16_t port, SSL_SESSION* resumed = nullptr) const {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) raw::die("connect");
    auto made = std::make_unique<Tls>(context_, fd);
    if (resumed != nullptr) SSL_set_session(made->session(), resumed);
    if (SSL_connect(made->session()) != 1) raw::die("handshake");
    return made;
  }

  const Tls& connected(const Plan& plan) {
    if (!kept_ || kept_plan_.request != plan.request || kept_plan_.reply != plan.reply) {
      kept_ = connect_to(port_);
      kept_plan_ = plan;
      if (!kept_->send(&plan, sizeof plan)) raw::die("send");
    }
    return *kept_;
  }

  std::string two_way(bool timed, std::size_t count, const Plan& plan) {
    const Tls& tls = connected(plan);
    const std::vector<char> out(plan.request, 0x2a);
    std::vector<char> in(plan.reply);
    const auto call = [&] {
      if (!tls.send(out.data(), out.size()) || !tls.receive(in.data(), in.size())) raw::die("exchange");
    };
    if (timed) return blocks::time_calls(count, call);
    for (std::size_t i = 0; i < count; ++i) call();
    return "done";
  }

  std::string flood(std::size_t count, std::size_t size, std::size_t payload) {
    const Tls& tls = connected({static_cast<std::uint32_t>(size), 0});
    std::vector<char> message(size, 0);
    const std::uint64_t begin = blocks::now_ns();
    for (std::size_t i = 0; i <= count; ++i) {
      message[0] = i == count ? 1 : 0;
      if (!tls.send(message.data(), size)) raw::die("send");
    }
    std::uint64_t received = 0;
    if (!tls.receive(&received, sizeof received)) raw::die("proof");
    if (received != count) return "error the server received " + std::to_string(received);
    return blocks::rate(count * payload, blocks::now_ns() - begin);
  }

  std::string handshakes(std::size_t count, std::size_t reply, const std::string& hex, bool resume,
                         std::uint16_t port) const {
    std::vector<char> out;
    if (port == 0) {
      const Plan plan{static_cast<std::uint32_t>(hex.size() / 2), static_cast<std::uint32_t>(reply)};
      out.resize(sizeof plan);
      std::memcpy(out.data(), &plan, sizeof plan);
    }
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      out.push_back(static_cast<char>(std::strtoul(hex.substr(i, 2).c_str(), nullptr, 16)));
    std::vector<char> in(reply);
    SSL_SESSION* session = nullptr;
    std::size_t resumed = 0;
    const std::uint64_t begin = blocks::now_ns();
    for (std::size_t i = 0; i < count; ++i) {
      const auto tls = connect_to(port == 0 ? port_ : port, session);
      if (!tls->send(out.data(), out.size()) || !tls->receive(in.data(), reply)) raw::die("call");
      resumed += static_cast<std::size_t>(SSL_session_reused(tls->session()));
      if (resume) {
        SSL_SESSION_free(session);
        session = SSL_get1_session(tls->session());
      }
      SSL_shutdown(tls->session());
    }
    const std::uint64_t took = blocks::now_ns() - begin;
    SSL_SESSION_free(session);
    if (resume && resumed + 1 < count) return "error resumed only " + std::to_string(resumed);
    return std::to_string(static_cast<double>(count) * 1e9 / static_cast<double>(took));
  }

 private:
  SSL_CTX* const context_;
  std::uint16_t port_ = 0;
  std::unique_ptr<Tls> kept_;
  Plan kept_plan_;
};

int command(const Options& o) {
  std::signal(SIGPIPE, SIG_IGN);
  Client client(o);
  return blocks::serve_commands([&](const blocks::Words& words) -> std::string {
    const std::size_t count = blocks::number(words, 1);
    const std::size_t second = blocks::number(words, 2);
    const std::size_t third = blocks::number(words, 3);
    if (words[0] == "handshakes" && words.size() == 6)
      return client.handshakes(count, second, words[3], words[4] == "1",
                               static_cast<std::uint16_t>(blocks::number(words, 5)));
    if (words.size() != 4 || second == 0 || third == 0) return "";
    if (words[0] == "flood") return client.flood(count, second, third);
    if (words[0] != "pingpong" && words[0] != "calls") return "";
    return client.two_way(words[0] == "pingpong", count,
                          {static_cast<std::uint32_t>(second), static_cast<std::uint32_t>(third)});
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  const Options options = parse(argc, argv);
  if (options.address.empty() || (role != "server" && role != "client")) {
    std::fprintf(stderr, "usage: raw_tls server|client --address FILE ...\n");
    return 2;
  }
  return role == "server" ? serve(options) : command(options);
}
