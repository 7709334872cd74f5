// SPDX-License-Identifier: Apache-2.0
#include "tests/equality/random_type.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "types/create.hpp"

namespace tenon::equality {
namespace {

using types::Kind;
using types::NewMember;
using types::TypeRef;

TypeRef made(const Result<TypeRef>& result) {
  if (!result) throw std::logic_error("a random type that is none");
  return *result;
}

class TypeMaker {
 public:
  TypeMaker(Random& random, const TypeChoice& choice) noexcept : random_(random), choice_(choice) {}

  TypeRef any_type(unsigned depth) {
    if (depth == 0 || random_.once_in(3)) return leaf();
    if (choice_.values && random_.once_in(4)) return random_.once_in(5) ? box(depth) : value(depth);
    switch (random_.below(8)) {
      case 0:
      case 1: return record(depth);
      case 2: return union_type(depth);
      case 3:
      case 4: return sequence(any_type(depth - 1));
      case 5:
        return made(
            types::create_array(1 + static_cast<std::uint32_t>(random_.below(4)), any_type(depth - 1)));
      case 6: return alias(any_type(depth - 1));
      default: return fixed_record();
    }
  }

 private:
  std::string next_id() {
    last_name_ = "T" + std::to_string(++count_);
    return "IDL:equality/" + last_name_ + ":1.0";
  }
  std::uint32_t bound() {
    return random_.once_in(3) ? 50 + static_cast<std::uint32_t>(random_.below(50)) : 0;
  }

  TypeRef alias(const TypeRef& original) {
    const std::string id = next_id();
    return made(types::create_alias(id, last_name_, original));
  }
  TypeRef reference() {
    const std::string id = next_id();
    return made(types::create_named(Kind::tk_objref, id, last_name_));
  }

  TypeRef plain() {
    static constexpr Kind kinds[] = {Kind::tk_short,    Kind::tk_long,     Kind::tk_ushort,    Kind::tk_ulong,
                                     Kind::tk_float,    Kind::tk_double,   Kind::tk_boolean,   Kind::tk_char,
                                     Kind::tk_octet,    Kind::tk_longlong, Kind::tk_ulonglong, Kind::tk_octet,
                                     Kind::tk_longlong, Kind::tk_double};
    return types::basic(kinds[random_.below(std::size(kinds))]);
  }

  TypeRef enumeration() {
    const std::string id = next_id();
    std::vector<std::string> names;
    for (std::size_t i = 0, count = 1 + random_.below(5); i < count; ++i)
      names.push_back(last_name_ + "_" + std::to_string(i));
    return made(
        types::create_enum(id, last_name_, std::vector<std::string_view>(names.begin(), names.end())));
  }

  TypeRef leaf() {
    switch (random_.below(14)) {
      case 0: return made(types::create_text(Kind::tk_string, bound()));
      case 1: return types::basic(Kind::tk_string);
      case 2: return enumeration();
      case 3: {
        const auto digits = static_cast<std::uint16_t>(1 + random_.below(31));
        return made(
            types::create_fixed(digits, static_cast<std::int16_t>(random_.below(digits + std::size_t{1}))));
      }
      case 4:
        if (!choice_.wide) break;
        return random_.once_in(2) ? TypeRef(types::basic(Kind::tk_wchar))
                                  : made(types::create_text(Kind::tk_wstring, bound()));
      case 5:
        if (!choice_.anys) break;
        return types::basic(random_.once_in(3) ? Kind::tk_TypeCode : Kind::tk_any);
      case 6:
        if (!choice_.references) break;
        return reference();
      case 7:
        if (!choice_.long_doubles) break;
        return types::basic(Kind::tk_longdouble);
      default: break;
    }
    return plain();
  }

  TypeRef box(unsigned depth) {
    const std::string id = next_id();
    const std::string name = last_name_;
    TypeRef content = any_type(depth - 1);
    while (types::is_value(types::unaliased(*content).kind)) content = leaf();  // IDL boxes no values
    return made(types::create_box(id, name, content));
  }

  /// With a base now and then, which is not there twice, and with members of its own type.
  TypeRef value(unsigned depth) {
    if (depth > 1 && !base_ && random_.once_in(2)) value(depth - 1);
    const std::string id = next_id();
    const std::string name = last_name_;
    const TypeRef base = std::exchange(base_, TypeRef());
    const bool truncatable = base && !random_.once_in(3);
    std::vector<std::string> names;
    for (std::size_t i = 0, count = random_.below(4); i < count; ++i)
      names.push_back("v" + std::to_string(i));
    std::vector<NewMember> members;
    for (const std::string& member : names) {
      TypeRef type = random_.once_in(2) ? made(types::create_recursive(id)) : any_type(depth - 1);
      if (random_.once_in(4)) type = sequence(type);
      members.push_back({.name = member, .type = type, .visibility = types::Visibility::public_member});
    }
    const auto modifier = truncatable ? types::Modifier::truncatable : types::Modifier::none;
    base_ = made(types::create_value(id, name, modifier, base, members));
    return base_;
  }

  TypeRef sequence(const TypeRef& element) { return made(types::create_sequence(bound(), element)); }

  /// A struct that may be one block: numbers, enums, and small structs and arrays of them.
  TypeRef fixed_record() {
    const std::string id = next_id();
    const std::string name = last_name_;
    std::vector<NewMember> members;
    std::vector<std::string> names(1 + random_.below(7));
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = "m" + std::to_string(i);
      TypeRef type = random_.once_in(6) ? enumeration() : plain();
      if (random_.once_in(6))
        type = made(types::create_array(1 + static_cast<std::uint32_t>(random_.below(9)), type));
      members.push_back({names[i], type});
    }
    return made(types::create_struct(id, name, members));
  }

  TypeRef record(unsigned depth) {
    const std::string id = next_id();
    const std::string name = last_name_;
    std::vector<std::string> names(1 + random_.below(5));
    std::vector<NewMember> members;
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = "m" + std::to_string(i);
      members.push_back({names[i], any_type(depth - 1)});
    }
    if (random_.once_in(5)) {
      const TypeRef itself = made(types::create_recursive(id));
      members.push_back({"again", sequence(itself)});
    }
    return made(types::create_struct(id, name, members));
  }

  TypeRef discriminator() {
    static constexpr Kind kinds[] = {Kind::tk_short, Kind::tk_long,     Kind::tk_ushort,  Kind::tk_ulong,
                                     Kind::tk_char,  Kind::tk_longlong, Kind::tk_boolean, Kind::tk_ulonglong,
                                     Kind::tk_long,  Kind::tk_wchar};
    if (random_.once_in(4)) return enumeration();
    const Kind kind = kinds[random_.below(std::size(kinds))];
    return types::basic(kind == Kind::tk_wchar && !(choice_.wide && choice_.wide_labels) ? Kind::tk_long
                                                                                         : kind);
  }

  std::uint64_t label(const types::TypeCode& type) {
    const std::uint64_t bits = random_.once_in(2) ? random_.below(4) : random_.bits();
    switch (type.kind) {
      case Kind::tk_short: return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(bits)});
      case Kind::tk_long: return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
      case Kind::tk_ushort: return bits & 0xFFFF;
      case Kind::tk_ulong: return bits & 0xFFFFFFFF;
      case Kind::tk_boolean: return bits & 1;
      case Kind::tk_char: return 'a' + bits % 26;
      case Kind::tk_wchar: return 0x20 + bits % 0xD000;
      case Kind::tk_enum: return bits % type.members.size();
      default: return bits;
    }
  }

  TypeRef union_type(unsigned depth) {
    const std::string id = next_id();
    const std::string name = last_name_;
    const TypeRef switched = discriminator();
    std::set<std::uint64_t> labels;
    for (std::size_t i = 0, count = 1 + random_.below(4); i < count; ++i) labels.insert(label(*switched));
    // a default case only where a label is left for it
    std::size_t most = SIZE_MAX;
    if (switched->kind == Kind::tk_boolean) most = 2;
    if (switched->kind == Kind::tk_enum) most = switched->members.size();
    const bool otherwise = labels.size() < most && random_.once_in(2);

    std::vector<std::string> names(labels.size() + 1);
    std::vector<NewMember> members;
    for (const std::uint64_t one : labels) {
      names[members.size()] = "c" + std::to_string(members.size());
      const bool again = !members.empty() && random_.once_in(4);  // a second label of the member before
      NewMember member{names[members.size()], TypeRef(), one};
      if (again) {
        member.name = members.back().name;
        member.type = members.back().type;
      } else {
        member.type = any_type(depth - 1);
      }
      members.push_back(member);
    }
    if (otherwise) members.push_back({.name = "other", .type = any_type(depth - 1), .otherwise = true});
    if (random_.once_in(6)) {
      members.front().type = sequence(made(types::create_recursive(id)));
    }
    for (NewMember& member : members) {
      if (member.name == members.front().name) member.type = members.front().type;
    }
    return made(types::create_union(id, name, switched, members));
  }

  Random& random_;
  const TypeChoice& choice_;
  unsigned count_ = 0;
  TypeRef base_;  ///< a value type that has been made
  std::string last_name_;
};

}  // namespace

TypeRef random_type(Random& random, const TypeChoice& choice) {
  return TypeMaker(random, choice).any_type(choice.depth);
}

}  // namespace tenon::equality
