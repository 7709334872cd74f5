// SPDX-License-Identifier: Apache-2.0
#include "orb/client/tried.hpp"

#include <unistd.h>

#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/texts.hpp"
#include "cdr/char_sets.hpp"
#include "ior/components.hpp"
#include "ior/omniorb_unix.hpp"
#include "orb/orb.hpp"

namespace tenon::orb {

namespace {

/// Whether there is memory for texts. Else the exception comes without them.
bool may_write() noexcept { return !memory::is_known() && !memory::is_exhausted(); }

/// "iiop host:2809"
std::string place_of(const LinkKey& key) {
  return std::string(key.transport) + ' ' + std::string(key.address);
}

/// How long ago the request went out, where no other call's request can have gone out since; -1: not known.
std::int64_t ns_since_request(protocol::Connection& connection) {
  if (connection.in_flight() > connection.abandoned() + 1) return -1;
  const std::int64_t ms = connection.transport().ms_since_send();
  return ms < 0 ? -1 : ms * 1'000'000;
}

Try failure(const Reference& reference, const Link& link, Step step, Error error, std::string_view said) {
  Try made{.step = step, .error = error};
  if (said != describe(error)) made.said = said;  // what() contains describe() already
  if (link.target != nullptr) made.profile = link.target->profile_index + 1;
  if (!link.connection) {
    made.place = "this process";
    return made;
  }
  made.address = link.connection->transport().peer();
  const Reference::Binding* bound = reference.binding();
  if (bound != nullptr && &bound->target == link.target && bound->endpoint) {
    made.place = place_of(bound->endpoint->key());
    if (made.place.ends_with(made.address)) made.address.clear();
  }
  if (step != Step::call) return made;
  made.os_error = link.connection->os_error();
  if (made.said.empty()) made.said = link.connection->complaint();
  // What went out last was part of another request, where this one has not been sent.
  if (error != errors::send_timed_out && error != errors::char_not_in_code_set)
    made.took_ns = ns_since_request(*link.connection);
  return made;
}

void write_failed(const Reference& reference, const Link& link, Step step, Error error,
                  std::string_view said) noexcept {
  Trail& trail = Trail::mine();
  if (!link.searched) trail.restart();
  if (!may_write()) return;
  Try made = failure(reference, link, step, error, said);
  const Texts* known = texts();
  if (known != nullptr && log_enabled(LogLevel::debug)) log(LogLevel::debug, "orb", known->attempt(made));
  trail.add(std::move(made));
}

void write_not_taken(const Endpoint& endpoint, const UsableProfile& profile, std::size_t before, Error error,
                     std::int64_t took_ns) noexcept {
  if (may_write()) Trail::mine().place(before, profile.index + 1, place_of(endpoint.key()), error, took_ns);
}

/// The protocol that profiles of the tag are of; empty: none that is known.
std::string_view protocol_of(std::uint32_t tag) noexcept {
  switch (tag) {
    case ior::tag_internet_iop: return "iiop";
    case ior::tag_tao_uiop: return "uiop";
    case 0x544E0002: return "shmiop";
    case 0x544E0003: return "inproc";
    default: return {};
  }
}

std::string this_orb_has_no(std::string_view protocol) {
  return joined({"this ORB has no protocol ", protocol});
}

/// Of an IIOP profile that has no address of TCP; empty: another protocol of the ORB can use it.
std::string why_without_tcp(const Orb& orb, const std::vector<ior::TaggedComponent>& components) {
  if (const auto* const unix_socket = ior::find_component(components, ior::tag_omniorb_unix_trans)) {
    if (orb.transport_named("uiop") == nullptr)
      return "it is reachable over a Unix-domain socket alone, and " + this_orb_has_no("uiop");
    const auto found = ior::read_omniorb_unix(*unix_socket);
    char host[256] = "";
    if (found && ::gethostname(host, sizeof host - 1) == 0 && found->host != host)
      return "it is reachable over a Unix-domain socket alone, of machine " + found->host;
  }
  const bool tls = ior::find_component(components, ior::tag_ssl_sec_trans) != nullptr;
  if (tls && orb.transport_named("ssliop") == nullptr) {
    return joined({"it is reachable over TLS alone, and ", this_orb_has_no("ssliop"),
                   " (-ORBProtocolLibrary libtenon-ssliop.so)"});
  }
  return tls || ior::find_component(components, ior::tag_omniorb_unix_trans) != nullptr ? std::string()
                                                                                        : "it has no address";
}

/// Why a profile leads nowhere here. Empty: the error says it.
std::string why_not_usable(Reference& reference, const ior::TaggedProfile& profile,
                           const protocol::TransportPlugin* transport) {
  if (transport == nullptr) {
    const std::string_view protocol = protocol_of(profile.tag);
    return protocol.empty() ? std::string() : this_orb_has_no(protocol);
  }
  const auto view = transport->read_profile(profile.data);
  if (!view) {
    if (view.error() != errors::bad_address) return {};
    return profile.tag == 0x544E0003 ? "it is of another process"
                                     : "it is of another machine, container or user";
  }
  std::string why;
  if (view->addresses.empty()) why = why_without_tcp(reference.orb(), view->components);
  return why.empty() ? "a policy of the call leaves it out" : why;
}

void write_no_profile(Reference& reference) noexcept {
  if (!may_write()) return;
  const ior::Ior& ior = reference.ior();
  for (std::size_t i = 0; i < ior.profiles.size(); ++i) {
    const ior::TaggedProfile& profile = ior.profiles[i];
    const protocol::TransportPlugin* const transport = reference.orb().transport_for(profile.tag);
    std::string why = why_not_usable(reference, profile, transport);
    Error error = errors::no_usable_profile_implemented;
    if (transport != nullptr) error = why.empty() ? errors::bad_profile : errors::no_usable_profile;
    Trail::mine().add({.step = Step::choose,
                       .profile = i + 1,
                       .place = "tag 0x" + hex_number(profile.tag, 8),
                       .error = error,
                       .said = std::move(why)});
  }
}

/// What the text of a message is in.
std::string code_sets_in_words(const cdr::WireFormat& format) {
  const cdr::CharSet* const chars = cdr::char_set(format.chars);
  std::string text =
      "the transmission code set of char is " + std::string(chars != nullptr ? chars->name : "unknown");
  if (format.wchars == cdr::CodeSet::utf16) text += ", that of wchar is UTF-16";
  if (format.wchars == cdr::CodeSet::ucs2) text += ", that of wchar is UCS-2";
  return text;
}

void write_bad_char(const Reference& reference, const Link& link, const cdr::WireFormat& format) noexcept {
  std::string said;
  if (may_write()) said = code_sets_in_words(format);
  write_failed(reference, link, Step::call, errors::char_not_in_code_set, said);
}

void write_connected(const LinkKey& key, const protocol::Transport& transport) noexcept {
  if (!log_enabled(LogLevel::debug)) return;
  const std::string own = transport.local();  // empty for a Unix-domain socket without a name
  log(LogLevel::debug, "orb", joined({"connected to ", place_of(key), own.empty() ? "" : " from ", own}));
}

void write_not_connected(const LinkKey& key, Error error) noexcept {
  if (log_enabled(LogLevel::info)) {
    log(LogLevel::info, "orb", "cannot connect to " + place_of(key) + ": " + std::string(describe(error)));
  }
}

constexpr CallNotes in_words{.failure = write_failed,
                             .not_taken = write_not_taken,
                             .no_profile = write_no_profile,
                             .bad_char = write_bad_char,
                             .connected = write_connected,
                             .not_connected = write_not_connected};

}  // namespace

void note_calls() noexcept { call_notes.store(&in_words, std::memory_order_release); }

}  // namespace tenon::orb
