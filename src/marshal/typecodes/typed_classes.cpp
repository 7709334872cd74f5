// SPDX-License-Identifier: Apache-2.0
#include "marshal/typecodes/typed_classes.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "types/any.hpp"
#include "types/compare.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"

namespace tenon::marshal {

namespace {

using types::Kind;

/// Access for programs to a class of src/types, by the functions that read and write it.
template <typename T, auto Put, auto Get, auto Equal>
constexpr Foreign own_class{
    .size = sizeof(T),
    .align = alignof(T),
    .construct = [](void* at) { ::new (at) T(); },
    .destroy = [](void* at) noexcept { std::destroy_at(static_cast<T*>(at)); },
    .put = [](cdr::Writer& out, const void* from) { Put(out, *static_cast<const T*>(from)); },
    .get = [](cdr::Reader& in, void* into) { *static_cast<T*>(into) = Get(in); },
    .copy = [](void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); },
    .equal = [](const void* a,
                const void* b) { return Equal(*static_cast<const T*>(a), *static_cast<const T*>(b)); },
};

void put_any(cdr::Writer& out, const types::Any& any) { types::write(out, any); }
types::Any get_any(cdr::Reader& in) { return types::read_any(in); }

/// The bytes of an Any's value as this process would write them; nothing where they cannot be written anew, as a custom value's.
std::optional<std::vector<std::uint8_t>> canonical(const types::Any& any) {
  cdr::Writer out(types::Any::memory_format());
  cdr::Reader in = any.reader();
  types::copy(in, out, *any.type());
  if (!in.good() || !out.good()) return std::nullopt;
  return out.copy();
}
bool same_bytes(const types::Any& a, const types::Any& b) {
  const cdr::Reader left = a.reader();
  const cdr::Reader right = b.reader();
  return a.format() == b.format() && left.phase() == right.phase() &&
         std::ranges::equal(left.rest(), right.rest());
}
bool equal_anys(const types::Any& a, const types::Any& b) {
  if (!types::equivalent(*a.type(), *b.type())) return false;
  const auto left = canonical(a);
  return left ? left == canonical(b) : same_bytes(a, b);
}

void put_type(cdr::Writer& out, const types::TypeRef& type) {
  types::write(out, type ? *type : types::basic(Kind::tk_null));
}
types::TypeRef get_type(cdr::Reader& in) { return types::read(in); }
bool equal_types(const types::TypeRef& a, const types::TypeRef& b) {
  return !a || !b ? !a == !b : types::equal(*a, *b);
}

}  // namespace

constinit const Foreign any_class = own_class<types::Any, put_any, get_any, equal_anys>;
constinit const Foreign type_class = own_class<types::TypeRef, put_type, get_type, equal_types>;

}  // namespace tenon::marshal
