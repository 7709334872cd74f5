// SPDX-License-Identifier: Apache-2.0
//
// Calls drawn at random and what became of them, for tests and for the program that they kill.
//
// Threads: a Caller belongs to one; a servant is called from any.
#pragma once

#include <atomic>
#include <random>
#include <string>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "target_skel.hpp"
#include "tests/faults/ledger.hpp"

namespace tenon::faults {

using TargetRef = CORBA::object_reference<Faults::Target>;

class TargetServant final : public CORBA::servant_traits<Faults::Target>::base_type {
 public:
  explicit TargetServant(Ledger& ledger) : ledger_(ledger) {}
  void apply(std::uint32_t ticket) override { ledger_.use(ticket); }
  Faults::Blob carry(std::uint32_t ticket, const Faults::Blob& data) override {
    ledger_.use(ticket);
    return data;
  }
  void note(std::uint32_t ticket, const Faults::Blob&) override { ledger_.use(ticket); }

 private:
  Ledger& ledger_;
};

/// Makes calls of random kinds and sizes and writes down how they ended.
class Caller {
 public:
  Caller(TargetRef target, Ledger& ledger, std::uint32_t seed)
      : target_(std::move(target)), ledger_(ledger), random_(seed) {}

  /// One call. False: it raised an exception.
  bool call();
  /// Outcomes that no fault explains: exceptions other than those for a lost peer, results that differ from what was sent.
  const std::string& surprises() const noexcept { return surprises_; }
  std::uint32_t draw(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

 private:
  void make(std::uint32_t ticket);
  Faults::Blob blob();

  const TargetRef target_;
  Ledger& ledger_;
  std::mt19937 random_;
  std::string surprises_;
};

/// Publishes a servant under the name that text_of_target() has.
TargetRef publish_target(const CORBA::object_reference<CORBA::ORB>& orb, Ledger& ledger);
/// An endpoint as the ORB tells it ("iiop://127.0.0.1:1234", "uiop:///path", "shmiop://@name") as an address of the target behind it.
std::string text_of_target(const std::string& endpoint);
/// A ticket as an argument: little-endian.
inline std::vector<std::uint8_t> octets_of(std::uint32_t ticket) {
  std::vector<std::uint8_t> octets;
  for (int shift = 0; shift < 32; shift += 8) octets.push_back(static_cast<std::uint8_t>(ticket >> shift));
  return octets;
}

TargetRef target_at(CORBA::ORB& orb, const std::string& text);

}  // namespace tenon::faults
