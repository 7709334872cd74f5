// SPDX-License-Identifier: Apache-2.0
//
// Interpreted and compiled code in one program (mixed.idl): which operation is which, every way of passing parameters through both,
// exceptions of both, frames beyond the stack's share, and what TENON_USAGE counts of both.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <tenon/tenon.hpp>

#include "mapping/cpp11/corba/usage.hpp"
#include "mixed_skel.hpp"

namespace {

namespace gen = tenon::gen;

// --- what is which ---

template <typename S>
concept CompiledSum = requires { &S::_upcall_sum; };
template <typename S>
concept CompiledDifference = requires { &S::_upcall_difference; };
template <typename S>
concept CompiledFastEcho = requires { &S::_upcall_fast_echo; };
template <typename S>
concept CompiledSlowEcho = requires { &S::_upcall_slow_echo; };
static_assert(!CompiledSum<Mixed::Below_skeleton> && CompiledDifference<Mixed::Below_skeleton>);
static_assert(CompiledFastEcho<Mixed::Above_skeleton> && !CompiledSlowEcho<Mixed::Above_skeleton>);

template <typename T>
concept IsProgram = requires { gen::Codec<T>::program; };
static_assert(IsProgram<Mixed::Slow> && IsProgram<Mixed::Either> && IsProgram<Mixed::Refused>);
static_assert(!IsProgram<Mixed::Fast> && !IsProgram<Mixed::Outer> && !IsProgram<Mixed::Failed>);

// --- calls ---

Mixed::Fast fast(const std::string& name) { return Mixed::Fast(name, {1, 2, 3}); }
Mixed::Slow slow(const std::string& name) {
  return Mixed::Slow(name, fast(name + " inside"), {fast("first"), fast("second")});
}

class Servant final : public CORBA::servant_traits<Mixed::Top>::base_type {
 public:
  std::string title() override { return title_; }
  void title(const std::string& value) override { title_ = value; }
  std::int32_t sum(std::int32_t a, std::int32_t b) override { return a + b; }
  std::int32_t difference(std::int32_t a, std::int32_t b) override { return a - b; }
  Mixed::Outer wrap(const Mixed::Slow& value, Mixed::Fast& other, Mixed::Either& kind) override {
    // results that were set already must not keep an exception from its way, nor leak
    kind.slow_one(value);
    other.name(other.name() + " changed");
    if (value.name() == "refuse") throw Mixed::Refused("as asked", value);
    if (value.name() == "fail") {
      Mixed::Either how;
      how.fast_one(other);
      throw Mixed::Failed(how);
    }
    if (value.name() == "break") throw std::runtime_error("not CORBA's");
    if (value.name() == "text") kind.text("neither");
    return Mixed::Outer(value, {value, value});
  }
  Mixed::Large swap_pages(const Mixed::Large& value, Mixed::Large& other) override {
    Mixed::Large before = other;
    other = value;
    if (value.label() == "refuse") throw CORBA::NO_PERMISSION(7);
    return before;
  }
  void hint(const std::string& text) override { hint_ = text; }
  std::string last_hint() override { return hint_; }
  void fail_with(std::int32_t number) override { throw Mixed::Numbered(number); }
  Mixed::Slow fast_echo(const Mixed::Slow& value) override { return value; }
  Mixed::Fast slow_echo(const Mixed::Fast& value) override {
    if (value.name().empty()) throw Mixed::Refused("no name", slow("x"));
    return value;
  }

 private:
  std::string title_ = "none";
  std::string hint_;
};

class Calls : public testing::TestWithParam<const char*> {
 protected:
  Calls() {
    static int number = 0;
    orb_ = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", GetParam()},
                           "mixed-" + std::to_string(++number));
    servant_ = CORBA::make_reference<Servant>();
    const auto reference = tenon::publish<CORBA::servant_traits<Mixed::Top>::base_type>(orb_, servant_);
    object_ = IDL::traits<Mixed::Top>::narrow(orb_->string_to_object(orb_->object_to_string(reference)));
  }
  ~Calls() override { orb_->destroy(); }

  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<Servant> servant_;
  CORBA::object_reference<Mixed::Top> object_;
};

INSTANTIATE_TEST_SUITE_P(Collocated, Calls, testing::Values("yes"));
INSTANTIATE_TEST_SUITE_P(OverTcp, Calls, testing::Values("no"));

TEST_P(Calls, OfBothKindsInOneInterface) {
  EXPECT_EQ(object_->sum(40, 2), 42);
  EXPECT_EQ(object_->difference(40, 2), 38);
  EXPECT_EQ(object_->title(), "none");
  object_->title("a title");
  EXPECT_EQ(object_->title(), "a title");
  EXPECT_EQ(object_->fast_echo(slow("echo")), slow("echo"));
  EXPECT_EQ(object_->slow_echo(fast("echo")), fast("echo"));
}

TEST_P(Calls, PassParametersBothWays) {
  Mixed::Fast other = fast("other");
  Mixed::Either kind;
  const Mixed::Outer wrapped = object_->wrap(slow("plain"), other, kind);
  EXPECT_EQ(wrapped, Mixed::Outer(slow("plain"), {slow("plain"), slow("plain")}));
  EXPECT_EQ(other, fast("other changed"));
  ASSERT_EQ(kind._d(), 1);
  EXPECT_EQ(kind.slow_one(), slow("plain"));
  object_->wrap(slow("text"), other, kind);
  EXPECT_EQ(kind.text(), "neither");
}

TEST_P(Calls, RaiseAfterResultsWereSet) {
  Mixed::Fast other = fast("other");
  Mixed::Either kind;
  kind.text("before");
  try {
    object_->wrap(slow("refuse"), other, kind);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Mixed::Refused& refused) {
    EXPECT_EQ(refused.why(), "as asked");
    EXPECT_EQ(refused.refused_value(), slow("refuse"));
  }
  try {
    object_->wrap(slow("fail"), other, kind);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Mixed::Failed& failed) {
    ASSERT_EQ(failed.how()._d(), 2);
    EXPECT_EQ(failed.how().fast_one(), fast("other changed"));
  }
  EXPECT_THROW(object_->wrap(slow("break"), other, kind), CORBA::UNKNOWN);
  EXPECT_THROW(object_->slow_echo(Mixed::Fast()), Mixed::Refused);
  try {
    object_->fail_with(0x12345678);
    ADD_FAILURE() << "nothing was raised";
  } catch (const Mixed::Numbered& numbered) {
    EXPECT_EQ(numbered.number(), 0x12345678);
  }
  // what was not returned stays as it was
  EXPECT_EQ(other, fast("other"));
  EXPECT_EQ(kind.text(), "before");
}

TEST_P(Calls, WithFramesThatAreTooLargeForTheStack) {
  Mixed::Large one;
  one.octets().fill(1);
  one.label("one");
  Mixed::Large two;
  two.octets().fill(2);
  two.label("two");
  Mixed::Large other = two;
  EXPECT_EQ(object_->swap_pages(one, other), two);
  EXPECT_EQ(other, one);
  one.label("refuse");
  EXPECT_THROW(object_->swap_pages(one, other), CORBA::NO_PERMISSION);
}

TEST_P(Calls, OnewaysArriveInOrder) {
  object_->hint("first");
  object_->hint("second");
  EXPECT_EQ(object_->last_hint(), "second");
}

TEST_P(Calls, OfWhatIsNotThereAreRefused) {
  class Stranger final : public CORBA::Object {
   public:
    void call() { gen::call(*this, gen::Operation{.name = "sun", .has_arguments = false}); }
  };
  const auto stranger = gen::make_stub<Stranger>(object_->_reference());
  EXPECT_THROW(stranger->call(), CORBA::BAD_OPERATION);
  EXPECT_TRUE(object_->_is_a("IDL:Mixed/Below:1.0"));
}

// --- what is counted ---

std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// The last test of the program: what is counted goes on until it ends.
TEST(Usage, IsCountedPerOperationAndSideAndAddedToTheFile) {
  const std::string file = testing::TempDir() + "mixed_usage";
  std::string why;
  std::ofstream(file) << "something else\n";
  EXPECT_FALSE(gen::count_usage(file, why));
  EXPECT_NE(why.find("line 1"), why.npos) << why;
  EXPECT_FALSE(gen::usage_counted());
  std::ofstream(file) << "tenon-usage 1\n5 70 client sum IDL:Mixed/Top:1.0\nabc\n";
  EXPECT_FALSE(gen::count_usage(file, why));
  EXPECT_NE(why.find("line 3"), why.npos) << why;
  try {
    CORBA::ORB_init({"-ORBUsage", file}, "refused");
    ADD_FAILURE() << "a bad file was taken";
  } catch (const CORBA::SystemException& refused) {
    EXPECT_NE(std::string(refused.what()).find(file + ": line 3"), std::string::npos) << refused.what();
  }
  std::ofstream(file) << "tenon-usage 1\n5 70 client sum IDL:Mixed/Top:1.0\n";
  const auto orb = CORBA::ORB_init(
      {"-ORBUsage", file, "-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", "no"}, "counted");
  ASSERT_TRUE(gen::usage_counted());
  const auto servant = CORBA::make_reference<Servant>();
  const auto object = tenon::publish<CORBA::servant_traits<Mixed::Top>::base_type>(orb, servant);
  for (int i = 0; i < 3; ++i) object->sum(i, i);
  object->difference(2, 1);
  EXPECT_THROW(object->slow_echo(Mixed::Fast()), Mixed::Refused);
  object->_is_a("IDL:Mixed/Below:1.0");
  orb->destroy();

  // two longs there, one back; the text of 0 letters is five octets, and three of padding stand before the count of none
  const std::string text = contents(file);
  for (const char* row :
       {"8 106 client sum IDL:Mixed/Top:1.0\n", "3 36 server sum IDL:Mixed/Top:1.0\n",
        "1 12 client difference IDL:Mixed/Top:1.0\n", "1 12 server difference IDL:Mixed/Top:1.0\n",
        "1 12 client slow_echo IDL:Mixed/Top:1.0\n", "1 12 server slow_echo IDL:Mixed/Top:1.0\n"}) {
    EXPECT_NE(text.find(row), text.npos) << row << "in\n" << text;
  }
  EXPECT_EQ(text.find("_is_a"), text.npos) << text;
  std::remove(file.c_str());
}

}  // namespace
