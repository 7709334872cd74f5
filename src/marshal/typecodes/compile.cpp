// SPDX-License-Identifier: Apache-2.0
#include "marshal/typecodes/compile.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <map>

#include "base/fixed.hpp"
#include "base/minor_codes.hpp"
#include "marshal/held_value.hpp"
#include "marshal/layout.hpp"
#include "marshal/typecodes/chunk.hpp"
#include "marshal/typecodes/typed_classes.hpp"
#include "types/any.hpp"
#include "types/typecode_cdr.hpp"

namespace tenon::marshal {

namespace {

using types::Kind;
using types::TypeCode;
using types::unaliased;

constexpr std::string_view value_base_id = "IDL:omg.org/CORBA/ValueBase:1.0";

enum ForeignIndex : Word { any_index, type_index };

}  // namespace

/// One compilation. Types become chunks of words that name each other by number; link() puts them side by side.
class Compiler {
 public:
  Result<Ref<const Program>> compile(const types::TypeRef& type) {
    if (!type) return errors::incomplete_typecode;
    auto program = Ref<Program>::adopt(new Program);
    const std::size_t root = chunk_of(*type);
    add_states();
    if (error_.id != SystemException::none) return error_;
    link(*program);
    program->type_ = type;
    program->root_ = starts_[root];
    program->foreign_ = {&any_class, &type_class};
    program->unit_ = {program->words_.data(), program->foreign_.data(), &program->values_};
    link_values(*program);
    return Ref<const Program>(std::move(program));
  }

 private:
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
    made.add(Op::end, {});
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

  /// The shape of a part of that type, whose place is still to be chosen.
  Shape shape_of(const TypeCode& named) {
    const TypeCode& type = unaliased(named);
    if (const auto op = number_op(type.kind)) return Shape::simple(primitive_size(*op), primitive_size(*op));
    switch (type.kind) {
      case Kind::tk_null:
      case Kind::tk_void: return {};
      case Kind::tk_boolean:
      case Kind::tk_char: return Shape::simple(1, 1);
      case Kind::tk_wchar: return Shape::simple(sizeof(wchar_t), 1);
      case Kind::tk_longdouble:
        return {sizeof(long double), alignof(long double), 16, type_zero | type_plain};
      case Kind::tk_enum: return Shape::simple(4, 4);
      case Kind::tk_fixed: return Shape::of_class<Fixed>(type.digits / 2u + 1, type_plain);
      case Kind::tk_string: return Shape::of_class<std::string>(4, 0);
      case Kind::tk_wstring: return Shape::of_class<std::wstring>(4, 0);
      case Kind::tk_Principal: return {sizeof(RawVector), alignof(RawVector), 4, type_zero};
      case Kind::tk_sequence:
        if (unaliased(*type.content).kind == Kind::tk_boolean)
          return Shape::of_class<std::vector<bool>>(4, 0);
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
      case Kind::tk_any: return Shape::of_class<types::Any>(4, 0);
      case Kind::tk_TypeCode: return Shape::of_class<types::TypeRef>(4, 0);
      case Kind::tk_objref: return Shape::of_class<Reference>(8, 0);
      case Kind::tk_struct:
      case Kind::tk_except:
      case Kind::tk_union: return chunks_[chunk_of(type)].shape;
      case Kind::tk_value:
      case Kind::tk_value_box:
      case Kind::tk_event: return held_shape;
      case Kind::tk_abstract_interface: return chunks_[abstract_chunk()].shape;
      default: refuse(errors::no_values_in_any); return {};
    }
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
    if (const auto op = simple_op(type)) {
      into.add(*op, {offset});
      return shape;
    }
    switch (type.kind) {
      case Kind::tk_enum:
        into.add(Op::enumeration, {offset}, {static_cast<Word>(type.members.size())});
        break;
      case Kind::tk_fixed:
        into.add(Op::fixed, {offset}, {fields::digits(type.digits, static_cast<std::uint16_t>(type.scale))});
        break;
      case Kind::tk_string: into.add_text(Op::string, type.length, {offset}); break;
      case Kind::tk_wstring: into.add_text(Op::wide_string, type.length, {offset}); break;
      case Kind::tk_Principal: into.add(Op::sequence1, {offset}, {fields::bound(0)}); break;
      case Kind::tk_sequence: add_sequence(into, type, offset); break;
      case Kind::tk_array: add_array(into, type, offset); break;
      case Kind::tk_any: into.add(Op::any, {offset}, {any_index}); break;
      case Kind::tk_TypeCode: into.add(Op::typecode, {offset}, {type_index}); break;
      case Kind::tk_objref: add_reference(into, offset); break;
      case Kind::tk_struct:
      case Kind::tk_except:
      case Kind::tk_union: into.add(Op::call, {offset}, {number_of(type)}); break;
      case Kind::tk_value:
      case Kind::tk_value_box:
      case Kind::tk_event: into.add(Op::held, {offset}, {value_number(type)}); break;
      case Kind::tk_abstract_interface:
        into.add(Op::call, {offset}, {static_cast<Word>(abstract_chunk())});
        break;
      default: break;
    }
    return shape;
  }

  static void add_reference(Chunk& into, std::size_t offset) {
    into.add(Op::string, {offset + offsetof(Reference, type_id)});
    into.add(Op::sequence, {offset + offsetof(Reference, profiles)},
             {fields::bound(0), fields::smallest(8), fields::type(0)});
  }

  Word number_of(const TypeCode& type) { return static_cast<Word>(chunk_of(type)); }

  void add_sequence(Chunk& into, const TypeCode& type, std::size_t offset) {
    const TypeCode& element = unaliased(*type.content);
    // If the element type contains this sequence, its shape is not known yet, and `smallest` is 0.
    const Op op = simple_op(element).value_or(Op::call);
    const std::size_t smallest =
        sequence_of(op) == Op::sequence ? chunks_[chunk_of(element)].shape.smallest : 0;
    into.add_sequence(op, type.length, static_cast<Word>(smallest), {offset},
                      [&] { return number_of(element); });
  }

  void add_array(Chunk& into, const TypeCode& type, std::size_t offset) {
    std::size_t count = type.length;
    const TypeCode* element = &unaliased(*type.content);
    for (; element->kind == Kind::tk_array; element = &unaliased(*element->content)) count *= element->length;
    if (shape_of(*element).size == 0) return;  // elements without size need no instruction
    into.add_array(simple_op(*element).value_or(Op::call), static_cast<Word>(count), {offset},
                   [&] { return number_of(*element); });
  }

  // --- structs: runs of fixed-size members become blocks ---

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

  void add_block(Chunk& into, const TypeCode& type, const std::vector<Shape>& shapes, std::size_t first,
                 std::size_t end) {
    const std::size_t start = into.offsets[first];
    BlockParts block({start});
    for (std::size_t i = first; i < end; ++i) {
      const TypeCode& member = unaliased(*type.members[i].type);
      block.add(simple_op(member).value_or(Op::enumeration), into.offsets[i] - start, 1,
                static_cast<Word>(member.members.size()));
    }
    const bool whole = first == 0 && end == type.members.size();
    block.add_to(into, whole && (block.bytes() % block.align() == 0 || shapes[first].align == block.align()));
  }

  // --- unions ---

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
      cases.insert(cases.end(), {static_cast<Word>(chunk), case_number(type, i)});
    }
    whole.size = rounded(sizeof(ChoiceHead) + most, whole.align);
    into.case_place = into.words.size() + 1;
    into.add(Op::choice, {}, {fields::cases(0), no_foreign});
    return whole;
  }

  // --- values ---

  static constexpr Shape held_shape{sizeof(HeldValue*), alignof(HeldValue*), 4, type_zero};

  /// The number of a value type; its state comes later, as it may have parts whose memory is still being laid out.
  Word value_number(const TypeCode& type) {
    const auto known = value_numbers_.find(&type);
    if (known != value_numbers_.end()) return known->second;
    const auto number = static_cast<Word>(values_.size());
    value_numbers_.emplace(&type, number);
    values_.emplace_back();
    ValueType made;
    made.names.emplace_back(type.id);
    made.open = type.modifier == types::Modifier::abstract || type.id == value_base_id;
    bool truncatable = type.modifier == types::Modifier::truncatable;
    for (const TypeCode* base = base_of(type); truncatable && base != nullptr; base = base_of(*base)) {
      made.names.emplace_back(base->id);
      truncatable = base->modifier == types::Modifier::truncatable;
    }
    if (const TypeCode* base = base_of(type)) made.base = value_number(*base);
    values_[number] = {std::move(made), &type, no_chunk};
    return number;
  }

  static const TypeCode* base_of(const TypeCode& type) noexcept {
    return types::has_state(type.kind) && type.content != nullptr && types::has_state(type.content->kind)
               ? type.content
               : nullptr;
  }

  void add_states() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const TypeCode& type = *values_[i].type;
      if (values_[i].made.open || type.modifier == types::Modifier::custom) continue;
      values_[i].state = type.kind == Kind::tk_value_box ? chunk_of(*type.content) : state_chunk(type);
    }
  }

  /// The state of a value type as if it were a struct.
  std::size_t state_chunk(const TypeCode& type) {
    std::vector<types::Member> members;
    for (const TypeCode* each = &type; each != nullptr; each = base_of(*each))
      members.insert(members.begin(), each->members.begin(), each->members.end());
    const TypeCode state = types::struct_type({}, {}, members);
    const std::size_t chunk = chunk_of(state);
    numbers_.erase(&state);
    chunks_[chunk].type = nullptr;
    return chunk;
  }

  /// An abstract interface is a union of a reference and a value (part 2 §9.3.7).
  std::size_t abstract_chunk() {
    if (abstract_ != no_chunk) return abstract_;
    const std::size_t value = chunks_.size();
    chunks_.emplace_back();
    chunks_[value].shape = held_shape;
    chunks_[value].words = {head(held_shape.size, held_shape.align, held_shape.flags), at(Op::held),
                            no_value_type, at(Op::end)};
    chunks_.emplace_back();
    Chunk& reference = chunks_.back();
    reference.shape = Shape::of_class<Reference>(8, 0);
    reference.words = {head(sizeof(Reference), alignof(Reference), 0)};
    add_reference(reference, 0);
    reference.add(Op::end, {});

    Chunk made;
    made.shape = {rounded(sizeof(ChoiceHead) + sizeof(Reference), alignof(ChoiceHead)), alignof(ChoiceHead),
                  1, 0};
    made.words = {head(made.shape.size, made.shape.align, 0), at(Op::choice), fields::cases(0), no_foreign,
                  at(Op::end)};
    made.case_place = 2;
    made.cases = {static_cast<Word>(Op::boolean), 0, 2, no_case, no_case, 0};
    for (Word label = 0; label < 2; ++label) {
      made.case_links.push_back(made.cases.size() + 2);
      made.cases.insert(made.cases.end(), {label, 0, static_cast<Word>(value + label), label});
    }
    abstract_ = chunks_.size();
    chunks_.push_back(std::move(made));
    return abstract_;
  }

  void link_values(Program& program) {
    static constexpr ValueMoves moves{&get_held_value, &put_held_value, &skip_held_value, &drop_held_value};
    ValueTypes& table = program.values_;
    table.moves = &moves;
    table.unit = &program.unit_;
    table.keeper = &program;
    for (NewValue& value : values_) {
      ValueType& type = table.all.emplace_back(std::move(value.made));
      type.ids.assign(type.names.begin(), type.names.end());
      if (value.state != no_chunk) type.state = starts_[value.state];
      table.by_id.push_back(static_cast<Word>(table.by_id.size()));
    }
    const auto key = [&table](Word number) { return std::pair(table.all[number].ids[0], number); };
    std::sort(table.by_id.begin(), table.by_id.end(), [&key](Word a, Word b) { return key(a) < key(b); });
  }

  // --- side by side ---

  void link(Program& program) {
    for (const Chunk& chunk : chunks_) {
      starts_.push_back(static_cast<TypeIndex>(program.words_.size()));
      program.words_.insert(program.words_.end(), chunk.words.begin(), chunk.words.end());
    }
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      Chunk& chunk = chunks_[i];
      for (const std::size_t place : chunk.type_words) {
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
                  at(Op::sequence1, offsetof(Profile, data)), fields::bound(0), at(Op::end)};
    return made;
  }

  static constexpr std::size_t no_chunk = static_cast<std::size_t>(-1);
  struct NewValue {
    ValueType made;
    const TypeCode* type = nullptr;
    std::size_t state = no_chunk;
  };

  std::vector<Chunk> chunks_{profile_chunk()};
  std::map<const TypeCode*, std::size_t> numbers_;
  std::vector<TypeIndex> starts_;
  std::deque<NewValue> values_;
  std::map<const TypeCode*, Word> value_numbers_;
  std::size_t abstract_ = no_chunk;
  unsigned depth_ = 0;
  Error error_;
};

Result<Ref<const Program>> compile(const types::TypeRef& type) { return Compiler().compile(type); }

}  // namespace tenon::marshal
