// SPDX-License-Identifier: Apache-2.0
//
// What shared memory alone costs: the same bytes in the same sizes as an ORB's messages through two rings, by a program without an ORB.
// The baseline of the ratios over shared memory.
//
//   raw_ring server --address FILE [--cpu N] [--idle SECONDS]
//   raw_ring client --address FILE [--cpu N]         commands on standard input:
//     pingpong COUNT REQUEST REPLY [spin=US]    two-way messages of these sizes    -> "P50 P99" nanoseconds
//     calls COUNT REQUEST REPLY [spin=US]       the same without a clock           -> "done"
//
// Messages are copied into a ring and out of it. A receiver looks again for `spin` microseconds, on both sides, and then sleeps by a
// futex, whose word tells the sender that it must be woken. There is one client at a time, and no defence against what it writes.
//
// Threads: one.

#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <csignal>
#include <cstring>

#include "blocks.hpp"

namespace {

using Word = std::atomic<std::uint32_t>;

constexpr std::uint32_t octets = 256u << 10;

struct Ring {
  alignas(64) Word tail;
  alignas(64) Word head;
  Word asleep;
  alignas(64) char data[octets];

  bool has(std::uint32_t read, std::uint32_t size) const { return tail.load() - read >= size; }
};

struct Shared {
  Ring there, back;
  alignas(64) Word request, reply, spin;  // of the messages that follow
};

[[noreturn]] void die(const char* what) {
  std::perror(what);
  std::exit(1);
}

long futex(Word& word, int operation, std::uint32_t value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

/// The sending side: `at` octets have been sent.
void send(Ring& ring, std::uint32_t& at, const char* from, std::uint32_t size) {
  const std::uint32_t place = at % octets;
  const std::uint32_t together = std::min(size, octets - place);
  std::memcpy(ring.data + place, from, together);
  if (together != size) std::memcpy(ring.data, from + together, size - together);
  ring.tail.store(at += size);
  if (ring.asleep.load() != 0 && ring.asleep.exchange(0) != 0) futex(ring.asleep, FUTEX_WAKE, 1);
}

/// The receiving side: waits until something lies behind `at`.
void await(Ring& ring, std::uint32_t at, std::uint32_t size, std::uint32_t spin_us) {
  if (ring.has(at, size)) return;
  if (spin_us > 0) {
    const std::uint64_t end = blocks::now_ns() + std::uint64_t{spin_us} * 1000;
    do {
      if (ring.has(at, size)) return;
    } while (blocks::now_ns() < end);
  }
  while (true) {
    ring.asleep.store(1);
    if (ring.has(at, size)) break;
    futex(ring.asleep, FUTEX_WAIT, 1);
  }
  ring.asleep.store(0);
}

void take(Ring& ring, std::uint32_t& at, char* to, std::uint32_t size) {
  const std::uint32_t place = at % octets;
  const std::uint32_t together = std::min(size, octets - place);
  std::memcpy(to, ring.data + place, together);
  if (together != size) std::memcpy(to + together, ring.data, size - together);
  ring.head.store(at += size);
}

Shared& map(int fd) {
  void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) die("mmap");
  return *static_cast<Shared*>(memory);
}

void end(int) { _exit(0); }

[[noreturn]] void serve(const std::string& address, const std::string& idle) {
  std::signal(SIGTERM, end);
  std::signal(SIGALRM, end);
  alarm(static_cast<unsigned>(std::strtoul(idle.c_str(), nullptr, 10)));
  const int fd = memfd_create("raw_ring", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, sizeof(Shared)) != 0) die("memfd_create");
  Shared& shared = map(fd);
  const std::string partial = address + ".partial";
  std::FILE* const f = std::fopen(partial.c_str(), "w");
  if (f == nullptr || std::fprintf(f, "/proc/%ld/fd/%d\n", static_cast<long>(getpid()), fd) < 0 ||
      std::fclose(f) != 0 || std::rename(partial.c_str(), address.c_str()) != 0) {
    die(address.c_str());
  }
  std::vector<char> buffer(octets);
  std::uint32_t read = 0;
  std::uint32_t sent = 0;
  while (true) {
    await(shared.there, read, 1, shared.spin.load());
    // A message is there as a whole.
    take(shared.there, read, buffer.data(), shared.request.load());
    send(shared.back, sent, buffer.data(), shared.reply.load());
  }
}

class Client {
 public:
  explicit Client(const std::string& address)
      : shared_(map(opened(address))), sent_(shared_.there.tail.load()), read_(shared_.back.tail.load()) {}

  std::string command(blocks::Words words) {
    std::uint32_t spin = 0;
    if (words.back().starts_with("spin=")) {
      spin = static_cast<std::uint32_t>(std::strtoul(words.back().c_str() + 5, nullptr, 10));
      words.pop_back();
    }
    if (words.size() != 4 || (words[0] != "pingpong" && words[0] != "calls")) return "";
    const std::size_t count = blocks::number(words, 1);
    const auto request = static_cast<std::uint32_t>(blocks::number(words, 2));
    const auto reply = static_cast<std::uint32_t>(blocks::number(words, 3));
    if (request == 0 || reply == 0 || request > octets || reply > octets)
      return "error messages fit into the ring";
    shared_.request.store(request);
    shared_.reply.store(reply);
    shared_.spin.store(spin);
    const std::vector<char> out(request, 0x2a);
    std::vector<char> in(reply);
    const auto call = [&] {
      send(shared_.there, sent_, out.data(), request);
      await(shared_.back, read_, reply, spin);
      take(shared_.back, read_, in.data(), reply);
    };
    if (words[0] == "pingpong") return blocks::time_calls(count, call);
    for (std::size_t i = 0; i < count; ++i) call();
    return in[0] == 0x2a ? "done" : "error other octets came back";
  }

 private:
  static int opened(const std::string& address) {
    char path[64];
    std::FILE* const f = std::fopen(address.c_str(), "r");
    if (f == nullptr || std::fscanf(f, "%63s", path) != 1) die(address.c_str());
    std::fclose(f);
    std::FILE* const memory = std::fopen(path, "r+");
    if (memory == nullptr) die(path);
    return fileno(memory);
  }

  Shared& shared_;
  std::uint32_t sent_;
  std::uint32_t read_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argc > 1 ? argv[1] : "";
  std::string address, cpu;
  std::string idle = "60";
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    (name == "--address" ? address : name == "--cpu" ? cpu : idle) = argv[i + 1];
  }
  if (address.empty() || (role != "server" && role != "client")) {
    std::fprintf(stderr, "usage: raw_ring server|client --address FILE [--cpu N] [--idle SECONDS]\n");
    return 2;
  }
  if (!cpu.empty()) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(std::strtoul(cpu.c_str(), nullptr, 10), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) die("sched_setaffinity");
  }
  if (role == "server") serve(address, idle);
  Client client(address);
  return blocks::serve_commands([&](const blocks::Words& words) { return client.command(words); });
}
