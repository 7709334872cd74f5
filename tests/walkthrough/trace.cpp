// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>

namespace tenon::walk {
namespace {

/// A system call that nothing else here makes, and that does nothing.
constexpr long mark_number = SYS_getppid;

constexpr int stopped_at_call = SIGTRAP | 0x80;

class Tracer {
 public:
  explicit Tracer(pid_t child) : child_(child) { trace_.main_thread = child; }

  Trace run() {
    int status = 0;
    if (::waitpid(child_, &status, 0) != child_ || !WIFSTOPPED(status))
      return failed("the child did not stop");
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (::ptrace(PTRACE_SETOPTIONS, child_, nullptr, options) != 0) return failed(std::strerror(errno));
    threads_.insert(child_);
    resume(child_, 0);
    while (!threads_.empty()) {
      const pid_t thread = ::waitpid(-1, &status, __WALL);
      if (thread < 0) return failed(std::strerror(errno));
      if (!WIFSTOPPED(status)) {
        threads_.erase(thread);
        if (thread == child_ && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
          return failed("the child failed");
        }
        continue;
      }
      threads_.insert(thread);
      const int signal = WSTOPSIG(status);
      if (signal == stopped_at_call) note_call(thread);
      // Stops of the tracing itself are not signals of the program.
      resume(thread, signal == stopped_at_call || signal == SIGTRAP || signal == SIGSTOP ? 0 : signal);
    }
    return std::move(trace_);
  }

 private:
  Trace failed(const char* why) {
    Trace none;
    none.problem = why;
    return none;
  }

  void resume(pid_t thread, int signal) { ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal); }

  void note_call(pid_t thread) {
    __ptrace_syscall_info info{};
    const auto got = ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
    if (got <= 0 || info.op != PTRACE_SYSCALL_INFO_ENTRY) return;
    const long number = static_cast<long>(info.entry.nr);
    if (number == mark_number) {
      trace_.threads = static_cast<unsigned>(threads_.size());
      trace_.intervals.emplace_back();
    } else if (!trace_.intervals.empty()) {
      ++trace_.intervals.back()[thread][number];
    }
  }

  const pid_t child_;
  std::set<pid_t> threads_;
  Trace trace_;
};

}  // namespace

bool takes_part(const CallCounts& counts) { return counts.contains(SYS_sendto); }

void mark() noexcept { ::getppid(); }

Trace trace_child(FunctionRef<void()> run) {
  const pid_t child = ::fork();
  if (child < 0) {
    Trace none;
    none.problem = std::strerror(errno);
    return none;
  }
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(3);
    ::raise(SIGSTOP);
    run();
    ::_exit(0);
  }
  Trace trace = Tracer(child).run();
  if (!trace.problem.empty()) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, __WALL);
  }
  // What follows the last mark is the end of the program.
  if (!trace.intervals.empty()) trace.intervals.pop_back();
  return trace;
}

std::string system_call_name(long number) {
  switch (number) {
    case SYS_sendto: return "sendto";
    case SYS_recvfrom: return "recvfrom";
    case SYS_sendmsg: return "sendmsg";
    case SYS_recvmsg: return "recvmsg";
    case SYS_read: return "read";
    case SYS_write: return "write";
    case SYS_ppoll: return "ppoll";
    case SYS_futex: return "futex";
    case SYS_setsockopt: return "setsockopt";
    case SYS_epoll_pwait: return "epoll_pwait";
    default: return "system call " + std::to_string(number);
  }
}

}  // namespace tenon::walk
