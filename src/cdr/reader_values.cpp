// SPDX-License-Identifier: Apache-2.0
//
// Value types (CORBA 3.4 part 2 §9.3.4): headers, indirections, chunks.
//
// Inside a chunked value last_ is the end of the chunk and whole_ that of the message. Between two chunks cur_ == last_: the next
// get finds no data and takes the next chunk; begin_value() and end_value() first look at the tag there.
#include <algorithm>
#include <string>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "cdr/chunks.hpp"
#include "cdr/compatibility.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"

namespace tenon::cdr {
namespace {

void log_deep_end_tag(std::uint32_t tag, unsigned open) noexcept {
  if (!log_enabled(LogLevel::warning)) return;
  constexpr std::string_view advice =
      ". If the peer is TAO, whose values have one level for each base class, start with "
      "-ORBEndTagsPerBase yes";
  log(LogLevel::warning, "cdr",
      worded("a value's end tag % names nesting level %, but only %%%",
             {decimal(static_cast<std::int32_t>(tag)), decimal(0U - tag), decimal(open),
              open == 1 ? " is open" : " are open", advice}));
}

}  // namespace

ReadValues* Reader::value_table() noexcept {
  ReadValues* const table = values_.make();
  if (table == nullptr) fail(errors::out_of_memory);
  return table;
}

void Reader::let_go_of_values() noexcept {
  if (!good()) values_.clear_if_last();
  values_ = {};
}

/// Reads the tag between two chunks. False within a chunk, and at the message's end.
bool Reader::at_chunk_boundary(std::uint32_t& tag) noexcept {
  do {
    if (whole_ == nullptr || ended_ != 0) return false;
    // Less than a tag can only be padding that the sender counted as data.
    if (remaining() >= padding(4) + 4) return false;
    const auto from = reinterpret_cast<std::uintptr_t>(last_) + shift_;
    const std::size_t pad = padding_to(from, 4);
    if (static_cast<std::size_t>(whole_ - last_) < pad + 4) return false;
    tag = load<std::uint32_t>(last_ + pad, swap_);
    if (!value_tag::is_end(tag) || 0U - tag <= level_) return true;
  } while (pass_deep_end_tag(tag));
  return false;
}

/// An end tag deeper than what is open. It is an error, or passed over where the program says that it ends nothing: TAO ends the part of
/// each base class with a tag of its own. Old ORBs of Sun meant something else by such tags, so only the program can know.
bool Reader::pass_deep_end_tag(std::uint32_t tag) noexcept {
  if (!is_on(compatibility().end_tags_per_base)) {
    fail(errors::end_tag_too_deep);
    log_deep_end_tag(tag, level_);
  } else if (surplus_in_chunk()) {
    fail(errors::bad_value_end);
  } else {
    cur_ = last_;
    cur_ += padding(4) + 4;
    stop_here();
  }
  return good();
}

bool Reader::next_chunk() noexcept {
  constexpr std::size_t most_padding = 7;
  std::uint32_t tag = 0;
  if (ended_ != 0 || remaining() > most_padding) return false;
  cur_ = last_;
  if (!at_chunk_boundary(tag) || !value_tag::is_chunk_size(tag)) return false;
  const std::uint8_t* const at = cur_ + padding(4) + 4;
  if (static_cast<std::size_t>(whole_ - at) < tag) return false;
  cur_ = at;
  end_ = last_ = at + tag;
  return true;
}

/// Reads an offset, which counts from its own position, and returns the position that it leads to, which must be before `before`.
std::size_t Reader::get_offset(std::size_t before) noexcept {
  const auto offset = get<std::int32_t>();
  ReadValues* const table = value_table();
  if (!good()) return 0;
  const std::size_t here = position() - 4;
  const auto back = static_cast<std::size_t>(-std::int64_t{offset});
  if (offset >= 0 || back > here || here - back >= before) {
    fail(errors::bad_value_indirection);
    return 0;
  }
  table->lowest = std::min(table->lowest, here - back);
  return here - back;
}

std::size_t Reader::take_lowest_target() noexcept {
  constexpr auto none = static_cast<std::size_t>(-1);
  return values_.get() != nullptr ? std::exchange(values_.get()->lowest, none) : none;
}

void Reader::note_target(std::size_t position) noexcept {
  if (ReadValues* const table = value_table()) table->lowest = std::min(table->lowest, position);
}

Reader Reader::earlier(std::size_t position) const noexcept {
  Reader there = *this;
  if (restarts_.data() != nullptr) there.fail(errors::value_in_fragments);
  if (position >= this->position()) there.fail(errors::bad_typecode_indirection);
  if (!there.good()) return there;
  there.cur_ = first_ + position;
  there.end_ = there.last_ = whole_ == nullptr ? last_ : whole_;
  there.whole_ = nullptr;
  there.level_ = there.ended_ = 0;
  return there;
}

void Reader::keep_typecodes(ValueObject& kept) noexcept {
  ReadValues* const table = value_table();
  if (table == nullptr || table->typecodes != nullptr) return;
  kept.value_hold();
  table->typecodes = &kept;
}

/// Reads a repository id, or an offset to one; that one may not be an offset itself.
std::string_view Reader::get_value_id() noexcept {
  Reader ahead = *this;
  if (ahead.get<std::uint32_t>() != value_tag::indirection) return get_raw_string();
  const std::size_t start = ahead.position() - 4;
  *this = std::move(ahead);
  const std::size_t target = get_offset(start);
  if (!good()) return {};
  Reader earlier = *this;
  earlier.cur_ = first_ + target;
  const std::string_view id = earlier.get_raw_string();
  if (!earlier.good()) fail(errors::bad_value_indirection);
  return id;
}

void Reader::get_id_list(ValueHeader& head, bool indirect) noexcept {
  constexpr std::uint32_t most_ids = 256;
  const auto count = get<std::uint32_t>();
  if (count == value_tag::indirection) {
    const std::size_t target = indirect ? get_offset(position() - 4) : 0;
    if (!indirect) fail(errors::bad_value_indirection);
    if (!good()) return;
    Reader earlier = *this;
    earlier.cur_ = first_ + target;
    earlier.get_id_list(head, false);
    if (!earlier.good()) fail(earlier.error());
    return;
  }
  if (count > most_ids) return fail(errors::bad_value_header);
  for (std::uint32_t i = 0; i < count && good(); ++i) {
    const std::string_view id = get_value_id();
    if (i == 0) {
      head.id = id;
    } else if (!append(head.bases, id)) {
      fail(errors::out_of_memory);
    }
  }
}

void Reader::get_value_ids(ValueHeader& head) noexcept {
  if (!good()) return;
  const std::uint32_t tag = load<std::uint32_t>(first_ + head.position, swap_);
  if ((tag & value_tag::code_base) != 0) get_value_id();  // only skipped: no code is ever fetched
  switch (tag & value_tag::ids) {
    case 0: return;
    case value_tag::one_id: head.id = get_value_id(); return;
    case value_tag::id_list: return get_id_list(head, true);
    default: return fail(errors::bad_value_header);
  }
}

ValueHeader Reader::begin_value() noexcept {
  ValueHeader head;
  std::uint32_t tag = 0;
  // Null and indirections are inside chunks, and the grammar allows them between chunks, too; headers of values are between chunks.
  const bool between = at_chunk_boundary(tag) && !value_tag::is_chunk_size(tag);
  if (between) {
    if (surplus_in_chunk()) {
      fail(errors::bad_value_header);
      return head;
    }
    cur_ = last_;
    end_ = last_ = whole_;
  }
  tag = get<std::uint32_t>();
  if (!good()) return head;
  head.position = position() - 4;
  if (tag == value_tag::null) {
    head.kind = ValueHeader::Kind::null;
  } else if (tag == value_tag::indirection) {
    head.position = get_offset(head.position);
    ReadValues* const table = value_table();
    if (!good()) return head;
    const ReadValues::Entry* const entry = table->find(head.position);
    if (entry == nullptr) {
      fail(errors::bad_value_indirection);
      return head;
    }
    head.kind = ValueHeader::Kind::shared;
    head.object = entry->object;
  } else {
    head.chunked = (tag & value_tag::chunked) != 0;
    if (!value_tag::is_head(tag) || (tag & 0xF0) != 0 || (whole_ != nullptr && !(between && head.chunked)))
      fail(errors::bad_value_header);
    if (head.chunked && !restarts_.empty()) fail(errors::value_in_fragments);
    get_value_ids(head);
    ReadValues* const table = value_table();
    if (!good()) return head;
    fail(table->add(head.position, level_));
    if (++table->depth > deepest_value) fail(errors::nested_too_deep);
    if (!good()) return head;
    head.kind = ValueHeader::Kind::value;
    if (head.chunked) {
      if (whole_ == nullptr) whole_ = last_;
      next_chunk_of.store([](Reader& in) noexcept { return in.next_chunk(); }, std::memory_order_relaxed);
      ++level_;
    }
  }
  if (whole_ != nullptr && (between || head.kind == ValueHeader::Kind::value)) stop_here();
  return head;
}

/// Whether this chunk has more octets than padding before a tag, which some ORBs count as data.
bool Reader::surplus_in_chunk() const noexcept {
  return remaining() != 0 && (remaining() != padding(4) ||
                              std::any_of(cur_, last_, [](std::uint8_t octet) { return octet != 0; }));
}

/// Takes the end tag of the innermost chunked value, and what is before it.
void Reader::skip_to_end_tag(bool skip_rest) noexcept {
  if (!skip_rest && ended_ == 0 && surplus_in_chunk()) return fail(errors::bad_value_end);
  for (std::uint32_t tag = 0; good() && ended_ == 0;) {
    if (skip_rest && remaining() < padding(4) + 4) cur_ = last_;  // state, or padding
    if (!at_chunk_boundary(tag)) {
      // Data of this chunk, or nothing at all.
      if (remaining() < 4) return fail(errors::out_of_data);
      if (!skip_rest) return fail(errors::bad_value_end);
      cur_ = last_;
    } else if (value_tag::is_end(tag)) {
      cur_ = last_;
      cur_ += padding(4) + 4;
      ended_ = 0U - tag;
    } else if (!skip_rest) {
      return fail(errors::bad_value_end);
    } else if (value_tag::is_head(tag)) {
      const ValueHeader inner = begin_value();
      end_value(inner, true);
    } else if (tag == value_tag::null) {
      cur_ = last_;
      cur_ += padding(4) + 4;
      stop_here();
    } else if (!next_chunk()) {
      return fail(errors::out_of_data);
    }
  }
}

void Reader::end_value(const ValueHeader& head, bool skip_rest) noexcept {
  if (!good() || head.kind != ValueHeader::Kind::value) return;
  --values_.get()->depth;
  if (!head.chunked) return;
  skip_to_end_tag(skip_rest);
  if (!good()) return;
  if (ended_ == level_) ended_ = 0;
  --level_;
  if (level_ == 0) {
    end_ = last_ = whole_;
    whole_ = nullptr;
  } else {
    stop_here();
  }
}

void Reader::value_made(const ValueHeader& head, ValueObject& object) noexcept {
  if (good()) values_.get()->set(head.position, &object);
}

void Reader::go_back(const Reader& earlier, unsigned open) noexcept {
  *this = earlier;
  if (values_.get() != nullptr) values_.get()->depth = open;
}

Reader::Place Reader::seek_value(std::size_t position) noexcept {
  const Place here{cur_, end_, last_, whole_, level_, ended_};
  constexpr std::size_t free_bytes = 64 * 1024;
  ReadValues* const table = value_table();
  if (!good()) return here;
  const std::uint8_t* const message_end = whole_ == nullptr ? last_ : whole_;
  const ReadValues::Entry* const entry = table->find(position);
  if (entry == nullptr) {
    fail(errors::bad_value_indirection);
    return here;
  }
  if (!restarts_.empty()) fail(errors::value_in_fragments);
  // How much will be read again is not known yet, so everything from there to here is counted.
  table->sought += this->position() - position;
  if (table->sought > 16 * static_cast<std::size_t>(message_end - first_) + free_bytes)
    fail(errors::too_much_sharing);
  if (!good()) return here;
  cur_ = first_ + position;
  level_ = entry->level;
  ended_ = 0;
  if (level_ == 0) {
    whole_ = nullptr;
    end_ = last_ = message_end;
  } else {
    whole_ = message_end;
    stop_here();
  }
  return here;
}

void Reader::return_to(const Place& place) noexcept {
  if (!good()) return;
  cur_ = place.cur;
  end_ = place.end;
  last_ = place.last;
  whole_ = place.whole;
  level_ = place.level;
  ended_ = place.ended;
}

}  // namespace tenon::cdr
