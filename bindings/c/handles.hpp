// SPDX-License-Identifier: Apache-2.0
//
// What the types of tenon/c.h are, and what its functions share: statuses, bodies, and the edge that no exception crosses.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/function_ref.hpp"
#include "base/ref.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "poa/poa.hpp"
#include "protocol/messaging.hpp"
#include "tenon/c.h"
#include "tenon/corba/object.hpp"
#include "tenon/corba/orb.hpp"

struct tenon_orb final : tenon::RefCounted {
  explicit tenon_orb(CORBA::object_reference<CORBA::ORB> which) : orb(std::move(which)) {}
  tenon::orb::Orb& core() const noexcept { return orb->_core(); }

  const CORBA::object_reference<CORBA::ORB> orb;
};

struct tenon_reference final : tenon::RefCounted {
  explicit tenon_reference(CORBA::object_reference<CORBA::Object> which) : object(std::move(which)) {}
  tenon::orb::Reference& engine() const noexcept { return *object->_reference(); }

  const CORBA::object_reference<CORBA::Object> object;
  /// The format that a call has asked for last, packed (bodies.cpp); 0: none has.
  mutable std::atomic<std::uint64_t> format{0};
};

struct tenon_adapter final : tenon::RefCounted {
  tenon_adapter(tenon::Ref<tenon::orb::Orb> of, tenon::Ref<tenon::poa::Poa> which)
      : orb(std::move(of)), poa(std::move(which)) {}

  const tenon::Ref<tenon::orb::Orb> orb;
  const tenon::Ref<tenon::poa::Poa> poa;
};

namespace tenon::c {

/// Puts the exception into `into`, which may be null, with a text of at most what fits.
void tell(tenon_error* into, const Error& error, std::string_view text);
tenon_status fail(tenon_error* into, const Error& error, std::string_view text = {});
/// As fail(), for the exception that is being handled.
tenon_status fail_with_current_exception(tenon_error* into) noexcept;
/// What a caller says that a servant has raised; UNKNOWN for no exception, or one that there is not.
Error error_of(const tenon_error& told) noexcept;

/// Runs what a function of the interface does: its status, or that of what it throws.
template <typename Function>
tenon_status guarded(tenon_error* error, Function&& function) noexcept {
  try {
    return function();
  } catch (...) {
    return fail_with_current_exception(error);
  }
}

/// Raises what an outcome of the adapter says, with the mapping's text; `subject`: the name or id that it is about.
[[noreturn]] void raise_fault(const poa::Fault& fault, const poa::Poa& poa, std::string_view subject);
template <typename T>
T value_of(poa::Outcome<T> outcome, const poa::Poa& poa, std::string_view subject = {}) {
  if (!outcome) raise_fault(outcome.fault(), poa, subject);
  return *std::move(outcome);
}
inline void check(const poa::Outcome<void>& outcome, const poa::Poa& poa, std::string_view subject = {}) {
  if (!outcome) raise_fault(outcome.fault(), poa, subject);
}

/// BAD_PARAM for a null argument.
[[noreturn]] void raise_null(const char* what);
template <typename T>
T& given(T* argument, const char* what) {
  if (argument == nullptr) raise_null(what);
  return *argument;
}

// --- bodies ---

// These are in line because a small struct that is returned is written octet by octet and then read as words, which makes the processor
// wait: that cost a small call a fifth of its time.
inline tenon_format format_of(const cdr::WireFormat& format, std::size_t phase) noexcept {
  return {.chars = static_cast<std::uint32_t>(format.chars),
          .wchars = static_cast<std::uint32_t>(format.wchars),
          .little_endian = format.order == ByteOrder::little,
          .giop_minor = format.giop_minor,
          .phase = static_cast<std::uint8_t>(phase),
          .reserved = 0};
}
/// Where alignment restarts in a message that came in several pieces.
void find_segments(cdr::Reader in, std::vector<tenon_segment>& into);
/// What a reader is about to read. `segments` is filled where the message came in several pieces.
inline tenon_body body_of(const cdr::Reader& in, std::vector<tenon_segment>& segments) {
  segments.clear();
  if (in.segmented()) [[unlikely]]
    find_segments(in, segments);
  return {.data = in.rest().data(),
          .size = in.remaining(),
          .format = format_of(in.format(), in.phase()),
          .segment_count = static_cast<std::uint32_t>(segments.size()),
          .reserved = 0,
          .segments = segments.empty() ? nullptr : segments.data()};
}
/// Whether octets that were written as `body` says are what this writer's next octets shall be. `text`: they depend on code sets.
bool fits(const tenon_body& body, const cdr::Writer& out, bool text) noexcept;
/// Appends it; large ones are lent.
void put(const tenon_body& body, cdr::Writer& out) noexcept;
inline bool is_empty(const tenon_body* body) noexcept { return body == nullptr || body->size == 0; }

}  // namespace tenon::c
