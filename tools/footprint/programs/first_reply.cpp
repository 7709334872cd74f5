// SPDX-License-Identifier: Apache-2.0
//
// first_reply ROUNDS SERVER OTHER: how long it takes from the start of each server to the first reply that a client has of it, in turn.
// Prints a line "NANOSECONDS NANOSECONDS" a round. A server prints "corbaloc:iiop:1.2@HOST:PORT/KEY", HOST in numbers, as soon as it
// can be called; the request is `greet("you")` of GIOP 1.2, and any twelve octets are a reply.
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
  const std::size_t at = line.find('@');
  const std::size_t slash = line.find('/', at);
  const std::size_t colon = line.rfind(':', slash);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  long long took = -1;
  if (at != std::string::npos && slash != std::string::npos && colon > at &&
      inet_pton(AF_INET, line.substr(at + 1, colon - at - 1).c_str(), &address.sin_addr) == 1) {
    address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(line.c_str() + colon + 1)));
    const std::string message = request(line.substr(slash + 1));
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
