// SPDX-License-Identifier: Apache-2.0
//
// One call whose types are known at run time only. CORBA::Request makes one of its data when it is sent.
//
// It owns all that the call needs, so that the request may change or go while the call runs. Values are types::Any: bytes and
// what they were made for; they are written anew for a peer with another format.
// Threads: one thread prepares it; then run() or ended() may be called by another one. The outcome may be read after that has returned.
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
  types::Any value;  ///< for an out argument only its type counts before the call
  Direction direction;
};

/// types::write_value(), but an Any that has a type and no value fails the writer.
void write_argument(cdr::Writer& out, const types::Any& value);

enum class Outcome : std::uint8_t { none, returned, user_exception, failed };

/// Called inside a catch block: what code of values has thrown, as data.
Error current_error(Completion completed) noexcept;

class DynamicCall final : public RefCounted, public protocol::CallDescription {
 public:
  // what is to be done
  Ref<orb::Reference> target;
  std::string operation;
  bool oneway = false;
  protocol::CallSpec spec;  ///< as the caller's policies say; described() adds the rest
  std::vector<Argument> arguments;
  types::TypeRef result_type;  ///< null or tk_void: none
  std::vector<types::TypeRef> exceptions;

  // the outcome: out and inout arguments then hold what was returned
  Outcome outcome = Outcome::none;
  types::Any result;
  types::Any exception;
  Error failure;
  Trail trail;  ///< of a failure

  /// Calls, and waits for the reply. Errors, bad_alloc included, are put into the outcome.
  void run() noexcept;

  // for asynchronous calls
  protocol::CallSpec described() const noexcept;  ///< refers to this call
  void put(cdr::Writer& out) const;
  /// What a reply without exception says: the return value, then inout and out arguments in order. An error: it is malformed.
  struct Results {
    types::Any returned;
    std::vector<types::Any> values;
  };
  Error read_results(cdr::Reader& in, Results& into) const;
  /// `reply`: null if `done` is an error, whose trail is then that of the calling thread.
  void ended(const Status& done, protocol::ReplyStatus status, cdr::Reader* reply) noexcept;

 private:
  Error call();
  Error read(protocol::ReplyStatus status, cdr::Reader& in);
  Error take_results(cdr::Reader& in);
  Error read_exception(cdr::Reader& in);
};

}  // namespace tenon::dynamic
