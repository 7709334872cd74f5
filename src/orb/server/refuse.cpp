// SPDX-License-Identifier: Apache-2.0
#include "orb/server/refuse.hpp"

#include <atomic>
#include <string>
#include <vector>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "protocol/exception_detail.hpp"

namespace tenon::orb {

namespace {

/// What the minor code means, and which code set it speaks of.
std::string meaning(const Error& error, const Options& options) {
  std::string text(describe(error));
  if (error.with(Completion::no) != errors::char_not_in_native_set) return text;
  if (const cdr::CharSet* native = cdr::char_set(options.messaging.native.chars))
    text += ", " + std::string(native->name) + " (-ORBNativeCharCodeSet)";
  return text;
}

/// The explanation that goes with the exception; empty: none.
std::string detail(const Error& error, std::string_view what) {
  const UpcallScope* upcall = UpcallScope::innermost();
  if (upcall == nullptr) return {};
  const Options& options = upcall->orb().options();
  switch (options.exception_detail) {
    case ExceptionDetail::none: return {};
    case ExceptionDetail::meaning: return meaning(error, options);
    case ExceptionDetail::full: return what.empty() ? meaning(error, options) : std::string(what);
  }
  return {};
}

cdr::Writer& begin_explained(protocol::IncomingCall& call, const Error& error, std::string_view what) {
  using protocol::ReplyStatus;
  const protocol::ExceptionDetails* const details = protocol::exception_details();
  if (details == nullptr || !call.response_expected || memory::is_exhausted())
    return call.begin_reply(ReplyStatus::system_exception);
  const std::string said = detail(error, what);
  if (said.empty()) return call.begin_reply(ReplyStatus::system_exception);
  const std::vector<std::uint8_t> data = details->encode(said);
  const protocol::ServiceContext context{protocol::exception_detail_context, data};
  return call.begin_reply_with(ReplyStatus::system_exception, {&context, 1}, true);
}

/// The function above, where programs have it; null: nothing is explained.
constinit std::atomic<decltype(&begin_explained)> explained{nullptr};

}  // namespace

void explain_refusals() noexcept { explained.store(&begin_explained, std::memory_order_release); }

void refuse(protocol::IncomingCall& call, const Error& error, std::string_view what) {
  if (call.replied()) return;
  const auto begin = explained.load(std::memory_order_acquire);
  cdr::write_system_exception(
      begin != nullptr ? begin(call, error, what) : call.begin_reply(protocol::ReplyStatus::system_exception),
      error);
  // If the peer is gone, it needs no reply.
  static_cast<void>(call.finish_reply());
}

}  // namespace tenon::orb
