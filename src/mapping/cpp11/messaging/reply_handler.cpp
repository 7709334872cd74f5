// SPDX-License-Identifier: Apache-2.0
#include "tenon/messaging/reply_handler.hpp"

#include "cdr/exception_body.hpp"
#include "mapping/cpp11/messaging/pending_call.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "orb/orb.hpp"
#include "orb/server/serving.hpp"
#include "tenon/corba/orb.hpp"

namespace Messaging {
inline namespace cpp11 {

namespace gen = tenon::gen;

ExceptionHolder::ExceptionHolder() = default;

ExceptionHolder::ExceptionHolder(const CORBA::UserException& exception, tenon::orb::Orb* orb)
    : is_system_exception_(false), orb_(orb) {
  tenon::cdr::Writer body(format(tenon::native_order));
  body.put_raw_string(exception._rep_id());
  exception._put(body);
  keep(body);
}

ExceptionHolder::ExceptionHolder(const tenon::Error& error) {
  tenon::cdr::Writer body;
  tenon::cdr::write_system_exception(body, error);
  keep(body);
}

ExceptionHolder::~ExceptionHolder() = default;

CORBA::ValueBase* ExceptionHolder::_make() { return new ExceptionHolder; }

// UTF-8 and UTF-16, as in an encapsulation; the standard does not say which code sets apply.
tenon::cdr::WireFormat ExceptionHolder::format(tenon::ByteOrder order) const noexcept {
  tenon::cdr::WireFormat format;
  format.order = order;
  if (orb_) format.native = orb_->options().messaging.native;
  return format;
}

void ExceptionHolder::keep(const tenon::cdr::Writer& body) {
  if (!body.good()) gen::raise(body.error());
  const tenon::ByteView bytes = body.bytes();
  marshaled_exception_.assign(bytes.begin(), bytes.end());
  byte_order_ = body.format().order == tenon::ByteOrder::little;
}

tenon::cdr::Reader ExceptionHolder::reader() const noexcept {
  return {marshaled_exception_, format(byte_order_ ? tenon::ByteOrder::little : tenon::ByteOrder::big)};
}

void ExceptionHolder::raise_exception() {
  tenon::cdr::Reader in = reader();
  if (is_system_exception_) gen::raise(tenon::cdr::read_system_exception(in).error);
  const tenon::orb::OrbScope scope(orb_ ? *orb_ : gen::current_orb());
  gen::throw_user_exception(in, listed_);
}

const gen::ValueInfo& ExceptionHolder::_value_info() const noexcept {
  static constexpr std::string_view ids[] = {_static_id};
  static constexpr gen::ValueInfo info{ids};
  return info;
}

void ExceptionHolder::_put_state(tenon::cdr::Writer& out) const {
  out.put(is_system_exception_);
  out.put(byte_order_);
  gen::Sequence<gen::Codec<std::uint8_t>>::put(out, marshaled_exception_);
}

void ExceptionHolder::_get_state(tenon::cdr::Reader& in) {
  is_system_exception_ = in.get<bool>();
  byte_order_ = in.get<bool>();
  gen::Sequence<gen::Codec<std::uint8_t>>::get(in, marshaled_exception_);
  orb_ = tenon::Ref<tenon::orb::Orb>(&gen::current_orb());
}

}  // namespace cpp11
}  // namespace Messaging
