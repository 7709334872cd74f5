// SPDX-License-Identifier: Apache-2.0
#include "orb/client/tried.hpp"

#include <new>

#include "base/log.hpp"

namespace tenon::orb {

namespace {

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
    made.place = place_of(*bound->endpoint);
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

}  // namespace

std::string place_of(const Endpoint& endpoint) {
  return endpoint.key().transport + ' ' + endpoint.key().address;
}

void note_failure(const Reference& reference, const Link& link, Step step, Error error,
                  std::string_view said) noexcept {
  Trail& trail = Trail::mine();
  if (!link.searched) trail.restart();
  try {
    Try made = failure(reference, link, step, error, said);
    if (log_enabled(LogLevel::debug)) log(LogLevel::debug, "orb", text(made));
    trail.add(std::move(made));
  } catch (const std::bad_alloc&) {
    // The exception comes without it.
  }
}

EarlierTries::~EarlierTries() {
  keep();
  Trail::mine() = std::move(tries_);
}

}  // namespace tenon::orb
