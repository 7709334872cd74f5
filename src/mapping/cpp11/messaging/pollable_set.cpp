// SPDX-License-Identifier: Apache-2.0
#include "tenon/messaging/pollable_set.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/messaging/started_call.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace errors = tenon::errors;
namespace gen = tenon::gen;

namespace {

using PollerRef = valuetype_reference<Messaging::Poller>;
using State = Messaging::Poller::_State;

auto is(State state) {
  return [state](const PollerRef& each) { return each->_state() == state; };
}

}  // namespace

struct PollableSet::Pollers {
  ~Pollers() {
    for (const PollerRef& each : in_it) each->_call().take_bell();
  }
  std::vector<PollerRef> take_out_taken();

  const std::shared_ptr<gen::Bell> bell = std::make_shared<gen::Bell>();
  std::vector<PollerRef> in_it;  // guarded by the bell's mutex
};

PollableSet::PollableSet() : pollers_(new Pollers) {}

PollableSet::~PollableSet() { delete pollers_; }

void PollableSet::add_pollable(const valuetype_reference<Pollable>& potential) {
  const PollerRef poller(dynamic_cast<Messaging::Poller*>(potential.get()));
  if (!poller) gen::raise(errors::not_a_poller);
  {
    const std::lock_guard lock(pollers_->bell->mutex);
    pollers_->in_it.reserve(pollers_->in_it.size() + 1);
    if (!poller->_call().hang(pollers_->bell)) gen::raise(errors::in_another_set);
    pollers_->in_it.push_back(poller);
  }
  pollers_->bell->ring();
}

/// Takes out pollers whose reply a poll or a handler has taken. The caller drops them without the mutex: they may hold the application's
/// handlers.
std::vector<PollerRef> PollableSet::Pollers::take_out_taken() {
  const auto taken = std::ranges::partition(in_it, std::not_fn(is(State::taken)));
  std::vector<PollerRef> out(std::make_move_iterator(taken.begin()), std::make_move_iterator(taken.end()));
  in_it.erase(taken.begin(), taken.end());
  for (const PollerRef& each : out) each->_call().take_bell();
  return out;
}

valuetype_reference<Pollable> PollableSet::get_ready_pollable(std::uint32_t timeout) {
  const tenon::Deadline deadline = gen::poll_deadline(timeout);
  for (;;) {
    std::vector<PollerRef> taken;
    PollerRef serving;  // its ORB has to stay
    tenon::orb::Orb* served = nullptr;
    {
      const std::lock_guard lock(pollers_->bell->mutex);
      taken = pollers_->take_out_taken();
      if (pollers_->in_it.empty()) throw NoPossiblePollable();
      const auto ready = std::ranges::find_if(pollers_->in_it, is(State::ready));
      if (ready != pollers_->in_it.end()) {
        PollerRef found = std::move(*ready);
        pollers_->in_it.erase(ready);
        found->_call().take_bell();
        return found;
      }
      for (std::size_t i = 0; served == nullptr && i != pollers_->in_it.size(); ++i) {
        serving = pollers_->in_it[i];
        served = serving->_call().served_here();
      }
    }
    if (timeout == 0) gen::raise(errors::no_reply_yet);
    const auto changed = [this] {
      return pollers_->in_it.empty() || !std::ranges::all_of(pollers_->in_it, is(State::pending));
    };
    if (!pollers_->bell->wait(served, changed, deadline)) gen::raise(errors::reply_not_in_time);
  }
}

void PollableSet::remove(const valuetype_reference<Pollable>& potential) {
  {
    const std::lock_guard lock(pollers_->bell->mutex);
    const auto found = std::ranges::find_if(pollers_->in_it, [&](const PollerRef& each) {
      return static_cast<const Pollable*>(each.get()) == potential.get();
    });
    if (found == pollers_->in_it.end()) throw UnknownPollable();
    (*found)->_call().take_bell();
    pollers_->in_it.erase(found);
  }
  pollers_->bell->ring();
}

std::uint16_t PollableSet::number_left() {
  std::vector<PollerRef> taken;
  const std::lock_guard lock(pollers_->bell->mutex);
  taken = pollers_->take_out_taken();
  return static_cast<std::uint16_t>(
      std::min<std::size_t>(pollers_->in_it.size(), std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace cpp11
}  // namespace CORBA
