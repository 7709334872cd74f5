// SPDX-License-Identifier: Apache-2.0
#include "orb/server/refuse.hpp"

#include <new>

#include "cdr/exception_body.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "protocol/exception_detail.hpp"

namespace tenon::orb {

namespace {

/// The explanation that goes with the exception; empty: none.
std::string_view detail(const Error& error, std::string_view what) noexcept {
  const UpcallScope* upcall = UpcallScope::innermost();
  if (upcall == nullptr) return {};
  switch (upcall->orb().options().exception_detail) {
    case ExceptionDetail::none: return {};
    case ExceptionDetail::meaning: return describe(error);
    case ExceptionDetail::full: return what.empty() ? describe(error) : what;
  }
  return {};
}

cdr::Writer& begin(protocol::IncomingCall& call, std::string_view said) {
  using protocol::ReplyStatus;
  if (said.empty() || !call.response_expected) return call.begin_reply(ReplyStatus::system_exception);
  try {
    const std::vector<std::uint8_t> data = protocol::encode_exception_detail(said);
    const protocol::ServiceContext context{protocol::exception_detail_context, data};
    return call.begin_reply_with(ReplyStatus::system_exception, {&context, 1}, true);
  } catch (const std::bad_alloc&) {
    return call.begin_reply(ReplyStatus::system_exception);
  }
}

}  // namespace

void refuse(protocol::IncomingCall& call, const Error& error, std::string_view what) {
  if (call.replied()) return;
  cdr::write_system_exception(begin(call, detail(error, what)), error);
  // If the peer is gone, it needs no reply.
  static_cast<void>(call.finish_reply());
}

}  // namespace tenon::orb
