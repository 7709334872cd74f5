// SPDX-License-Identifier: Apache-2.0
//
// Values that refer to each other, in messages that turn out to be bad: nobody ever sees them, and none may stay.
#include "tenon/corba/value_factory.hpp"
#include "tests/dynamic/store.hpp"

namespace tenon::shop {
namespace {

using BranchRef = CORBA::valuetype_reference<Shop::Branch>;

class CountedBranch final : public Shop::OBV_Branch {
 public:
  CountedBranch() { ++living; }
  ~CountedBranch() override { --living; }
  static int living;
};
int CountedBranch::living = 0;

class ValueRings : public ::testing::Test {
 protected:
  void SetUp() override {
    orb = CORBA::ORB_init({}, "rings");
    tenon::register_value<Shop::Branch, CountedBranch>(orb);
  }
  void TearDown() override { orb->destroy(); }

  /// Three in a circle, and the third one is its own right.
  static BranchRef ring() {
    const BranchRef last = CORBA::make_reference<Shop::OBV_Branch>(3, nullptr, nullptr);
    const BranchRef middle = CORBA::make_reference<Shop::OBV_Branch>(2, nullptr, last);
    const BranchRef first = CORBA::make_reference<Shop::OBV_Branch>(1, middle, nullptr);
    last->left(first);
    last->right(last);
    return first;
  }
  static void cut_open(const BranchRef& ring) {
    const BranchRef last = ring->left()->right();
    last->left(nullptr);
    last->right(nullptr);
  }

  CORBA::object_reference<CORBA::ORB> orb;
};

TEST_F(ValueRings, CutAnywhere) {
  const BranchRef sent = ring();
  const Any whole = any_of(sent);
  cut_open(sent);
  const ByteView bytes = whole._value().reader().rest();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Any cut;
    cut._value(types::Any(whole._value().type(), bytes.first(size), whole._value().format(), 0));
    BranchRef read;
    EXPECT_FALSE(cut >>= read) << size;
    EXPECT_EQ(CountedBranch::living, 0) << size;
  }
  BranchRef read;
  EXPECT_TRUE(whole >>= read);
  EXPECT_EQ(CountedBranch::living, 3);
  cut_open(read);
  read = nullptr;
  EXPECT_EQ(CountedBranch::living, 0);
}

TEST_F(ValueRings, MoreThanTheValue) {
  const BranchRef sent = ring();
  const Any whole = any_of(sent);
  cut_open(sent);
  const ByteView bytes = whole._value().reader().rest();
  std::vector<std::uint8_t> longer(bytes.begin(), bytes.end());
  longer.push_back(0);
  Any more;
  more._value(types::Any(whole._value().type(), longer, whole._value().format(), 0));
  BranchRef read;
  EXPECT_FALSE(more >>= read);
  EXPECT_EQ(CountedBranch::living, 0);
}

}  // namespace
}  // namespace tenon::shop
