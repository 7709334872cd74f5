// SPDX-License-Identifier: Apache-2.0
#include "giop/message_text.hpp"

#include <algorithm>
#include <iterator>

#include "base/error_text.hpp"
#include "base/hex.hpp"
#include "giop/control.hpp"
#include "giop/header.hpp"
#include "giop/locate.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"

namespace tenon::giop {
namespace {

std::string type_name(MessageType type) {
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
    case Addressing::reference: return "reference of type '" + printable(target.type_id) + '\'';
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
    out += out.empty() ? ", contexts " : ", ";
    out += context_name(context.id) + " (" + std::to_string(context.data.size()) + " octets)";
  }
  return out;
}

std::string unreadable(const cdr::Reader& reader) {
  return ", whose head cannot be read: " + text(reader.error());
}

std::string request_text(cdr::Reader& body) {
  RequestHeader head;
  if (!read_request(body, head)) return unreadable(body);
  std::string out = ' ' + std::to_string(head.request_id) + ", '" + printable(head.operation) +
                    "' of object " + target_text(head.target);
  switch (head.response) {
    case Response::none: out += ", no reply wanted"; break;
    case Response::server: out += ", reply of the server wanted"; break;
    case Response::target: out += ", reply wanted"; break;
  }
  return out + contexts_text(head.contexts);
}

std::string reply_text(cdr::Reader& body) {
  ReplyHeader head;
  if (!read_reply(body, head)) return unreadable(body);
  std::string out = " to " + std::to_string(head.request_id) + ", ";
  switch (head.status) {
    case ReplyStatus::no_exception: out += "no exception"; break;
    case ReplyStatus::user_exception: out += '\'' + printable(body.get_raw_string()) + '\''; break;
    case ReplyStatus::system_exception: out += text(read_system_exception(body).error); break;
    case ReplyStatus::location_forward: out += "forward to another object"; break;
    case ReplyStatus::location_forward_perm: out += "permanent forward to another object"; break;
    case ReplyStatus::needs_addressing_mode: out += "another addressing disposition is needed"; break;
  }
  return out + contexts_text(head.contexts);
}

std::string locate_request_text(cdr::Reader& body) {
  LocateRequestHeader head;
  if (!read_locate_request(body, head)) return unreadable(body);
  return ' ' + std::to_string(head.request_id) + " for object " + target_text(head.target);
}

std::string locate_reply_text(cdr::Reader& body) {
  LocateReplyHeader head;
  if (!read_locate_reply(body, head)) return unreadable(body);
  std::string out = " to " + std::to_string(head.request_id) + ", ";
  switch (head.status) {
    case LocateStatus::unknown_object: return out + "the object is not known";
    case LocateStatus::object_here: return out + "the object is here";
    case LocateStatus::object_forward: return out + "forward to another object";
    case LocateStatus::object_forward_perm: return out + "permanent forward to another object";
    case LocateStatus::system_exception: return out + text(read_system_exception(body).error);
    case LocateStatus::needs_addressing_mode: return out + "another addressing disposition is needed";
  }
  return out;
}

std::string content_text(const MessageHeader& header, ByteView rest) {
  cdr::Reader body(rest, {.giop_minor = header.minor, .order = header.order}, body_phase, {});
  switch (header.type) {
    case MessageType::request: return request_text(body);
    case MessageType::reply: return reply_text(body);
    case MessageType::locate_request: return locate_request_text(body);
    case MessageType::locate_reply: return locate_reply_text(body);
    case MessageType::cancel_request: return " of request " + std::to_string(body.get<std::uint32_t>());
    case MessageType::fragment:
      return header.minor < 2 ? "" : " of message " + std::to_string(body.get<std::uint32_t>());
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
  std::string out = "GIOP 1." + std::to_string(header.minor) + ' ' + type_name(header.type);
  out += content_text(header, message.subspan(header_size));
  out += ", " + std::to_string((*checked).total()) + " octets, ";
  out += header.order == ByteOrder::little ? "little-endian" : "big-endian";
  if (header.more_fragments) out += ", more fragments follow";
  return out;
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
