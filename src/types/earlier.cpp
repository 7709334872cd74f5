// SPDX-License-Identifier: Apache-2.0
#include "types/earlier.hpp"

#include <unordered_map>
#include <utility>

#include "base/minor_codes.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::types {
namespace {

constexpr auto nobody = static_cast<std::size_t>(-1);

/// The TypeCodes of one message that offsets have led to. The message's readers hold it; one thread at a time.
class EarlierTypes final : public cdr::ValueObject {
 public:
  void value_hold() const noexcept override { ++holders_; }
  void value_drop() const noexcept override {
    if (--holders_ == 0) delete this;
  }

  struct Known {
    TypeRef type;
    unsigned levels;
    std::size_t octets;  // read for it, and by offsets in it
    std::size_t user;    // the last one that was charged
  };
  std::unordered_map<std::size_t, Known> known;

  /// Counts octets that are read again or referred to; too many are an error of the reader.
  void charge(cdr::Reader& in, std::size_t octets) noexcept {
    constexpr std::size_t free_octets = 64 * 1024;
    charged_ += octets;
    if (charged_ > 16 * (in.position() + in.ahead()) + free_octets) in.fail(errors::too_much_sharing);
  }
  std::size_t charged() const noexcept { return charged_; }

 private:
  ~EarlierTypes() = default;

  mutable unsigned holders_ = 0;
  std::size_t charged_ = 0;
};

/// Of the message; made if there is none. Null: no memory, which is then the reader's error.
EarlierTypes* earlier_types(cdr::Reader& in) {
  // Nothing else is kept there.
  if (in.typecodes() != nullptr) return static_cast<EarlierTypes*>(in.typecodes());
  auto* const made = new EarlierTypes;
  made->value_hold();
  in.keep_typecodes(*made);
  made->value_drop();
  return static_cast<EarlierTypes*>(in.typecodes());
}

/// How many octets reading will take: those of the encapsulation, which nothing has looked at yet.
std::size_t octets_at(cdr::Reader there) noexcept {
  const auto kind = there.get<std::uint32_t>();
  if (kind >= kinds || has_no_parameters(static_cast<Kind>(kind)) ||
      has_simple_parameters(static_cast<Kind>(kind)))
    return 2 * sizeof kind;
  return there.get_octet_sequence().size() + 2 * sizeof kind;
}

}  // namespace

EarlierType earlier_type(cdr::Reader& message, std::size_t position, unsigned depth, std::size_t user) {
  message.note_target(position);
  EarlierTypes* const types = earlier_types(message);
  if (types == nullptr) return {};
  if (const auto place = types->known.find(position); place != types->known.end()) {
    EarlierTypes::Known& known = place->second;
    const bool first_use = user == nobody || known.user != user;
    // A whole type costs its values, which have octets of their own but for parts that are empty.
    if (first_use) types->charge(message, user == nobody ? known.octets / 16 : known.octets);
    known.user = user;
    if (depth + known.levels > deepest_typecode) message.fail(errors::nested_too_deep);
    return message.good() ? EarlierType{known.type, known.levels, first_use} : EarlierType{};
  }
  cdr::Reader there = message.earlier(position);
  const std::size_t before = types->charged();
  types->charge(message, octets_at(there));
  if (!message.good()) return {};
  EarlierType found;
  found.type = read_at_depth(there, depth, found.levels);
  if (!found.type) {
    message.fail(there.error());
    return {};
  }
  types->known.insert_or_assign(
      position, EarlierTypes::Known{found.type, found.levels, types->charged() - before, user});
  return found;
}

TypeRef whole_type_before(cdr::Reader& message, unsigned depth, unsigned& levels) {
  const std::size_t from = message.position();
  const std::int32_t offset = get_offset(message);
  const auto back = static_cast<std::size_t>(-std::int64_t{offset});
  // At least over the mark before the offset.
  if (message.good() && (offset >= 0 || back > from || back <= sizeof offset))
    message.fail(errors::bad_typecode_indirection);
  if (!message.good()) return {};
  EarlierType found = earlier_type(message, from - back, depth + 1, nobody);
  levels = found.levels + 1;
  return std::move(found.type);
}

}  // namespace tenon::types
