// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/pollable_set.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/ami_call.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace gen = tenon::gen;

namespace {

using State = Messaging::Poller::_State;

auto is(State state) {
  return [state](const valuetype_reference<Messaging::Poller>& each) { return each->_state() == state; };
}

}  // namespace

PollableSet::PollableSet() : bell_(std::make_shared<gen::Bell>()) {}

PollableSet::~PollableSet() {
  for (const PollerRef& each : pollers_) each->_call().take_bell();
}

void PollableSet::add_pollable(const valuetype_reference<Pollable>& potential) {
  const PollerRef poller(dynamic_cast<Messaging::Poller*>(potential.get()));
  if (!poller) gen::raise(errors::not_a_poller);
  {
    const std::lock_guard lock(bell_->mutex);
    pollers_.reserve(pollers_.size() + 1);
    if (!poller->_call().hang(bell_)) gen::raise(errors::in_another_set);
    pollers_.push_back(poller);
  }
  bell_->ring();
}

/// Those whose reply a poll or a handler has taken. To be dropped after the mutex, because they may hold the application's handlers.
std::vector<PollableSet::PollerRef> PollableSet::take_out_taken() {
  const auto taken = std::ranges::partition(pollers_, std::not_fn(is(State::taken)));
  std::vector<PollerRef> out(std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  pollers_.erase(taken.begin(), taken.end());
  for (const PollerRef& each : out) each->_call().take_bell();
  return out;
}

valuetype_reference<Pollable> PollableSet::get_ready_pollable(std::uint32_t timeout) {
  const tenon::Deadline deadline = gen::poll_deadline(timeout);
  for (;;) {
    std::vector<PollerRef> taken;
    PollerRef serving;  // its ORB has to stay
    tenon::orb::Reactor* reactor = nullptr;
    {
      const std::lock_guard lock(bell_->mutex);
      taken = take_out_taken();
      if (pollers_.empty()) throw NoPossiblePollable();
      const auto ready = std::ranges::find_if(pollers_, is(State::ready));
      if (ready != pollers_.end()) {
        PollerRef found = std::move(*ready);
        pollers_.erase(ready);
        found->_call().take_bell();
        return found;
      }
      for (std::size_t i = 0; reactor == nullptr && i != pollers_.size(); ++i) {
        serving = pollers_[i];
        reactor = serving->_call().reactor_here();
      }
    }
    if (timeout == 0) gen::raise(errors::no_reply_yet);
    const auto changed = [this] {
      return pollers_.empty() || !std::ranges::all_of(pollers_, is(State::pending));
    };
    if (!bell_->wait(reactor, changed, deadline)) gen::raise(errors::reply_not_in_time);
  }
}

void PollableSet::remove(const valuetype_reference<Pollable>& potential) {
  {
    const std::lock_guard lock(bell_->mutex);
    const auto found = std::ranges::find_if(pollers_, [&](const PollerRef& each) {
      return static_cast<const Pollable*>(each.get()) == potential.get();
    });
    if (found == pollers_.end()) throw UnknownPollable();
    (*found)->_call().take_bell();
    pollers_.erase(found);
  }
  bell_->ring();
}

std::uint16_t PollableSet::number_left() {
  std::vector<PollerRef> taken;
  const std::lock_guard lock(bell_->mutex);
  taken = take_out_taken();
  return static_cast<std::uint16_t>(
      std::min<std::size_t>(pollers_.size(), std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace cpp11
}  // namespace CORBA
