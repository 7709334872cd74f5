// SPDX-License-Identifier: Apache-2.0
//
// Types as marshal programs (src/marshal/program.hpp): what Tables prints of structs, unions, exceptions and of the types of
// parameters.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Type;
using model::TypeKind;

const char* simple_op(const Type& type) {
  switch (type.kind) {
    case TypeKind::Octet:
    case TypeKind::Int8:
    case TypeKind::UInt8: return "copy1";
    case TypeKind::Short:
    case TypeKind::UShort: return "copy2";
    case TypeKind::Long:
    case TypeKind::ULong:
    case TypeKind::Float: return "copy4";
    case TypeKind::LongLong:
    case TypeKind::ULongLong:
    case TypeKind::Double: return "copy8";
    case TypeKind::Boolean: return "boolean";
    case TypeKind::Char: return "character";
    case TypeKind::WChar: return "wide_character";
    case TypeKind::LongDouble: return "long_double";
    case TypeKind::Named:
      if (const auto* mask = model::as<model::Bitmask>(type.decl)) {
        Type carrier;
        carrier.kind = mask->carrier;
        return simple_op(carrier);
      }
      return nullptr;
    default: return nullptr;
  }
}

const model::Enum* plain_enum(const Type& type) {
  const auto* decl = type.kind == TypeKind::Named ? model::as<model::Enum>(type.decl) : nullptr;
  return decl != nullptr && !has_values(*decl) ? decl : nullptr;
}

namespace {

// Letters of a foreign class's codec that name the table's own namespace.
constexpr const char* here = "gen";

std::string at(const std::string& op, const std::string& offset) {
  return "at(Op::" + op + (offset.empty() ? "" : ", " + offset) + ")";
}

// '4' of "copy4"; 0 for what is no such number.
char copied_bytes(const Type& type) {
  const char* op = simple_op(type);
  return op != nullptr && std::string_view(op).starts_with("copy") ? op[4] : '\0';
}

bool is_string_element(const Type& type) { return type.kind == TypeKind::String && type.bound == 0; }

std::uint64_t count_of(const Type& array) {
  std::uint64_t count = 1;
  for (const std::uint64_t size : array.dimensions) count *= size;
  return count;
}

std::vector<model::Member> all_members(const model::Struct& decl) {
  std::vector<model::Member> members;
  if (decl.base != nullptr) members = all_members(*decl.base);
  members.insert(members.end(), decl.members.begin(), decl.members.end());
  return members;
}

std::string head(const std::string& cpp, bool zero) {
  return "head_of<" + cpp + ">(" + (zero ? "type_zero" : "") + ")";
}

std::string number(std::uint64_t value) { return std::to_string(value); }

}  // namespace

// Whether memory full of zeros is the value that a new object has.
bool Tables::zero_is_initial(const Type& alias) {
  const Type& type = *model::resolve_aliases(&alias);
  if (simple_op(type) != nullptr || is_reference(type)) return type.kind != TypeKind::TypeCode;
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

// The run of a type by itself: its first word, its instructions, `end`. A type that is met while another one's instructions are
// made waits for its own: types that are declared forward can hang together in chains of any length.
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
  Lines lines;
  lines.push_back(Line{head(cpp_type(type), zero_is_initial(type))});
  const auto* record = type.kind == TypeKind::Named ? model::as<model::Struct>(type.decl) : nullptr;
  const auto* choice = type.kind == TypeKind::Named ? model::as<model::Union>(type.decl) : nullptr;
  if (record != nullptr && context_.kinds.interpreted(*record)) {
    if (emit_block(lines, *record)) {
      blocks_.insert(run);
    } else {
      emit_struct(lines, *record);
    }
  } else if (choice != nullptr && context_.kinds.interpreted(*choice)) {
    const int cases = add_cases(*choice);
    lines.push_back(
        {at("choice", ""), cases,
         number(static_cast<std::uint64_t>(foreign("foreign_union<" + codec(type, here) + ">")))});
  } else {
    emit(lines, type, "");
  }
  lines.push_back(Line{at("end", "")});
  return lines;
}

int Tables::exception_run(const model::Exception& decl) {
  const std::string key = std::string(here) + "::Codec<" + qualified(decl) + ">";
  if (const auto known = types_.find(key); known != types_.end()) return known->second;
  const int run = add_run(qualified(decl).substr(2), {});
  types_[key] = run;
  Lines lines;
  lines.push_back(Line{head(qualified(decl), false)});
  emit_members(lines, decl, decl.members);
  lines.push_back(Line{at("end", "")});
  runs_[static_cast<std::size_t>(run)].lines = std::move(lines);
  return run;
}

// --- instructions ---

void Tables::emit(Lines& into, const Type& alias, const std::string& offset) {
  const Type& type = *model::resolve_aliases(&alias);
  if (const char* op = simple_op(type)) return into.push_back({at(op, offset)});
  const std::string text = type.kind == TypeKind::WString ? "wide_string" : "string";
  switch (type.kind) {
    case TypeKind::String:
    case TypeKind::WString:
      if (type.bound == 0) return into.push_back({at(text, offset)});
      return into.push_back({at("bounded_" + text, offset), number(type.bound)});
    case TypeKind::Fixed:
      return into.push_back({at("fixed", offset), number(type.digits) + " << 16 | " + number(type.scale)});
    case TypeKind::Sequence: return emit_sequence(into, type, offset);
    case TypeKind::Array: return emit_array(into, type, offset);
    case TypeKind::Map: {
      const std::string entries = "foreign_map<" + cpp_type(type) + ">";
      const std::uint64_t smallest = context_.smallest(type.key) + context_.smallest(type.element);
      const int key = type_run(*type.key);
      const int value = type_run(*type.element);
      return into.push_back({at("map", offset), number(static_cast<std::uint64_t>(foreign(entries))),
                             number(type.bound), number(smallest), key, value});
    }
    case TypeKind::Any: return emit_foreign(into, "any", codec(type, here), offset);
    case TypeKind::TypeCode: return emit_foreign(into, "typecode", codec(type, here), offset);
    case TypeKind::Object: return emit_foreign(into, "reference", codec(type, here), offset);
    case TypeKind::Named: return emit_named(into, type, offset);
    default: return emit_codec(into, type, offset);
  }
}

void Tables::emit_named(Lines& into, const Type& type, const std::string& offset) {
  if (const model::Enum* decl = plain_enum(type)) {
    return into.push_back({at("enumeration", offset), number(decl->enumerators.size())});
  }
  if (const auto* interface = model::as<model::Interface>(type.decl);
      interface != nullptr && !interface->abstract) {
    return emit_foreign(into, "reference", codec(type, here), offset);
  }
  const bool constructed =
      model::as<model::Struct>(type.decl) != nullptr || model::as<model::Union>(type.decl) != nullptr;
  if (constructed && context_.kinds.interpreted(*type.decl)) {
    if (emit_flat(into, type, offset)) return;
    return into.push_back({at("call", offset), type_run(type)});
  }
  emit_codec(into, type, offset);
}

// A small struct within another one as members of that one. False for what is no such struct.
bool Tables::emit_flat(Lines& into, const Type& type, const std::string& offset) {
  constexpr std::size_t most_words = 8;
  const auto* record = model::as<model::Struct>(type.decl);
  if (record == nullptr || record->base != nullptr || never_flat_.contains(record)) return false;
  Lines lines;
  const std::string around = std::exchange(within_, offset + " + ");
  emit_members(lines, *record, record->members);
  within_ = around;
  if (length(lines) > most_words) {
    never_flat_.insert(record);
    return false;
  }
  for (Line& line : lines) into.push_back(std::move(line));
  return true;
}

void Tables::emit_sequence(Lines& into, const Type& type, const std::string& offset) {
  const Type& element = *model::resolve_aliases(type.element);
  const std::string bound = number(type.bound);
  if (const char bytes = copied_bytes(element)) {
    return into.push_back({at(std::string("sequence") + bytes, offset), bound});
  }
  if (element.kind == TypeKind::Char) return into.push_back({at("characters", offset), bound});
  if (element.kind == TypeKind::Boolean) return into.push_back({at("booleans", offset), bound});
  if (is_string_element(element)) return into.push_back({at("strings", offset), bound});
  into.push_back({at("sequence", offset), bound, number(context_.smallest(&element)), type_run(element)});
}

void Tables::emit_array(Lines& into, const Type& type, const std::string& offset) {
  const Type* element = model::resolve_aliases(type.element);
  std::uint64_t count = count_of(type);
  while (element->kind == TypeKind::Array) {
    count *= count_of(*element);
    element = model::resolve_aliases(element->element);
  }
  if (const char bytes = copied_bytes(*element)) {
    return into.push_back({at(std::string("array") + bytes, offset), number(count)});
  }
  if (element->kind == TypeKind::Char) return into.push_back({at("character_array", offset), number(count)});
  if (element->kind == TypeKind::Boolean) return into.push_back({at("boolean_array", offset), number(count)});
  into.push_back({at("array", offset), number(count), type_run(*element)});
}

void Tables::emit_foreign(Lines& into, const std::string& op, const std::string& of,
                          const std::string& offset) {
  into.push_back({at(op, offset), number(static_cast<std::uint64_t>(foreign("foreign<" + of + ">")))});
}

void Tables::emit_codec(Lines& into, const Type& type, const std::string& offset) {
  emit_foreign(into, "foreign", codec(type, here), offset);
  into.back().push_back(number(context_.smallest(&type)));
}

void Tables::emit_members(Lines& into, const model::Decl& owner, const std::vector<model::Member>& members) {
  const std::vector<std::string> data = data_names(escaped(owner.name), members);
  for (std::size_t i = 0; i < members.size();) {
    if (const std::size_t run = emit_run(into, owner, members, data, i); run != 0) {
      i += run;
    } else {
      emit(into, *members[i].type, offset_of(owner, data[i]));
      ++i;
    }
  }
}

// A base has the derived object's address, as classes with one base and without virtual functions have.
void Tables::emit_struct(Lines& into, const model::Struct& decl) {
  if (emit_block(into, decl)) return;
  if (decl.base != nullptr) {
    if (context_.kinds.interpreted(*decl.base)) {
      emit_struct(into, *decl.base);
    } else {
      Type base;
      base.kind = TypeKind::Named;
      base.decl = decl.base;
      emit_codec(into, base, "");
    }
  }
  emit_members(into, decl, decl.members);
}

// --- blocks ---

namespace {

constexpr std::uint64_t largest_block = 1024;
// Fewer members are moved one by one in less time, and need fewer words.
constexpr std::size_t fewest_in_run = 4;

// What each byte of a block may hold, as marshal::ByteMask has it.
constexpr std::uint8_t char_mask = 0x80;
constexpr std::uint8_t boolean_mask = 0xFE;
constexpr std::uint8_t padding_mask = 0xFF;

}  // namespace

// The parts of a block, which are flat: nested structs and arrays of them part by part.
struct BlockParts {
  explicit BlockParts(Blocks& of) : blocks(of) {}

  Blocks& blocks;
  std::string start;  // the block's offset in its struct; empty: 0
  std::vector<std::uint8_t> mask;
  bool has_enumerations = false;
  std::vector<std::vector<std::string>> lines;
  std::size_t words = 0;

  void add(std::vector<std::string> line) {
    words += line.size();
    lines.push_back(std::move(line));
  }
  std::string place(std::uint64_t offset) const {
    if (offset == 0) return start;
    return start.empty() ? number(offset) : start + " + " + number(offset);
  }
  bool add(const Type& alias, std::uint64_t offset);
  bool add(std::span<const model::Member> members, const BlockLayout& layout, std::uint64_t offset);
};

bool BlockParts::add(const Type& alias, std::uint64_t offset) {
  const Type& type = *model::resolve_aliases(&alias);
  const std::string where = place(offset);
  const Type* element = &type;
  std::uint64_t count = 1;
  while (element->kind == TypeKind::Array) {
    count *= count_of(*element);
    element = model::resolve_aliases(element->element);
  }
  const auto mark = [&](std::uint8_t octet) {
    for (std::uint64_t i = 0; i < count; ++i) mask[offset + i] = octet;
  };
  if (element->kind == TypeKind::Char) mark(char_mask);
  if (element->kind == TypeKind::Boolean) mark(boolean_mask);
  if (const model::Enum* decl = plain_enum(*element)) {
    has_enumerations = true;
    for (std::uint64_t i = 0; i < count; ++i) {
      add({at("enumeration", place(offset + 4 * i)), number(decl->enumerators.size())});
    }
    return true;
  }
  if (const auto* nested =
          element->kind == TypeKind::Named ? model::as<model::Struct>(element->decl) : nullptr) {
    const BlockLayout& layout = *blocks.of(*nested);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!add(nested->members, layout, offset + i * layout.size)) return false;
    }
    return true;
  }
  if (&type == element) {
    add({at(simple_op(type), where)});
  } else if (const char bytes = copied_bytes(*element)) {
    add({at(std::string("array") + bytes, where), number(count)});
  } else {
    add({at(element->kind == TypeKind::Char ? "character_array" : "boolean_array", where), number(count)});
  }
  return true;
}

bool BlockParts::add(std::span<const model::Member> members, const BlockLayout& layout,
                     std::uint64_t offset) {
  std::uint64_t at = offset;
  const auto pad = [&](std::uint64_t bytes) {
    for (; bytes != 0; --bytes, ++at) {
      if (at < mask.size()) mask[at] = padding_mask;  // behind the last part there is none
    }
  };
  for (std::size_t i = 0; i < members.size(); ++i) {
    pad(layout.padding[i]);
    if (words > 200 || !add(*members[i].type, at)) return false;
    at += blocks.part_size(*members[i].type);
  }
  if (layout.padding.size() > members.size()) pad(layout.padding.back());
  return true;
}

namespace {

// Four bytes a word, the first one lowest; whole lanes of eight.
std::vector<std::string> mask_words(const std::vector<std::uint8_t>& mask) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first < (mask.size() + 7) / 8 * 8; first += 4) {
    std::uint32_t word = 0;
    for (std::size_t i = first; i < mask.size() && i < first + 4; ++i)
      word |= std::uint32_t{mask[i]} << (8 * (i - first));
    char text[16];
    std::snprintf(text, sizeof text, word != 0 ? "0x%X" : "%X", static_cast<unsigned>(word));
    words.emplace_back(text);
  }
  return words;
}

}  // namespace

void Tables::push_block(Lines& into, const BlockParts& parts, const BlockLayout& layout,
                        const std::string& flag) {
  std::string flags = number(parts.words) + " << 8";
  if (!flag.empty()) flags += " | " + flag;
  if (parts.has_enumerations) flags += " | block_enumerations";
  if (std::find(parts.mask.begin(), parts.mask.end(), char_mask) != parts.mask.end())
    flags += " | block_characters";
  if (layout.align != 1) flags += " | " + number(static_cast<std::uint64_t>(std::countr_zero(layout.align)));
  into.push_back({at("block", parts.start), number(layout.end), flags});
  Line maps;
  for (std::string& word : mask_words(parts.mask)) maps.emplace_back(std::move(word));
  into.push_back(std::move(maps));
  for (const auto& line : parts.lines) into.emplace_back(line.begin(), line.end());
}

// The whole struct as one piece of memory, where it is one, of moderate size.
bool Tables::emit_block(Lines& into, const model::Struct& decl) {
  const BlockLayout* layout = context_.blocks.of(decl);
  if (layout == nullptr || layout->end > largest_block || layout->end < 3) return false;
  BlockParts parts{context_.blocks};
  parts.mask.resize(layout->end);
  if (!parts.add(decl.members, *layout, 0)) return false;
  push_block(into, parts, *layout, "block_repeats");
  return true;
}

// Members side by side as one piece of memory: how many of them, or 0 where to go one by one costs less.
std::size_t Tables::emit_run(Lines& into, const model::Decl& owner, const std::vector<model::Member>& members,
                             const std::vector<std::string>& data, std::size_t first) {
  const std::span<const model::Member> rest = std::span(members).subspan(first);
  const BlockLayout layout = context_.blocks.run(rest);
  const std::size_t count = layout.padding.size();
  if (count < fewest_in_run || layout.end > largest_block) return 0;
  BlockParts parts{context_.blocks};
  parts.start = offset_of(owner, data[first]);
  parts.mask.resize(layout.end);
  if (!parts.add(rest.first(count), layout, 0)) return 0;
  push_block(into, parts, layout, "");
  return count;
}

// --- unions ---

int Tables::add_cases(const model::Union& decl) {
  const Type& type = *model::resolve_aliases(decl.discriminator);
  const model::Enum* of = plain_enum(type);
  const auto which = [&](const model::UnionCase& one) {
    return number(static_cast<std::uint64_t>(&one - decl.cases.data()));
  };
  std::size_t labels = 0;
  for (const model::UnionCase& one : decl.cases) labels += one.is_default ? 0 : one.labels.size();
  Lines lines;
  Line first{std::string("static_cast<Word>(Op::") + (of != nullptr ? "enumeration" : simple_op(type)) + ")",
             number(of != nullptr ? of->enumerators.size() : 0), number(labels)};
  if (decl.default_case != nullptr) {
    first.push_back(type_run(*decl.default_case->member.type));
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
      lines.push_back({"low_" + value, "high_" + value, type_run(*one.member.type), which(one)});
    }
  }
  return add_run("cases of " + qualified(decl).substr(2), std::move(lines));
}

}  // namespace tenon::idl::cpp
