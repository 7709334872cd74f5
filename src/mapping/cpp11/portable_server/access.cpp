// SPDX-License-Identifier: Apache-2.0
//
// Rules of access, for programs.
#include "tenon/access.hpp"

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/portable_server/adapter.hpp"
#include "poa/access/guarded_adapter.hpp"

namespace tenon {
namespace {

using Rules = Ref<const poa::AccessRules>;

poa::GuardedAdapter& guarded_adapter_of(orb::Orb& orb) {
  poa::GuardedAdapter* const adapter = poa::guarded_adapter(orb, gen::adapter_of(orb));
  if (adapter == nullptr) gen::raise(errors::no_access_part);
  return *adapter;
}

void set(CORBA::ORB& orb, Rules rules) { guarded_adapter_of(orb._core()).set_rules(std::move(rules)); }

void set(PortableServer::POA& poa, Rules rules) {
  const Status done = guarded_adapter_of(poa._orb()).set_rules(*poa._poa(), std::move(rules));
  if (!done) gen::raise(done.error());
}

template <typename Target>
void set_text(Target& target, std::string_view text) {
  Rules rules = poa::AccessRules::parse(text, "rules of the program");
  if (!rules) gen::raise(memory::shortage());
  if (!rules->fault().empty()) gen::raise_with_reason(errors::bad_access_rules, rules->fault());
  set(target, std::move(rules));
}

template <typename Target>
bool set_file(Target& target, const std::string& file) {
  Rules rules = poa::AccessRules::read_file(file);
  if (!rules) gen::raise(memory::shortage());
  const std::string fault = rules->fault();
  set(target, std::move(rules));
  if (!fault.empty())
    advise("access", worded("calls are refused, since the rules cannot be used: %", {fault}));
  return fault.empty();
}

}  // namespace

void set_access_rules(CORBA::ORB& orb, std::string_view rules) { set_text(orb, rules); }
void set_access_rules(PortableServer::POA& poa, std::string_view rules) { set_text(poa, rules); }
bool read_access_rules(CORBA::ORB& orb, const std::string& file) { return set_file(orb, file); }
bool read_access_rules(PortableServer::POA& poa, const std::string& file) { return set_file(poa, file); }
void remove_access_rules(CORBA::ORB& orb) { set(orb, nullptr); }
void remove_access_rules(PortableServer::POA& poa) { set(poa, nullptr); }

void demand_tls(PortableServer::POA& poa, bool demanded) {
  const Status done = guarded_adapter_of(poa._orb()).demand_tls(*poa._poa(), demanded);
  if (!done) gen::raise(done.error());
}

}  // namespace tenon
