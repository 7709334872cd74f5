// SPDX-License-Identifier: Apache-2.0
// Joining and cutting fragmented messages. See fragments.hpp.
#include "giop/fragments.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "giop/contexts.hpp"

namespace tenon::giop {

namespace {

/// The request id of a 1.1 message that is not whole yet, if that much of it is here.
bool peek_request_id(const Unfinished& series, std::uint32_t& id) noexcept {
  cdr::WireFormat format;
  format.giop_minor = series.header.minor;
  format.order = series.header.order;
  const ByteView body(series.bytes.data() + header_size, series.size - header_size);
  cdr::Reader reader(body, format, body_phase, series.restarts);
  ContextList contexts;
  contexts.read(reader);
  id = reader.get<std::uint32_t>();
  return reader.good();
}

}  // namespace

bool Restarts::add(const cdr::Restart& restart) noexcept {
  constexpr std::size_t each = sizeof(cdr::Restart);
  const std::size_t held = count_ * each;
  if (held + each > bytes_.capacity() && !bytes_.grow(2 * held + each, 0, held)) return false;
  new (at() + count_++) cdr::Restart(restart);
  return true;
}

void Restarts::keep_below(std::size_t octets) noexcept {
  while (count_ != 0 && at()[count_ - 1].offset >= octets) --count_;
}

Assembler::~Assembler() {
  while (first_ != nullptr) remove(*first_);
}

Result<Joined> Assembler::add(const CheckedHeader& header, ByteView body, Assembled& into) noexcept {
  if (header->minor >= 2) {
    if (body.size() < 4) return errors::fragment_without_start;
    if (header->more_fragments && header.total() % 8 != 0 && !limits_.unaligned)
      return errors::fragment_unaligned;
  }
  if (header->type == MessageType::fragment) return append(*header, body, into);
  if (const Status started = start(*header, body); !started) return started.error();
  return Joined::pending;
}

/// 0 in GIOP 1.1, whose fragments have none.
std::uint32_t Assembler::id_of(const MessageHeader& header, ByteView body) noexcept {
  return header.minor >= 2 ? load<std::uint32_t>(body.data(), header.order != native_order) : 0;
}

bool Assembler::belongs_to_request(const CheckedHeader& header, ByteView body) noexcept {
  const Unfinished* const series = find(*header, id_of(*header, body));
  return series != nullptr && series->header.type == MessageType::request;
}

Status Assembler::start(const MessageHeader& header, ByteView body) noexcept {
  const std::uint32_t id = id_of(header, body);
  if (find(header, id) != nullptr) return errors::fragment_id_in_use;
  if (open_ >= limits_.series) return errors::fragments_above_limit;
  void* const room = memory::allocate(memory::Kind::buffers, sizeof(Unfinished));
  if (room == nullptr) return memory::shortage();
  auto* const series = new (room) Unfinished;
  series->header = header;
  series->request_id = id;
  series->size = header_size;
  series->too_large = body.size() < header.size;
  series->next = std::exchange(first_, series);
  ++open_;
  return keep(*series, body);
}

Result<Joined> Assembler::append(const MessageHeader& header, ByteView body, Assembled& into) noexcept {
  const std::uint32_t id = id_of(header, body);
  const bool all_here = body.size() == header.size;
  if (header.minor >= 2) body = body.subspan(4);
  Unfinished* const series = find(header, id);
  if (series == nullptr) {
    // An id that is read in the wrong byte order is not found either; then the byte order is the error to report.
    for (const Unfinished* other = first_; other != nullptr; other = other->next) {
      if (other->header.minor != header.minor || other->header.order != header.order)
        return errors::fragment_mismatch;
    }
    return errors::fragment_without_start;
  }
  if (series->header.order != header.order) return errors::fragment_mismatch;

  const bool fits = all_here && series->size + body.size() <= limits_.largest_message;
  if (!fits && !series->too_large && limits_.keep_beginning != nullptr &&
      series->header.type == MessageType::request) {
    if (const Status kept = limits_.keep_beginning(*this, *series); !kept) return kept.error();
  }
  if (!series->discarded && !series->too_large) {
    if (header.minor == 1 && !body.empty()) {
      const std::size_t before = series->restarts.memory();
      if (!series->restarts.add({series->size - header_size, body_phase})) return memory::shortage();
      memory_ += series->restarts.memory() - before;
    }
    if (const Status kept = keep(*series, body); !kept) return kept.error();
  }
  if (header.more_fragments) return Joined::pending;

  Joined result = Joined::dropped;
  if (!series->discarded) {
    MessageHeader whole = series->header;
    whole.more_fragments = false;
    whole.size = static_cast<std::uint32_t>(series->size - header_size);
    write_header(series->bytes.data(), whole);
    into.header = CheckedHeader(whole);
    memory_ -= series->memory();
    into.bytes = std::move(series->bytes);
    into.restarts = std::move(series->restarts);
    result = series->too_large ? Joined::too_large : Joined::complete;
  }
  remove(*series);
  return result;
}

Status Assembler::keep_beginning(Assembler& of, Unfinished& series) noexcept {
  series.too_large = true;
  if (series.size <= beginning_size) return {};
  Buffer beginning = Buffer::acquire(beginning_size);
  if (!beginning) return memory::shortage();
  std::memcpy(beginning.data(), series.bytes.data(), beginning_size);
  of.memory_ -= series.memory();
  series.bytes = std::move(beginning);
  series.size = beginning_size;
  series.restarts.keep_below(beginning_size - header_size);
  of.memory_ += series.memory();
  return {};
}

Status Assembler::keep(Unfinished& series, ByteView data) noexcept {
  const std::size_t size = series.size + data.size();
  if (size > limits_.largest_message || size - header_size > 0xFFFFFFFF) return errors::fragments_above_limit;
  if (size > series.bytes.capacity()) {
    if (const Status grown = grow(series, size); !grown) return grown;
  }
  if (memory_ > limits_.memory) return errors::fragments_above_limit;
  if (!data.empty()) std::memcpy(series.bytes.data() + series.size, data.data(), data.size());
  series.size = size;
  return {};
}

Status Assembler::grow(Unfinished& series, std::size_t size) noexcept {
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

Unfinished* Assembler::find(const MessageHeader& header, std::uint32_t request_id) const noexcept {
  for (Unfinished* series = first_; series != nullptr; series = series->next) {
    if (series->header.minor != header.minor) continue;
    if (header.minor < 2 || series->request_id == request_id) return series;
  }
  return nullptr;
}

void Assembler::remove(Unfinished& series) noexcept {
  Unfinished** at = &first_;
  while (*at != &series) at = &(*at)->next;
  *at = series.next;
  --open_;
  memory_ -= series.memory();
  series.~Unfinished();
  memory::release(&series);
}

bool Assembler::cancel(std::uint32_t request_id) noexcept {
  for (Unfinished* series = first_; series != nullptr; series = series->next) {
    const MessageHeader& header = series->header;
    if (header.type != MessageType::request && header.type != MessageType::locate_request) continue;
    std::uint32_t id = series->request_id;
    if ((header.minor < 2 && !peek_request_id(*series, id)) || id != request_id) continue;
    remove(*series);
    return true;
  }
  return false;
}

void Assembler::discard_reply(std::uint32_t request_id) noexcept {
  for (Unfinished* series = first_; series != nullptr; series = series->next) {
    const MessageHeader& header = series->header;
    const bool reply = header.type == MessageType::reply || header.type == MessageType::locate_reply;
    if (!reply || header.minor < 2 || series->request_id != request_id) continue;
    memory_ -= series->bytes.capacity();
    series->bytes.release();
    series->discarded = true;
  }
}

Fragmenter::Fragmenter(std::span<const cdr::Piece> message, std::size_t largest, bool more_to_come) noexcept
    : message_(message),
      largest_(std::max(largest, smallest) & ~std::size_t{7}),
      more_to_come_(more_to_come) {
  for (const cdr::Piece& piece : message) left_ += piece.size;
  std::memcpy(header_.data(), message[0].data, header_.size());
}

Fragmenter::Fragmenter(const cdr::Writer& message, std::size_t largest) noexcept
    : writer_(&message), largest_(std::max(largest, smallest) & ~std::size_t{7}), more_to_come_(false) {
  // What has been taken in parts counts in the writer's size, but is not here.
  while (const std::size_t count = message.gather(of_writer_, place_)) {
    if (left_ == 0) std::memcpy(header_.data(), of_writer_[0].data, header_.size());
    for (std::size_t i = 0; i < count; ++i) left_ += of_writer_[i].size;
  }
  place_ = {};
}

/// The first message keeps its own header, changed; each other one gets a header with the request id behind it.
void Fragmenter::begin_fragment() noexcept {
  std::size_t own = header_.size();
  auto type = MessageType::fragment;
  if (first_) {
    own = header_size;
    type = static_cast<MessageType>(header_[7]);
    for (std::size_t skipped = 0; skipped < header_size;) skipped += take(header_size - skipped).size;
    left_ -= header_size;
  }
  first_ = false;
  fragment_left_ = std::min(left_, largest_ - own);
  const bool more = fragment_left_ < left_ || more_to_come_;
  const ByteOrder order = (header_[6] & 1) != 0 ? ByteOrder::little : ByteOrder::big;
  const auto size = static_cast<std::uint32_t>(own - header_size + fragment_left_);
  write_header(header_.data(), {2, order, more, type, size});
}

std::size_t Fragmenter::next(std::span<cdr::Piece> into) noexcept {
  std::size_t count = 0;
  if (fragment_left_ == 0) {
    if (left_ == 0) return 0;
    const std::size_t own = first_ ? header_size : header_.size();
    begin_fragment();
    into[count++] = {header_.data(), own};
  }
  while (fragment_left_ != 0 && count < into.size()) {
    into[count] = take(fragment_left_);
    left_ -= into[count].size;
    fragment_left_ -= into[count++].size;
  }
  return count;
}

/// Up to so many octets of the message, of one piece.
cdr::Piece Fragmenter::take(std::size_t most) noexcept {
  while (message_.empty() || offset_ == message_.front().size) {
    if (!message_.empty()) message_ = message_.subspan(1);
    if (message_.empty() && writer_ != nullptr)
      message_ = {of_writer_.data(), writer_->gather(of_writer_, place_)};
    offset_ = 0;
  }
  const cdr::Piece& piece = message_.front();
  const cdr::Piece part{piece.data + offset_, std::min(most, piece.size - offset_)};
  offset_ += part.size;
  return part;
}

void write_fragment_start(std::uint8_t* to, const std::uint8_t* message) noexcept {
  std::memcpy(to, message, cdr::PartSink::start_size);
  to[6] &= 1;  // the byte order; not the flag of more fragments
  to[7] = static_cast<std::uint8_t>(MessageType::fragment);
}

}  // namespace tenon::giop
