// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/operation_numbers.hpp"

#include <algorithm>
#include <string_view>

#include "base/operation_number.hpp"
#include "idl/backends/cpp/operation_tables.hpp"
#include "idl/model/query.hpp"

namespace tenon::idl::cpp {

using model::Interface;
using model::Type;
using model::TypeKind;

namespace {

constexpr std::size_t most_first = largest_operation_number;

// FNV-1a with 64 bits, and a last mix so that all bits depend on all others.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint8_t>(c));
    add(std::uint8_t{0});  // marks the end: no name has a zero octet
  }
  void add(std::uint64_t number) { add(std::to_string(number)); }
  void add(const Type& written);
  void add(const Call& call);
  std::uint64_t value() const {
    std::uint64_t mixed = (state_ ^ (state_ >> 32)) * 0xD6E8FEB86659FD93u;
    mixed = (mixed ^ (mixed >> 32)) * 0xD6E8FEB86659FD93u;
    return mixed ^ (mixed >> 32);
  }

 private:
  void add(std::uint8_t octet) { state_ = (state_ ^ octet) * 0x100000001B3u; }

  std::uint64_t state_ = 0xCBF29CE484222325u;
};

// Typedefs do not change what is sent, so they do not count. A named type counts by its repository id, whatever it contains.
void Digest::add(const Type& written) {
  const Type& type = *model::resolve_aliases(&written);
  add(std::string_view(model::to_string(type.kind)));
  if (type.kind == TypeKind::Named) return add(type.decl->repository_id);
  if (type.key != nullptr) add(*type.key);
  if (type.element != nullptr) add(*type.element);
  add(type.bound);
  add(std::uint64_t{type.digits});
  add(std::uint64_t{type.scale});
  for (const std::uint64_t dimension : type.dimensions) add(dimension);
}

void Digest::add(const Call& call) {
  add(call.wire);
  add(std::string_view(call.oneway ? "oneway" : ""));
  if (call.result != nullptr) add(*call.result);
  for (const model::Parameter& parameter : call.parameters) {
    add(std::string_view(parameter.direction == model::Direction::In    ? "in"
                         : parameter.direction == model::Direction::Out ? "out"
                                                                        : "inout"));
    add(*parameter.type);
  }
  add(std::string_view("raises"));
  for (const model::Exception* exception : *call.raises) add(exception->repository_id);
}

std::string hexadecimal(std::uint64_t number) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[number >> shift & 15];
  return "0x" + text;
}

std::string check_of(std::uint64_t number) {
  constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (; text.size() < 4; number /= letters.size()) text += letters[number % letters.size()];
  return text;
}

}  // namespace

std::uint64_t fingerprint(const Interface& decl) {
  Digest digest;
  digest.add(std::string_view("1"));
  digest.add(decl.repository_id);
  for (const Call& call : own_calls(decl)) digest.add(call);
  return digest.value();
}

Numbering numbering_of(const Interface& decl) {
  Numbering numbering;
  const std::vector<Call> all = all_calls(decl);
  std::vector<const Interface*> interfaces{&decl};
  interfaces.insert(interfaces.end(), decl.all_bases.rbegin(), decl.all_bases.rend());
  Digest digest;
  digest.add(decl.repository_id);
  for (const Call& call : all) digest.add(call);
  for (const Interface* each : interfaces) {
    const std::vector<Call> own = each->provided_by_orb ? std::vector<Call>{} : own_calls(*each);
    // An operation that several bases have, and a joining class again, is counted once. A base's part may then have gaps, and is left out.
    const auto same = [](const Call& a, const Call& b) { return a.wire == b.wire && a.owner == b.owner; };
    const auto found = std::search(all.begin(), all.end(), own.begin(), own.end(), same);
    const auto first = static_cast<std::size_t>(found - all.begin());
    if (own.empty() || found == all.end() || first > most_first) continue;
    numbering.parts.push_back({fingerprint(*each), first});
    digest.add(numbering.parts.back().fingerprint);
  }
  numbering.check = check_of(digest.value());
  return numbering;
}

std::string braced_check(const Numbering& numbering) {
  std::string text;
  for (const char each : numbering.check) text += (text.empty() ? "'" : ", '") + std::string(1, each) + "'";
  return "{" + text + "}";
}

std::string operation_number(std::uint64_t interface, std::size_t place) {
  return hexadecimal(interface) + ", " + std::to_string(place);
}

// Operations of reply handlers are always called by name.
bool is_numbered(const Context& context, const Interface& decl) {
  return context.options.operations == Operations::index && decl.handles == nullptr &&
         !numbering_of(decl).parts.empty();
}

void define_numbering(Text& out, const Context& context, const Interface& decl) {
  const std::string& gen = context.names.gen;
  const std::string skeleton = skeleton_name(decl);
  const Numbering numbering = numbering_of(decl);
  std::vector<std::string> parts;
  for (const Numbering::Part& part : numbering.parts)
    parts.push_back("{" + hexadecimal(part.fingerprint) + ", " + std::to_string(part.first) + "}");
  out.list("constinit const " + gen + "::InterfaceNumbers " + skeleton + "::_interfaces[] = {", parts, "};");
  out.line("constinit const " + gen + "::Numbering " + skeleton + "::_numbering{" + braced_check(numbering) +
           ", _interfaces};");
}

}  // namespace tenon::idl::cpp
