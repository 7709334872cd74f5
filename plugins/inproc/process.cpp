// SPDX-License-Identifier: Apache-2.0
#include "plugins/inproc/process.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "net/boot_id.hpp"

namespace tenon::inproc {
namespace {

constinit std::atomic<Process*> known{nullptr};

}  // namespace

Process* Process::current() noexcept {
  Process* process = known.load(std::memory_order_acquire);
  if (process != nullptr && process->id_ == ::getpid()) return process;
  std::unique_ptr<Process> made(new (std::nothrow) Process(process));
  if (made == nullptr || made->text_.empty()) return nullptr;
  // Of several threads that come here, one is the first.
  return known.compare_exchange_strong(process, made.get(), std::memory_order_acq_rel) ? made.release()
                                                                                       : process;
}

Process::Process(Process* former) noexcept : id_(::getpid()), former_(former) {
  std::uint64_t random[2] = {};
  if (::getrandom(random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) return;
  text_ = worded("%/%/%%", {net::boot_id(), decimal(std::int64_t{id_}), hex_number(random[0], 16),
                            hex_number(random[1], 16)});
}

bool Process::add(const Ref<Port>& port) noexcept {
  const LockGuard lock(mutex_);
  const auto same = [&](const Ref<Port>& each) { return each->name() == port->name(); };
  if (std::ranges::any_of(ports_, same)) return false;
  ports_.push_back(port);
  return true;
}

void Process::remove(const Port& port) noexcept {
  const LockGuard lock(mutex_);
  std::erase_if(ports_, [&](const Ref<Port>& each) { return each.get() == &port; });
}

Ref<Port> Process::find(std::string_view name) noexcept {
  const LockGuard lock(mutex_);
  const auto at = std::ranges::find_if(ports_, [&](const Ref<Port>& each) { return each->name() == name; });
  return at == ports_.end() ? nullptr : *at;
}

std::string Process::fresh_name() noexcept {
  const LockGuard lock(mutex_);
  return "tenon-" + decimal_unsigned(++named_);
}

}  // namespace tenon::inproc
