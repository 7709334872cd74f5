// SPDX-License-Identifier: Apache-2.0
//
// What a server makes of the service context of one request (CORBA 3.4 part 2 §10.3, the target's side, without kept contexts). Nothing of
// messages or threads; calls the functions of the program.
#pragma once

#include <optional>
#include <string>

#include "csi/sas_context.hpp"
#include "tenon/csi.hpp"

namespace tenon::csi {

/// Pairs of major and minor status that ContextError has (§10.2.6).
enum class ErrorStatus : std::int32_t {
  invalid_evidence = 1,      ///< 1, 1
  invalid_mechanism = 2,     ///< 2, 1
  conflicting_evidence = 3,  ///< 3, 1
  no_context = 4,            ///< 4, 1
};

struct Judgement {
  Caller caller;                     ///< if it is admitted
  std::optional<ContextBody> reply;  ///< goes with the reply; none: the request had no context
  Error refused;                     ///< none: it is admitted
  std::string why;                   ///< of a refusal, for the client, too
  std::string user;                  ///< of a refusal: who it said it was
};

/// `context`: without data if the request has none. `admit`: whether another password may be looked at now; called at most once, and where
/// it has returned true, `done` follows.
struct Checks {
  virtual bool admit() noexcept = 0;
  virtual void done() noexcept = 0;

 protected:
  ~Checks() = default;
};
Judgement judge(const Target& target, ByteView context, const Identity& peer, Checks& checks);

}  // namespace tenon::csi
