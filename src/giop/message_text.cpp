// SPDX-License-Identifier: Apache-2.0
#include "giop/message_text.hpp"

#include <algorithm>
#include <iterator>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "giop/control.hpp"
#include "giop/header.hpp"
#include "giop/locate.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"

namespace tenon::giop {
namespace {

constexpr const char* forward = "forward to another object";
constexpr const char* permanent_forward = "permanent forward to another object";
constexpr const char* other_addressing = "another addressing disposition is needed";

const char* type_name(MessageType type) {
  switch (type) {
    case MessageType::request: return "Request";
    case MessageType::reply: return "Reply";
    case MessageType::cancel_request: return "CancelRequest";
    case MessageType::locate_request: return "LocateRequest";
    case MessageType::locate_reply: return "LocateReply";
    case MessageType::close_connection: return "CloseConnection";
    case MessageType::message_error: return "MessageError";
    case MessageType::fragment: return "Fragment";
  }
  return "?";
}

std::string target_text(const Target& target) {
  switch (target.addressing) {
    case Addressing::key: return octets_in_words(target.key);
    case Addressing::profile: return "profile of tag 0x" + hex_number(target.profile_tag, 8);
    case Addressing::reference: return worded("reference of type '%'", {printable(target.type_id)});
  }
  return "?";
}

/// CORBA 3.4 part 2 §9.8, table of service contexts; by their ids.
constexpr std::string_view context_names[] = {"TransactionService",     "CodeSets",
                                              "ChainBypassCheck",       "ChainBypassInfo",
                                              "LogicalThreadId",        "BI_DIR_IIOP",
                                              "SendingContextRunTime",  "INVOCATION_POLICIES",
                                              "FORWARDED_IDENTITY",     "UnknownExceptionInfo",
                                              "RTCorbaPriority",        "RTCorbaPriorityRange",
                                              "FT_GROUP_VERSION",       "FT_REQUEST",
                                              "ExceptionDetailMessage", "SecurityAttributeService",
                                              "ActivityService",        "RMICustomMaxStreamFormat",
                                              "ACCESS_SESSION_ID",      "SERVICE_SESSION_ID",
                                              "FIREWALL_PATH",          "FIREWALL_PATH_RESP"};

/// "0x00000001 CodeSets"; for a vendor's own context only the number.
std::string context_name(std::uint32_t id) {
  std::string out = "0x" + hex_number(id, 8);
  if (id < std::size(context_names)) out.append(" ").append(context_names[id]);
  return out;
}

std::string contexts_text(const ContextList& contexts) {
  std::string out;
  ServiceContext context;
  for (ContextList::Walk at = contexts.walk(); at.next(context);) {
    out += worded("%% (% octets)", {out.empty() ? ", contexts " : ", ", context_name(context.id),
                                    decimal(context.data.size())});
  }
  return out;
}

std::string unreadable(const cdr::Reader& reader) {
  return ", whose head cannot be read: " + text(reader.error());
}

std::string request_text(cdr::Reader& body) {
  RequestHeader head;
  if (!read_request(body, head)) return unreadable(body);
  const char* wanted = ", reply wanted";
  if (head.response == Response::none) wanted = ", no reply wanted";
  if (head.response == Response::server) wanted = ", reply of the server wanted";
  return worded(" %, '%' of object %%%", {decimal(head.request_id), printable(head.operation),
                                          target_text(head.target), wanted, contexts_text(head.contexts)});
}

std::string reply_text(cdr::Reader& body) {
  ReplyHeader head;
  if (!read_reply(body, head)) return unreadable(body);
  std::string what;
  switch (head.status) {
    case ReplyStatus::no_exception: what = "no exception"; break;
    case ReplyStatus::user_exception: what = worded("'%'", {printable(body.get_raw_string())}); break;
    case ReplyStatus::system_exception: what = text(read_system_exception(body).error); break;
    case ReplyStatus::location_forward: what = forward; break;
    case ReplyStatus::location_forward_perm: what = permanent_forward; break;
    case ReplyStatus::needs_addressing_mode: what = other_addressing; break;
  }
  return worded(" to %, %%", {decimal(head.request_id), what, contexts_text(head.contexts)});
}

std::string locate_request_text(cdr::Reader& body) {
  LocateRequestHeader head;
  if (!read_locate_request(body, head)) return unreadable(body);
  return worded(" % for object %", {decimal(head.request_id), target_text(head.target)});
}

std::string locate_reply_text(cdr::Reader& body) {
  LocateReplyHeader head;
  if (!read_locate_reply(body, head)) return unreadable(body);
  std::string what;
  switch (head.status) {
    case LocateStatus::unknown_object: what = "the object is not known"; break;
    case LocateStatus::object_here: what = "the object is here"; break;
    case LocateStatus::object_forward: what = forward; break;
    case LocateStatus::object_forward_perm: what = permanent_forward; break;
    case LocateStatus::system_exception: what = text(read_system_exception(body).error); break;
    case LocateStatus::needs_addressing_mode: what = other_addressing; break;
  }
  return worded(" to %, %", {decimal(head.request_id), what});
}

std::string content_text(const MessageHeader& header, ByteView rest) {
  cdr::Reader body(rest, {.giop_minor = header.minor, .order = header.order}, body_phase, {});
  switch (header.type) {
    case MessageType::request: return request_text(body);
    case MessageType::reply: return reply_text(body);
    case MessageType::locate_request: return locate_request_text(body);
    case MessageType::locate_reply: return locate_reply_text(body);
    case MessageType::cancel_request: return " of request " + decimal(body.get<std::uint32_t>());
    case MessageType::fragment:
      return header.minor < 2 ? "" : " of message " + decimal(body.get<std::uint32_t>());
    case MessageType::close_connection:
    case MessageType::message_error: break;
  }
  return "";
}

}  // namespace

std::string message_in_words(ByteView message) {
  if (message.size() < header_size) return "no GIOP: " + octets_in_words(message);
  const HeaderResult checked = parse_header(message.data(), 0xFFFFFFFF);
  if (!checked) return "no GIOP: " + text(checked.error());
  const MessageHeader& header = **checked;
  return worded(
      "GIOP 1.% %%, % octets, %-endian%",
      {decimal(header.minor), type_name(header.type), content_text(header, message.subspan(header_size)),
       decimal((*checked).total()), header.order == ByteOrder::little ? "little" : "big",
       header.more_fragments ? ", more fragments follow" : ""});
}

std::string start_in_words(ByteView octets) {
  // A TLS record: its type, 20 to 23, then the version, 3.x (RFC 8446 section 5.1).
  if (octets.size() >= 2 && octets[0] >= 20 && octets[0] <= 23 && octets[1] == 3)
    return to_hex(octets) + " (TLS)";
  const auto is_text = [](std::uint8_t c) {
    return (c >= ' ' && c <= '~') || c == '\r' || c == '\n' || c == '\t';
  };
  if (!std::ranges::all_of(octets, is_text)) return to_hex(octets);
  return '\'' + printable({reinterpret_cast<const char*>(octets.data()), octets.size()}) + '\'';
}

}  // namespace tenon::giop
