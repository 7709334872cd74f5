// SPDX-License-Identifier: Apache-2.0
//
// For tests: servant managers and adapter activators that note what they are asked, and find out whether they are asked twice at a
// time.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "poa/poa_test_support.hpp"

namespace tenon::poa::test {

inline std::string text_of(ByteView id) { return std::string(id.begin(), id.end()); }

/// Waits for what another thread does; gives up after a time that only a hang takes.
template <typename Condition>
bool eventually(Condition condition) {
  const Deadline deadline = Deadline::after_ms(20000);
  while (!condition()) {
    if (deadline.expired()) return false;
    std::this_thread::yield();
  }
  return true;
}

class Notes {
 public:
  void add(std::string note) {
    std::lock_guard lock(mutex_);
    notes_.push_back(std::move(note));
  }
  std::vector<std::string> all() const {
    std::lock_guard lock(mutex_);
    return notes_;
  }
  std::size_t count() const { return all().size(); }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notes_;
};

class NotingActivator final : public ServantActivator {
 public:
  using Make = std::function<Supplied(ByteView id, WholePoa& poa)>;
  explicit NotingActivator(Make make) : make_(std::move(make)) {}
  void* face() const noexcept override { return nullptr; }

  Supplied incarnate(ByteView id, WholePoa& poa) noexcept override {
    const Alone alone(*this);
    notes.add("incarnate " + text_of(id));
    EXPECT_TRUE(poa.root().in_upcall());
    return make_(id, poa);
  }
  void etherealize(ByteView id, WholePoa& poa, Servant&, bool cleanup, bool remaining) noexcept override {
    const Alone alone(*this);
    notes.add("etherealize " + text_of(id) + (cleanup ? " cleanup" : "") + (remaining ? " remaining" : ""));
    if (on_etherealize) on_etherealize(id, poa);
  }

  Notes notes;
  std::function<void(ByteView id, WholePoa& poa)> on_etherealize;
  std::atomic<int> overlaps{0};

 private:
  struct Alone {
    explicit Alone(NotingActivator& activator) : own(activator) {
      if (own.inside_.fetch_add(1) != 0) ++own.overlaps;
    }
    ~Alone() { own.inside_.fetch_sub(1); }
    NotingActivator& own;
  };
  Make make_;
  std::atomic<int> inside_{0};
};

/// Supplies a fresh counting servant for every id.
inline Ref<NotingActivator> fresh_servants(CountingServant::Counts& counts,
                                           const std::function<void(protocol::IncomingCall&)>& body = {}) {
  return make_ref<NotingActivator>(
      [&counts, body](ByteView, WholePoa&) { return Supplied{make_servant(counts, body), nullptr, {}}; });
}

class NotingLocator final : public ServantLocator {
 public:
  using Make = std::function<Supplied(ByteView id, WholePoa& poa)>;
  explicit NotingLocator(Make make) : make_(std::move(make)) {}
  void* face() const noexcept override { return nullptr; }

  Supplied preinvoke(ByteView id, WholePoa& poa, std::string_view operation,
                     void*& cookie) noexcept override {
    notes.add("preinvoke " + text_of(id) + " " + std::string(operation));
    cookie = this;
    return make_(id, poa);
  }
  Error postinvoke(ByteView id, WholePoa&, std::string_view operation, void* cookie,
                   Servant&) noexcept override {
    EXPECT_EQ(cookie, this);
    notes.add("postinvoke " + text_of(id) + " " + std::string(operation));
    if (on_postinvoke) on_postinvoke();
    return answer;
  }

  Notes notes;
  std::function<void()> on_postinvoke;
  Error answer;

 private:
  Make make_;
};

class NotingPoaActivator final : public AdapterActivator {
 public:
  using Make = std::function<Answer(WholePoa& parent, const std::string& name)>;
  explicit NotingPoaActivator(Make make) : make_(std::move(make)) {}
  void* face() const noexcept override { return nullptr; }
  Answer unknown_adapter(WholePoa& parent, std::string_view called) noexcept override {
    const std::string name(called);
    notes.add(name);
    return make_(parent, name);
  }
  Notes notes;

 private:
  Make make_;
};

inline Policies managed(Retention retention) {
  Policies policies = user_ids();
  policies.retention = retention;
  policies.processing = Processing::servant_manager;
  return policies;
}

}  // namespace tenon::poa::test
