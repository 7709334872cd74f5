// SPDX-License-Identifier: Apache-2.0
//
// The server's half of compiled code: the base of all servants, one upcall, and how a skeleton finds an operation.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/function_ref.hpp"
#include "base/operation_hash.hpp"
#include "base/operation_number.hpp"
#include "ior/interface_numbers.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "poa/built_in.hpp"
#include "poa/servant.hpp"
#include "protocol/incoming_request.hpp"

namespace tenon::gen {

/// The exceptions that an operation may raise: all of an array, or only those whose places in it `numbers` gives.
class RaisesList {
 public:
  constexpr RaisesList() noexcept = default;
  constexpr RaisesList(std::span<const Raises> all) noexcept : all_(all.data()), count_(all.size()) {}
  template <std::size_t Count>
  constexpr RaisesList(const Raises (&all)[Count]) noexcept : all_(all), count_(Count) {}
  constexpr RaisesList(const Raises* all, const std::uint32_t* numbers, std::size_t count) noexcept
      : all_(all), numbers_(numbers), count_(count) {}

  std::size_t size() const noexcept { return count_; }
  const Raises& operator[](std::size_t i) const noexcept {
    return all_[numbers_ != nullptr ? numbers_[i] : i];
  }

 private:
  const Raises* all_ = nullptr;
  const std::uint32_t* numbers_ = nullptr;
  std::size_t count_ = 0;
};

/// One request on its way through a skeleton. Lives on the stack of the thread that serves.
class Upcall {
 public:
  /// `request`: the call's base, given separately because generated code does not see the class IncomingCall.
  Upcall(protocol::IncomingCall& call, protocol::IncomingRequest& request) noexcept
      : call_(call), request_(request) {}

  std::string_view operation() const noexcept { return request_.operation; }

  /// The reader from which the skeleton reads in and inout parameters.
  cdr::Reader& arguments() noexcept { return request_.arguments; }
  /// Called after the last one: raises MARSHAL (completed NO) if any could not be read.
  void arguments_read() {
    if (!request_.arguments.good()) [[unlikely]]
      bad_arguments();
    request_.arguments.forget_values();
    completion_ = Completion::maybe;
  }

  /// Writes the results (return value, inout, out) and sends the reply while the skeleton's frame still holds them.
  void reply(Put put);
  /// As reply(put) in two steps, for code that writes the results in between; `before`: the writer's size at their beginning.
  cdr::Writer& begin_results();
  void end_results(cdr::Writer& out, std::size_t before);
  /// Sends the reply of an operation without results.
  void reply();

  RaisesList raises;  ///< of the operation that runs
  const char* counted_for =
      nullptr;  ///< the interface that results count for (usage.hpp); null: nothing is counted
  protocol::IncomingCall& incoming() noexcept { return call_; }
  /// Names an operation that came by its number: from here on the request has this name.
  void operation(std::string_view name) noexcept { request_.operation = name; }
  /// What a failure at this point means for the caller.
  Completion completion() const noexcept { return completion_; }

 private:
  [[noreturn]] void bad_arguments();
  void send_results(cdr::Writer& out, std::size_t before);
  void send(cdr::Writer& out);

  protocol::IncomingCall& call_;
  protocol::IncomingRequest& request_;
  Completion completion_ = Completion::no;
};

/// An operation in the table of skeleton S; inherited ones are entries too.
template <typename S>
struct Entry {
  std::string_view name;
  void (*run)(S& self, Upcall& call);
  std::span<const Raises> raises = {};
};

/// Runs an operation of a base interface's skeleton: what entries of inherited operations name.
template <auto Run, typename S>
void inherited(S& self, Upcall& call) {
  Run(self, call);
}

/// A perfect hash over the entries of S: slot -> entry number + 1, 0 for none. Slots is a power of two; tenon-idl searches a seed
/// without collisions.
template <typename S, std::size_t Entries, std::size_t Slots>
struct OperationTable {
  std::uint32_t seed;
  std::conditional_t<(Entries < 256), std::uint8_t, std::uint16_t> slots[Slots];
  Entry<S> entries[Entries];

  const Entry<S>* find(std::string_view name) const noexcept {
    const unsigned number = slots[operation_hash(name, seed) & (Slots - 1)];
    if (number == 0) return nullptr;
    const Entry<S>& entry = entries[number - 1];
    return same_operation(entry.name, name) ? &entry : nullptr;
  }
};

// What skeletons say of themselves; their numbers stand for entries of operation_tables.hpp.
using ior::InterfaceNumbers;
using ior::Numbering;
using poa::Implemented;
using poa::is_one_of;
using poa::may_be_built_in;

/// What a skeleton's class is, in constant data: there is one for each interface.
struct Skeleton {
  const char* ids;             ///< as Implemented has them
  const Numbering* numbering;  ///< null: none of its own
  const Skeleton* heir_of;  ///< whose numbers the servant understands too, if it has none of its own; or null
  /// Finds the call's operation, here or in a base, and runs it; `self` points to the skeleton's class. False: there is none of that name.
  bool (*dispatch)(void* self, Upcall& call, const Skeleton& skeleton);
};

/// As Skeleton::dispatch, for an interface without operations.
bool dispatch_nothing(void* self, Upcall& call, const Skeleton& skeleton) noexcept;

/// What a skeleton does to find an operation of a base.
template <typename Base>
bool dispatch_inherited(Base& self, Upcall& call) {
  return Base::_skeleton.dispatch(&self, call, Base::_skeleton);
}

/// Finds the call's operation and runs it; false when the table has none of that name.
template <typename S, std::size_t Entries, std::size_t Slots>
bool dispatch(const OperationTable<S, Entries, Slots>& table, S& self, Upcall& call) {
  const Entry<S>* entry = table.find(call.operation());
  if (entry == nullptr) return false;
  call.raises = entry->raises;
  entry->run(self, call);
  return true;
}

}  // namespace tenon::gen

namespace tenon::orb {
class Orb;
}
namespace tenon::poa {
class Poa;
}

namespace PortableServer {
inline namespace cpp11 {

class POA;

/// Base of all servants (IDL to C++11 1.6 §6.25): generated skeletons derive from it, and application classes from those.
class Servant : public virtual CORBA::Counted, public tenon::poa::Servant {
 public:
  /// The POA for implicit activation by _this(); the RootPOA unless overridden (CORBA 3.4 part 1 §15.3.7).
  virtual CORBA::object_reference<POA> _default_POA();

  virtual bool _is_a(const std::string& logical_type_id);
  virtual bool _non_existent();
  /// Its InterfaceDef: what the interface repository has under _most_derived_id(). INTF_REPOS if the ORB has none (docs/poa.md) or that
  /// knows no such interface.
  virtual CORBA::object_reference<CORBA::Object> _get_interface();
  /// The component that the object belongs to; nil unless overridden.
  virtual CORBA::object_reference<CORBA::Object> _get_component();

  // --- the ORB's own ---
  void upcall(tenon::protocol::IncomingCall& call) override;
  tenon::gen::Implemented _implemented() const noexcept override;
  void _hold() noexcept final;
  void _drop() noexcept final;

 protected:
  Servant() = default;
  /// What the constructor of each skeleton does: from here on the servant is this one, `self`, a pointer to the skeleton's class. The last
  /// one is of the most derived interface, since every other one is a base of it (make_reference() sees to that).
  void _serve(const tenon::gen::Skeleton& skeleton, void* self) noexcept {
    _served_by = &skeleton;
    _self = self;
  }
  /// upcall() of an operation that not every object has, without asking whether the call is admitted; it is counted.
  void _run_own(tenon::gen::Upcall& call);

 private:
  // Under names that no parameter of a user's operation can have, which these would hide.
  const tenon::gen::Skeleton* _served_by = nullptr;
  void* _self = nullptr;
};

}  // namespace cpp11
}  // namespace PortableServer

namespace tenon::gen {

/// Called before an upcall of the servant: its call and its results count for the servant's interface, if anything is counted (usage.hpp).
void count_upcall(const PortableServer::Servant& servant, Upcall& call);

/// A reference to the object with that key, which the servant incarnates. It announces the numbers that the servant understands, unless
/// they could reach code that has to see names (docs/poa.md).
tenon::Ref<orb::Reference> servant_reference(orb::Orb& orb, const poa::Poa& poa,
                                             const PortableServer::Servant& servant,
                                             const std::vector<std::uint8_t>& key);

/// What _this() does (CORBA 3.4 part 1 §15.3.7): inside an upcall the reference of its object, else the reference of the object
/// that the servant incarnates, activating it implicitly where the POA's policies allow. Otherwise POA::WrongPolicy, or
/// POA::ServantNotActive.
HeldReference reference_of(PortableServer::Servant& servant);

template <typename Interface>
CORBA::object_reference<Interface> servant_reference(PortableServer::Servant& servant) {
  return make_stub<Interface>(reference_of(servant));
}

/// The base of CORBA::servant_traits<Interface>.
template <typename Skeleton>
struct ServantTraits {
  using base_type = Skeleton;
  using ref_type = CORBA::object_reference<Skeleton>;
  using weak_ref_type = CORBA::weak_object_reference<Skeleton>;
};

template <typename Skeleton, typename T>
class Tie;  // tie.hpp

}  // namespace tenon::gen
