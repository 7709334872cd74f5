// SPDX-License-Identifier: Apache-2.0
#include "bindings/c/servants.hpp"

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "bindings/c/requests.hpp"
#include "ior/ior.hpp"
#include "poa/built_in.hpp"
#include "poa/refuse.hpp"
#include "protocol/incoming_call.hpp"

namespace {

using namespace tenon::c;
using tenon::poa::BuiltIn;

/// What the caller may not learn. Of a servant that says UNKNOWN for what its language threw.
void warn(const tenon::protocol::IncomingCall& call, const tenon_error& error) {
  if (!tenon::log_enabled(tenon::LogLevel::warning)) return;
  const tenon::Error thrown = error_of(error);
  const bool unlisted = thrown.minor == tenon::errors::unlisted_user_exception.minor;
  if (thrown.id != tenon::SystemException::unknown ||
      (!unlisted && thrown.minor != tenon::errors::foreign_exception.minor))
    return;
  tenon::log(tenon::LogLevel::warning, "orb",
             "operation '" + std::string(call.operation) +
                 (unlisted ? "' raised what its IDL does not say that it raises: " : "' threw: ") +
                 error.text);
}

/// Replies to an operation that every object has. False: it is none of them.
bool answer_built_in(const tenon_servant& servant, tenon::protocol::IncomingCall& call) {
  const BuiltIn asked = tenon::poa::built_in(call.operation);
  bool answer = false;
  switch (asked) {
    case BuiltIn::is_a: {
      const std::string_view id = call.arguments.get_raw_string();
      if (!call.arguments.good()) {
        tenon::poa::refuse(call, call.arguments.error().with(tenon::Completion::no));
        return true;
      }
      answer = tenon::poa::is_one_of(id, servant.interface->ids.c_str());
      break;
    }
    case BuiltIn::domain_managers: tenon::poa::refuse(call, tenon::errors::no_domain_managers); return true;
    case BuiltIn::interface: tenon::poa::refuse(call, tenon::errors::no_interface_repository); return true;
    case BuiltIn::none: return false;
    default: break;
  }
  tenon::cdr::Writer& out = call.begin_reply(tenon::protocol::ReplyStatus::no_exception);
  if (asked == BuiltIn::repository_id) {
    out.put_raw_string(servant._most_derived_id());
  } else if (asked == BuiltIn::component) {
    tenon::ior::write_ior(out, {});
  } else {
    out.put(answer);
  }
  // If the peer is gone, it needs no reply.
  static_cast<void>(finish(call, out));
  return true;
}

}  // namespace

tenon_interface::tenon_interface(const char* const* all_ids, std::uint32_t id_count,
                                 const char* const* all_operations, std::uint32_t operation_count) {
  if (id_count == 0) raise_null("the first repository id");
  for (std::uint32_t i = 0; i < id_count; ++i)
    ids.append(&given(all_ids[i], "a repository id")).push_back('\0');
  ids.append("IDL:omg.org/CORBA/Object:1.0").push_back('\0');
  names.reserve(operation_count);
  for (std::uint32_t i = 0; i < operation_count; ++i) {
    names.emplace_back(&given(all_operations[i], "the name of an operation"));
    if (!operations.emplace(names.back(), i).second)
      tenon::gen::raise_with_reason({tenon::SystemException::bad_param, tenon::Completion::no, 0},
                                    "the operation '" + names.back() + "' is there twice");
  }
}

void tenon_servant::upcall(tenon::protocol::IncomingCall& call) {
  if (!call.admit_servant()) return;
  if (tenon::poa::may_be_built_in(call.operation) && answer_built_in(*this, call)) return;
  const auto found = interface->operations.find(call.operation);
  if (found == interface->operations.end()) return tenon::poa::refuse(call, tenon::errors::unknown_operation);
  tenon_request request(call);
  tenon_body arguments = body_of(call.arguments, request.segments);
  request.arguments = &arguments;
  tenon_body results = {};
  results.format = reply_format(call);
  tenon_error error;
  error.exception = 0;
  const tenon_status status = run(context, &request, found->second, &arguments, &results, &error);
  if (status == TENON_SYSTEM_EXCEPTION && error.exception != 0) warn(call, error);
  // A deferred request counts as replied.
  if (!call.replied()) static_cast<void>(reply_with(call, status, &results, &error));
}

tenon_status tenon_interface_new(const char* const* ids, uint32_t id_count, const char* const* operations,
                                 uint32_t operation_count, tenon_interface** interface_, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(interface_, "where the interface is to be put") = nullptr;
    if (id_count != 0) given(ids, "the list of repository ids");
    if (operation_count != 0) given(operations, "the list of operations");
    *interface_ = new tenon_interface(ids, id_count, operations, operation_count);
    return TENON_OK;
  });
}

void tenon_interface_free(tenon_interface* interface_) {
  if (interface_ != nullptr) interface_->remove_ref();
}

tenon_status tenon_servant_new(tenon_interface* interface_, tenon_upcall upcall, tenon_release release,
                               void* context, tenon_servant** servant, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(servant, "where the servant is to be put") = nullptr;
    if (upcall == nullptr) raise_null("the upcall");
    *servant = new tenon_servant(tenon::Ref(&given(interface_, "the interface")), upcall, release, context);
    return TENON_OK;
  });
}

void tenon_servant_free(tenon_servant* servant) {
  if (servant != nullptr) servant->_drop();
}
