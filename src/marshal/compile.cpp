// SPDX-License-Identifier: Apache-2.0
#include "marshal/compile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "marshal/layout.hpp"
#include "marshal/typed_classes.hpp"
#include "types/any.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::marshal {

namespace {

using types::Kind;
using types::TypeCode;
using types::unaliased;

enum ForeignIndex : Word { any_index, type_index };

std::size_t rounded(std::size_t size, std::size_t align) noexcept {
  return (size + align - 1) / align * align;
}

}  // namespace

/// One compilation. Types become chunks of words that name each other by chunk; link() lays them side by side.
class Compiler {
 public:
  Result<Ref<const Program>> compile(const types::TypeRef& type) {
    if (!type) return errors::incomplete_typecode;
    auto program = Ref<Program>::adopt(new Program);
    const std::size_t root = chunk_of(*type);
    if (error_.id != SystemException::none) return error_;
    link(*program);
    program->type_ = type;
    program->root_ = starts_[root];
    program->foreign_ = {&any_class, &type_class};
    program->unit_ = {program->words_.data(), program->foreign_.data()};
    return Ref<const Program>(std::move(program));
  }

 private:
  /// What a type is in memory and on the wire.
  struct Shape {
    std::size_t size = 0;
    std::size_t align = 1;
    std::size_t smallest = 0;
    Word flags = type_zero | type_plain;
  };
  struct Chunk {
    const TypeCode* type = nullptr;
    Shape shape;
    std::vector<Word> words;
    std::vector<std::size_t> links;  ///< places in words that hold a chunk's number
    std::vector<std::size_t> offsets;
    std::vector<Word> cases;  ///< of a union, and the links in them
    std::vector<std::size_t> case_links;
    std::size_t case_place = 0;  ///< the word that holds the place of the cases
  };

  void refuse(Error error) {
    if (error_.id == SystemException::none) error_ = error;
  }

  /// The chunk of a type, made where there is none yet.
  std::size_t chunk_of(const TypeCode& named) {
    const TypeCode& type = unaliased(named);
    if (const auto known = numbers_.find(&type); known != numbers_.end()) return known->second;
    const std::size_t number = chunks_.size();
    numbers_.emplace(&type, number);
    chunks_.emplace_back();
    Chunk made;
    made.type = &type;
    made.words.push_back(0);
    ++depth_;
    if (depth_ > types::deepest_typecode) {
      refuse(errors::endless_typecode);
    } else {
      made.shape = add_type(made, type);
    }
    --depth_;
    made.words.push_back(at(Op::end));
    made.shape.size =
        std::max<std::size_t>(made.shape.size, 1);  // elements side by side need places of their own
    if (made.shape.size > largest_size) {
      refuse(errors::type_too_large);
    } else {
      made.words[0] = head(made.shape.size, made.shape.align, made.shape.flags);
    }
    chunks_[number] = std::move(made);
    return number;
  }

  Shape add_type(Chunk& into, const TypeCode& type) {
    switch (type.kind) {
      case Kind::tk_struct:
      case Kind::tk_except: return add_members(into, type);
      case Kind::tk_union: return add_union(into, type);
      default: return add_part(into, type, 0);
    }
  }

  static Shape simple(std::size_t size, std::size_t smallest, Word flags = type_zero | type_plain) {
    return {size, size == 0 ? 1 : std::min<std::size_t>(size, 16), smallest, flags};
  }
  template <typename T>
  static Shape class_shape(std::size_t smallest, Word flags) {
    return {sizeof(T), alignof(T), smallest, flags};
  }

  static std::optional<Op> number_op(Kind kind) noexcept {
    switch (kind) {
      case Kind::tk_octet: return Op::copy1;
      case Kind::tk_short:
      case Kind::tk_ushort: return Op::copy2;
      case Kind::tk_long:
      case Kind::tk_ulong:
      case Kind::tk_float: return Op::copy4;
      case Kind::tk_longlong:
      case Kind::tk_ulonglong:
      case Kind::tk_double: return Op::copy8;
      default: return std::nullopt;
    }
  }
  static std::size_t number_size(Op op) noexcept {
    return std::size_t{1} << (static_cast<unsigned>(op) - static_cast<unsigned>(Op::copy1));
  }
  static Op shifted(Op first, Op number) noexcept {
    return static_cast<Op>(static_cast<unsigned>(first) + static_cast<unsigned>(number) -
                           static_cast<unsigned>(Op::copy1));
  }

  /// What a part of that type is, whose place is still to be chosen.
  Shape shape_of(const TypeCode& named) {
    const TypeCode& type = unaliased(named);
    if (const auto op = number_op(type.kind)) return simple(number_size(*op), number_size(*op));
    switch (type.kind) {
      case Kind::tk_null:
      case Kind::tk_void: return {};
      case Kind::tk_boolean:
      case Kind::tk_char: return simple(1, 1);
      case Kind::tk_wchar: return simple(sizeof(wchar_t), 1);
      case Kind::tk_longdouble:
        return {sizeof(long double), alignof(long double), 16, type_zero | type_plain};
      case Kind::tk_enum: return simple(4, 4);
      case Kind::tk_fixed: return class_shape<Fixed>(type.digits / 2u + 1, type_plain);
      case Kind::tk_string: return class_shape<std::string>(4, 0);
      case Kind::tk_wstring: return class_shape<std::wstring>(4, 0);
      case Kind::tk_Principal: return {sizeof(RawVector), alignof(RawVector), 4, type_zero};
      case Kind::tk_sequence:
        if (unaliased(*type.content).kind == Kind::tk_boolean) return class_shape<std::vector<bool>>(4, 0);
        return {sizeof(RawVector), alignof(RawVector), 4,
                unaliased(*type.content).kind == Kind::tk_string ? Word{0} : Word{type_zero}};
      case Kind::tk_array: {
        Shape element = shape_of(*type.content);
        if (element.size != 0 && type.length > largest_size / element.size) {
          refuse(errors::type_too_large);
          return {};
        }
        element.size *= type.length;
        element.smallest *= type.length;
        return element;
      }
      case Kind::tk_any: return class_shape<types::Any>(4, 0);
      case Kind::tk_TypeCode: return class_shape<types::TypeRef>(4, 0);
      case Kind::tk_objref: return class_shape<Reference>(8, 0);
      case Kind::tk_struct:
      case Kind::tk_except:
      case Kind::tk_union: return chunks_[chunk_of(type)].shape;
      default: refuse(errors::no_values_in_any); return {};
    }
  }

  void link_to(Chunk& into, std::size_t chunk) {
    into.links.push_back(into.words.size());
    into.words.push_back(static_cast<Word>(chunk));
  }

  /// The instruction for a part at `offset`.
  Shape add_part(Chunk& into, const TypeCode& named, std::size_t offset) {
    const TypeCode& type = unaliased(named);
    const Shape shape = shape_of(type);
    if (error_.id != SystemException::none) return shape;
    if (offset + shape.size > largest_size) {
      refuse(errors::type_too_large);
      return shape;
    }
    std::vector<Word>& words = into.words;
    if (const auto op = number_op(type.kind)) {
      words.push_back(at(*op, offset));
      return shape;
    }
    switch (type.kind) {
      case Kind::tk_null:
      case Kind::tk_void: break;
      case Kind::tk_boolean: words.push_back(at(Op::boolean, offset)); break;
      case Kind::tk_char: words.push_back(at(Op::character, offset)); break;
      case Kind::tk_wchar: words.push_back(at(Op::wide_character, offset)); break;
      case Kind::tk_longdouble: words.push_back(at(Op::long_double, offset)); break;
      case Kind::tk_enum:
        words.insert(words.end(), {at(Op::enumeration, offset), static_cast<Word>(type.members.size())});
        break;
      case Kind::tk_fixed:
        words.insert(words.end(), {at(Op::fixed, offset),
                                   Word{type.digits} << 16 | static_cast<std::uint16_t>(type.scale)});
        break;
      case Kind::tk_string: add_text(words, Op::string, Op::bounded_string, type.length, offset); break;
      case Kind::tk_wstring:
        add_text(words, Op::wide_string, Op::bounded_wide_string, type.length, offset);
        break;
      case Kind::tk_Principal: words.insert(words.end(), {at(Op::sequence1, offset), 0}); break;
      case Kind::tk_sequence: add_sequence(into, type, offset); break;
      case Kind::tk_array: add_array(into, type, offset); break;
      case Kind::tk_any: words.insert(words.end(), {at(Op::any, offset), any_index}); break;
      case Kind::tk_TypeCode: words.insert(words.end(), {at(Op::typecode, offset), type_index}); break;
      case Kind::tk_objref: add_reference(into, offset); break;
      case Kind::tk_struct:
      case Kind::tk_except:
      case Kind::tk_union:
        words.push_back(at(Op::call, offset));
        link_to(into, chunk_of(type));
        break;
      default: break;
    }
    return shape;
  }

  static void add_text(std::vector<Word>& words, Op free, Op bounded, std::uint32_t bound,
                       std::size_t offset) {
    if (bound == 0) {
      words.push_back(at(free, offset));
    } else {
      words.insert(words.end(), {at(bounded, offset), bound});
    }
  }

  void add_reference(Chunk& into, std::size_t offset) {
    into.words.insert(into.words.end(), {at(Op::string, offset + offsetof(Reference, type_id)),
                                         at(Op::sequence, offset + offsetof(Reference, profiles)), 0, 8});
    link_to(into, 0);
  }

  void add_sequence(Chunk& into, const TypeCode& type, std::size_t offset) {
    const TypeCode& element = unaliased(*type.content);
    std::vector<Word>& words = into.words;
    if (const auto op = number_op(element.kind)) {
      words.insert(words.end(), {at(shifted(Op::sequence1, *op), offset), type.length});
    } else if (element.kind == Kind::tk_char) {
      words.insert(words.end(), {at(Op::characters, offset), type.length});
    } else if (element.kind == Kind::tk_boolean) {
      words.insert(words.end(), {at(Op::booleans, offset), type.length});
    } else if (element.kind == Kind::tk_string && element.length == 0) {
      words.insert(words.end(), {at(Op::strings, offset), type.length});
    } else {
      const std::size_t chunk = chunk_of(element);
      // of a type around this one little is known yet
      words.insert(words.end(),
                   {at(Op::sequence, offset), type.length, static_cast<Word>(chunks_[chunk].shape.smallest)});
      link_to(into, chunk);
    }
  }

  void add_array(Chunk& into, const TypeCode& type, std::size_t offset) {
    std::size_t count = type.length;
    const TypeCode* element = &unaliased(*type.content);
    for (; element->kind == Kind::tk_array; element = &unaliased(*element->content)) count *= element->length;
    if (shape_of(*element).size == 0) return;  // of nothing, however many
    std::vector<Word>& words = into.words;
    if (const auto op = number_op(element->kind)) {
      words.insert(words.end(), {at(shifted(Op::array1, *op), offset), static_cast<Word>(count)});
    } else if (element->kind == Kind::tk_char) {
      words.insert(words.end(), {at(Op::character_array, offset), static_cast<Word>(count)});
    } else if (element->kind == Kind::tk_boolean) {
      words.insert(words.end(), {at(Op::boolean_array, offset), static_cast<Word>(count)});
    } else {
      words.insert(words.end(), {at(Op::array, offset), static_cast<Word>(count)});
      link_to(into, chunk_of(*element));
    }
  }

  // --- structs: runs of fixed-size members become blocks ---

  static bool is_fixed_part(const TypeCode& named) noexcept {
    const Kind kind = unaliased(named).kind;
    return number_op(kind) || kind == Kind::tk_boolean || kind == Kind::tk_char || kind == Kind::tk_enum;
  }

  Shape add_members(Chunk& into, const TypeCode& type) {
    Shape whole;
    std::vector<Shape> shapes;
    for (const types::Member& member : type.members) {
      const Shape shape = shape_of(*member.type);
      shapes.push_back(shape);
      into.offsets.push_back(rounded(whole.size, shape.align));
      whole.size = into.offsets.back() + shape.size;
      whole.align = std::max(whole.align, shape.align);
      whole.smallest += shape.smallest;
      whole.flags &= shape.flags;
    }
    for (std::size_t i = 0; i < type.members.size();) {
      const std::size_t end = run_end(type, into.offsets, shapes, i);
      if (end > i) {
        add_block(into, type, shapes, i, end);
        i = end;
      } else {
        add_part(into, *type.members[i].type, into.offsets[i]);
        ++i;
      }
    }
    whole.size = rounded(std::max<std::size_t>(whole.size, 1), whole.align);
    return whole;
  }

  /// Behind the last member of a block that begins with member `first`; `first` when there is none.
  static std::size_t run_end(const TypeCode& type, const std::vector<std::size_t>& offsets,
                             const std::vector<Shape>& shapes, std::size_t first) {
    std::size_t end = first;
    std::size_t align = 1;
    while (end < type.members.size() && is_fixed_part(*type.members[end].type) &&
           offsets[end] + shapes[end].size - offsets[first] <= largest_block) {
      align = std::max(align, shapes[end].align);
      ++end;
    }
    // In memory the run must begin where its alignment wants it, else its padding differs from CDR's.
    return end >= first + 2 && offsets[first] % align == 0 ? end : first;
  }

  void add_block(Chunk& into, const TypeCode& type, const std::vector<Shape>& shapes, std::size_t first,
                 std::size_t end) {
    const std::size_t start = into.offsets[first];
    const std::size_t bytes = into.offsets[end - 1] + shapes[end - 1].size - start;
    std::vector<std::uint8_t> mask(bytes, padding_octet);
    std::size_t align = 1;
    Word flags = 0;
    Chunk parts;
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t place = into.offsets[i] - start;
      const Kind kind = unaliased(*type.members[i].type).kind;
      align = std::max(align, shapes[i].align);
      const auto marked = mask.begin() + static_cast<std::ptrdiff_t>(place);
      std::fill_n(marked, shapes[i].size, any_octet);
      if (kind == Kind::tk_boolean) *marked = boolean_octet;
      if (kind == Kind::tk_char) {
        *marked = char_octet;
        flags |= block_characters;
      }
      if (kind == Kind::tk_enum) flags |= block_enumerations;
      add_part(parts, *type.members[i].type, into.offsets[i]);
    }
    const bool whole = first == 0 && end == type.members.size();
    if (whole && (bytes % align == 0 || shapes[first].align == align)) flags |= block_repeats;
    std::vector<Word>& words = into.words;
    words.insert(words.end(), {at(Op::block, start), static_cast<Word>(bytes),
                               static_cast<Word>(parts.words.size()) << 8 | flags |
                                   static_cast<Word>(std::countr_zero(align))});
    mask.resize(mask_words(bytes) * 4);
    for (std::size_t byte = 0; byte < mask.size(); byte += 4) {
      words.push_back(Word{mask[byte]} | Word{mask[byte + 1]} << 8 | Word{mask[byte + 2]} << 16 |
                      Word{mask[byte + 3]} << 24);
    }
    words.insert(words.end(), parts.words.begin(), parts.words.end());
  }

  // --- unions ---

  static Op discriminator_op(const TypeCode& type) noexcept {
    if (const auto op = number_op(type.kind)) return *op;
    switch (type.kind) {
      case Kind::tk_boolean: return Op::boolean;
      case Kind::tk_char: return Op::character;
      case Kind::tk_wchar: return Op::wide_character;
      default: return Op::enumeration;
    }
  }

  Shape add_union(Chunk& into, const TypeCode& type) {
    const TypeCode& discriminator = unaliased(*type.content);
    const Shape label = shape_of(discriminator);
    Shape whole{0, alignof(ChoiceHead), label.smallest, 0};
    std::size_t most = 0;
    std::vector<Word>& cases = into.cases;
    cases = {static_cast<Word>(discriminator_op(discriminator)),
             discriminator.kind == Kind::tk_enum ? static_cast<Word>(discriminator.members.size()) : 0,
             0,
             no_case,
             no_case,
             0};
    for (std::size_t i = 0; i < type.members.size(); ++i) {
      const types::Member& member = type.members[i];
      const std::size_t chunk = chunk_of(*member.type);
      most = std::max(most, chunks_[chunk].shape.size);
      if (static_cast<std::int32_t>(i) == type.default_index) {
        into.case_links.push_back(3);
        cases[3] = static_cast<Word>(chunk);
        cases[4] = static_cast<Word>(i);
        continue;
      }
      ++cases[2];
      cases.insert(cases.end(), {static_cast<Word>(member.label), static_cast<Word>(member.label >> 32)});
      into.case_links.push_back(cases.size());
      cases.insert(cases.end(), {static_cast<Word>(chunk), which(type, i)});
    }
    whole.size = rounded(sizeof(ChoiceHead) + most, whole.align);
    into.case_place = into.words.size() + 1;
    into.words.insert(into.words.end(), {at(Op::choice), 0, no_foreign});
    return whole;
  }

  /// A case with several labels is several members of the TypeCode, but one of the union.
  static Word which(const TypeCode& type, std::size_t index) noexcept {
    while (index > 0 && type.members[index - 1].name == type.members[index].name &&
           !type.members[index].name.empty()) {
      --index;
    }
    return static_cast<Word>(index);
  }

  // --- side by side ---

  void link(Program& program) {
    for (const Chunk& chunk : chunks_) {
      starts_.push_back(static_cast<TypeIndex>(program.words_.size()));
      program.words_.insert(program.words_.end(), chunk.words.begin(), chunk.words.end());
    }
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      Chunk& chunk = chunks_[i];
      for (const std::size_t place : chunk.links) {
        Word& word = program.words_[starts_[i] + place];
        word = starts_[word];
      }
      if (!chunk.cases.empty()) {
        for (const std::size_t place : chunk.case_links) chunk.cases[place] = starts_[chunk.cases[place]];
        program.words_[starts_[i] + chunk.case_place] = static_cast<Word>(program.words_.size());
        program.words_.insert(program.words_.end(), chunk.cases.begin(), chunk.cases.end());
      }
      if (chunk.type != nullptr) program.parts_.push_back({chunk.type, starts_[i], std::move(chunk.offsets)});
    }
    std::sort(program.parts_.begin(), program.parts_.end(),
              [](const auto& a, const auto& b) { return std::less<>()(a.type, b.type); });
  }

  /// Chunk 0: a profile of an object reference.
  static Chunk profile_chunk() {
    Chunk made;
    made.shape = {sizeof(Profile), alignof(Profile), 8, type_zero};
    made.words = {head(sizeof(Profile), alignof(Profile), type_zero), at(Op::copy4, offsetof(Profile, tag)),
                  at(Op::sequence1, offsetof(Profile, data)), 0, at(Op::end)};
    return made;
  }

  std::vector<Chunk> chunks_{profile_chunk()};
  std::map<const TypeCode*, std::size_t> numbers_;
  std::vector<TypeIndex> starts_;
  unsigned depth_ = 0;
  Error error_;
};

Result<Ref<const Program>> compile(const types::TypeRef& type) { return Compiler().compile(type); }

}  // namespace tenon::marshal
