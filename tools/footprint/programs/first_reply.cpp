// SPDX-License-Identifier: Apache-2.0
//
// first_reply ROUNDS SERVER OTHER: how long it takes from the start of each server to the first reply that a client has of it, in turn.
// Prints a line "NANOSECONDS NANOSECONDS" a round. A server prints "IOR:...", or "corbaloc:iiop:1.2@HOST:PORT/KEY", HOST in numbers, as
// soon as it can be called; the request is `greet("you")` of GIOP 1.2, and any twelve octets are a reply.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "first_reply: %s\n", why.c_str());
  std::exit(1);
}

void align(std::string& message, std::size_t to) { message.resize((message.size() + to - 1) / to * to); }

void put(std::string& message, std::uint32_t number) {
  align(message, 4);
  message.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void put(std::string& message, const std::string& octets, bool is_string) {
  put(message, static_cast<std::uint32_t>(octets.size() + (is_string ? 1 : 0)));
  message += octets;
  if (is_string) message += '\0';
}

/// The whole message, in the byte order of this machine.
std::string request(const std::string& key) {
  const char flags = std::endian::native == std::endian::little ? 1 : 0;
  std::string message = std::string("GIOP\x01\x02", 6) + flags + '\0';
  put(message, 0u);  // the size, later
  put(message, 1u);
  message += std::string("\x03\0\0\0\0\0", 6);  // a reply is wanted; reserved octets; the target is a key
  put(message, key, false);
  put(message, "greet", true);
  put(message, 0u);  // no service contexts
  align(message, 4);
  while ((message.size() - 12) % 8 != 4)
    message += '\0';  // the body begins at a multiple of 8 from the start of the message
  put(message, "you", true);
  const auto size = static_cast<std::uint32_t>(message.size() - 12);
  std::memcpy(message.data() + 8, &size, sizeof size);
  return message;
}

struct Place {
  std::string host;
  std::uint16_t port = 0;
  std::string key;
};

/// Reads CDR of this machine's byte order.
class Octets {
 public:
  explicit Octets(std::string octets) : octets_(std::move(octets)) {}
  template <typename T>
  T number() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value{};
    if (at_ + sizeof(T) <= octets_.size()) std::memcpy(&value, octets_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  std::string sequence() {
    const std::size_t size = number<std::uint32_t>();
    const std::string value = at_ <= octets_.size() ? octets_.substr(at_, size) : "";
    at_ += size;
    return value;
  }

 private:
  std::string octets_;
  std::size_t at_ = 0;
};

/// Of a reference whose first profile is one of IIOP (CORBA 3.4 part 2 §7.6.2, §9.7.2), or of a corbaloc. No port: it is neither.
Place place_of(const std::string& text) {
  Place place;
  if (text.starts_with("IOR:")) {
    std::string octets;
    for (std::size_t i = 4; i + 1 < text.size(); i += 2)
      octets += static_cast<char>(std::strtol(text.substr(i, 2).c_str(), nullptr, 16));
    Octets ior(octets);
    ior.number<std::uint8_t>();  // the byte order
    ior.sequence();              // the type's id
    ior.number<std::uint32_t>();
    ior.number<std::uint32_t>();
    Octets profile(ior.sequence());
    for (int i = 0; i < 3; ++i) profile.number<std::uint8_t>();  // byte order, version
    place.host = profile.sequence().c_str();
    place.port = profile.number<std::uint16_t>();
    place.key = profile.sequence();
    return place;
  }
  const std::size_t at = text.find('@');
  const std::size_t slash = text.find('/', at);
  const std::size_t colon = text.rfind(':', slash);
  if (at == std::string::npos || slash == std::string::npos || colon < at) return place;
  place.host = text.substr(at + 1, colon - at - 1);
  place.port = static_cast<std::uint16_t>(std::atoi(text.c_str() + colon + 1));
  place.key = text.substr(slash + 1);
  return place;
}

/// Nanoseconds from the start of the program to its first reply.
long long first_reply(char* program) {
  int pipe_of[2];
  if (pipe(pipe_of) != 0) fail("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe_of[1], 1);
  posix_spawn_file_actions_addclose(&actions, pipe_of[0]);
  posix_spawn_file_actions_addclose(&actions, pipe_of[1]);
  char* arguments[] = {program, nullptr};
  pid_t server = 0;
  const auto begin = Clock::now();
  if (posix_spawn(&server, program, &actions, nullptr, arguments, environ) != 0)
    fail(std::string(program) + " does not start");
  close(pipe_of[1]);
  std::string line;
  for (char octet; read(pipe_of[0], &octet, 1) == 1 && octet != '\n';) line += octet;
  const Place place = place_of(line);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(place.port);
  long long took = -1;
  if (place.port != 0 && inet_pton(AF_INET, place.host.c_str(), &address.sin_addr) == 1) {
    const std::string message = request(place.key);
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    char reply[12];
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        send(connection, message.data(), message.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(message.size()) &&
        recv(connection, reply, sizeof reply, MSG_WAITALL) == static_cast<ssize_t>(sizeof reply)) {
      took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
    }
    close(connection);
  }
  close(pipe_of[0]);
  posix_spawn_file_actions_destroy(&actions);
  kill(server, SIGKILL);
  waitpid(server, nullptr, 0);
  if (took < 0) fail(std::string(program) + " printed '" + line + "' and gave no reply");
  return took;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: first_reply ROUNDS SERVER OTHER");
  for (int round = 0; round < std::atoi(argv[1]); ++round) {
    const long long one = first_reply(argv[2]);
    std::printf("%lld %lld\n", one, first_reply(argv[3]));
  }
}
