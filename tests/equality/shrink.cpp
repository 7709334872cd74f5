// SPDX-License-Identifier: Apache-2.0
#include "tests/equality/shrink.hpp"

#include <map>

#include "types/create.hpp"
#include "types/walker.hpp"

namespace tenon::equality {
namespace {

using types::Kind;
using types::TypeCode;
using types::TypeRef;

bool is_record(Kind kind) noexcept { return kind == Kind::tk_struct || kind == Kind::tk_except; }
bool is_list(Kind kind) noexcept { return kind == Kind::tk_sequence || kind == Kind::tk_array; }

void add(std::vector<Sample>& into, const Result<TypeRef>& type, Data data) {
  if (type) into.push_back({*type, std::move(data)});
}

std::vector<Sample> smaller(const Sample& sample, unsigned depth);

TypeRef part_type(const Sample& whole, std::size_t index) {
  const TypeCode& type = *whole.type;
  if (is_record(type.kind)) return whole.type.part(*type.members[index].type);
  if (is_list(type.kind)) return whole.type.part(*type.content);
  if (type.kind == Kind::tk_any) return whole.data.type;
  return whole.type.part(*types::selected_member(type, whole.data.bits)->type);
}

/// A struct with the types of these parts.
Result<TypeRef> record_of(const std::vector<TypeRef>& parts) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < parts.size(); ++i) names.push_back("m" + std::to_string(i));
  std::vector<types::NewMember> members;
  for (std::size_t i = 0; i < parts.size(); ++i) members.push_back({names[i], parts[i]});
  return types::create_struct("IDL:equality/S:1.0", "S", members);
}

void smaller_records(const Sample& sample, unsigned depth, std::vector<Sample>& into) {
  const std::size_t count = sample.data.parts.size();
  std::vector<TypeRef> parts;
  for (std::size_t i = 0; i < count; ++i) parts.push_back(part_type(sample, i));
  for (std::size_t i = 0; i < count && count > 1; ++i) {
    std::vector<TypeRef> fewer = parts;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    Data data = sample.data;
    data.parts.erase(data.parts.begin() + static_cast<std::ptrdiff_t>(i));
    add(into, record_of(fewer), std::move(data));
  }
  for (std::size_t i = 0; i < count && depth != 0; ++i) {
    for (Sample& other : smaller({parts[i], sample.data.parts[i]}, depth - 1)) {
      std::vector<TypeRef> changed = parts;
      changed[i] = other.type;
      Data data = sample.data;
      data.parts[i] = std::move(other.data);
      add(into, record_of(changed), std::move(data));
    }
  }
}

Result<TypeRef> list_of(const TypeCode& like, const TypeRef& element, std::size_t count) {
  if (like.kind == Kind::tk_array) return types::create_array(static_cast<std::uint32_t>(count), element);
  return types::create_sequence(like.length, element);
}

void smaller_lists(const Sample& sample, unsigned depth, std::vector<Sample>& into) {
  const TypeCode& type = *sample.type;
  const TypeRef element = sample.type.part(*type.content);
  const std::vector<Data>& all = sample.data.parts;
  for (std::size_t half = all.size() / 2; half != 0; half /= 2) {
    Data data = sample.data;
    data.parts.resize(all.size() - half);
    add(into, list_of(type, element, data.parts.size()), data);
    data.parts.assign(all.begin() + static_cast<std::ptrdiff_t>(half), all.end());
    const auto list = list_of(type, element, data.parts.size());
    add(into, list, std::move(data));
  }
  if (type.length != 0 && type.kind == Kind::tk_sequence)
    add(into, types::create_sequence(0, element), sample.data);
  if (depth == 0 || all.empty()) return;
  if (all.size() > 1) {
    // a smaller value of the same type in one place
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (Sample& other : smaller({element, all[i]}, depth - 1)) {
        if (other.type.get() != element.get()) continue;
        Data data = sample.data;
        data.parts[i] = std::move(other.data);
        into.push_back({sample.type, std::move(data)});
      }
    }
    return;
  }
  for (Sample& other : smaller({element, all[0]}, depth - 1)) {
    Data data;
    data.parts.push_back(std::move(other.data));
    add(into, list_of(type, other.type, 1), std::move(data));
  }
}

void smaller_leaves(const Sample& sample, std::vector<Sample>& into) {
  const Data& data = sample.data;
  const auto with_bits = [&](std::uint64_t bits) {
    Data other = data;
    other.bits = bits;
    into.push_back({sample.type, std::move(other)});
  };
  if (data.bits > 1) with_bits(1);
  if (data.bits != 0) with_bits(0);
  const Kind kind = sample.type->kind;
  if (kind == Kind::tk_string && !data.text.empty()) {
    into.push_back({sample.type, Data()});
    Data other = data;
    other.text.assign(data.text.size() - 1, 'a');
    into.push_back({sample.type, std::move(other)});
  }
  if (kind == Kind::tk_wstring && !data.wide.empty()) {
    Data other = data;
    other.wide.pop_back();
    into.push_back({sample.type, std::move(other)});
  }
  if (kind == Kind::tk_objref && !data.parts.empty()) into.push_back({sample.type, Data()});
  if (sample.type->length != 0 && (kind == Kind::tk_string || kind == Kind::tk_wstring))
    into.push_back({types::basic(kind), data});
}

std::vector<Sample> smaller(const Sample& sample, unsigned depth) {
  std::vector<Sample> found;
  const Kind kind = sample.type->kind;
  if (kind == Kind::tk_alias) {
    found.push_back({sample.type.part(*sample.type->content), sample.data});
    return found;
  }
  // Values are kept or become null as a whole.
  if (types::is_value(kind)) {
    if (sample.data.value != 0) found.push_back({sample.type, Data()});
    return found;
  }
  const bool has_parts = is_record(kind) || is_list(kind) || kind == Kind::tk_union || kind == Kind::tk_any;
  if (!has_parts) {
    smaller_leaves(sample, found);
    return found;
  }
  for (std::size_t i = 0; i < sample.data.parts.size(); ++i)
    found.push_back({part_type(sample, i), sample.data.parts[i]});
  if (is_record(kind)) smaller_records(sample, depth, found);
  if (is_list(kind)) smaller_lists(sample, depth, found);
  if (kind == Kind::tk_any && depth != 0) {
    for (Sample& other : smaller({sample.data.type, sample.data.parts[0]}, depth - 1)) {
      Data data;
      data.type = other.type;
      data.parts.push_back(std::move(other.data));
      found.push_back({sample.type, std::move(data)});
    }
  }
  if (kind == Kind::tk_union && depth != 0 && !sample.data.parts.empty()) {
    for (Sample& other : smaller({part_type(sample, 0), sample.data.parts[0]}, depth - 1)) {
      if (other.type.get() != part_type(sample, 0).get()) continue;
      Data data = sample.data;
      data.parts[0] = std::move(other.data);
      found.push_back({sample.type, std::move(data)});
    }
  }
  return found;
}

}  // namespace

std::string text(const Sample& sample) {
  return types::text(*sample.type) + "\n  value " + text(sample.data);
}

namespace {

/// Numbers values anew in the order in which they begin; false when one is referred to that is no longer there.
bool renumber(Data& data, std::map<std::uint32_t, std::uint32_t>& numbers) {
  if (data.value != 0) {
    const auto known = numbers.find(data.value);
    if (data.again != (known != numbers.end())) return false;
    data.value = data.again ? known->second : numbers.emplace(data.value, numbers.size() + 1).first->second;
  }
  for (Data& part : data.parts) {
    if (!renumber(part, numbers)) return false;
  }
  return true;
}

bool consistent(Sample& sample) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  return renumber(sample.data, numbers);
}

}  // namespace

Sample shrunk(Sample sample, FunctionRef<bool(const Sample&)> fails) {
  constexpr unsigned most_steps = 500;  // some steps only change a value, so there must be an end
  for (unsigned step = 0; step < most_steps; ++step) {
    bool found = false;
    for (Sample& other : smaller(sample, 5)) {
      if (!consistent(other) || !fails(other)) continue;
      sample = std::move(other);
      found = true;
      break;
    }
    if (!found) break;
  }
  return sample;
}

}  // namespace tenon::equality
