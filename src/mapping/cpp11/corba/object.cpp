// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/object.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "orb/reference.hpp"
#include "tenon/corba/orb.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace {

constexpr tenon::gen::Operation is_a{.name = "_is_a"};
constexpr tenon::gen::Operation non_existent{.name = "_non_existent", .has_arguments = false};
constexpr tenon::gen::Operation repository_id{.name = "_repository_id", .has_arguments = false};
constexpr tenon::gen::Operation interface_def{.name = "_interface", .has_arguments = false};
constexpr tenon::gen::Operation component{.name = "_component", .has_arguments = false};

object_reference<Object> ask_for_object(Object& self, const tenon::gen::Operation& operation) {
  object_reference<Object> answer;
  tenon::gen::call(self, operation, tenon::gen::put_nothing,
                   [&](tenon::cdr::Reader& in) { tenon::gen::Reference<Object>::get(in, answer); });
  return answer;
}

}  // namespace

Object::Object() noexcept = default;
Object::~Object() = default;
LocalObject::LocalObject() noexcept = default;
LocalObject::~LocalObject() = default;

bool Object::_is_local() const noexcept { return const_cast<Object*>(this)->local() != nullptr; }

void Object::_timeout_ms(std::int64_t ms) noexcept {
  timeout_ms_.set_relaxed(ms);
  has_policies_.set_relaxed(ms != 0 || (reference_ && reference_->policies() != nullptr));
}

void Object::_bind(tenon::gen::HeldReference reference) noexcept {
  reference_ = tenon::Ref<tenon::orb::Reference>::adopt(reference.release());
  has_policies_.set_relaxed(reference_ && reference_->policies() != nullptr);
}

bool Object::_is_a(const std::string& logical_type_id) {
  if (LocalObject* const here = local()) return here->_is_a(logical_type_id);
  if (logical_type_id == _static_id) return true;
  if (reference_ && reference_->type_id() == logical_type_id) return true;
  bool answer = false;
  tenon::gen::call(
      *this, is_a, [&](tenon::cdr::Writer& out) { out.put_raw_string(logical_type_id); },
      [&](tenon::cdr::Reader& in) { answer = in.get_boolean(); });
  return answer;
}

bool Object::_non_existent() {
  if (LocalObject* const here = local()) return here->_non_existent();
  bool answer = false;
  try {
    tenon::gen::call(*this, non_existent, tenon::gen::put_nothing,
                     [&](tenon::cdr::Reader& in) { answer = in.get_boolean(); });
  } catch (const SystemException& exception) {
    // Its class would be in each program that has objects.
    if (exception._error().id != tenon::SystemException::object_not_exist) throw;
    return true;
  }
  return answer;
}

bool Object::_is_equivalent(const object_reference<Object>& other) const {
  if (!other) return false;
  if (other.get() == this) return true;
  if (!reference_ || !other->reference_) return false;
  return tenon::ior::equivalent(reference_->ior(), other->reference_->ior());
}

std::uint32_t Object::_hash(std::uint32_t maximum) const {
  const std::uint32_t hash = reference_
                                 ? tenon::ior::hash(reference_->ior())
                                 : static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(this) >> 4);
  return maximum == 0xFFFFFFFF ? hash : hash % (maximum + 1);
}

std::string Object::_repository_id() {
  if (LocalObject* const here = local()) return here->_repository_id();
  std::string id;
  tenon::gen::call(*this, repository_id, tenon::gen::put_nothing,
                   [&](tenon::cdr::Reader& in) { id = in.get_raw_string(); });
  return id;
}

object_reference<Object> Object::_get_interface() { return ask_for_object(*this, interface_def); }
object_reference<Object> Object::_get_component() { return ask_for_object(*this, component); }

object_reference<ORB> Object::_get_orb() const {
  if (!reference_) tenon::gen::raise(tenon::errors::local_operation);
  return tenon::gen::face_of(reference_->orb());
}

bool LocalObject::_is_a(const std::string& logical_type_id) {
  return logical_type_id == Object::_static_id || tenon::gen::LocalIds::has(ids_, logical_type_id);
}

std::string LocalObject::_repository_id() { tenon::gen::raise(tenon::errors::local_operation); }

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

template <>
CORBA::object_reference<CORBA::Object> make_stub<CORBA::Object>(HeldReference reference) {
  if (!reference) return nullptr;
  auto* const plain = new CORBA::Object;
  CORBA::object_reference<CORBA::Object> made(plain);
  plain->_bind(std::move(reference));
  return made;
}

bool LocalIds::has(const LocalIds* first, std::string_view id) noexcept {
  for (const LocalIds* each = first; each != nullptr; each = each->next_) {
    if (std::ranges::find(each->ids_, id) != each->ids_.end()) return true;
  }
  return false;
}

HeldReference::HeldReference(const Ref<orb::Reference>& reference) noexcept
    : HeldReference(Ref<orb::Reference>(reference)) {}

void HeldReference::drop() noexcept { held_->remove_ref(); }

void raise_nil_called() { raise(errors::nil_called); }

}  // namespace tenon::gen
