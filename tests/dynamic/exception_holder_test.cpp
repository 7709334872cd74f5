// SPDX-License-Identifier: Apache-2.0
//
// Exception holders for programs that know user exceptions as TypeCodes only (CORBA 3.4 part 1 §17.8.3).
#include <tenon/gen/messaging.hpp>

#include "base/minor_codes.hpp"
#include "tests/dynamic/store.hpp"

namespace tenon::shop {
namespace {

class Holders : public ::testing::Test {
 protected:
  void TearDown() override { orb->destroy(); }

  template <typename E>
  Messaging::ExceptionHolderRef holding(const E& exception) {
    return CORBA::make_reference<Messaging::ExceptionHolder>(exception, &orb->_core());
  }
  CORBA::object_reference<CORBA::ORB> orb = CORBA::ORB_init({}, "holders");
};

TEST_F(Holders, RaiseWhatTheListNames) {
  const auto holder = holding(Shop::SoldOut("pears", 3));
  for (int again = 0; again < 2; ++again) {
    try {
      holder->raise_exception_with_list({nullptr, Shop::_tc_Item, Shop::_tc_Closed, Shop::_tc_SoldOut});
    } catch (const CORBA::UnknownUserException& exception) {
      const auto raised = value_of<Shop::SoldOut>(exception.exception());
      EXPECT_EQ(raised.article(), "pears");
      EXPECT_EQ(raised.left(), 3);
      continue;
    }
  }
}

TEST_F(Holders, RaiseUnknownForOthers) {
  const auto holder = holding(Shop::SoldOut("pears", 3));
  try {
    holder->raise_exception_with_list({Shop::_tc_Closed});
  } catch (const CORBA::UNKNOWN& exception) {
    EXPECT_EQ(exception._error().minor, errors::unlisted_user_exception.minor);
  }
  // An exception of that id with other members.
  const auto other = orb->create_exception_tc(std::string(Shop::SoldOut::_static_id), "SoldOut",
                                              {{"many", orb->create_sequence_tc(0, CORBA::_tc_double)}});
  EXPECT_THROW(holder->raise_exception_with_list({other}), CORBA::MARSHAL);
}

TEST_F(Holders, RaiseSystemExceptionsAsThemselves) {
  const auto holder = CORBA::make_reference<Messaging::ExceptionHolder>(errors::orb_destroyed);
  EXPECT_EQ(outcome_of([&] { holder->raise_exception_with_list({Shop::_tc_SoldOut}); }),
            text_of(errors::orb_destroyed));
}

}  // namespace
}  // namespace tenon::shop
