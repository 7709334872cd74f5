// SPDX-License-Identifier: Apache-2.0
#include "types/walker.hpp"

#include <unordered_map>
#include <utility>

#include "base/fixed.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walk.hpp"

namespace tenon::types {
namespace {

using cdr::Reader;
using cdr::Writer;

/// Only takes every part from the reader.
struct Skipping {
  template <typename T>
  T number(Reader& in) {
    return in.get<T>();
  }
  std::uint32_t enumerator(Reader& in, const TypeCode&) { return in.get<std::uint32_t>(); }
  void long_double(Reader& in) {
    in.align(8);
    in.skip(16);
  }
  void fixed(Reader& in, const TypeCode& type) {
    Fixed value;
    in.get_fixed(value, type.digits, static_cast<unsigned>(type.scale));
  }
  std::uint64_t character(Reader& in) { return in.get<std::uint8_t>(); }
  std::uint64_t wide_character(Reader& in) { return static_cast<std::uint32_t>(in.get_wchar()); }
  // A bound counts characters of this process, so bounded text must be converted to be measured.
  void string(Reader& in, std::size_t bound) {
    std::string text;
    if (bound != 0) return in.get_string(text, bound);
    in.get_raw_string();
  }
  void wide_string(Reader& in, std::size_t bound) {
    std::wstring text;
    if (bound != 0) return in.get_wstring(text, bound);
    const bool units = in.format().giop_minor == 1;
    const std::size_t length = in.get_length(units ? 2 : 1);
    for (std::size_t i = 0; units && i < length && in.good(); ++i) in.get<std::uint16_t>();
    if (!units) in.skip(length);
  }
  void raw_string(Reader& in) { in.get_raw_string(); }
  void exception_id(Reader& in, const TypeCode& type) { take_exception_id(in, type.id); }
  void octets(Reader& in, std::size_t count) { in.skip(count); }
  void numbers(Reader& in, std::size_t count, std::size_t size) {
    if (count == 0) return;
    if (!in.segmented()) {
      in.align(size);
      // An array has as many elements as its peer's TypeCode says: their octets may be more than a word of 32 bits can count.
      if (count > in.ahead() / size) return in.fail(errors::out_of_data);
      return in.skip(count * size);
    }
    // alignment may restart in between
    for (; count != 0 && in.good(); --count) {
      switch (size) {
        case 1: in.get<std::uint8_t>(); break;
        case 2: in.get<std::uint16_t>(); break;
        case 4: in.get<std::uint32_t>(); break;
        default: in.get<std::uint64_t>(); break;
      }
    }
  }
  std::size_t length(Reader& in, std::size_t smallest, std::size_t bound) {
    return in.get_length(smallest, bound);
  }
  TypeRef typecode(Reader& in) { return read(in); }
  void null_value() {}
  bool shared_value(Reader&, const cdr::ValueHeader&) { return false; }
  void begin_value(Reader&, const cdr::ValueHeader&, const TypeCode*) {}
  void end_value() {}
  void begin(const TypeCode&) {}
  void member(const TypeCode&, std::size_t) {}
  void end(const TypeCode&) {}
};

bool tells(const TypeCode* type, const cdr::ValueHeader& head) noexcept {
  return type != nullptr && type->modifier != Modifier::custom && (head.id.empty() || head.id == type->id);
}

/// Also finds the end of values whose state only a factory knows.
struct SkippingCarried : Skipping {
  explicit SkippingCarried(CarryValue by) noexcept : carry(by) {}
  bool carried(Reader& in, const cdr::ValueHeader& head, const TypeCode* type) {
    return !head.chunked && !tells(type, head) &&
           carry(in, nullptr, head, type != nullptr ? type->id : std::string_view());
  }
  CarryValue carry;
};

/// Fails at the first value that its TypeCode does not fully describe.
struct Telling : Skipping {
  void begin_value(Reader& in, const cdr::ValueHeader& head, const TypeCode* type) {
    if (!tells(type, head)) in.fail(errors::no_values_in_any);
  }
};

/// Writes every part as it was read.
class Rewriting {
 public:
  explicit Rewriting(Writer& out, CarryValue carry = nullptr) noexcept : out_(out), carry_(carry) {}

  template <typename T>
  T number(Reader& in) {
    if constexpr (std::is_floating_point_v<T>) {
      // as bits: a signalling NaN must not become a quiet one
      out_.put(in.get<UnsignedOf<sizeof(T)>>());
      return T{};
    } else {
      const T value = in.get<T>();
      out_.put(value);
      return value;
    }
  }
  std::uint32_t enumerator(Reader& in, const TypeCode&) { return number<std::uint32_t>(in); }
  void long_double(Reader& in) {
    in.align(8);
    const ByteView from = in.get_octets(16);
    out_.align(8);
    std::uint8_t* to = out_.claim(16);
    if (from.size() != 16 || to == nullptr) return;
    const bool reverse = in.format().order != out_.format().order;
    for (std::size_t i = 0; i < 16; ++i) to[i] = from[reverse ? 15 - i : i];
  }
  void fixed(Reader& in, const TypeCode& type) {
    Fixed value;
    in.get_fixed(value, type.digits, static_cast<unsigned>(type.scale));
    out_.put_fixed(value, type.digits, static_cast<unsigned>(type.scale));
  }
  std::uint64_t character(Reader& in) {
    const char value = in.get_char();
    out_.put_char(value);
    return static_cast<unsigned char>(value);
  }
  std::uint64_t wide_character(Reader& in) {
    const wchar_t value = in.get_wchar();
    if (in.good()) out_.put_wchar(value);
    return static_cast<std::uint32_t>(value);
  }
  void string(Reader& in, std::size_t bound) {
    std::string value;
    in.get_string(value, bound);
    out_.align(4);
    const std::size_t before = out_.size();
    // Lent text must live until the message is sent, and this text does not.
    const cdr::LendingScope copies(out_, Writer::never);
    out_.put_string(value);
    // In another code set text may have more octets, and a bound counts octets: no reader would accept longer text.
    constexpr std::size_t length_and_nul = 5;
    if (bound != 0 && out_.good() && out_.size() - before > bound + length_and_nul)
      out_.fail_over_bound(out_.size() - before - length_and_nul, bound);
  }
  void wide_string(Reader& in, std::size_t bound) {
    std::wstring value;
    in.get_wstring(value, bound);
    if (in.good()) out_.put_wstring(value);
  }
  void raw_string(Reader& in) { out_.put_raw_string(in.get_raw_string()); }
  void exception_id(Reader& in, const TypeCode& type) {
    take_exception_id(in, type.id);
    out_.put_raw_string(type.id);
  }
  void octets(Reader& in, std::size_t count) { out_.put_octets(in.get_octets(count)); }
  std::size_t length(Reader& in, std::size_t smallest, std::size_t bound) {
    const std::size_t count = in.get_length(smallest, bound);
    out_.put_length(count);
    return count;
  }
  TypeRef typecode(Reader& in) {
    TypeRef type = read(in);
    if (type) write(out_, *type);
    if (!out_.good()) in.fail(out_.error());
    return type;
  }
  void null_value() { out_.put_null_value(); }
  // A value before the copied part is copied, too.
  bool shared_value(Reader& in, const cdr::ValueHeader& head) {
    const auto known = copied_.find(head.position);
    if (known == copied_.end()) return !carried(in, head, nullptr);
    out_.put_value_indirection(known->second);
    return false;
  }
  bool carried(Reader& in, const cdr::ValueHeader& head, const TypeCode* type) {
    return carry_ != nullptr && carry_(in, &out_, head, type != nullptr ? type->id : std::string_view());
  }
  void begin_value(Reader& in, const cdr::ValueHeader& head, const TypeCode* type) {
    if (type == nullptr) return in.fail(errors::no_values_in_any);
    // State of an unknown type cannot be copied, so the value becomes one of the known type.
    std::vector<std::string_view> ids{type->id};
    if (head.id == type->id) ids.insert(ids.end(), head.bases.begin(), head.bases.end());
    if (name_bases && ids.size() == 1) {
      for (const TypeCode* each = type; may_be_truncated(*each); each = each->content)
        ids.push_back(each->content->id);
    }
    copied_[head.position] = out_.begin_value(nullptr, ids, head.chunked || ids.size() > 1);
  }
  void end_value() { out_.end_value(); }
  void begin(const TypeCode&) {}
  // a writer that failed need not see the rest
  void member(const TypeCode&, std::size_t) {}
  void end(const TypeCode&) {}

  bool name_bases = false;

 private:
  static bool may_be_truncated(const TypeCode& type) noexcept {
    return has_state(type.kind) && type.modifier == Modifier::truncatable && type.content != nullptr &&
           has_state(type.content->kind);
  }

  Writer& out_;
  CarryValue carry_;
  std::unordered_map<std::size_t, std::size_t> copied_;  // values by their positions: there and here
};

}  // namespace

void take_exception_id(cdr::Reader& in, std::string_view id) {
  Reader ahead = in;
  if (ahead.get_raw_string() == id && ahead.good()) in = std::move(ahead);
}

void skip(cdr::Reader& in, const TypeCode& type) {
  Skipping sink;
  Walk(in, sink).value(type);
}

void skip(cdr::Reader& in, const TypeCode& type, CarryValue carry) {
  SkippingCarried sink(carry);
  Walk(in, sink).value(type);
}

bool is_told(const cdr::Reader& in, const TypeCode& type) {
  Reader probe = in;
  probe.forget_values();  // it gets a table of its own, so that its errors do not matter to `in`
  if (in.typecodes() != nullptr) probe.keep_typecodes(*in.typecodes());
  Telling sink;
  Walk(probe, sink).value(type);
  return probe.good();
}

void copy(cdr::Reader& in, cdr::Writer& out, const TypeCode& type) { copy(in, out, type, nullptr); }

void copy(cdr::Reader& in, cdr::Writer& out, const TypeCode& type, CarryValue carry) {
  Rewriting sink(out, carry);
  Walk(in, sink).value(type);
  if (!in.good()) out.fail(in.error());
}

void copy_with_bases(cdr::Reader& in, cdr::Writer& out, const TypeCode& type) {
  Rewriting sink(out);
  sink.name_bases = true;
  Walk(in, sink).value(type);
  if (!in.good()) out.fail(in.error());
}

}  // namespace tenon::types
