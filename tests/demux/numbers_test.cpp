// SPDX-License-Identifier: Apache-2.0
//
// What stands on the wire between a client and a server of --operations=index: numbers where the reference offers them to the stub's
// version of the interface, names everywhere else; and the right operation runs in each case.
#include "tests/demux/numbers_world.hpp"

namespace tenon::numbers {
namespace {

TEST(OperationNumbers, TakeThePlaceOfNames) {
  const World world;
  const auto servant = CORBA::make_reference<Left>();
  const LeftRef left = world.serve<Numbers::Left>(servant);
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 12);
  left->note(5);
  left->level(7);
  EXPECT_EQ(left->level(), 7);
  EXPECT_THROW(left->refuse(1), Numbers::Refused);
  // In order: a oneway comes before what follows on its connection.
  EXPECT_EQ(servant->noted, 5);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#1", "#2", "#4", "#3", "#5"}));
}

TEST(OperationNumbers, WhatEveryObjectHasGoesByName) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  EXPECT_FALSE(left->_non_existent());
  EXPECT_FALSE(left->_is_a("IDL:Numbers/Right:1.0"));
  EXPECT_EQ(world.ear.heard(), (Words{"_non_existent", "_is_a"}));
}

TEST(OperationNumbers, CountAllOperationsOfTheObjectsInterface) {
  const World world;
  const ObjectRef both = world.serve<CORBA::Object>(CORBA::make_reference<Both>());
  const auto as_both = IDL::traits<Numbers::Both>::unchecked_narrow(both);
  EXPECT_EQ(as_both->one(10), 11);
  EXPECT_EQ(as_both->three(10), 13);
  EXPECT_EQ(as_both->six(10), 16);
  EXPECT_EQ(IDL::traits<Numbers::Left>::unchecked_narrow(both)->two(10), 12);
  EXPECT_EQ(IDL::traits<Numbers::Right>::unchecked_narrow(both)->five(10), 15);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#6", "#9", "#1", "#8"}));

  const ObjectRef apart = world.serve<CORBA::Object>(CORBA::make_reference<Apart>());
  EXPECT_EQ(IDL::traits<Numbers::Left>::unchecked_narrow(apart)->two(10), 12);
  EXPECT_EQ(IDL::traits<Numbers::Right>::unchecked_narrow(apart)->three(10), 13);
  EXPECT_EQ(IDL::traits<Numbers::Apart>::unchecked_narrow(apart)->seven(10), 17);
  EXPECT_EQ(world.ear.heard(), (Words{"#4", "#0", "#9"}));
}

TEST(OperationNumbers, InterpretedStubsSendNamesAndInterpretedSkeletonsTakeBoth) {
  const World world;
  const auto right = world.serve<Numbers::Right>(CORBA::make_reference<Right>());
  EXPECT_EQ(right->four(10), 14);
  EXPECT_EQ(right->five(10), 15);
  EXPECT_EQ(world.ear.heard(), (Words{"four", "#2"}));
  EXPECT_EQ(call_by_name(*right, "1", 10), 14);
  EXPECT_EQ(call_by_name(*world.serve<Numbers::Both>(CORBA::make_reference<Both>()), "7", 10), 14);
}

TEST(OperationNumbers, AnotherVersionOfTheInterfaceGoesByName) {
  const World world;
  const ObjectRef object = world.serve<CORBA::Object>(CORBA::make_reference<Both>());
  // The order differs,
  const auto left = IDL::traits<Changed::Left>::unchecked_narrow(object);
  EXPECT_EQ(left->one(10), 11);
  EXPECT_EQ(left->two(10), 12);
  // and here the type of a parameter.
  const auto right = IDL::traits<Changed::Right>::unchecked_narrow(object);
  EXPECT_EQ(right->three(10), 13);
  EXPECT_EQ(right->four(10), 14);
  EXPECT_EQ(world.ear.heard(), (Words{"one", "two", "three", "four"}));
}

TEST(OperationNumbers, WhereOneSideKnowsNothingOfThem) {
  const World world;
  const LeftRef to_plain = world.serve<Numbers::Left>(CORBA::make_reference<PlainLeft>());
  EXPECT_FALSE(offered_by(to_plain));
  EXPECT_EQ(to_plain->two(10), 12);
  const auto from_plain = world.serve<Plain::Left>(CORBA::make_reference<Left>());
  EXPECT_TRUE(offered_by(from_plain));
  EXPECT_EQ(from_plain->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"two", "two"}));
}

TEST(OperationNumbers, OfBasesInOtherFiles) {
  const World world;
  const auto heir = world.serve<Numbers::Heir>(CORBA::make_reference<Heir>());
  EXPECT_EQ(heir->one(10), 11);
  EXPECT_EQ(heir->three(10), 13);
  EXPECT_EQ(heir->four(10), 14);
  EXPECT_EQ(heir->six(10), 16);
  EXPECT_EQ(heir->own(10), 20);
  EXPECT_THROW(heir->refuse(1), Numbers::Refused);
  EXPECT_EQ(world.ear.heard(), (Words{"#0", "#6", "four", "#9", "#10", "#5"}));
}

TEST(OperationNumbers, OfBasesWhoseHeirsHaveNone) {
  const World world;
  const auto one = world.serve<Upon::One>(CORBA::make_reference<UponOne>());
  EXPECT_EQ(one->two(10), 12);
  EXPECT_EQ(one->own(10), 18);
  EXPECT_EQ(world.ear.heard(), (Words{"#1", "own"}));
  // Two bases count from 0 each: neither speaks for the object.
  const auto joined = world.serve<Upon::Joined>(CORBA::make_reference<UponBoth>());
  EXPECT_FALSE(offered_by(joined));
  EXPECT_EQ(joined->two(10), 12);
  EXPECT_EQ(joined->three(10), 13);
  EXPECT_EQ(joined->own(10), 19);
  EXPECT_EQ(world.ear.heard(), (Words{"two", "three", "own"}));
}

TEST(OperationNumbers, AMalformedOfferIsNone) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  const ObjectRef cut =
      with_components(*world.client, left, [](std::vector<ior::TaggedComponent>& components) {
        for (auto& each : components) {
          if (each.tag == ior::tag_operation_numbers) each.data.pop_back();
        }
      });
  EXPECT_EQ(IDL::traits<Numbers::Left>::unchecked_narrow(cut)->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"two"}));
}

TEST(OperationNumbers, ForgedOnesLeadNowhere) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  const auto offered = offered_by(left);
  ASSERT_TRUE(offered);
  const std::string check(offered->check.data(), offered->check.size());
  EXPECT_EQ(call_by_name(*left, "0000" + check, 10), 11);
  EXPECT_EQ(call_by_name(*left, "1", 10), 12);
  for (const std::string& forged :
       Words{"0006" + check, "9999" + check, "000:" + check, "01" + check, "0001" + check + "0", "1" + check,
             "6", "01", "65536", "99999999999999999999"})
    EXPECT_EQ(call_by_name(*left, forged, 10), -1) << forged;
  // Not a skeleton of that kind: only an offer can be meant for another one.
  const LeftRef plain = world.serve<Numbers::Left>(CORBA::make_reference<PlainLeft>());
  EXPECT_EQ(call_by_name(*plain, "0", 10), -1);
}

TEST(OperationNumbers, AnOfferThatLiesIsFound) {
  const World world;
  const LeftRef left = world.serve<Numbers::Left>(CORBA::make_reference<Left>());
  // It says that Left begins beyond its end: the server has none such, and says so.
  const auto lying = [&](std::uint16_t first, char check) {
    return IDL::traits<Numbers::Left>::unchecked_narrow(
        with_components(*world.client, left, [&](std::vector<ior::TaggedComponent>& components) {
          auto numbers = ior::read_operation_numbers(components);
          ASSERT_TRUE(numbers);
          numbers->interfaces[0].first = first;
          if (check != 0) numbers->check[0] = check;
          for (auto& each : components) {
            if (each.tag == ior::tag_operation_numbers)
              each = ior::operation_numbers_component(numbers->check, numbers->interfaces);
          }
        }));
  };
  EXPECT_THROW(lying(1000, 0)->one(10), CORBA::BAD_OPERATION);
  EXPECT_EQ(world.ear.heard(), (Words{"#1000"}));
  // No number is left to say: the name.
  EXPECT_EQ(lying(9999, 0)->two(10), 12);
  EXPECT_EQ(world.ear.heard(), (Words{"two"}));
  // Another servant's: the object says what it offers itself.
  const char otherwise = offered_by(left)->check[0] == 'a' ? 'b' : 'a';
  const LeftRef stale = lying(3, otherwise);
  EXPECT_EQ(stale->one(10), 11);
  EXPECT_EQ(stale->one(10), 11);
  EXPECT_EQ(world.ear.heard(), (Words{"#3", "#0", "#0"}));
}

}  // namespace
}  // namespace tenon::numbers
