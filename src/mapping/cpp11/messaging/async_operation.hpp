// SPDX-License-Identifier: Apache-2.0
//
// How generated code describes the operations of an interface for sendc_, sendp_, reply handlers and pollers (tenon-idl --ami). The
// library does the rest (ami_call.hpp, reply_upcall.hpp). Constant data; safe from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mapping/cpp11/calls/call.hpp"

namespace Messaging {
inline namespace cpp11 {
class ReplyHandler;
}
}  // namespace Messaging

namespace tenon::gen {

struct ParameterType;

struct AsyncParameter {
  const ParameterType* type;
  bool in_request;
  bool in_reply;
};

/// An operation, with its result as the first parameter.
struct AsyncOperation {
  Operation operation;
  std::string_view reply;  ///< the handler's operation for the results, on the wire: "add"
  std::string_view excep;  ///< the handler's operation for an exception: "add_excep"
  std::span<const AsyncParameter> parameters;
};

/// Runs the handler's operation number `which`: 2 n for the reply to operation n, 2 n + 1 for its exception. `values`: the address of
/// each result, or of the holder; what they hold may be moved away. `handler` is the handler's or the skeleton's class.
using RunHandler = void (*)(void* handler, unsigned which, void* const* values);

/// What asynchronous calls know of an interface: its own operations.
struct AsyncInterface {
  std::span<const AsyncOperation> operations;
  RunHandler run;
  /// Narrows `handler` to the handler class of the interface and returns its address. If it is no such handler, returns null and makes
  /// `handler` nil. May ask the handler.
  void* (*narrow)(CORBA::object_reference<Messaging::ReplyHandler>& handler);
  /// A perfect hash over the names of the handler's operations (base/operation_hash.hpp): slot -> number of the operation + 1, or 0.
  std::uint32_t seed;
  std::span<const std::uint16_t> slots;
};

}  // namespace tenon::gen
