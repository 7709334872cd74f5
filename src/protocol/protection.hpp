// SPDX-License-Identifier: Apache-2.0
//
// Transports whose connections nobody on the way can read or change, and what they know of their peers: for the policies of the Security
// Service (Security::QOP, Security::EstablishTrust). A plug-in for such a transport says so here when it is made; one that says nothing is
// in the clear. The transport itself is transport.hpp's.
//
// Threads: any. What has been said stays for the life of the process.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ior/ior.hpp"
#include "protocol/identity.hpp"
#include "protocol/transport.hpp"

namespace tenon::protocol {

/// Security::AssociationOptions (Security Service 1.8, module Security).
enum Association : std::uint16_t {
  no_protection = 1,
  integrity = 2,
  confidentiality = 4,
  detect_replay = 8,
  detect_misordering = 16,
  trust_in_target = 32,
  trust_in_client = 64,
};

struct Protection {
  /// What a plug-in does by its options.
  struct Standing {
    bool shows_certificate = false;  ///< peers that want to know this side can
    bool verifies_targets =
        true;  ///< those that it connects to must have proved who they are, unless properties say otherwise
    bool asks_clients = false;  ///< those that it accepts are asked who they are
  };
  /// Both are of Association.
  struct Offer {
    std::uint16_t supports = 0;
    std::uint16_t requires_ = 0;
  };

  std::uint32_t profile_tag = 0;
  Standing (*standing)(const TransportPlugin& plugin) noexcept = nullptr;
  /// What a profile says of its server, also one of another plug-in that has a component of this one. nullopt: nothing.
  std::optional<Offer> (*offer)(const ProfileView& profile) = nullptr;
  /// Adds to what a reference that this process has made requires of clients.
  void (*demand)(ior::Ior& made, std::uint16_t requires_) = nullptr;
};

/// For plug-ins, before their first use; the last one of a tag counts. False: there are too many (eight).
bool note_protection(const Protection& what) noexcept;
/// Whether any plug-in of the process has said so.
bool any_protection() noexcept;
/// nullopt: connections of that protocol are in the clear.
std::optional<Protection> protection_of(std::uint32_t profile_tag) noexcept;

/// Properties of connect_with() that such a plug-in reads: whether the peer must prove who it is. Neither: as the plug-in's options say.
inline constexpr std::string_view unverified_target = "trust_in_target=0";
inline constexpr std::string_view verified_target = "trust_in_target=1";

/// The attribute that identities have over such a transport, also where the peer is not known: the version of what protects.
inline constexpr std::string_view protecting_version = "version";
/// Whether what is known of a caller says that the call came over such a transport, or from this process.
inline bool is_protected(const Identity& caller) noexcept {
  return caller.kind == "self" || !caller[protecting_version].empty();
}

}  // namespace tenon::protocol
