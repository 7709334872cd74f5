// SPDX-License-Identifier: Apache-2.0
// Joining and cutting fragmented messages. See fragments.hpp.
#include "giop/fragments.hpp"

#include <algorithm>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "giop/contexts.hpp"

namespace tenon::giop {

namespace {

/// The request id of a 1.1 message that is not whole yet, if that much of it is here.
bool peek_request_id(const MessageHeader& header, ByteView body, std::span<const cdr::Restart> restarts,
                     std::uint32_t& id) noexcept {
  cdr::WireFormat format;
  format.giop_minor = header.minor;
  format.order = header.order;
  cdr::Reader reader(body, format, body_phase, restarts);
  ContextList contexts;
  contexts.read(reader);
  id = reader.get<std::uint32_t>();
  return reader.good();
}

}  // namespace

Result<Joined> Assembler::add(const CheckedHeader& header, ByteView body, Assembled& into) {
  if (header->minor >= 2) {
    if (body.size() < 4) return errors::fragment_without_start;
    if (header->more_fragments && header.total() % 8 != 0 && !limits_.unaligned)
      return errors::fragment_unaligned;
  }
  if (header->type == MessageType::fragment) return append(*header, body, into);
  return start(*header, body);
}

/// 0 in GIOP 1.1, whose fragments have none.
std::uint32_t Assembler::id_of(const MessageHeader& header, ByteView body) noexcept {
  return header.minor >= 2 ? load<std::uint32_t>(body.data(), header.order != native_order) : 0;
}

bool Assembler::belongs_to_request(const CheckedHeader& header, ByteView body) noexcept {
  const Series* const series = find(*header, id_of(*header, body));
  return series != nullptr && series->header.type == MessageType::request;
}

Result<Joined> Assembler::start(const MessageHeader& header, ByteView body) {
  const std::uint32_t id = id_of(header, body);
  if (find(header, id) != nullptr) return errors::fragment_id_in_use;
  if (series_.size() >= limits_.series) return errors::fragments_above_limit;
  Series& series = series_.emplace_back();
  series.header = header;
  series.request_id = id;
  series.size = header_size;
  series.too_large = body.size() < header.size;
  if (Status kept = keep(series, body); !kept) return kept.error();
  return Joined::pending;
}

Result<Joined> Assembler::append(const MessageHeader& header, ByteView body, Assembled& into) {
  const std::uint32_t id = id_of(header, body);
  const bool all_here = body.size() == header.size;
  if (header.minor >= 2) body = body.subspan(4);
  Series* series = find(header, id);
  if (series == nullptr) {
    // An id that is read in the wrong byte order is not found either; then the byte order is the error to report.
    const bool mixed = std::any_of(series_.begin(), series_.end(), [&](const Series& other) {
      return other.header.minor != header.minor || other.header.order != header.order;
    });
    return mixed ? errors::fragment_mismatch : errors::fragment_without_start;
  }
  if (series->header.order != header.order) return errors::fragment_mismatch;

  const bool fits = all_here && series->size + body.size() <= limits_.largest_message;
  if (!fits && !series->too_large && limits_.keep_beginning != nullptr &&
      series->header.type == MessageType::request) {
    const auto place = static_cast<std::size_t>(series - series_.data());
    if (Status kept = limits_.keep_beginning(*this, place); !kept) return kept.error();
  }
  if (!series->discarded && !series->too_large) {
    if (header.minor == 1 && !body.empty()) {
      const std::size_t before = series->restarts.capacity();
      series->restarts.push_back({series->size - header_size, body_phase});
      memory_ += (series->restarts.capacity() - before) * sizeof(cdr::Restart);
    }
    if (Status kept = keep(*series, body); !kept) return kept.error();
  }
  if (header.more_fragments) return Joined::pending;
  if (series->discarded) {
    remove(*series);
    return Joined::dropped;
  }

  MessageHeader whole = series->header;
  whole.more_fragments = false;
  whole.size = static_cast<std::uint32_t>(series->size - header_size);
  write_header(series->bytes.data(), whole);
  into.header = CheckedHeader(whole);
  memory_ -= series->memory();
  into.bytes = std::move(series->bytes);
  into.restarts = std::move(series->restarts);
  const Joined result = series->too_large ? Joined::too_large : Joined::complete;
  erase(*series);
  return result;
}

Status Assembler::keep_beginning(Assembler& of, std::size_t place) {
  Series& series = of.series_[place];
  series.too_large = true;
  if (series.size <= beginning_size) return {};
  Buffer beginning = Buffer::acquire(beginning_size);
  if (!beginning) return memory::shortage();
  std::memcpy(beginning.data(), series.bytes.data(), beginning_size);
  of.memory_ -= series.memory();
  series.bytes = std::move(beginning);
  series.size = beginning_size;
  std::erase_if(series.restarts,
                [](const cdr::Restart& each) { return each.offset >= beginning_size - header_size; });
  of.memory_ += series.memory();
  return {};
}

Status Assembler::keep(Series& series, ByteView data) {
  const std::size_t size = series.size + data.size();
  if (size > limits_.largest_message || size - header_size > 0xFFFFFFFF) return errors::fragments_above_limit;
  if (size > series.bytes.capacity()) {
    if (Status grown = grow(series, size); !grown) return grown;
  }
  if (memory_ > limits_.memory) return errors::fragments_above_limit;
  if (!data.empty()) std::memcpy(series.bytes.data() + series.size, data.data(), data.size());
  series.size = size;
  return {};
}

Status Assembler::grow(Series& series, std::size_t size) {
  const std::size_t others = memory_ - series.bytes.capacity();
  const std::size_t left = limits_.memory - std::min(others, limits_.memory);
  // Doubling, but never more than the budget allows: so a message that just fits is not refused.
  std::size_t wanted = std::min(std::max(size, 2 * series.bytes.capacity()), limits_.largest_message);
  if (Buffer::capacity_for(wanted) > left) wanted = size;
  if (Buffer::capacity_for(wanted) > left) return errors::fragments_above_limit;
  if (!series.bytes.grow(wanted, 0, series.bytes ? series.size : 0)) return memory::shortage();
  if (series.bytes.capacity() > left) series.bytes.trim(wanted);
  memory_ = others + series.bytes.capacity();
  return {};
}

Assembler::Series* Assembler::find(const MessageHeader& header, std::uint32_t request_id) noexcept {
  for (Series& series : series_) {
    if (series.header.minor != header.minor) continue;
    if (header.minor < 2 || series.request_id == request_id) return &series;
  }
  return nullptr;
}

void Assembler::remove(Series& series) noexcept {
  memory_ -= series.memory();
  erase(series);
}

void Assembler::erase(Series& series) noexcept {
  if (&series != &series_.back()) series = std::move(series_.back());
  series_.pop_back();
}

bool Assembler::cancel(std::uint32_t request_id) {
  for (Series& series : series_) {
    if (series.header.type != MessageType::request && series.header.type != MessageType::locate_request)
      continue;
    std::uint32_t id = series.request_id;
    if (series.header.minor < 2) {
      const ByteView body(series.bytes.data() + header_size, series.size - header_size);
      if (!peek_request_id(series.header, body, series.restarts, id)) continue;
    }
    if (id != request_id) continue;
    remove(series);
    return true;
  }
  return false;
}

void Assembler::discard_reply(std::uint32_t request_id) noexcept {
  for (Series& series : series_) {
    const bool reply =
        series.header.type == MessageType::reply || series.header.type == MessageType::locate_reply;
    if (!reply || series.header.minor < 2 || series.request_id != request_id) continue;
    memory_ -= series.memory();
    series.bytes.release();
    series.discarded = true;
  }
}

Fragmenter::Fragmenter(std::span<const cdr::Piece> message, std::size_t largest, bool more_to_come) noexcept
    : message_(message),
      largest_(std::max(largest, smallest) & ~std::size_t{7}),
      more_to_come_(more_to_come) {
  for (const cdr::Piece& piece : message) left_ += piece.size;
  std::memcpy(header_.data(), message[0].data, header_.size());
  little_ = (header_[6] & 1) != 0;
}

bool Fragmenter::next(std::vector<cdr::Piece>& gather) {
  gather.clear();
  if (left_ == 0) return false;
  // The first message keeps its own header, changed; each other one gets a header with the request id behind it.
  const std::size_t own = first_ ? header_size : header_.size();
  if (first_) take(header_size, gather);
  gather.clear();
  const std::size_t data = std::min(left_, largest_ - own);
  const bool more = data < left_ || more_to_come_;

  const ByteOrder order = little_ ? ByteOrder::little : ByteOrder::big;
  const auto type = first_ ? static_cast<MessageType>(header_[7]) : MessageType::fragment;
  write_header(header_.data(), {2, order, more, type, static_cast<std::uint32_t>(own - header_size + data)});
  gather.push_back({header_.data(), own});
  take(data, gather);
  first_ = false;
  return true;
}

void Fragmenter::take(std::size_t octets, std::vector<cdr::Piece>& gather) {
  left_ -= octets;
  while (octets != 0) {
    const cdr::Piece& piece = message_[piece_];
    const std::size_t part = std::min(octets, piece.size - offset_);
    if (part != 0) gather.push_back({piece.data + offset_, part});
    octets -= part;
    offset_ += part;
    if (offset_ == piece.size) {
      ++piece_;
      offset_ = 0;
    }
  }
}

void write_fragment_start(std::uint8_t* to, const std::uint8_t* message) noexcept {
  std::memcpy(to, message, cdr::PartSink::start_size);
  to[6] &= 1;  // the byte order; not the flag of more fragments
  to[7] = static_cast<std::uint8_t>(MessageType::fragment);
}

}  // namespace tenon::giop
