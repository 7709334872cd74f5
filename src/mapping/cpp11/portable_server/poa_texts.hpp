// SPDX-License-Identifier: Apache-2.0
//
// What what() of the exceptions of PortableServer says besides the repository id. A part of a program (tenon::parts::texts). Any thread.
#pragma once

#include <atomic>
#include <string>

#include "mapping/cpp11/corba/own_policies.hpp"
#include "tenon/portable_server/poa_exceptions.hpp"

namespace tenon::gen {

struct PoaTexts {
  /// See raise() in poa_exceptions.hpp.
  std::string (*fault)(const PoaException& exception, const poa::Poa* poa, std::string_view subject);
  /// The policy at that place of a list offends that rule; may be nil.
  std::string (*policy)(std::uint16_t place, const PolicyRef& policy, const char* rule);
  /// References to objects of that POA are to outlive the process, but no endpoint will: advice for the log.
  void (*advise_that_moves)(const poa::Poa& poa);
};

/// What use_poa_texts() sets; null before.
extern std::atomic<const PoaTexts*> poa_texts;

/// These texts are made from now on. For good, in the whole process.
void use_poa_texts() noexcept;

}  // namespace tenon::gen
