// SPDX-License-Identifier: Apache-2.0
//
// Which Anys in the memory of programs are equal.
#include "marshal/typecodes/typed_classes.hpp"

#include <gtest/gtest.h>

#include "types/any.hpp"

namespace tenon::marshal {
namespace {

using types::Any;
using types::Kind;
using types::TypeCode;
using types::TypeRef;

constexpr TypeCode number = types::basic_type(Kind::tk_long);
constexpr TypeCode custom =
    types::value_type("IDL:T/Custom:1.0", "Custom", types::Modifier::custom, nullptr, {});

bool equal(const Any& a, const Any& b) { return any_class.equal(&a, &b); }

Any long_any(std::int32_t value, cdr::WireFormat format) {
  cdr::Writer out(format);
  out.put(value);
  return {TypeRef(number), out.copy(), format, 0};
}

TEST(AnysInMemory, AreComparedByValue) {
  const cdr::WireFormat little{.order = ByteOrder::little};
  const cdr::WireFormat big{.order = ByteOrder::big};
  EXPECT_TRUE(equal(long_any(7, little), long_any(7, big)));
  EXPECT_FALSE(equal(long_any(7, little), long_any(8, little)));
  EXPECT_FALSE(equal(long_any(0, little), Any()));
}

TEST(AnysInMemory, CustomValuesAreComparedByTheirBytes) {
  const auto custom_any = [](std::string_view text) {
    cdr::Writer out(Any::memory_format());
    out.begin_value(nullptr, {{"IDL:T/Custom:1.0"}}, true);
    out.put_string(text);
    out.end_value();
    return Any(TypeRef(custom), out.copy(), Any::memory_format(), 0);
  };
  EXPECT_TRUE(equal(custom_any("one"), custom_any("one")));
  EXPECT_FALSE(equal(custom_any("one"), custom_any("two")));
}

}  // namespace
}  // namespace tenon::marshal
