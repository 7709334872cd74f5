// SPDX-License-Identifier: Apache-2.0
//
// Types as marshal programs (src/marshal/words.hpp): how Tables prints structs, unions, exceptions and the types of
// parameters.
#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <utility>

#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using marshal::BlockParts;
using marshal::Op;
using marshal::Operand;
using marshal::Place;
using marshal::Words;
using model::Type;
using model::TypeKind;

std::optional<Op> simple_op(const Type& type) {
  switch (type.kind) {
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return Op::copy1;
    case TypeKind::Short:
    case TypeKind::UShort: return Op::copy2;
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::Float: return Op::copy4;
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double: return Op::copy8;
    case TypeKind::Boolean: return Op::boolean;
    case TypeKind::Char: return Op::character;
    case TypeKind::WChar: return Op::wide_character;
    case TypeKind::LongDouble: return Op::long_double;
    case TypeKind::String: return type.bound == 0 ? std::optional(Op::string) : std::nullopt;
    case TypeKind::Named:
      if (const auto* mask = model::as<model::Bitmask>(type.decl)) {
        Type carrier;
        carrier.kind = mask->carrier;
        return simple_op(carrier);
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

const model::Enum* plain_enum(const Type& type) {
  const auto* decl = type.kind == TypeKind::Named ? model::as<model::Enum>(type.decl) : nullptr;
  return decl != nullptr && !has_values(*decl) ? decl : nullptr;
}

namespace {

// Letters of a foreign class's codec that name the table's own namespace.
constexpr const char* here = "gen";

std::vector<model::Member> all_members(const model::Struct& decl) {
  std::vector<model::Member> members;
  if (decl.base != nullptr) members = all_members(*decl.base);
  members.insert(members.end(), decl.members.begin(), decl.members.end());
  return members;
}

std::string head(const std::string& cpp, bool zero) {
  return "head_of<" + cpp + ">(" + (zero ? "type_zero" : "") + ")";
}

// Bounds, counts and sizes fit into a word: larger ones have been refused.
marshal::Word word(std::integral auto value) { return static_cast<marshal::Word>(value); }

std::string number(std::uint64_t value) { return std::to_string(value); }

const char* name_of(Operand operand) {
  switch (operand) {
    case Operand::bound: return "bound";
    case Operand::count: return "count";
    case Operand::enumerators: return "enumerators";
    case Operand::smallest: return "smallest";
    case Operand::type: return "type";
    case Operand::bytes: return "bytes";
    case Operand::cases: return "cases";
    case Operand::foreign_class: return "foreign_class";
    default: return "";
  }
}

std::array<std::uint8_t, 4> octets_of(marshal::Word masks) {
  return std::bit_cast<std::array<std::uint8_t, 4>>(masks);
}

std::string parts_text(marshal::Word operand) {
  std::string text = "parts(" + number(operand >> 8) + ", " +
                     number(std::uint64_t{1} << (operand & marshal::block_align_mask));
  std::string flags;
  const auto flag = [&](marshal::Word bit, const char* name) {
    if ((operand & bit) != 0) flags += (flags.empty() ? "" : " | ") + std::string(name);
  };
  flag(marshal::block_repeats, "block_repeats");
  flag(marshal::block_enumerations, "block_enumerations");
  flag(marshal::block_characters, "block_characters");
  return text + (flags.empty() ? "" : ", " + flags) + ")";
}

}  // namespace

// The program as C++ text: a line for each instruction, another one for the masks of a block.
Tables::Lines Tables::lines_of(const Words& program) {
  Lines lines;
  auto place = program.places.begin();
  for (std::size_t index = 0; index != program.words.size();) {
    const marshal::Word* const at = program.words.data() + index;
    const marshal::Form& form = marshal::form_of(marshal::op_of(*at));
    if (marshal::op_of(*at) > marshal::last_common) groups_.insert(marshal::group_of(marshal::op_of(*at)));
    std::string offset;
    if (place != program.places.end() && place->first == index) offset = (place++)->second;
    if (const std::size_t bytes = marshal::offset_of(*at); bytes != 0)
      offset += (offset.empty() ? "" : " + ") + number(bytes);
    Line line{"at(Op::" + std::string(form.name) + (offset.empty() ? "" : ", " + offset) + ")"};
    for (std::size_t i = 0; i != form.operand_count(); ++i) {
      const marshal::Word operand = at[i + 1];
      switch (form.operands[i]) {
        case Operand::type:
        case Operand::cases:
          line.emplace_back(static_cast<int>(operand));
          line.back().text = std::string(name_of(form.operands[i])) + "(";
          break;
        case Operand::digits:
          line.push_back("digits(" + number(operand >> 16) + ", " + number(operand & 0xFFFF) + ")");
          break;
        case Operand::parts: line.push_back(parts_text(operand)); break;
        default: line.push_back(std::string(name_of(form.operands[i])) + "(" + number(operand) + ")"); break;
      }
    }
    index += line.size();
    lines.push_back(std::move(line));
    if (marshal::op_of(*at) != Op::block) continue;
    Line masks;
    for (std::size_t left = marshal::mask_words(at[1]); left != 0; --left)
      masks.push_back("mask(\"" + mask_letters(octets_of(program.words[index++])) + "\")");
    lines.push_back(std::move(masks));
  }
  return lines;
}

// Whether memory full of zeros is the value that a new object has.
bool Tables::zero_is_initial(const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  if (const auto op = simple_op(type)) return op != Op::string;
  if (is_reference(type)) return type.kind != TypeKind::TypeCode;
  if (type.kind == TypeKind::Sequence) {
    return model::resolve_aliases(type.element)->kind != TypeKind::Boolean;
  }
  if (type.kind == TypeKind::Array) return zero_is_initial(*type.element);
  if (type.kind != TypeKind::Named) return false;
  if (plain_enum(type) != nullptr) return true;
  const auto* record = model::as<model::Struct>(type.decl);
  if (record == nullptr) return false;
  if (const auto known = zero_is_initial_.find(record); known != zero_is_initial_.end()) return known->second;
  const auto members = all_members(*record);
  const bool zero = std::all_of(members.begin(), members.end(), [this](const model::Member& member) {
    return zero_is_initial(*member.type);
  });
  zero_is_initial_[record] = zero;
  return zero;
}

std::string Tables::offset_of(const model::Decl& owner, const std::string& data) const {
  return within_ + "offsetof(" + qualified(owner) + ", " + data + ")";
}

// --- types ---

// The run of words of a type: its head, its instructions, `end`. A type that is met while another one's instructions are made gets its own
// later, without recursion: types that are declared forward can refer to each other in chains of any length.
int Tables::type_run(const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  const std::string key = codec(type, here);
  if (const auto known = types_.find(key); known != types_.end()) return known->second;
  const std::string cpp = cpp_type(type);
  const bool named = cpp.starts_with("::") && type.kind == TypeKind::Named;
  std::string comment = named ? cpp.substr(2) : cpp;
  if (type.bound != 0) comment += ", at most " + number(type.bound);
  const int run = add_run(std::move(comment), {});
  types_[key] = run;
  waiting_.push_back({run, &type});
  return run;
}

void Tables::finish_types() {
  while (!waiting_.empty()) {
    const auto [run, type] = waiting_.front();
    waiting_.pop_front();
    Lines lines = type_lines(run, *type);
    runs_[static_cast<std::size_t>(run)].lines = std::move(lines);
  }
}

Tables::Lines Tables::type_lines(int run, const Type& type) {
  Words program;
  const auto* record = type.kind == TypeKind::Named ? model::as<model::Struct>(type.decl) : nullptr;
  const auto* choice = type.kind == TypeKind::Named ? model::as<model::Union>(type.decl) : nullptr;
  if (record != nullptr && context_.kinds.interpreted(*record)) {
    if (add_block(program, *record)) {
      blocks_.insert(run);
    } else {
      add_struct(program, *record);
    }
  } else if (choice != nullptr && context_.kinds.interpreted(*choice)) {
    const int cases = add_cases(*choice);
    program.add(Op::choice, {}, {word(cases), foreign("foreign_union<" + codec(type, here) + ">")});
  } else {
    add(program, type, {});
  }
  return with_head(head(cpp_type(type), zero_is_initial(type)), program);
}

Tables::Lines Tables::with_head(std::string head, Words& program) {
  program.add(Op::end, {});
  Lines lines = lines_of(program);
  lines.insert(lines.begin(), Line{std::move(head)});
  return lines;
}

int Tables::exception_run(const model::Exception& decl) {
  const std::string key = std::string(here) + "::Codec<" + qualified(decl) + ">";
  if (const auto known = types_.find(key); known != types_.end()) return known->second;
  const int run = add_run(qualified(decl).substr(2), {});
  types_[key] = run;
  Words program;
  add_members(program, decl, decl.members);
  Lines lines = with_head(head(qualified(decl), false), program);
  runs_[static_cast<std::size_t>(run)].lines = std::move(lines);
  return run;
}

// --- instructions ---

void Tables::add(Words& into, const Type& alias, const Place& place) {
  const Type& type = *model::resolve_aliases(&alias);
  if (const auto op = simple_op(type)) return into.add(*op, place);
  switch (type.kind) {
    case TypeKind::String: return into.add_text(Op::string, word(type.bound), place);
    case TypeKind::WString: return into.add_text(Op::wide_string, word(type.bound), place);
    case TypeKind::Fixed:
      return into.add(Op::fixed, place, {marshal::fields::digits(word(type.digits), word(type.scale))});
    case TypeKind::Sequence: {
      const Type& element = *model::resolve_aliases(type.element);
      return into.add_sequence(simple_op(element).value_or(Op::call), word(type.bound),
                               word(context_.smallest(&element)), place,
                               [&] { return word(type_run(element)); });
    }
    case TypeKind::Array: {
      const auto [element, count] = elements_of(type);
      return into.add_array(simple_op(*element).value_or(Op::call), word(count), place,
                            [&] { return word(type_run(*element)); });
    }
    case TypeKind::Map: {
      const marshal::Word entries = foreign("foreign_map<" + cpp_type(type) + ">");
      const std::uint64_t smallest = context_.smallest(type.key) + context_.smallest(type.element);
      const int key = type_run(*type.key);
      const int value = type_run(*type.element);
      return into.add(Op::map, place, {entries, word(type.bound), word(smallest), word(key), word(value)});
    }
    case TypeKind::Any: return into.add(Op::any, place, {foreign_codec(type)});
    case TypeKind::TypeCode: return into.add(Op::typecode, place, {foreign_codec(type)});
    case TypeKind::Object: return into.add(Op::reference, place, {foreign_codec(type)});
    case TypeKind::Named: return add_named(into, type, place);
    default: return add_codec(into, type, place);
  }
}

void Tables::add_named(Words& into, const Type& type, const Place& place) {
  if (const model::Enum* decl = plain_enum(type))
    return into.add(Op::enumeration, place, {word(decl->enumerators.size())});
  if (const auto* interface = model::as<model::Interface>(type.decl);
      interface != nullptr && !interface->abstract) {
    return into.add(Op::reference, place, {foreign_codec(type)});
  }
  const bool constructed =
      model::as<model::Struct>(type.decl) != nullptr || model::as<model::Union>(type.decl) != nullptr;
  if (constructed && context_.kinds.interpreted(*type.decl)) {
    if (add_flat(into, type, place)) return;
    return into.add(Op::call, place, {word(type_run(type))});
  }
  add_codec(into, type, place);
}

// Adds the members of a small struct within another one as if they were members of the outer one. False: the type is no such struct.
bool Tables::add_flat(Words& into, const Type& type, const Place& place) {
  constexpr std::size_t most_words = 8;
  const auto* record = model::as<model::Struct>(type.decl);
  if (record == nullptr || record->base != nullptr || never_flat_.contains(record)) return false;
  Words flat;
  const std::string around = std::exchange(within_, place.from + " + ");
  add_members(flat, *record, record->members);
  within_ = around;
  if (flat.words.size() > most_words) {
    never_flat_.insert(record);
    return false;
  }
  into.append(flat);
  return true;
}

marshal::Word Tables::foreign_codec(const Type& type) {
  return foreign("foreign<" + codec(type, here) + ">");
}

void Tables::add_codec(Words& into, const Type& type, const Place& place) {
  into.add(Op::foreign, place, {foreign_codec(type), word(context_.smallest(&type))});
}

void Tables::add_members(Words& into, const model::Decl& owner, const std::vector<model::Member>& members) {
  const std::vector<std::string> data = data_names(escaped(owner.name), members);
  for (std::size_t i = 0; i < members.size();) {
    const Place place{0, offset_of(owner, data[i])};
    if (const std::size_t run = add_run_of_members(into, std::span(members).subspan(i), place); run != 0) {
      i += run;
    } else {
      add(into, *members[i].type, place);
      ++i;
    }
  }
}

// The base is at the address of the derived object, since the classes have one base and no virtual functions.
void Tables::add_struct(Words& into, const model::Struct& decl) {
  if (add_block(into, decl)) return;
  if (decl.base != nullptr) {
    if (context_.kinds.interpreted(*decl.base)) {
      add_struct(into, *decl.base);
    } else {
      Type base;
      base.kind = TypeKind::Named;
      base.decl = decl.base;
      add_codec(into, base, {});
    }
  }
  add_members(into, decl, decl.members);
}

// --- blocks ---

namespace {

// With fewer members, it takes less time and fewer words to move them one by one.
constexpr std::size_t fewest_in_run = 4;
// A block that takes more words than this is not used.
constexpr std::size_t most_words = 200;

}  // namespace

// Adds the whole struct as one block, if it is one and of moderate size.
bool Tables::add_block(Words& into, const model::Struct& decl) {
  const BlockLayout* layout = context_.blocks.of(decl);
  if (layout == nullptr || layout->end > marshal::largest_block || layout->end < 3) return false;
  BlockParts parts;
  if (!context_.blocks.add_parts(parts, decl.members, *layout, most_words)) return false;
  parts.add_to(into, true);
  return true;
}

// Adds members side by side as one block. Returns how many members, or 0 if moving them one by one costs less.
std::size_t Tables::add_run_of_members(Words& into, std::span<const model::Member> members,
                                       const Place& place) {
  const BlockLayout layout = context_.blocks.run(members);
  const std::size_t count = layout.padding.size();
  if (count < fewest_in_run || layout.end > marshal::largest_block) return 0;
  BlockParts parts(place);
  if (!context_.blocks.add_parts(parts, members.first(count), layout, most_words)) return 0;
  parts.add_to(into, false);
  return count;
}

// --- unions ---

int Tables::add_cases(const model::Union& decl) {
  const Type& type = *model::resolve_aliases(decl.discriminator);
  const model::Enum* of = plain_enum(type);
  const auto which = [&](const model::UnionCase& one) {
    return "which(" + number(static_cast<std::uint64_t>(&one - decl.cases.data())) + ")";
  };
  std::size_t labels = 0;
  for (const model::UnionCase& one : decl.cases) labels += one.is_default ? 0 : one.labels.size();
  Lines lines;
  const Op op = of != nullptr ? Op::enumeration : *simple_op(type);
  Line first{"discriminator(Op::" + std::string(marshal::form_of(op).name) + ")",
             "enumerators(" + number(of != nullptr ? of->enumerators.size() : 0) + ")",
             "labels(" + number(labels) + ")"};
  const auto named = [&](const model::UnionCase& one) {
    Item item(type_run(*one.member.type));
    item.text = "type(";
    return item;
  };
  if (decl.default_case != nullptr) {
    first.push_back(named(*decl.default_case));
    first.push_back(which(*decl.default_case));
  } else {
    first.push_back(std::string("no_case"));
    first.push_back(std::string("no_case"));
  }
  first.push_back(std::string("0"));
  lines.push_back(std::move(first));
  for (const model::UnionCase& one : decl.cases) {
    if (one.is_default) continue;  // labels beside default: name nothing else
    for (const model::Value& label : one.labels) {
      const std::string value = "label(" + literal(label, *decl.discriminator) + ")";
      lines.push_back({"low_" + value, "high_" + value, named(one), which(one)});
    }
  }
  return add_run("cases of " + qualified(decl).substr(2), std::move(lines));
}

}  // namespace tenon::idl::cpp
