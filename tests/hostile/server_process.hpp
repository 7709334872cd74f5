// SPDX-License-Identifier: Apache-2.0
//
// The attacked server as a process of its own, so that a crash is seen as one and its memory is its own.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tenon::hostile {

class ServerProcess {
 public:
  /// `descriptors`: the most that it may open; 0: as many as we.
  explicit ServerProcess(std::vector<std::string> options, rlim_t descriptors = 0) {
    std::string path(4096, '\0');
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    path.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    path.erase(path.rfind('/') + 1);
    path += "hostile_server";
    options.insert(options.begin(), path);
    std::vector<char*> arguments;
    for (std::string& each : options) arguments.push_back(each.data());
    arguments.push_back(nullptr);
    int ends[2];
    if (::pipe(ends) != 0) return;
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      if (descriptors != 0) {
        const rlimit limit{descriptors, descriptors};
        ::setrlimit(RLIMIT_NOFILE, &limit);
      }
      ::execv(path.c_str(), arguments.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    std::FILE* out = ::fdopen(ends[0], "r");
    reference_ = line(out);
    const std::string endpoint = line(out);
    std::fclose(out);
    if (!endpoint.empty())
      port_ = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }

  const std::string& reference() const noexcept { return reference_; }
  std::uint16_t port() const noexcept { return port_; }
  bool runs() const noexcept {
    return pid_ > 0 && ::kill(pid_, 0) == 0 && ::waitpid(pid_, nullptr, WNOHANG) == 0;
  }
  /// Waits for it; what its main() returned, or -signal.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static std::string line(std::FILE* from) {
    std::string text;
    if (std::feof(from) != 0 || std::ferror(from) != 0) return text;
    for (int c = std::fgetc(from); c != EOF && c != '\n'; c = std::fgetc(from))
      text.push_back(static_cast<char>(c));
    return text;
  }

  pid_t pid_ = 0;
  std::string reference_;
  std::uint16_t port_ = 0;
};

}  // namespace tenon::hostile
