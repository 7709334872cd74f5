// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes the text of rules of access. Invariants checked: a text is rules or has a fault that names its source; a fault refuses everything; a
// rule's own text makes the same rule; what is refused has a reason.
#include <cstdlib>

#include "poa/access/access_rules.hpp"

namespace {

using tenon::Ref;
using tenon::poa::AccessRules;
using tenon::protocol::Identity;

void require(bool condition) {
  if (!condition) std::abort();
}

bool allowed(const AccessRules& rules, std::string_view operation, const Identity& who) {
  std::string why;
  const auto caller = [&]() -> const Identity& { return who; };
  const bool allowed = rules.allow("RootPOA/Bank", operation, caller, why);
  require(allowed == why.empty());
  return allowed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Ref<const AccessRules> rules = AccessRules::parse(text, "fuzzed");
  const bool good = rules->fault().empty();
  require(good != rules->rules().empty());
  const Identity callers[] = {{},
                              {"unix", {{"uid", "1000"}, {"gid", "7"}}},
                              {"tls", {{"subject", "CN=app"}, {"name", "DNS:app.example.org"}}}};
  for (const Identity& each : callers) {
    const bool open = allowed(*rules, text.substr(0, 20), each);
    require(good || !open);
  }
  if (!good) {
    require(rules->fault().starts_with("fuzzed"));
    return 0;
  }
  std::string again;
  for (const auto& each : rules->rules()) again.append(each.text).append("\n");
  const Ref<const AccessRules> same = AccessRules::parse(again, "fuzzed again");
  require(same->fault().empty() && same->rules().size() == rules->rules().size());
  for (const Identity& each : callers)
    require(allowed(*rules, "debit", each) == allowed(*same, "debit", each));
  return 0;
}
