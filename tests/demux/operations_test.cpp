// SPDX-License-Identifier: Apache-2.0
//
// A hundred operations in every form of table that tenon-idl writes: each name leads to its operation, no other name to any, and
// where numbers are understood, numbers do too.
#include <gtest/gtest.h>

#include <string>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>
#include <vector>

#include "operations_skel.hpp"

namespace {

class Servant final : public CORBA::servant_traits<Demux::Hundred>::base_type {
 public:
  std::int32_t base_first() override { return 1000; }
  std::int32_t base_refuse() override { throw Demux::Unwilling(1001); }
#define OPERATION(tens, ones) \
  std::int32_t op_##tens##ones() override { return (tens) * 10 + (ones); }
#include "hundred.inc"
  std::int32_t refuse() override { throw Demux::Unwilling(100); }
};

class Operations : public testing::Test {
 protected:
  Operations() : orb_(CORBA::ORB_init({}, "demux")) {
    object_ = tenon::publish(orb_, CORBA::make_reference<Servant>());
  }
  ~Operations() override { orb_->destroy(); }

  /// What the operation returns, or -1 for BAD_OPERATION, or the number of Unwilling.
  std::int32_t call(std::string_view name) {
    static constexpr tenon::gen::Raises raises[] = {tenon::gen::raises<Demux::Unwilling>};
    const tenon::gen::Operation operation{.name = name, .has_arguments = false, .raises = raises};
    std::int32_t result = -2;
    try {
      tenon::gen::call(*object_, operation, tenon::gen::put_nothing,
                       [&](tenon::cdr::Reader& in) { result = in.get<std::int32_t>(); });
    } catch (const CORBA::BAD_OPERATION&) {
      return -1;
    } catch (const Demux::Unwilling& unwilling) {
      return unwilling.number();
    }
    return result;
  }

  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<Demux::Hundred> object_;
};

const std::vector<std::string>& own_names() {
  static const std::vector<std::string> names = {
#define OPERATION(tens, ones) "op_" #tens #ones,
#include "hundred.inc"
  };
  return names;
}

TEST_F(Operations, EveryNameLeadsToItsOperation) {
  for (std::size_t i = 0; i < own_names().size(); ++i) {
    EXPECT_EQ(call(own_names()[i]), static_cast<std::int32_t>(i)) << own_names()[i];
  }
  EXPECT_EQ(call("refuse"), 100);
  EXPECT_EQ(call("base_first"), 1000);
  EXPECT_EQ(call("base_refuse"), 1001);
  EXPECT_EQ(object_->op_99(), 99);
}

TEST_F(Operations, OtherNamesLeadNowhere) {
  for (const char* name :
       {"",       "o",  "op_", "op_100", "op_9", "op_999", "aaa",   "zzz",    "refuse ",    "refus",
        "_op_00", "00", "01",  "0x1",    "1 ",   "-1",     "99999", "100000", "4294967296", "base"}) {
    EXPECT_EQ(call(name), -1) << name;
  }
}

TEST_F(Operations, NumbersWhereTheTableHasThem) {
#ifdef DEMUX_INDEX
  // The bases' operations first.
  EXPECT_EQ(call("0"), 1000);
  EXPECT_EQ(call("1"), 1001);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(call(std::to_string(i + 2)), i);
  EXPECT_EQ(call("102"), 100);
  EXPECT_EQ(call("103"), -1);
#else
  for (int i = 0; i < 110; ++i) EXPECT_EQ(call(std::to_string(i)), -1);
#endif
}

}  // namespace
