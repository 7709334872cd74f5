// SPDX-License-Identifier: Apache-2.0
//
// What exceptions say in programs with tenon::parts::texts and in those without.
#include "base/texts.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/corba/exception_text.hpp"
#include "mapping/cpp11/portable_server/poa_texts.hpp"
#include "protocol/exception_detail.hpp"
#include "tenon/parts.hpp"
#include "tenon/portable_server/poa.hpp"
#include "tenon/tried.hpp"

namespace tenon {
namespace {

/// An exception of generated code, with a member.
class Overdrawn final : public CORBA::UserException {
 public:
  explicit Overdrawn(std::int32_t missing) : missing_(missing) {}
  std::string_view _rep_id() const noexcept override { return "IDL:Bank/Overdrawn:1.0"; }
  std::string_view _name() const noexcept override { return "Overdrawn"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(cdr::Writer& out) const override { out.put(missing_); }
  const char* _members() const noexcept override { return "missing:l"; }

 private:
  std::int32_t missing_;
};

std::string what_of(Error error) {
  try {
    gen::raise(error);
  } catch (const CORBA::SystemException& exception) {
    return exception.what();
  }
}

/// Each test begins as a program whose start-up has not named the part.
class WithoutTexts : public testing::Test {
 protected:
  WithoutTexts() {
    texts_detail::texts = nullptr;
    gen::text_of_user_exception = nullptr;
    gen::poa_texts = nullptr;
  }
  ~WithoutTexts() override {
    orb::Parts all;
    parts::texts(all);
  }
};

TEST_F(WithoutTexts, SystemExceptionsSayTheirNumbers) {
  EXPECT_EQ(what_of(errors::cannot_connect), "TRANSIENT (minor 0x544e005a; completed NO)");
  EXPECT_EQ(what_of(errors::connection_lost.with(Completion::maybe)),
            "COMM_FAILURE (minor 0x544e004d; completed MAYBE)");
  EXPECT_TRUE(describe(errors::cannot_connect).empty());
}

TEST_F(WithoutTexts, AFailedCallHasItsTrailAsData) {
  Trail trail;
  trail.add({.step = Step::connect, .address = "192.0.2.7:2809", .os_error = 111});
  try {
    gen::raise_with_trail(errors::cannot_connect, std::move(trail));
  } catch (const CORBA::TRANSIENT& exception) {
    EXPECT_STREQ(exception.what(), "TRANSIENT (minor 0x544e005a; completed NO)");
    ASSERT_EQ(tried(exception).size(), 1u);
    EXPECT_EQ(tried(exception)[0].os_error, 111);
  }
}

TEST_F(WithoutTexts, PeersAreToldNothingAndNotListenedTo) {
  protocol::known_exception_details = nullptr;
  EXPECT_EQ(protocol::exception_details(), nullptr);
  orb::Parts some;
  parts::texts(some);
  ASSERT_NE(protocol::exception_details(), nullptr);
  EXPECT_EQ(protocol::exception_details()->decode(protocol::exception_details()->encode("full")), "full");
}

TEST_F(WithoutTexts, UserExceptionsSayTheirRepositoryId) {
  EXPECT_STREQ(Overdrawn(12).what(), "IDL:Bank/Overdrawn:1.0");
}

std::string what_of_poa() {
  try {
    gen::raise_one_of<poa::Exception::adapter_non_existent>(poa::Exception::adapter_non_existent, nullptr,
                                                            "till");
  } catch (const PortableServer::POA::AdapterNonExistent& exception) {
    return exception.what();
  }
}

TEST_F(WithoutTexts, ExceptionsOfPoasSayTheirRepositoryId) {
  EXPECT_EQ(what_of_poa(), "IDL:omg.org/PortableServer/POA/AdapterNonExistent:2.3");
  orb::Parts some;
  parts::texts(some);
  EXPECT_NE(what_of_poa().find("AdapterNonExistent:2.3: "), std::string::npos);
  EXPECT_NE(what_of_poa().find("'till'"), std::string::npos);
}

TEST_F(WithoutTexts, ThePartGivesThem) {
  orb::Parts some;
  parts::texts(some);
  EXPECT_EQ(what_of(errors::cannot_connect),
            "TRANSIENT (minor 0x544e005a, no connection could be made to the address; completed NO)");
  EXPECT_STREQ(Overdrawn(12).what(), "IDL:Bank/Overdrawn:1.0 (missing = 12)");
}

TEST_F(WithoutTexts, OrbInitHasThem) {
  int argc = 0;
  const auto orb = CORBA::ORB_init(argc, nullptr);
  orb->destroy();
  EXPECT_FALSE(describe(errors::cannot_connect).empty());
  EXPECT_STREQ(Overdrawn(12).what(), "IDL:Bank/Overdrawn:1.0 (missing = 12)");
}

}  // namespace
}  // namespace tenon
