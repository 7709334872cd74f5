// SPDX-License-Identifier: Apache-2.0
//
// One call whose types are known at run time only: what CORBA::Request makes of itself when it is sent.
//
// It owns all that the call needs, so that the request may change or go while the call runs. Values are types::Any: bytes and
// what they were made for; they are written anew for a peer with another format.
// Threads: prepare it on one, run() it, or have it ended() on another; look at the outcome after that one has said that it is done.
#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ref.hpp"
#include "base/trail.hpp"
#include "orb/reference.hpp"
#include "types/any.hpp"

namespace tenon::dynamic {

enum class Direction : std::uint8_t { in = 1, out = 2, inout = 3 };
inline bool travels_in(Direction direction) noexcept { return direction != Direction::out; }
inline bool travels_out(Direction direction) noexcept { return direction != Direction::in; }

struct Argument {
  types::Any value;  ///< of an out argument before the call: the type counts
  Direction direction;
};

/// types::write_value(), but an Any that only says a type fails the writer.
void write_argument(cdr::Writer& out, const types::Any& value);

enum class Outcome : std::uint8_t { none, returned, user_exception, failed };

class DynamicCall final : public RefCounted {
 public:
  // what is to be done
  Ref<orb::Reference> target;
  std::string operation;
  bool oneway = false;
  protocol::CallSpec spec;  ///< what the caller's policies say; described() knows the rest
  std::vector<Argument> arguments;
  types::TypeRef result_type;  ///< null or tk_void: none
  std::vector<types::TypeRef> exceptions;

  // what came of it: out and inout arguments hold what was returned
  Outcome outcome = Outcome::none;
  types::Any result;
  types::Any exception;
  Error failure;
  Trail trail;  ///< of a failure

  /// Calls, and waits for the reply. Errors are outcomes; bad_alloc is one, too.
  void run() noexcept;

  // for asynchronous calls
  protocol::CallSpec described() const noexcept;  ///< refers to this call
  void put(cdr::Writer& out) const;
  /// `reply`: null where `done` is an error, whose trail is the thread's.
  void ended(const Status& done, protocol::ReplyStatus status, cdr::Reader* reply) noexcept;

 private:
  Error call();
  Error read(protocol::ReplyStatus status, cdr::Reader& in);
  Error read_results(cdr::Reader& in);
  Error read_exception(cdr::Reader& in);
};

}  // namespace tenon::dynamic
