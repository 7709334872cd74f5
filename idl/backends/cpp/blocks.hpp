// SPDX-License-Identifier: Apache-2.0
//
// Which structs are blocks: memory equal to CDR, so that whole sequences of them move as one piece.
//
// Each struct is looked at once, since nested structs can have exponentially many paths to the innermost one. Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "idl/model/model.hpp"
#include "marshal/builder.hpp"

namespace tenon::idl::cpp {

// A struct or array element as it lies in memory and on the wire, when the two are equal.
struct BlockLayout {
  std::uint64_t size = 0;              // sizeof
  std::uint64_t end = 0;               // CDR bytes from an aligned start; less than size by trailing padding
  std::uint64_t align = 1;             // alignof, the largest CDR alignment inside
  std::uint64_t first_align = 1;       // of the first primitive
  std::vector<std::uint64_t> padding;  // bytes before each member, and behind the last
  // For whole structs only: what must be checked besides the number of bytes, in nested structs as well.
  bool has_chars = false;
  bool needs_check = false;  // booleans, enumerators, padding
  bool checked() const { return has_chars || needs_check; }
};

// The type below aliases and arrays.
const model::Type& leaf(const model::Type& type);
// The elements of an array, all dimensions together; another type counts as one element of itself.
struct Elements {
  const model::Type* type;
  std::uint64_t count;
};
Elements elements_of(const model::Type& type);
// "..c_": which values each byte may have (cdr/block.hpp).
std::string mask_letters(std::span<const std::uint8_t> masks);

class Blocks {
 public:
  // Null unless a whole sequence of the struct is one block: then its memory equals CDR from the second element on. Lives as
  // long as this object.
  const BlockLayout* of(const model::Struct& decl);
  // The members from the first one on that lie in memory as they do in CDR, wherever the first one lies; as many as there are
  // paddings. None is more aligned than the first, so its address decides where all of them are. `size` ends with the last one.
  BlockLayout run(std::span<const model::Member> members);
  // Bytes of memory of a type that is part of a block.
  std::uint64_t part_size(const model::Type& type) { return part(type).size; }
  // Adds the parts of those members, flat: nested structs and arrays of them part by part. False: this would take more words of
  // instructions than the limit.
  bool add_parts(marshal::BlockParts& into, std::span<const model::Member> members, const BlockLayout& layout,
                 std::size_t most_words, std::uint64_t offset = 0);
  // The layout of the type below aliases and arrays; null for all but structs that are blocks.
  const BlockLayout* nested(const model::Type& type);

 private:
  struct Part {  // the part of a layout that the struct around it needs; size 0: not a block
    std::uint64_t size = 0;
    std::uint64_t end = 0;
    std::uint64_t align = 1;
    std::uint64_t first_align = 1;
  };
  Part part(const model::Type& type);
  bool add_part(marshal::BlockParts& into, const model::Type& type, std::size_t most_words,
                std::uint64_t offset);
  std::optional<BlockLayout> layout(const model::Struct& decl);

  std::unordered_map<const model::Struct*, std::optional<BlockLayout>> known_;
};

}  // namespace tenon::idl::cpp
