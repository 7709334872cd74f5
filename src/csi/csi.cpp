// SPDX-License-Identifier: Apache-2.0
//
// What programs call, and how CSIv2 comes into an ORB.
#include "tenon/csi.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "csi/gss.hpp"
#include "csi/state.hpp"
#include "dynamic/any/any_types.hpp"
#include "mapping/cpp11/corba/own_policies.hpp"
#include "orb/server/serving.hpp"

namespace tenon::gen {
CORBA::object_reference<CORBA::Object> pi_current(orb::Orb& orb);
}

namespace tenon::csi {
namespace {

constexpr char state_key = 0;
constexpr Error bad_setting{SystemException::bad_param, Completion::no, 0};
constexpr Error not_enabled{SystemException::no_implement, Completion::no, 0};

/// Credentials are made by credentials(), from no value.
class Factory final : public PortableInterceptor::PolicyFactory {
 public:
  CORBA::object_reference<CORBA::Policy> create_policy(CORBA::PolicyType, const CORBA::Any&) override {
    throw CORBA::PolicyError(CORBA::UNSUPPORTED_POLICY, "tenon::csi::credentials() makes it");
  }
};

class Initializer final : public PortableInterceptor::ORBInitializer {
 public:
  void pre_init(CORBA::object_reference<PortableInterceptor::ORBInitInfo> info) override {
    orb::Orb* const orb = orb::OrbScope::current();
    if (orb == nullptr) return;
    const auto made = std::make_shared<State>(info->allocate_slot_id());
    orb->attachment(&state_key, [&]() -> std::shared_ptr<void> { return made; });
    info->add_client_request_interceptor(make_client_interceptor());
    info->add_server_request_interceptor(make_server_interceptor(made));
    info->add_ior_interceptor(make_ior_interceptor(made));
    info->register_policy_factory(CREDENTIALS_POLICY_TYPE, CORBA::make_reference<Factory>());
  }
};

std::shared_ptr<State> state_or_raise(CORBA::ORB& orb) {
  auto state = state_of(orb._core());
  if (!state)
    gen::raise_with_reason(not_enabled,
                           "the ORB has no CSIv2: it was initialised before tenon::csi::enable()");
  return state;
}

void check(std::string_view what, std::string_view text, std::size_t longest) {
  if (text.size() > longest)
    gen::raise_with_reason(bad_setting, worded("% has % octets, and may have %",
                                               {what, decimal(text.size()), decimal(longest)}));
  if (text.find('\0') != std::string_view::npos)
    gen::raise_with_reason(bad_setting, worded("% has a NUL in it", {what}));
}

/// A descriptor that is closed at the end.
struct Opened {
  ~Opened() {
    if (descriptor >= 0) ::close(descriptor);
  }
  const int descriptor;
};

}  // namespace

std::shared_ptr<State> state_of(orb::Orb& orb) {
  return std::static_pointer_cast<State>(
      orb.attachment(&state_key, []() -> std::shared_ptr<void> { return nullptr; }));
}

void enable() {
  static std::once_flag once;
  std::call_once(once,
                 [] { PortableInterceptor::register_orb_initializer(CORBA::make_reference<Initializer>()); });
}

// --- clients ---

CORBA::object_reference<CORBA::Policy> CredentialsPolicy::copy() {
  return CORBA::object_reference<CORBA::Policy>(this);
}

CORBA::object_reference<CORBA::Policy> credentials(Credentials what) {
  check("the user", what.user, longest_user);
  check("the password", what.password, longest_password);
  check("the domain", what.domain, longest_user);
  check("the name that is asserted", what.speaks_for.text, longest_user);
  const auto& der = what.speaks_for.der;
  const bool bad_der = der.empty() || der.front() != distinguished_name_begins || der.size() > longest_name;
  if (what.speaks_for.kind == Name::Kind::distinguished && bad_der)
    gen::raise_with_reason(bad_setting, "the distinguished name that is asserted is no X.501 name in DER");
  if (what.speaks_for.kind == Name::Kind::principal && what.speaks_for.text.empty())
    gen::raise_with_reason(bad_setting, "the name that is asserted is empty");
  return CORBA::make_reference<CredentialsPolicy>(std::move(what));
}

void set_credentials(CORBA::ORB& orb, Credentials what) {
  const auto policy = credentials(std::move(what));
  static_cast<void>(state_or_raise(orb));
  Ref<orb::OwnPolicies> added;
  gen::put_own_policy(added, policy);
  gen::set_own_policies_of_orb(orb._core(), orb::laid_over(gen::own_policies_of_orb(orb._core()), added));
}

std::string read_password(const std::string& file) {
  const auto cannot = [&](std::string_view why) {
    gen::raise_with_reason(bad_setting, worded("password file '%': %", {file, why}));
  };
  const Opened opened{::open(file.c_str(), O_RDONLY | O_CLOEXEC)};
  struct stat about{};
  if (opened.descriptor < 0 || ::fstat(opened.descriptor, &about) != 0) cannot(os_error_text(errno));
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    cannot("others than its owner can use it; chmod 600 would make it right");
  char text[longest_password + 2];
  std::size_t size = 0;
  while (size < sizeof text) {
    const ssize_t got = ::read(opened.descriptor, text + size, sizeof text - size);
    if (got < 0) cannot(os_error_text(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  std::string_view line(text, size);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty()) cannot("its first line is empty");
  if (line.size() > longest_password) cannot("its first line is too long");
  return std::string(line);
}

// --- servers ---

void set_target(CORBA::ORB& orb, Target target) {
  const auto state = state_or_raise(orb);
  check("the domain", target.domain, longest_user);
  if (target.checks_at_once == 0)
    gen::raise_with_reason(bad_setting, "checks_at_once is 0, so that no password would ever be right");
  if (target.required && !target.accepts)
    gen::raise_with_reason(bad_setting,
                           "a target that requires a user and password needs a function that accepts them");
  state->set_target(std::make_shared<const Target>(std::move(target)));
}

std::function<bool(const Assertion&)> trusted(std::vector<std::string> users,
                                              std::vector<std::string> subjects) {
  return [users = std::move(users), subjects = std::move(subjects)](const Assertion& asked) {
    if (!asked.user.empty() && std::ranges::find(users, asked.user) != users.end()) return true;
    return asked.peer.kind == "tls" && std::ranges::find(subjects, asked.peer["subject"]) != subjects.end();
  };
}

std::string Caller::text() const {
  if (!*this) return "nobody";
  std::string name;
  switch (speaks_for.kind) {
    case Name::Kind::absent: break;
    case Name::Kind::anonymous: name = "somebody unnamed"; break;
    case Name::Kind::principal: name = printable(speaks_for.text); break;
    case Name::Kind::distinguished: name = worded("the X.501 name %", {to_hex(speaks_for.der)}); break;
  }
  const std::string from = user.empty() ? "a peer without a password" : "user " + printable(user);
  return name.empty() ? from : worded("% for %", {from, name});
}

// The slot has text, since each ORB has a TypeCode for that.
CORBA::Any encode_caller(const Caller& caller) {
  cdr::Encapsulation body;
  body.content().put_raw_string(caller.user);
  body.content().put(static_cast<std::uint32_t>(caller.speaks_for.kind));
  body.content().put_raw_string(caller.speaks_for.text);
  body.content().put_octet_sequence(caller.speaks_for.der);
  CORBA::Any value;
  value <<= to_hex(body.bytes());
  return value;
}

Caller decode_caller(const CORBA::Any& value) {
  std::string text;
  std::vector<std::uint8_t> octets;
  if (!(value >>= text) || !from_hex(text, octets)) return {};
  cdr::Reader in = cdr::Reader::encapsulation(octets);
  Caller caller;
  caller.user = in.get_raw_string();
  caller.speaks_for.kind = static_cast<Name::Kind>(in.get<std::uint32_t>());
  caller.speaks_for.text = in.get_raw_string();
  const ByteView der = in.get_octet_sequence();
  caller.speaks_for.der.assign(der.begin(), der.end());
  return in.good() ? caller : Caller();
}

Caller caller() {
  const orb::UpcallScope* const upcall = orb::UpcallScope::innermost();
  if (upcall == nullptr) gen::raise(errors::no_upcall_here);
  const auto state = state_of(upcall->orb());
  if (!state) return {};
  const auto current = IDL::traits<PortableInterceptor::Current>::narrow(gen::pi_current(upcall->orb()));
  return decode_caller(current->get_slot(state->slot));
}

}  // namespace tenon::csi
