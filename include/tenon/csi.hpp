// SPDX-License-Identifier: Apache-2.0
//
// Users and passwords, and identities that a caller asserts: CSIv2 (CORBA 3.4 part 2 §10) at conformance level 0. docs/security.md has the
// rules and a whole example.
//
//   tenon::csi::enable();                                  // before ORB_init
//   auto orb = CORBA::ORB_init(argc, argv);
//
//   // a server, before it resolves its RootPOA
//   tenon::csi::Target target;
//   target.domain = "bank";
//   target.accepts = [](const tenon::csi::Login& login) { return check(login.user, login.password); };
//   tenon::csi::set_target(*orb, target);
//   ... in a servant: tenon::csi::caller().user
//
//   // a client
//   tenon::csi::set_credentials(*orb, {.user = "alice", .password = tenon::csi::read_password("/etc/bank/password")});
//
// A program that includes it links tenon::any. One that does not links and executes nothing of it.
//
// Threads: all functions may be called from any thread; functions of the program that a Target has are called by every thread that serves.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/corba/orb.hpp"
#include "tenon/corba/policy.hpp"
#include "tenon/peer.hpp"

namespace tenon::csi {

/// From now on ORBs that are initialised have CSIv2: by an ORB initializer, which adds interceptors. Further calls have no effect.
void enable();

/// Whom a caller speaks for (CSI::IdentityToken).
struct Name {
  enum class Kind : std::uint8_t {
    absent,         ///< for itself
    anonymous,      ///< for somebody who is not to be known
    principal,      ///< for a user: `text`
    distinguished,  ///< for an X.501 name: `der`
  };
  Kind kind = Kind::absent;
  std::string text = {};               ///< UTF-8
  std::vector<std::uint8_t> der = {};  ///< X.501 Name in DER, as in a certificate

  static Name anonymous() { return {.kind = Kind::anonymous}; }
  static Name principal(std::string user) { return {.kind = Kind::principal, .text = std::move(user)}; }
  static Name distinguished(std::vector<std::uint8_t> name) {
    return {.kind = Kind::distinguished, .der = std::move(name)};
  }
  explicit operator bool() const noexcept { return kind != Kind::absent; }
  bool operator==(const Name&) const = default;
};

// --- clients ---

/// What calls say of their caller to servers whose references ask for it.
struct Credentials {
  std::string user = {};      ///< UTF-8, up to 1,024 octets; empty: no user and password
  std::string password = {};  ///< UTF-8, up to 4,096 octets
  /// The only domain whose servers get the password; empty: those of any domain.
  std::string domain = {};
  Name speaks_for = {};  ///< asserted to servers that take assertions
  /// Whether they may also go over connections that others can read. Without it they are sent over TLS, Unix-domain sockets and memory
  /// alone.
  bool in_clear = false;
};

inline constexpr CORBA::PolicyType CREDENTIALS_POLICY_TYPE = tenon_vmcid | 5;

/// Credentials as a policy: for one object (_set_policy_overrides()), for the calls of a thread (PolicyCurrent), for an ORB
/// (ORBPolicyManager); the nearest counts. It stays in this process. Without a user and a name it takes those of farther ones away.
class CredentialsPolicy final : public virtual CORBA::Policy {
 public:
  static constexpr std::string_view _static_id = "IDL:tenon/csi/CredentialsPolicy:1.0";
  explicit CredentialsPolicy(Credentials credentials) : credentials_(std::move(credentials)) {}
  const Credentials& credentials() const noexcept { return credentials_; }
  CORBA::PolicyType policy_type() const override { return CREDENTIALS_POLICY_TYPE; }
  CORBA::object_reference<CORBA::Policy> copy() override;

 private:
  const Credentials credentials_;
  gen::OwnId<CredentialsPolicy> own_id_{*this};
};

/// The policy. BAD_PARAM for a user, a password or a name that is longer than it may be, or has a NUL in it.
CORBA::object_reference<CORBA::Policy> credentials(Credentials what);
/// Those of all calls of the ORB, where nothing nearer says otherwise. Raises what credentials() raises; NO_IMPLEMENT if the ORB was
/// initialised before enable().
void set_credentials(CORBA::ORB& orb, Credentials what);
/// The first line of a file, without its end. Raises BAD_PARAM, whose what() says why: it cannot be read, or others than its owner can read
/// it, or there is no such line.
std::string read_password(const std::string& file);

// --- servers ---

/// A user who wants in. Valid during the call.
struct Login {
  std::string_view user;      ///< without the domain, if it was this target's
  std::string_view password;  ///< as the client has sent it
  std::string_view domain;    ///< for which the client has meant it; may be empty
  const Identity& peer;       ///< what is known of the other end of the connection
};

/// A caller who says that it speaks for another one. Valid during the call.
struct Assertion {
  std::string_view user;  ///< whose password was right; empty: there was none
  const Identity& peer;   ///< what is known of the other end of the connection
  const Name& name;
};

/// What a server wants of its callers.
struct Target {
  std::string domain = {};  ///< stands in references as the target's name; up to 1,024 octets
  /// Whether user and password are right. Must not throw; what it throws counts as false. Null: passwords are not taken.
  std::function<bool(const Login&)> accepts = nullptr;
  /// Whether callers without a user and password are refused.
  bool required = true;
  /// Whether passwords are taken, and asked for, in the clear over TCP. Without it they are wanted over TLS, Unix-domain sockets and memory
  /// alone, and those that come otherwise are refused unseen.
  bool in_clear = false;
  /// Whether the caller may speak for that name. As `accepts`. Null: nobody speaks for others.
  std::function<bool(const Assertion&)> trusts = nullptr;
  /// How many passwords are looked at, at the same time; callers beyond get TRANSIENT. Not 0.
  unsigned checks_at_once = 16;
};
/// For all requests to the ORB from now on. References say it whose POAs are made later, so it is set before the RootPOA is resolved. Raises
/// BAD_PARAM for what is longer than it may be; NO_IMPLEMENT if the ORB was initialised before enable().
void set_target(CORBA::ORB& orb, Target target);

/// Callers that `trusts` may name: users whose password was right, and subjects of TLS certificates ("CN=gateway") that were verified.
std::function<bool(const Assertion&)> trusted(std::vector<std::string> users,
                                              std::vector<std::string> subjects = {});

/// Who has made the call, as far as a password and a trusted assertion say.
struct Caller {
  std::string user = {};  ///< whose password was right; empty: there was none
  Name speaks_for = {};   ///< whom the caller speaks for; absent: for itself

  explicit operator bool() const noexcept { return !user.empty() || bool(speaks_for); }
  /// For a log: "user alice", "user gateway for bob", "nobody"; what is not printable is escaped.
  std::string text() const;
  bool operator==(const Caller&) const = default;
};
/// Of the innermost upcall of this thread, as tenon::peer(). BAD_INV_ORDER where there is none. False where the ORB has no target.
Caller caller();

}  // namespace tenon::csi

template <>
struct IDL::traits<tenon::csi::CredentialsPolicy>
    : tenon::gen::LocalInterfaceTraits<tenon::csi::CredentialsPolicy> {};
