// SPDX-License-Identifier: Apache-2.0
//
// The parts of reply handlers (CORBA 3.4 part 1 §17.8, §17.9): the base of the generated AMI_<name>Handler, and the value that
// carries an exception to <op>_excep(). Their skeletons are in reply_upcall.hpp.
//
// A handler is an object like any other. An ExceptionHolder belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ref.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/types/any_fwd.hpp"
#include "tenon/corba/exception.hpp"
#include "tenon/corba/object.hpp"
#include "tenon/corba/value.hpp"

namespace tenon::orb {
class Orb;
}

namespace tenon::gen {
struct AsyncInterface;
}

namespace Messaging {
inline namespace cpp11 {

/// Base of all reply handlers.
class ReplyHandler : public virtual CORBA::Object {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/ReplyHandler:1.0";
  ReplyHandler() = default;
};

/// The exception that a call has raised, on its way to the handler as the octets of its reply.
class ExceptionHolder : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _static_id = "IDL:omg.org/Messaging/ExceptionHolder:1.0";

  ExceptionHolder();
  /// `orb`: its native code sets are those of the exception's text, and the exception's references belong to it.
  explicit ExceptionHolder(const CORBA::UserException& exception, tenon::orb::Orb* orb = nullptr);
  explicit ExceptionHolder(const tenon::Error& error);
  ~ExceptionHolder() override;

  /// Throws it: one of the user exceptions of the operation whose <op>_excep() this is an argument of, or a system exception. Other
  /// user exceptions become UNKNOWN (minor OMG 1).
  [[noreturn]] void raise_exception();
  /// The same for a program that knows the operation's user exceptions as TypeCodes only: one whose TypeCode is in the list is thrown as
  /// CORBA::UnknownUserException, unless <op>_excep() knows it. A program that calls this links tenon::any.
  [[noreturn]] void raise_exception_with_list(const std::vector<CORBA::TypeCodeRef>& exc_list);

  // --- the ORB's own ---
  static CORBA::ValueBase* _make();
  /// The user exceptions that raise_exception() can throw as themselves; constant data.
  void _listed(std::span<const tenon::gen::Raises> exceptions) noexcept { listed_ = exceptions; }
  const tenon::gen::ValueInfo& _value_info() const noexcept override;
  void _put_state(tenon::cdr::Writer& out) const override;
  void _get_state(tenon::cdr::Reader& in) override;

 private:
  tenon::cdr::WireFormat format(tenon::ByteOrder order) const noexcept;
  /// Of the octets of the exception.
  tenon::cdr::Reader reader() const noexcept;
  void keep(const tenon::cdr::Writer& body);

  // The state as the standard names it.
  bool is_system_exception_ = true;
  bool byte_order_ = false;  // true: little-endian
  std::vector<std::uint8_t> marshaled_exception_;
  tenon::Ref<tenon::orb::Orb>
      orb_;  // the ORB of references in the exception's members; null: none in particular
  std::span<const tenon::gen::Raises> listed_;
};

using ExceptionHolderRef = CORBA::valuetype_reference<ExceptionHolder>;

}  // namespace cpp11
}  // namespace Messaging

template <>
struct IDL::traits<Messaging::ReplyHandler> : tenon::gen::InterfaceTraits<Messaging::ReplyHandler> {};
template <>
struct IDL::traits<Messaging::ExceptionHolder>
    : tenon::gen::ValueTypeTraits<Messaging::ExceptionHolder, void, void> {};
