// SPDX-License-Identifier: Apache-2.0
//
// What the socket alone costs: the same bytes in the same sizes as an ORB's messages, by a program without
// an ORB. The baseline of every ratio that the benchmarks report.
//
//   raw server --address FILE [--unix PATH] [--cpu N] [--idle SECONDS]
//   raw client --address FILE [--cpu N]         commands on standard input:
//     pingpong COUNT REQUEST REPLY          two-way messages of these sizes    -> "P50 P99" nanoseconds
//     spin COUNT REQUEST REPLY              the same with spin=1000            -> "P50 P99"
//     replay COUNT REQUEST REPLY N FILE     the same, with the requests of a file one after the other -> "P50 P99"
//                                           N: of objects that their first four octets name; 0: the server is none of ours
//     calls COUNT REQUEST REPLY             the same without a clock           -> "done"
//     threads COUNT REQUEST REPLY T         of T threads with a connection each, COUNT together -> calls a second
//     flood COUNT SIZE PAYLOAD              one-way messages, proved received  -> MB/s of payload
//     batches COUNT SIZE PAYLOAD BATCH      the same, collected and sent BATCH octets at a time
//     system_calls COUNT                    of a system call that does nothing, without a connection -> nanoseconds each
//
// One send and one receive for each message; TCP_NODELAY; blocking sockets. Words behind a command choose another way, on both
// sides:
//     head=OCTETS   a message's first part travels by a send of its own, which wakes the receiver while the rest is copied
//     read=OCTETS   a receive asks for so much, whatever is missing of the message
//     spin=US       a receiver polls for so long before it sleeps
//     loops=N       all connections share N threads of the server (two-way commands but replay)
//     pool=1        the threads of `threads` share connections: a call takes the one that was given back last
// A connection opens with a plan of what will travel over it (sockets.hpp), and is kept for later commands with the same plan: a
// new one would start with TCP's small windows.
//
// Threads: the client's are those of the command `threads`; the server has one for each connection, or its loops.

#include <sys/syscall.h>

#include <csignal>
#include <memory>
#include <mutex>

#include "blocks.hpp"
#include "server.hpp"

namespace {

using raw::Connection;
using raw::Kind;
using raw::Plan;
using raw::Way;

struct Options {
  std::string address, unix_path, cpu, idle = "60";
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    std::string* value = name == "--address" ? &o.address
                         : name == "--unix"  ? &o.unix_path
                         : name == "--cpu"   ? &o.cpu
                         : name == "--idle"  ? &o.idle
                                             : nullptr;
    if (value == nullptr) {
      std::fprintf(stderr, "raw: unknown option %s\n", argv[i]);
      std::exit(2);
    }
    *value = argv[i + 1];
  }
  return o;
}

// ---- server ----------------------------------------------------------------------------------------------

void stop(int) {}  // interrupts accept(), which ends the program

int serve(const Options& o) {
  struct sigaction action{};
  action.sa_handler = stop;
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  alarm(static_cast<unsigned>(std::strtoul(o.idle.c_str(), nullptr, 10)));
  raw::accept_connections(raw::listen_on(o.unix_path, o.address));
  if (!o.unix_path.empty()) unlink(o.unix_path.c_str());
  // The threads of connections that are still open are left where they are.
  std::fflush(nullptr);
  _exit(0);
}

// ---- client ----------------------------------------------------------------------------------------------

// The connections with this plan, as many as are wanted.
std::vector<std::unique_ptr<Connection>>& connections(const Options& o, const Plan& plan,
                                                      std::size_t number) {
  static std::vector<std::pair<Plan, std::vector<std::unique_ptr<Connection>>>> kept;
  auto found = std::find_if(kept.begin(), kept.end(), [&](const auto& one) { return one.first == plan; });
  if (found == kept.end()) found = kept.emplace(kept.end(), plan, std::vector<std::unique_ptr<Connection>>());
  while (found->second.size() < number)
    found->second.push_back(std::make_unique<Connection>(o.address, plan));
  return found->second;
}

const Connection& connected(const Options& o, const Plan& plan) { return *connections(o, plan, 1).front(); }

// The messages after the last one are proved: the server counted all.
std::string proved(int fd, std::size_t count, std::uint64_t begin, std::size_t payload_size) {
  std::uint64_t received = 0;
  if (!raw::receive_all(fd, reinterpret_cast<char*>(&received), sizeof received)) raw::die("proof");
  const std::uint64_t end = blocks::now_ns();
  if (received != count) return "error the server received " + std::to_string(received);
  return blocks::rate(count * payload_size, end - begin);
}

std::string flood(const Options& o, std::size_t count, std::size_t size, std::size_t payload_size,
                  const Way& way) {
  if (payload_size >= size) return "error the payload must be smaller than the message";
  const int fd = connected(o, {Kind::flood, static_cast<std::uint32_t>(size), 0, 0, way}).fd();
  std::vector<char> head(size - payload_size, 0);
  std::vector<char> payload(payload_size, 0x2a);
  const std::size_t first = way.head > head.size() && way.head < size ? way.head - head.size() : payload_size;
  const auto send = [&] {
    raw::send_gathered(fd, head.data(), head.size(), payload.data(), first);
    if (!raw::send_all(fd, payload.data() + first, payload_size - first)) raw::die("send");
  };
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) send();
  head[0] = 1;
  send();
  return proved(fd, count, begin, payload_size);
}

std::string batches(const Options& o, std::size_t count, std::size_t size, std::size_t payload_size,
                    std::size_t batch, Way way) {
  if (payload_size >= size || batch <= size) return "error wants PAYLOAD < SIZE < BATCH";
  way.read = std::max(way.read, static_cast<std::uint32_t>(batch));
  const int fd = connected(o, {Kind::flood, static_cast<std::uint32_t>(size), 0, 0, way}).fd();
  const std::vector<char> payload(payload_size, 0x2a);
  std::vector<char> pending;
  pending.reserve(batch + size);
  const auto flush = [&] {
    if (!raw::send_message(fd, pending.data(), pending.size(), way)) raw::die("send");
    pending.clear();
  };
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i <= count; ++i) {
    pending.resize(pending.size() + size - payload_size, static_cast<char>(0));
    if (i == count) pending[pending.size() - (size - payload_size)] = 1;
    pending.insert(pending.end(), payload.begin(), payload.end());
    if (pending.size() >= batch) flush();
  }
  flush();
  return proved(fd, count, begin, payload_size);
}

std::string two_way(const Options& o, bool timed, std::size_t count, const Plan& plan) {
  const Connection& connection = connected(o, plan);
  std::vector<char> out(plan.request, 0x2a);
  std::vector<char> in(plan.room(plan.reply));
  const auto call = [&] { connection.exchange(out.data(), in.data()); };
  if (timed) return blocks::time_calls(count, call);
  for (std::size_t i = 0; i < count; ++i) call();
  return "done";
}

// The file is gone through again and again; each time it goes on where the last block ended.
std::string replay(const Options& o, std::size_t count, const Plan& plan, const std::string& path) {
  static std::string loaded;
  static std::vector<char> requests;
  static std::size_t at = 0;
  if (loaded != path) {
    requests = raw::contents(path);
    loaded = path;
    at = 0;
  }
  if (requests.empty() || requests.size() % plan.request != 0) return "error the file has no such requests";
  const Connection& connection = connected(o, plan);
  std::vector<char> in(plan.room(plan.reply));
  return blocks::time_calls(count, [&] {
    connection.exchange(requests.data() + at, in.data());
    at = at + plan.request == requests.size() ? 0 : at + plan.request;
  });
}

std::string system_calls(std::size_t count) {
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) syscall(SYS_getppid);
  const std::uint64_t end = blocks::now_ns();
  return std::to_string(static_cast<double>(end - begin) /
                        static_cast<double>(std::max<std::size_t>(count, 1)));
}

// As many connections as there are threads: one is always free.
class Pool {
 public:
  Pool(const std::vector<std::unique_ptr<Connection>>& all, std::size_t number) {
    for (std::size_t i = 0; i < number; ++i) free_.push_back(all[i].get());
  }
  const Connection* take() {
    const std::lock_guard lock(mutex_);
    const Connection* const last = free_.back();
    free_.pop_back();
    return last;
  }
  void give_back(const Connection* connection) {
    const std::lock_guard lock(mutex_);
    free_.push_back(connection);
  }

 private:
  std::mutex mutex_;  // guards what follows
  std::vector<const Connection*> free_;
};

std::string threads(const Options& o, std::size_t count, const Plan& plan, std::size_t number) {
  const auto& kept = connections(o, plan, number);
  if (plan.way.pool > 0) {
    Pool pool(kept, number);
    return blocks::calls_per_second(number, count, [&] {
      return [&pool, out = std::vector<char>(plan.request, 0x2a),
              in = std::vector<char>(plan.room(plan.reply))]() mutable {
        const Connection* const taken = pool.take();
        taken->exchange(out.data(), in.data());
        pool.give_back(taken);
      };
    });
  }
  std::size_t next = 0;
  return blocks::calls_per_second(number, count, [&] {
    return [&connection = *kept[next++], out = std::vector<char>(plan.request, 0x2a),
            in = std::vector<char>(plan.room(plan.reply))]() mutable {
      connection.exchange(out.data(), in.data());
    };
  });
}

// Takes the words NAME=NUMBER off the end; false if there is one that is none of a way.
bool read_way(blocks::Words& words, Way& way) {
  for (; words.size() > 1 && words.back().find('=') != std::string::npos; words.pop_back()) {
    const std::size_t equals = words.back().find('=');
    const std::string name = words.back().substr(0, equals);
    std::uint32_t* const value = name == "head"    ? &way.head
                                 : name == "read"  ? &way.read
                                 : name == "spin"  ? &way.spin
                                 : name == "loops" ? &way.loops
                                 : name == "pool"  ? &way.pool
                                                   : nullptr;
    if (value == nullptr) return false;
    *value = static_cast<std::uint32_t>(std::strtoul(words.back().c_str() + equals + 1, nullptr, 10));
  }
  return true;
}

int command(const Options& o) {
  return blocks::serve_commands([&](blocks::Words words) -> std::string {
    Way way;
    const std::string name = words[0];
    if (name == "spin") way.spin = 1000;
    if (name != "replay" && !read_way(words, way))
      return "error a way is made of head=, read=, spin=, loops= and pool=";
    const std::size_t count = blocks::number(words, 1);
    if (name == "system_calls") return system_calls(count);
    const std::size_t first = std::max<std::size_t>(blocks::number(words, 2), 1);
    const std::size_t second = std::max<std::size_t>(blocks::number(words, 3), 1);
    Plan plan{Kind::two_way, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), 0, way};
    if (name == "pingpong" || name == "calls" || name == "spin")
      return two_way(o, name != "calls", count, plan);
    if (name == "threads") return threads(o, count, plan, blocks::number(words, 4));
    if (name == "flood") return flood(o, count, first, second, way);
    if (name == "batches") return batches(o, count, first, second, blocks::number(words, 4), way);
    if (name != "replay" || words.size() != 6) return "";
    plan.table = static_cast<std::uint32_t>(blocks::number(words, 4));
    if (plan.table == 0) plan.kind = Kind::foreign;
    return replay(o, count, plan, words[5]);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  const Options options = parse(argc, argv);
  if (options.address.empty() || (role != "server" && role != "client")) {
    std::fprintf(stderr,
                 "usage: raw server|client --address FILE [--unix PATH] [--cpu N] [--idle SECONDS]\n");
    return 2;
  }
  raw::pin(options.cpu);
  return role == "server" ? serve(options) : command(options);
}
