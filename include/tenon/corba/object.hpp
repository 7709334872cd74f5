// SPDX-License-Identifier: Apache-2.0
//
// CORBA::Object and CORBA::LocalObject (IDL to C++11 1.6 §6.7, CORBA 3.4 part 1 §8.3), thin over orb::Reference, and what makes
// and narrows references to interface classes.
//
// An interface Foo is a class Foo : virtual CORBA::Object whose virtual operations call over the ORB. Safe from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.hpp"
#include "base/shared_word.hpp"
#include "tenon/corba/object_reference.hpp"

namespace tenon::orb {
class Reference;
}

namespace tenon::gen {

/// A reference of the engine on its way into an object of the mapping. Generated code uses this class, so that it compiles without the
/// engine's classes. Null: nil.
class HeldReference {
 public:
  HeldReference() noexcept = default;
  HeldReference(tenon::Ref<orb::Reference>&& reference) noexcept : held_(reference.detach()) {}
  HeldReference(const tenon::Ref<orb::Reference>& reference) noexcept;
  HeldReference(HeldReference&& other) noexcept : held_(other.release()) {}
  HeldReference& operator=(HeldReference&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~HeldReference() {
    if (held_ != nullptr) drop();
  }
  explicit operator bool() const noexcept { return held_ != nullptr; }
  /// The caller then owns what it held.
  [[nodiscard]] orb::Reference* release() noexcept { return std::exchange(held_, nullptr); }

 private:
  void drop() noexcept;
  orb::Reference* held_ = nullptr;
};

}  // namespace tenon::gen

namespace tenon::gen {
class LocalIds;
template <typename Interface>
CORBA::object_reference<Interface> make_stub(HeldReference reference);
}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

class ExceptionList;
class NVList;
class NamedValue;
class ORB;
class Policy;
class Request;

using PolicyType = std::uint32_t;
enum class SetOverrideType : std::uint32_t { SET_OVERRIDE, ADD_OVERRIDE };

class LocalObject;

class Object : public virtual Counted {
 public:
  /// The interface's repository id; generated interface classes hide it with their own.
  static constexpr std::string_view _static_id = "IDL:omg.org/CORBA/Object:1.0";

  // CORBA 3.4 part 1 §8.3. Each may raise any system exception where it must ask the object. A local object answers itself (LocalObject).
  // They are not virtual, so that a program that holds references and makes no calls does not link calls for their sake.
  bool _is_a(const std::string& logical_type_id);
  bool _non_existent();
  bool _is_local() const noexcept;
  bool _is_equivalent(const object_reference<Object>& other) const;
  std::uint32_t _hash(std::uint32_t maximum) const;
  /// The id that the object itself gives when it is asked.
  std::string _repository_id();
  /// The object's InterfaceDef, from the interface repository that its server knows; narrow it to CORBA::InterfaceDef of
  /// tenon/standard/ir.hpp, which is in a library of its own.
  /// INTF_REPOS (minor OMG 1) where there is none.
  object_reference<Object> _get_interface();
  /// The component that the object belongs to; nil: it is no facet of one.
  object_reference<Object> _get_component();
  /// The ORB that made the reference. OBJECT_NOT_EXIST once it has been destroyed; NO_IMPLEMENT (minor OMG 8) for a local object.
  object_reference<ORB> _get_orb() const;

  // --- policies of calls (CORBA 3.4 part 1 §8.3, §8.9); see call_policies.hpp ---
  /// The policy that counts for a call made now, defaults included; nil if there is none. For a type that the ORB has a policy factory for,
  /// an override, else what the object's server exposes in the reference. INV_POLICY (minor OMG 2) for other types that are not of policies
  /// of calls, and (minor OMG 1) if the override has another value than the server exposes.
  object_reference<Policy> _get_policy(PolicyType type);
  /// As _get_policy(), without defaults.
  object_reference<Policy> _get_client_policy(PolicyType type);
  /// This reference's own policies whose type is in the list; for an empty list, all of them.
  std::vector<object_reference<Policy>> _get_policy_overrides(const std::vector<PolicyType>& types);
  /// A new reference to the same object, with policies of its own; this reference stays as it is.
  object_reference<Object> _set_policy_overrides(const std::vector<object_reference<Policy>>& policies,
                                                 SetOverrideType set_add);
  /// Connects, and asks whether the object is there. Returns true, or an exception says why not. False: `inconsistent_policies` has those
  /// for which _get_policy() raises INV_POLICY.
  bool _validate_connection(std::vector<object_reference<Policy>>& inconsistent_policies);

  // --- calls that are put together at run time; see tenon/dynamic/request.hpp, and link tenon::any ---
  object_reference<Request> _request(const std::string& operation);
  /// A nil result is replaced by a new one. Flags have no effect.
  void _create_request(const std::string& operation, const object_reference<NVList>& arg_list,
                       object_reference<NamedValue>& result, object_reference<Request>& request,
                       std::uint32_t req_flags);
  void _create_request(const std::string& operation, const object_reference<NVList>& arg_list,
                       object_reference<NamedValue>& result, const object_reference<ExceptionList>& exclist,
                       object_reference<Request>& request, std::uint32_t req_flags);

  // --- the ORB's own ---
  /// The engine's reference, over which calls are made; null in a local object.
  const tenon::Ref<tenon::orb::Reference>& _reference() const noexcept { return reference_; }
  void _bind(tenon::gen::HeldReference reference) noexcept;
  /// See timeout.hpp; 0: none of its own.
  std::int64_t _timeout_ms() const noexcept { return timeout_ms_.relaxed(); }
  void _timeout_ms(std::int64_t ms) noexcept;
  /// Calls over this object have policies or a time-out of its own.
  bool _has_policies() const noexcept { return has_policies_.relaxed(); }

 protected:
  Object() noexcept;
  ~Object() override;

 private:
  friend class LocalObject;
  friend object_reference<Object> tenon::gen::make_stub<Object>(tenon::gen::HeldReference reference);
  /// Null: the object is elsewhere, and is asked over reference_.
  virtual LocalObject* local() noexcept { return nullptr; }

  tenon::Ref<tenon::orb::Reference> reference_;
  tenon::SharedWord<std::int64_t> timeout_ms_;
  tenon::SharedWord<bool> has_policies_;
};

/// Base of implementations of local interfaces (CORBA 3.4 part 1 §8.6.3). Remote operations raise NO_IMPLEMENT or are answered here.
class LocalObject : public virtual Object {
 public:
  /// Knows the local interfaces that the object implements, of the program's IDL and of the ORB, and all their bases.
  virtual bool _is_a(const std::string& logical_type_id);
  virtual bool _non_existent() { return false; }
  virtual std::string _repository_id();

 protected:
  // Not in line: then no program has those that only an object of this very class would need, and the virtual table that they set.
  LocalObject() noexcept;
  ~LocalObject() override;

 private:
  friend class tenon::gen::LocalIds;
  LocalObject* local() noexcept final { return this; }
  const tenon::gen::LocalIds* ids_ = nullptr;
};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

/// A member of each generated local interface's class: the repository ids for which _is_a() is true because of that class. One object may
/// be of several such classes, none of which knows of the others. Belongs to the object; any thread reads it once the object is made.
class LocalIds {
 public:
  /// `ids` live as long as the program.
  LocalIds(CORBA::LocalObject& object, std::span<const std::string_view> ids) noexcept
      : ids_(ids), next_(object.ids_) {
    object.ids_ = this;
  }
  LocalIds(const LocalIds&) = delete;
  LocalIds& operator=(const LocalIds&) = delete;

  static bool has(const LocalIds* first, std::string_view id) noexcept;

 private:
  const std::span<const std::string_view> ids_;
  const LocalIds* const next_;
};

/// The same for a local interface of the ORB: its id and those of its bases that have no class here. Bases that have one have a member
/// like this of their own.
template <typename Interface, typename... Base>
class OwnId : public LocalIds {
 public:
  explicit OwnId(CORBA::LocalObject& object) noexcept : LocalIds(object, ids) {}

 private:
  static constexpr std::string_view ids[] = {Interface::_static_id, Base::_static_id...};
};

/// An interface class over a reference, unchecked; nil for a null reference.
template <typename Interface>
CORBA::object_reference<Interface> make_stub(HeldReference reference) {
  if (!reference) return nullptr;
  auto* const stub = new Interface;
  CORBA::object_reference<Interface> made(stub);
  stub->_bind(std::move(reference));
  return made;
}
/// A plain reference to any object (stringified, or of interface Object).
template <>
CORBA::object_reference<CORBA::Object> make_stub<CORBA::Object>(HeldReference reference);

/// Narrowing (§6.7.3): by C++ type if the object has it already, by the reference's type id if that is enough, else by asking the
/// object (_is_a). Nil if the object is of another type. Raises what _is_a() raises.
template <typename Interface>
CORBA::object_reference<Interface> narrow(const CORBA::object_reference<CORBA::Object>& object) {
  if (!object) return nullptr;
  if (auto* same = dynamic_cast<Interface*>(object.get())) return CORBA::object_reference<Interface>(same);
  if constexpr (!std::is_abstract_v<Interface>) {
    if (!object->_is_local() && object->_is_a(std::string(Interface::_static_id))) {
      return make_stub<Interface>(object->_reference());
    }
  }
  return nullptr;
}

template <typename Interface>
CORBA::object_reference<Interface> unchecked_narrow(const CORBA::object_reference<CORBA::Object>& object) {
  if (!object) return nullptr;
  if (auto* same = dynamic_cast<Interface*>(object.get())) return CORBA::object_reference<Interface>(same);
  if constexpr (!std::is_abstract_v<Interface>) return make_stub<Interface>(object->_reference());
  return nullptr;
}

/// The base of IDL::traits<Interface>.
template <typename Interface>
struct InterfaceTraits {
  using ref_type = CORBA::object_reference<Interface>;
  using weak_ref_type = CORBA::weak_object_reference<Interface>;
  static ref_type narrow(const CORBA::object_reference<CORBA::Object>& object) {
    return tenon::gen::narrow<Interface>(object);
  }
  static ref_type unchecked_narrow(const CORBA::object_reference<CORBA::Object>& object) {
    return tenon::gen::unchecked_narrow<Interface>(object);
  }
};

}  // namespace tenon::gen

template <>
struct IDL::traits<CORBA::Object> : tenon::gen::InterfaceTraits<CORBA::Object> {
  static ref_type narrow(const ref_type& object) { return object; }
  static ref_type unchecked_narrow(const ref_type& object) { return object; }
};
