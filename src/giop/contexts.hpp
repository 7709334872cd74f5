// SPDX-License-Identifier: Apache-2.0
//
// Service contexts (CORBA 3.4 part 2 §7.7), which are sent along with a request or a reply. They are kept verbatim: an id and
// octets, never interpreted here. A ContextList is a view into the message it came from; it owns nothing and allocates nothing.
#pragma once

#include <optional>

#include "base/bytes.hpp"
#include "cdr/reader.hpp"

namespace tenon::cdr {
class Writer;
}

namespace tenon::giop {

/// Ids of the standard that the engine itself has a use for (§7.7.1).
enum ContextId : std::uint32_t {
  context_code_sets = 1,
  context_bi_dir_iiop = 5,
  context_invocation_policies = 7,
  context_unknown_exception_info = 9,
  context_rt_corba_priority = 10,
  context_exception_detail = 14,
};

struct ServiceContext {
  std::uint32_t id = 0;
  ByteView data;  ///< mostly an encapsulation: its first octet is a byte order of its own
};

/// The contexts of a received message.
class ContextList {
 public:
  /// More than this is refused with MARSHAL: a list is searched linearly.
  static constexpr std::size_t most = 256;

  ContextList() noexcept = default;

  /// Reads the list that starts at the reader's position. On error the reader is failed and the list is empty.
  void read(cdr::Reader& reader) noexcept;
  void clear() noexcept {
    count_ = 0;
    raw_ = {};
  }

  std::uint32_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  /// The octets after the count, up to the end of the last context. Everything in them is aligned to 4 at most.
  ByteView raw() const noexcept { return raw_; }

  /// Walks the list: `while (walk.next(context))`.
  class Walk {
   public:
    explicit Walk(const ContextList& list) noexcept : left_(list.count_) {
      if (list.first_) at_ = *list.first_;
    }
    bool next(ServiceContext& into) noexcept {
      if (left_ == 0) return false;
      --left_;
      into.id = at_.get<std::uint32_t>();
      into.data = at_.get_octet_sequence();
      return true;
    }

   private:
    std::uint32_t left_;
    cdr::Reader at_;
  };
  Walk walk() const noexcept { return Walk(*this); }
  /// Where the first one begins, if there is one.
  const std::optional<cdr::Reader>& first() const noexcept { return first_; }

  /// Data of the first context with that id; a view whose data() is null when there is none.
  ByteView find(std::uint32_t id) const noexcept;

 private:
  std::uint32_t count_ = 0;
  ByteView raw_;
  std::optional<cdr::Reader> first_;  // at the first context, if there is one
};

void write_contexts(cdr::Writer& writer, std::span<const ServiceContext> contexts) noexcept;

}  // namespace tenon::giop
