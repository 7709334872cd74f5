// SPDX-License-Identifier: Apache-2.0
//
// Value types (CORBA 3.4 part 2 §9.3.4): headers, indirections, chunks. Chunks are as large as can be: from one nested value to the
// next, so that code that writes state need not know of them.
#include <limits>
#include <new>

#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "cdr/written_values.hpp"

namespace tenon::cdr {

WrittenValues* Writer::value_table() noexcept {
  if (!values_) values_.reset(new (std::nothrow) WrittenValues);
  if (!values_) fail(errors::out_of_memory);
  return values_.get();
}

unsigned Writer::chunk_level() const noexcept { return values_->level; }

bool Writer::has_values() const noexcept { return values_ && !values_->values.empty(); }

namespace {

/// A value is known by the address of its object.
std::string_view key_of(const void* const& identity) noexcept {
  return {reinterpret_cast<const char*>(&identity), sizeof identity};
}

}  // namespace

/// An indirection to a position before this one.
void Writer::put_offset(std::size_t target) noexcept {
  put(value_tag::indirection);
  const std::size_t back = size() - target;
  if (back > std::numeric_limits<std::int32_t>::max()) return fail(errors::message_above_limit);
  put(-static_cast<std::int32_t>(back));
}

bool Writer::put_shared_value(const void* identity) noexcept {
  if (!values_ || !good()) return false;
  const std::size_t known = values_->values.find(key_of(identity));
  if (known == Positions::none) return false;
  put_offset(known);
  return true;
}

void Writer::put_value_id(std::string_view id) noexcept {
  align(4);
  const std::size_t known = values_->ids.find(id);
  if (known != Positions::none) return put_offset(known);
  if (!values_->ids.add(id, size())) return fail(errors::out_of_memory);
  put_raw_string(id);
}

/// A list that was written before is written again, with indirections to its ids: JacORB cannot read an indirection to the list.
void Writer::put_id_list(std::span<const std::string_view> ids) noexcept {
  put(static_cast<std::uint32_t>(ids.size()));
  for (const std::string_view id : ids) put_value_id(id);
}

std::size_t Writer::begin_value(const void* identity, std::span<const std::string_view> ids, bool chunked,
                                const ValueObject* kept) noexcept {
  if (!good() || value_table() == nullptr) return 0;
  WrittenValues& table = *values_;
  if (++table.depth > deepest_value) {
    fail(errors::nested_too_deep);
    return 0;
  }
  close_chunk();
  align(4);
  const std::size_t position = size();
  chunked = chunked || table.level != 0;
  if (kept != nullptr && append(table.kept, kept)) {
    kept->value_hold();
    kept = nullptr;
  }
  if (kept != nullptr || (identity != nullptr && !table.values.add(key_of(identity), position))) {
    fail(errors::out_of_memory);
    return position;
  }
  const std::uint32_t type = ids.empty() ? 0 : ids.size() == 1 ? value_tag::one_id : value_tag::id_list;
  put(value_tag::base | type | (chunked ? value_tag::chunked : 0));
  if (type == value_tag::one_id) put_value_id(ids[0]);
  if (type == value_tag::id_list) put_id_list(ids);
  if (chunked && good()) {
    ++table.level;
    open_chunk();
  }
  return position;
}

void Writer::end_value() noexcept {
  if (!good()) return;
  --values_->depth;
  if (values_->level == 0) return;
  close_chunk();
  put(-static_cast<std::int32_t>(values_->level));
  if (--values_->level != 0) open_chunk();
}

void Writer::open_chunk() noexcept {
  values_->chunk_place = reserve_ulong();
  values_->chunk_start = size();
  values_->in_chunk = true;
}

void Writer::close_chunk() noexcept {
  if (!values_->in_chunk) return;
  values_->in_chunk = false;
  const std::size_t octets = size() - values_->chunk_start;
  if (octets >= value_tag::base) return fail(errors::chunk_too_large);
  if (octets != 0) {
    patch(values_->chunk_place, static_cast<std::uint32_t>(octets));
  } else if (good()) {
    cur_ -= sizeof(std::uint32_t);  // no chunk has the size 0
  }
}

}  // namespace tenon::cdr
