// SPDX-License-Identifier: Apache-2.0
//
// When a type has a program, and which object keeps it.
#include "marshal/typecodes/programs.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "types/create.hpp"
#include "types/typecode_test_support.hpp"

namespace tenon::marshal {
namespace {

using types::Kind;
using types::Member;
using types::TypeCode;
using types::TypeRef;

constexpr TypeCode number = types::basic_type(Kind::tk_long);
constexpr TypeCode text = types::string_type();
constexpr Member members[] = {{"number", &number}, {"text", &text}};
constexpr TypeCode pair = types::struct_type("IDL:T/Pair:1.0", "Pair", members);
constexpr TypeCode pairs = types::sequence_type(pair);
constexpr TypeCode alias = types::alias_type("IDL:T/Pairs:1.0", "Pairs", pairs);

/// The same, as it came in a message.
TypeRef met() {
  const types::NewMember parts[] = {{"number", TypeRef(number)}, {"text", TypeRef(text)}};
  return *types::create_sequence(0, *types::create_struct("IDL:T/Pair:1.0", "Pair", parts));
}

std::vector<std::uint8_t> message(std::size_t count, cdr::WireFormat format = {}) {
  cdr::Writer out(format);
  out.put_length(count);
  for (std::size_t i = 0; i < count; ++i) {
    out.put(static_cast<std::int32_t>(i));
    out.put_string("some text");
  }
  return out.copy();
}

TEST(Programs, OfConstantTypesAreMadeOnce) {
  const Runnable first = runnable(TypeRef(pairs), 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(runnable(TypeRef(pairs), 0).unit, first.unit);
  EXPECT_EQ(runnable(TypeRef(alias), 0).unit, first.unit) << "an alias is its type";
  EXPECT_FALSE(runnable(TypeRef(number), 0)) << "nothing is gained for one number";
}

TEST(Programs, OfMetTypesAreMadeWhenWalkingHasCostAsMuch) {
  const TypeRef type = met();
  EXPECT_FALSE(runnable(type, 0));
  const std::vector<std::uint8_t> bytes = message(3);
  std::size_t walked = 0;
  while (!runnable(type, 0)) {
    cdr::Reader in(bytes, {});
    by_program.skip(in, type);
    EXPECT_TRUE(in.good());
    EXPECT_EQ(in.remaining(), 0u);
    walked += bytes.size();
    ASSERT_LT(walked, 100000u);
  }
  const Runnable made = runnable(type, 0);
  EXPECT_EQ(runnable(type.part(*type->content), 0).unit, made.unit) << "parts are found in the whole";
}

TEST(Programs, AtOnceWhereThereIsMuch) { EXPECT_TRUE(runnable(met(), 100000)); }

TEST(Programs, TypesWithoutProgramStayTheWalkers) {
  static constexpr TypeCode native = types::named_type(Kind::tk_native, "IDL:T/N:1.0", "N");
  static constexpr TypeCode natives = types::sequence_type(native);
  EXPECT_FALSE(runnable(TypeRef(natives), 0));
  const std::vector<std::uint8_t> none(4);
  cdr::Reader in(none, {});
  by_program.skip(in, TypeRef(natives));
  EXPECT_TRUE(in.good());
}

TEST(Programs, CopyAsTheWalkerDoes) {
  cdr::WireFormat swapped;
  swapped.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
  for (const TypeRef& type : {TypeRef(pairs), met()}) {
    for (const std::size_t count : {0u, 1u, 100u}) {
      const std::vector<std::uint8_t> bytes = message(count);
      cdr::Reader in(bytes, {});
      cdr::Writer out(swapped);
      by_program.copy(in, out, type);
      EXPECT_TRUE(in.good() && out.good());
      EXPECT_EQ(out.copy(), message(count, swapped));
    }
  }
}

// An exception stands behind its repository id, which some peers leave out.
TEST(Programs, Exceptions) {
  static constexpr TypeCode sold_out = types::exception_type("IDL:T/SoldOut:1.0", "SoldOut", members);
  for (const bool with_id : {true, false}) {
    cdr::Writer out;
    if (with_id) out.put_raw_string("IDL:T/SoldOut:1.0");
    out.put(std::int32_t{3});
    out.put_string("pears");
    const std::vector<std::uint8_t> bytes = out.copy();
    const TypeRef type(sold_out);
    cdr::Reader skipped(bytes, {});
    by_program.skip(skipped, type);
    EXPECT_TRUE(skipped.good());
    EXPECT_EQ(skipped.remaining(), 0u);
    cdr::Reader in(bytes, {});
    cdr::Writer copied;
    by_program.copy(in, copied, type);
    cdr::Reader again(copied.bytes(), {});
    EXPECT_EQ(again.get_raw_string(), "IDL:T/SoldOut:1.0");
    EXPECT_EQ(again.get<std::int32_t>(), 3);
  }
}

TEST(Programs, ManyThreads) {
  const TypeRef type = met();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&type] {
      const std::vector<std::uint8_t> bytes = message(50);
      for (int round = 0; round < 200; ++round) {
        for (const TypeRef& each : {type, TypeRef(pairs)}) {
          cdr::Reader in(bytes, {});
          by_program.skip(in, each);
          EXPECT_TRUE(in.good());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace tenon::marshal
