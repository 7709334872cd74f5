// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes what a connection does with bytes from a peer: headers of messages, requests and replies, fragments, contexts, targets, the
// session's rules. The input is a byte stream; the first octet chooses the side and the tolerance.
// Invariants checked: memory stays in the budget, what was read is written back to an equal header.
#include <cstdlib>

#include "giop/control.hpp"
#include "giop/fragments.hpp"
#include "giop/locate.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "giop/session.hpp"

namespace {

using namespace tenon;
using namespace tenon::giop;

void require(bool condition) {
  if (!condition) std::abort();
}

bool equal(ByteView a, ByteView b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

/// A header that can be written by key is written and read again.
void check_again(const MessageHeader& header, const RequestHeader& head) {
  if (head.target.addressing != Addressing::key) return;
  std::vector<ServiceContext> contexts;
  ServiceContext context;
  for (ContextList::Walk walk = head.contexts.walk(); walk.next(context);) contexts.push_back(context);
  require(contexts.size() == head.contexts.size());
  cdr::WireFormat format;
  format.giop_minor = header.minor;
  format.order = header.order;
  cdr::Writer writer(format);
  begin_request(writer, {head.request_id, head.response, by_key(head.target.key), head.operation, contexts,
                         head.principal, false});
  finish_message(writer);
  require(writer.good());
  cdr::Reader reader(writer.bytes().subspan(header_size), format, body_phase);
  RequestHeader again;
  require(static_cast<bool>(read_request(reader, again)));
  require(again.request_id == head.request_id && again.response == head.response);
  require(again.operation == head.operation && equal(again.target.key, head.target.key));
  require(equal(again.principal, head.principal) && again.contexts.size() == head.contexts.size());
  for (const ServiceContext& item : contexts) require(again.contexts.find(item.id).data() != nullptr);
}

/// The quick path for usual requests and the general one must agree. A restart behind the last octet changes nothing but that
/// the reader counts as segmented, which switches the quick path off.
void check_paths(const cdr::WireFormat& format, ByteView body, const RequestHeader& head,
                 std::size_t position) {
  const cdr::Restart restart[] = {{body.size(), 0}};
  cdr::Reader reader(body, format, body_phase, restart);
  RequestHeader general;
  require(static_cast<bool>(read_request(reader, general)));
  require(reader.position() == position);
  require(general.request_id == head.request_id && general.response == head.response);
  require(general.operation == head.operation && general.contexts.size() == head.contexts.size());
  require(general.target.addressing == head.target.addressing);
  require(equal(general.target.key, head.target.key) && equal(general.principal, head.principal));
}

void check_paths(const cdr::WireFormat& format, ByteView body, const ReplyHeader& head,
                 std::size_t position) {
  const cdr::Restart restart[] = {{body.size(), 0}};
  cdr::Reader reader(body, format, body_phase, restart);
  ReplyHeader general;
  require(static_cast<bool>(read_reply(reader, general)));
  require(reader.position() == position);
  require(general.request_id == head.request_id && general.status == head.status);
  require(general.contexts.size() == head.contexts.size());
}

void read_message(Session& session, Assembler& assembler, const CheckedHeader& header, ByteView body,
                  std::span<const cdr::Restart> restarts) {
  if (!session.received(header)) return;
  cdr::Reader reader(body, session.server_format(header->minor, header->order), body_phase, restarts);
  switch (header->type) {
    case MessageType::request: {
      RequestHeader head;
      if (!read_request(reader, head)) return;
      if (restarts.empty()) check_paths(reader.format(), body, head, reader.position());
      if (const auto key = object_key(head.target)) require(key->size() <= body.size());
      (void)session.read_code_sets(header->minor, head.contexts);
      if (restarts.empty()) check_again(*header, head);
      break;
    }
    case MessageType::reply: {
      ReplyHeader head;
      if (!read_reply(reader, head)) return;
      if (restarts.empty()) check_paths(reader.format(), body, head, reader.position());
      if (head.status == ReplyStatus::system_exception) read_system_exception(reader);
      if (head.status == ReplyStatus::needs_addressing_mode) read_addressing(reader);
      break;
    }
    case MessageType::cancel_request: {
      const auto id = read_cancel_request(header, body);
      if (id) assembler.cancel(*id);
      if (id) assembler.discard_reply(*id);
      break;
    }
    case MessageType::locate_request: {
      LocateRequestHeader head;
      if (read_locate_request(reader, head)) (void)object_key(head.target);
      break;
    }
    case MessageType::locate_reply: {
      LocateReplyHeader head;
      (void)read_locate_reply(reader, head);
      break;
    }
    case MessageType::close_connection:
    case MessageType::message_error:
    case MessageType::fragment: break;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  SessionOptions options;
  options.side = (data[0] & 1) != 0 ? Side::acceptor : Side::originator;
  options.bidirectional = (data[0] & 2) != 0;
  FragmentLimits limits;
  limits.largest_message = 1u << 16;
  limits.memory = 1u << 17;
  limits.series = 8;
  limits.unaligned = (data[0] & 4) != 0;
  Session session(options);
  Assembler assembler(limits);
  ByteView stream(data + 1, size - 1);
  while (session.open() && stream.size() >= header_size) {
    const HeaderResult header = parse_header(stream.data(), 1u << 20);
    if (!header) {
      require(static_cast<bool>(header.error()));
      break;
    }
    if (header->total() > stream.size()) break;
    const ByteView body = stream.subspan(header_size, (*header)->size);
    stream = stream.subspan(header->total());
    if (!Assembler::concerns(*header)) {
      read_message(session, assembler, *header, body, {});
      continue;
    }
    Assembled whole;
    const auto joined = assembler.add(*header, body, whole);
    require(assembler.memory() <= limits.memory + sizeof(cdr::Restart) * 2 * size);
    if (!joined) break;
    if (*joined == Joined::complete)
      read_message(session, assembler, whole.header, whole.body(), whole.restarts);
  }
  return 0;
}
