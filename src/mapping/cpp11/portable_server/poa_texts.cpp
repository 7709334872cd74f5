// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/portable_server/poa_texts.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "poa/poa.hpp"

namespace tenon::gen {
namespace {

/// As much of the text as helps, in quotes and fit for a terminal.
void append_quoted(std::string& to, std::string_view text) {
  constexpr std::size_t longest = 100;
  to.append(1, '\'').append(printable(text.substr(0, longest))).append(text.size() > longest ? "...'" : "'");
}

/// "POA 'shop/till'", with the names below the root.
void append_name(std::string& to, const poa::Poa& poa) {
  const std::string_view below = poa.path();
  std::string path(below.empty() ? poa.name() : below.substr(0, below.size() - 1));
  std::ranges::replace(path, '\0', '/');
  append_quoted(to.append("POA "), path);
}

std::string text_of_fault(const PoaException& exception, const poa::Poa* poa, std::string_view subject) {
  std::string text;
  for (const char* at = exception.text; *at != '\0'; ++at) {
    if (*at == '$') {
      append_quoted(text, subject);
    } else if (*at == '@' && poa != nullptr) {
      append_name(text, *poa);
    } else {
      text += *at;
    }
  }
  return text;
}

std::string text_of_policy(std::uint16_t place, const PolicyRef& policy, const char* rule) {
  const bool without_factory = policy && !has_policy_name(policy->policy_type());
  return joined({"policy ", std::to_string(place), " of the list, ",
                 policy ? policy_name(policy->policy_type()) : "a nil reference", ": ", rule,
                 without_factory ? ", and the ORB has no policy factory for its type" : ""});
}

void advise_that_moves(const poa::Poa& poa) {
  advise("poa",
         joined({"POA '", poa.name(),
                 "' is PERSISTENT, but the system chooses another endpoint each time this server starts: "
                 "references to its objects will lead nowhere then; choose one, for example "
                 "-ORBListenEndpoints iiop://:2809"}));
}

constexpr PoaTexts all_texts{
    .fault = text_of_fault, .policy = text_of_policy, .advise_that_moves = advise_that_moves};

}  // namespace

void use_poa_texts() noexcept { poa_texts.store(&all_texts, std::memory_order_release); }

}  // namespace tenon::gen
