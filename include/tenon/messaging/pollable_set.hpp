// SPDX-License-Identifier: Apache-2.0
//
// Sets of pollers (CORBA 3.4 part 1 §11.4.3): waits for whichever reply comes first. Pollable::create_pollable_set() makes one. Safe from
// any thread; a set may outlive the ORBs of its pollers.
#pragma once

#include <cstdint>
#include <string_view>

#include "mapping/cpp11/corba/plain_exception.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/messaging/poller.hpp"

namespace CORBA {
inline namespace cpp11 {

class PollableSet : public virtual LocalObject {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PollableSet:1.0";

  class NoPossiblePollable final : public tenon::gen::PlainException {
   public:
    NoPossiblePollable() noexcept : PlainException(tenon::gen::plain_class<NoPossiblePollable>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PollableSet/NoPossiblePollable:1.0";
  };
  class UnknownPollable final : public tenon::gen::PlainException {
   public:
    UnknownPollable() noexcept : PlainException(tenon::gen::plain_class<UnknownPollable>) {}
    static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/PollableSet/UnknownPollable:1.0";
  };

  PollableSet();
  ~PollableSet() override;

  /// BAD_PARAM (minor OMG 43) if it is in a set already, BAD_PARAM for nil or for a Pollable that is no poller of sendp_.
  void add_pollable(const valuetype_reference<Pollable>& potential);
  /// Takes a poller out of the set whose reply is there. Waits for `timeout` milliseconds; 0xFFFFFFFF: without limit. NO_RESPONSE (minor
  /// OMG 1) if there is none and the time-out was 0, TIMEOUT (minor OMG 1) if there was none in time, NoPossiblePollable if the set is
  /// empty or becomes so: pollers whose reply has been taken leave it.
  valuetype_reference<Pollable> get_ready_pollable(std::uint32_t timeout);
  void remove(const valuetype_reference<Pollable>& potential);
  /// Pollers whose reply has not been taken.
  std::uint16_t number_left();

 private:
  struct Pollers;

  Pollers* const pollers_;  // owned
  tenon::gen::OwnId<PollableSet> own_id_{*this};
};

}  // namespace cpp11
}  // namespace CORBA

template <>
struct IDL::traits<CORBA::PollableSet> : tenon::gen::LocalInterfaceTraits<CORBA::PollableSet> {};
