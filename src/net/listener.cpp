// SPDX-License-Identifier: Apache-2.0
#include "net/listener.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "net/wait.hpp"

namespace tenon::net {
namespace {

void set_flag(int fd, int level, int option, bool on) noexcept {
  const int value = on ? 1 : 0;
  ::setsockopt(fd, level, option, &value, sizeof value);
}

/// A hint for users, to be appended to the system's own text about why bind() failed.
const char* what_helps(int os_error, const SocketAddress& where) {
  if (where.family() == AF_UNIX) return "";
  switch (os_error) {
    case EADDRINUSE: return "; a process, maybe this one, has it: choose another port";
    case EADDRNOTAVAIL:
      return "; this machine has no such address: write one of its own, or none for all of them";
    case EACCES: return where.port() < 1024 ? "; ports below 1024 are for privileged processes" : "";
    default: return "";
  }
}

}  // namespace

Listener::~Listener() { shut_down(); }

bool Listener::open_any(std::span<const SocketAddress> where, const ListenOptions& options,
                        std::string& why) {
  for (const SocketAddress& address : where) {
    if (open(address, options, why)) return true;
  }
  return false;
}

bool Listener::open(const SocketAddress& where, const ListenOptions& options, std::string& why) {
  return settled(make_sockets(where, options, why) && bind(where, why) && listen(where, options, why));
}

bool Listener::open_path(const SocketAddress& where, const ListenOptions& options, std::string& why) {
  leave_ = leave_path;
  return settled(make_sockets(where, options, why) && bind_path(where, options, why) &&
                 listen(where, options, why));
}

bool Listener::settled(bool open) noexcept {
  if (open) return true;
  socket_.reset();
  wake_.reset();
  return false;
}

namespace {

/// Returns false, with `why` of a step that has just failed.
bool failed(const char* step, const SocketAddress& where, std::string& why) {
  const int os_error = errno;
  why = worded("% %: %%", {step, where.text(), error_text(os_error), what_helps(os_error, where)});
  return false;
}

}  // namespace

namespace {

/// The same of a path at which no file can be made, with what helps.
bool no_file(const SocketAddress& where, std::string& why) {
  const int os_error = errno;
  static_cast<void>(failed("cannot listen on", where, why));
  switch (os_error) {
    case ENOENT: why += "; make its folder first, or choose another path"; break;
    case EACCES: why += "; this user may not make files in its folder: choose another path"; break;
    case ENOTDIR: why += "; what should be its folder is a file: choose another path"; break;
    case EROFS:
      why += "; nothing can be written there: choose another path, or uiop://@name, which needs no file";
      break;
    default: break;
  }
  return false;
}

}  // namespace

bool Listener::make_sockets(const SocketAddress& where, const ListenOptions& options, std::string& why) {
  // Non-blocking: a peer may give up between the poll and the accept().
  socket_.reset(::socket(where.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  wake_.reset(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!socket_ || !wake_ || !take_reserve()) return failed("cannot make a socket for", where, why);
  // TCP connections inherit them.
  set_buffers(socket_.get(), options.buffers);
  if (where.family() != AF_UNIX) set_flag(socket_.get(), SOL_SOCKET, SO_REUSEADDR, options.reuse_address);
  if (where.family() == AF_INET6) set_flag(socket_.get(), IPPROTO_IPV6, IPV6_V6ONLY, options.only_v6);
  return true;
}

bool Listener::bind(const SocketAddress& where, std::string& why) {
  return ::bind(socket_.get(), where.get(), where.size()) == 0 || failed("cannot listen on", where, why);
}

bool Listener::bind_path(const SocketAddress& where, const ListenOptions& options, std::string& why) {
  const std::string name = where.text();
  if (name.front() == '@') {
    if (::bind(socket_.get(), where.get(), where.size()) == 0) return true;
    const bool taken = errno == EADDRINUSE;
    static_cast<void>(failed("cannot listen on", where, why));
    if (taken) why += "; a process, perhaps this one, has this name: choose another one, or stop it";
    return false;
  }
  if (::bind(socket_.get(), where.get(), where.size()) != 0) {
    if (errno != EADDRINUSE) return no_file(where, why);
    if (!clear_stale_path(where, why) || !bind(where, why)) return false;
  }
  // Before listen(): until then no client can connect, whatever the umask left.
  if (options.mode != 0 && ::chmod(name.c_str(), options.mode) != 0)
    return failed("cannot set the permissions of", where, why);
  struct stat entry{};
  if (::stat(name.c_str(), &entry) != 0) return failed("cannot listen on", where, why);
  path_device_ = entry.st_dev;
  path_inode_ = entry.st_ino;
  return true;
}

bool Listener::listen(const SocketAddress& where, const ListenOptions& options, std::string& why) {
  if (::listen(socket_.get(), options.backlog > 0 ? options.backlog : 4096) != 0)
    return failed("cannot listen on", where, why);
  address_ = local_address(socket_.get());
  return true;
}

// Removes only a socket on which no process listens: a file of another kind is the user's, and a running server is an error to report.
bool Listener::clear_stale_path(const SocketAddress& where, std::string& why) {
  const std::string name = where.text();
  struct stat entry{};
  if (::lstat(name.c_str(), &entry) != 0) {
    if (errno == ENOENT) return true;
    why = worded("cannot listen on %: %", {name, error_text(errno)});
    return false;
  }
  if (!S_ISSOCK(entry.st_mode)) {
    why = joined(
        {"cannot listen on ", name, ": it exists and is not a socket; choose another path or remove it"});
    return false;
  }
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const int os_error = !probe || ::connect(probe.get(), where.get(), where.size()) == 0 ? 0 : errno;
  if (os_error == EACCES) {
    why = worded(
        "cannot listen on %: it is a socket of user % to which this process may not connect, so that it "
        "cannot "
        "tell whether a server listens there; choose another path, or have that user stop the server or "
        "remove "
        "the socket",
        {name, decimal_unsigned(entry.st_uid)});
    return false;
  }
  if (os_error != ECONNREFUSED) {
    why = joined({"cannot listen on ", name,
                  ": a process, perhaps this one, listens there; choose another path or stop it"});
    return false;
  }
  if (::unlink(name.c_str()) != 0 && errno != ENOENT) {
    why = worded("cannot remove the abandoned socket %: %", {name, error_text(errno)});
    return false;
  }
  return true;
}

/// Accepts a connection. None: errno says why. First replaces a lost reserve: without it no peer can be refused when descriptors run out.
Descriptor Listener::take_connection(SocketAddress& peer) noexcept {
  if (reserve_lost_.load(std::memory_order_relaxed) && !take_reserve()) return {};
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  Descriptor socket(::accept4(socket_.get(), reinterpret_cast<sockaddr*>(&storage), &size, SOCK_CLOEXEC));
  if (socket) {
    if (size > sizeof storage) size = sizeof storage;
    peer = SocketAddress(reinterpret_cast<const sockaddr*>(&storage), size);
  }
  return socket;
}

Descriptor Listener::accept_now(SocketAddress& peer) noexcept {
  Descriptor socket = take_connection(peer);
  if (!socket && (errno == EMFILE || errno == ENFILE)) refuse_one();
  return socket;
}

Descriptor Listener::accept(SocketAddress& peer) noexcept {
  while (!is_shut_down()) {
    Descriptor socket = take_connection(peer);
    if (socket) return socket;
    switch (errno) {
      case EAGAIN: wait_for(socket_.get(), POLLIN, Deadline{}, wake_.get()); break;
      case EMFILE:
      case ENFILE:
        refuse_one();
        wait_for(wake_.get(), POLLIN, Deadline::after_ms(rest_ms));
        break;
      case EINTR:
      case ECONNABORTED: break;
      default:
        // Memory is short, a firewall said no, or an error of the new connection itself, which accept() reports on Linux.
        wait_for(wake_.get(), POLLIN, Deadline::after_ms(rest_ms));
    }
  }
  return {};
}

void Listener::refuse_one() noexcept {
  bool refused = false;
  {
    const LockGuard lock(closing_);
    if (reserve_) {
      reserve_.reset();
      const Descriptor peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      refused = static_cast<bool>(peer);
      // A reset, not an orderly end: for GIOP an end without CloseConnection reads as a lost connection either way, and a
      // reset leaves no TIME_WAIT behind here.
      const linger hang_up{1, 0};
      if (refused) ::setsockopt(peer.get(), SOL_SOCKET, SO_LINGER, &hang_up, sizeof hang_up);
    }
  }
  const bool lost = !take_reserve();  // lost if another thread has taken the free descriptor meanwhile
  if (refused) log(LogLevel::warning, "net", "out of file descriptors: a connection is refused");
  if (lost) log(LogLevel::warning, "net", "out of file descriptors: connections wait");
}

bool Listener::take_reserve() noexcept {
  const LockGuard lock(closing_);
  if (!reserve_) reserve_.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  reserve_lost_.store(!reserve_, std::memory_order_relaxed);
  return static_cast<bool>(reserve_);
}

void Listener::shut_down() noexcept {
  const LockGuard lock(closing_);
  stop_listening();
}

void Listener::stop_listening() noexcept {
  if (!socket_ || shut_.exchange(true, std::memory_order_acq_rel)) return;
  const std::uint64_t one = 1;
  while (::write(wake_.get(), &one, sizeof one) < 0 && errno == EINTR) {}
  ::shutdown(socket_.get(), SHUT_RDWR);
  if (leave_ != nullptr) leave_(*this);
}

/// TCP ends the connections that were not accepted with the shutdown; Unix-domain ones would wait until the socket is closed.
void Listener::leave_path(Listener& own) noexcept {
  own.reserve_.reset();  // so that there is a descriptor for those that are hung up on
  while (Descriptor(::accept4(own.socket_.get(), nullptr, nullptr, SOCK_CLOEXEC))) {}
  if (own.path_inode_ == 0) return;
  // The path may belong to another server by now.
  const sockaddr_un* const address = reinterpret_cast<const sockaddr_un*>(own.address_.get());
  struct stat entry{};
  if (::lstat(address->sun_path, &entry) == 0 && entry.st_dev == own.path_device_ &&
      entry.st_ino == own.path_inode_) {
    ::unlink(address->sun_path);
  }
}

void Listener::close() noexcept {
  const LockGuard lock(closing_);
  stop_listening();
  socket_.reset();
  wake_.reset();
  reserve_.reset();
}

}  // namespace tenon::net
