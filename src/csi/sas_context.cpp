// SPDX-License-Identifier: Apache-2.0
#include "csi/sas_context.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::csi {
namespace {

/// CSI::MsgType
enum MessageType : std::int16_t {
  mt_establish_context = 0,
  mt_complete_establish_context = 1,
  mt_context_error = 4,
  mt_message_in_context = 5,
};

Octets octets(cdr::Reader& in) {
  const ByteView view = in.get_octet_sequence();
  return {view.begin(), view.end()};
}

void put(cdr::Writer& out, const EstablishContext& body) {
  out.put<std::int16_t>(mt_establish_context);
  out.put(body.client_context_id);
  out.put_length(body.authorizations.size());
  for (const EstablishContext::Authorization& each : body.authorizations) {
    out.put(each.type);
    out.put_octet_sequence(each.value);
  }
  out.put(body.identity.type);
  if (body.identity.type == itt_absent || body.identity.type == itt_anonymous) {
    out.put(true);
  } else {
    out.put_octet_sequence(body.identity.value);
  }
  out.put_octet_sequence(body.client_token);
}

EstablishContext get_establish(cdr::Reader& in) {
  EstablishContext body;
  body.client_context_id = in.get<std::uint64_t>();
  for (std::size_t left = in.get_length(8, most_authorizations); left > 0 && in.good(); --left) {
    const auto type = in.get<std::uint32_t>();
    body.authorizations.push_back({type, octets(in)});
  }
  body.identity.type = in.get<std::uint32_t>();
  if (body.identity.type == itt_absent || body.identity.type == itt_anonymous) {
    static_cast<void>(in.get<bool>());  // the type says it already
  } else {
    body.identity.value = octets(in);
  }
  body.client_token = octets(in);
  return body;
}

void put(cdr::Writer& out, const CompleteEstablishContext& body) {
  out.put<std::int16_t>(mt_complete_establish_context);
  out.put(body.client_context_id);
  out.put(body.stateful);
  out.put_octet_sequence(body.final_token);
}

CompleteEstablishContext get_complete(cdr::Reader& in) {
  CompleteEstablishContext body;
  body.client_context_id = in.get<std::uint64_t>();
  body.stateful = in.get<bool>();
  body.final_token = octets(in);
  return body;
}

void put(cdr::Writer& out, const ContextError& body) {
  out.put<std::int16_t>(mt_context_error);
  out.put(body.client_context_id);
  out.put(body.major_status);
  out.put(body.minor_status);
  out.put_octet_sequence(body.error_token);
}

ContextError get_error(cdr::Reader& in) {
  ContextError body;
  body.client_context_id = in.get<std::uint64_t>();
  body.major_status = in.get<std::int32_t>();
  body.minor_status = in.get<std::int32_t>();
  body.error_token = octets(in);
  return body;
}

void put(cdr::Writer& out, const MessageInContext& body) {
  out.put<std::int16_t>(mt_message_in_context);
  out.put(body.client_context_id);
  out.put(body.discard);
}

MessageInContext get_message(cdr::Reader& in) {
  MessageInContext body;
  body.client_context_id = in.get<std::uint64_t>();
  body.discard = in.get<bool>();
  return body;
}

/// Fails the reader where it is none of the messages.
ContextBody get_body(cdr::Reader& in) {
  switch (in.get<std::int16_t>()) {
    case mt_establish_context: return get_establish(in);
    case mt_complete_establish_context: return get_complete(in);
    case mt_context_error: return get_error(in);
    case mt_message_in_context: return get_message(in);
    default: in.fail(errors::value_out_of_range); return MessageInContext();
  }
}

}  // namespace

Octets encode(const ContextBody& body) {
  cdr::Encapsulation made;
  std::visit([&](const auto& each) { put(made.content(), each); }, body);
  const ByteView bytes = made.bytes();
  return {bytes.begin(), bytes.end()};
}

std::optional<ContextBody> decode(ByteView data) {
  if (data.size() > longest_context) return std::nullopt;
  cdr::Reader in = cdr::Reader::encapsulation(data);
  ContextBody body = get_body(in);
  if (!in.good()) return std::nullopt;
  return body;
}

}  // namespace tenon::csi
