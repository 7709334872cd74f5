// SPDX-License-Identifier: Apache-2.0
//
// What --operations=index needs besides its table (operation_tables.hpp): fingerprints of interfaces, by which a stub sees in a
// reference that the skeleton numbers the operations as the stub does. A fingerprint depends on the IDL alone, not on how
// operations are marshalled, and is the same on every machine; what it is computed from may change only together with its version.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// A fingerprint of the operations that an interface declares itself: of its repository id, their names in their order, and what each
// takes, returns and raises.
std::uint64_t fingerprint(const model::Interface& decl);

// How a skeleton numbers operations.
struct Numbering {
  struct Part {
    std::uint64_t fingerprint;
    std::size_t first;
  };
  std::vector<Part>
      parts;  // the interface itself, then its bases, the last of them first; those without operations are left out
  std::string check;  // four letters and digits: of all operations in their order
};
Numbering numbering_of(const model::Interface& decl);

// "{'x', '7', 'Q', 'z'}"
std::string braced_check(const Numbering& numbering);
// "0x0123456789abcdef, 7": for a stub of the interface with that fingerprint, and the place of one of its own calls.
std::string operation_number(std::uint64_t interface, std::size_t place);

// Whether the skeleton has a numbering: its constants _interfaces and _numbering, which define_numbering() defines.
bool is_numbered(const Context& context, const model::Interface& decl);
void define_numbering(Text& out, const Context& context, const model::Interface& decl);

}  // namespace tenon::idl::cpp
