// SPDX-License-Identifier: Apache-2.0
//
// Object references as text, inside bodies, and as handles.
#include <cstring>

#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"
#include "ior/ior.hpp"
#include "orb/orb.hpp"
#include "orb/reference.hpp"

namespace {

using namespace tenon::c;

tenon_reference* handle_of(CORBA::object_reference<CORBA::Object> object) {
  if (!object) return nullptr;
  if (!object->_reference()) tenon::gen::raise(tenon::errors::local_object);
  return new tenon_reference(std::move(object));
}

}  // namespace

tenon_status tenon_reference_from_text(tenon_orb* orb, const char* text, tenon_reference** reference,
                                       tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(reference, "where the reference is to be put") = nullptr;
    *reference = handle_of(given(orb, "the ORB").orb->string_to_object(&given(text, "the text")));
    return TENON_OK;
  });
}

tenon_status tenon_reference_to_text(const tenon_reference* reference, char* into, uint64_t capacity,
                                     uint64_t* size, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    const CORBA::object_reference<CORBA::Object>& object = given(reference, "the reference").object;
    const std::string text = tenon::gen::face_of(object->_reference()->orb())->object_to_string(object);
    given(size, "where the size is to be put") = text.size();
    if (capacity <= text.size()) return TENON_NO_ROOM;
    std::memcpy(&given(into, "where the text is to be put"), text.c_str(), text.size() + 1);
    return TENON_OK;
  });
}

tenon_status tenon_orb_initial_reference(tenon_orb* orb, const char* name, tenon_reference** reference,
                                         tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(reference, "where the reference is to be put") = nullptr;
    *reference = handle_of(given(orb, "the ORB").orb->resolve_initial_references(&given(name, "the name")));
    return TENON_OK;
  });
}

tenon_status tenon_reference_read(tenon_orb* orb, const tenon_body* body, uint64_t* position,
                                  tenon_reference** reference, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(reference, "where the reference is to be put") = nullptr;
    const tenon_body& from = given(body, "the body");
    std::uint64_t& at = given(position, "the position");
    if (at > from.size) return fail(error, tenon::errors::out_of_data);
    const tenon::cdr::WireFormat format{
        .giop_minor = from.format.giop_minor,
        .order = from.format.little_endian != 0 ? tenon::ByteOrder::little : tenon::ByteOrder::big};
    std::vector<tenon::cdr::Restart> restarts;
    std::size_t phase = static_cast<std::size_t>(from.format.phase + at);
    for (std::uint32_t i = 0; i < from.segment_count; ++i) {
      const tenon_segment& each = from.segments[i];
      if (each.offset > at) {
        restarts.push_back(
            {static_cast<std::size_t>(each.offset - at), static_cast<std::size_t>(each.phase)});
      } else {
        phase = static_cast<std::size_t>(each.phase + (at - each.offset));
      }
    }
    tenon::cdr::Reader in({from.data + at, static_cast<std::size_t>(from.size - at)}, format, phase & 7,
                          restarts);
    tenon::ior::Ior ior;
    tenon::ior::read_ior(in, ior);
    if (!in.good()) return fail(error, in.error());
    if (!ior.nil())
      *reference = handle_of(
          tenon::gen::make_stub<CORBA::Object>(given(orb, "the ORB").core().reference(std::move(ior))));
    at += in.position();
    return TENON_OK;
  });
}

tenon_status tenon_reference_write(const tenon_reference* reference, uint8_t* data, uint64_t capacity,
                                   uint32_t phase, uint64_t* position, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    std::uint64_t& at = given(position, "the position");
    tenon::cdr::Writer out({}, static_cast<std::size_t>(phase + at) & 7);
    tenon::ior::write_ior(out, reference != nullptr ? reference->engine().ior() : tenon::ior::Ior());
    if (!out.good()) return fail(error, out.error());
    const std::uint64_t start = at;
    at += out.size();
    if (at > capacity) return TENON_NO_ROOM;
    std::memcpy(&given(data, "where the reference is to be put") + start, out.bytes().data(), out.size());
    return TENON_OK;
  });
}

const char* tenon_reference_type_id(const tenon_reference* reference) {
  return reference != nullptr ? reference->engine().ior().type_id.c_str() : "";
}

int32_t tenon_reference_is_local(const tenon_reference* reference) {
  if (reference == nullptr) return 0;
  tenon::orb::Reference& engine = reference->engine();
  const tenon::orb::Orb& orb = engine.orb();
  if (orb.collocation() == nullptr) return 0;
  bool found = false;
  static_cast<void>(guarded(nullptr, [&]() -> tenon_status {
    for (const tenon::orb::UsableProfile& profile : engine.profiles()) found = found || orb.is_local(profile);
    return TENON_OK;
  }));
  return found;
}

int32_t tenon_reference_equivalent(const tenon_reference* one, const tenon_reference* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return one->object->_is_equivalent(other->object);
}

uint32_t tenon_reference_hash(const tenon_reference* reference) {
  return reference != nullptr ? reference->object->_hash(UINT32_MAX) : 0;
}

tenon_reference* tenon_reference_dup(tenon_reference* reference) {
  if (reference != nullptr) reference->add_ref();
  return reference;
}

void tenon_reference_free(tenon_reference* reference) {
  if (reference != nullptr) reference->remove_ref();
}
