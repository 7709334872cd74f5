// SPDX-License-Identifier: Apache-2.0
//
// Generated stubs against generated skeletons and ties, in one ORB: called directly (collocated) and over a TCP connection to itself.
// Objects of classes that know nothing of CORBA stand behind the ties.
#include <gtest/gtest.h>

#include <atomic>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "features_skel.hpp"
#include "wide_skel.hpp"

namespace {

namespace f = Features;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using LaterRef = CORBA::object_reference<f::Later>;

class Servants : public testing::TestWithParam<const char*> {
 protected:
  Servants() {
    static std::atomic<int> number{0};
    orb_ = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", GetParam()},
                           "servants-" + std::to_string(number.fetch_add(1)));
  }
  ~Servants() override { orb_->destroy(); }

  /// A reference to a tie of the object, as the program that gets it as a string has it.
  template <typename Interface, typename T>
  CORBA::object_reference<Interface> serve(const std::shared_ptr<T>& object) {
    using Traits = CORBA::servant_traits<Interface>;
    const auto tie = CORBA::make_reference<typename Traits::template tie_type<T>>(object);
    const auto reference = tenon::publish<typename Traits::base_type>(orb_, tie);
    return IDL::traits<Interface>::narrow(orb_->string_to_object(orb_->object_to_string(reference)));
  }

  CORBA::object_reference<CORBA::ORB> orb_;
};

INSTANTIATE_TEST_SUITE_P(Collocated, Servants, testing::Values("yes"));
INSTANTIATE_TEST_SUITE_P(OverTcp, Servants, testing::Values("no"));

// --- every type as in, inout, out and result ---

template <typename T>
T pass(const T& a, T& b, T& c) {
  c = b;
  b = a;
  return a;
}

struct Passer {
  f::Everything the_everything(const f::Everything& a, f::Everything& b, f::Everything& c) {
    return pass(a, b, c);
  }
  f::Colour the_colour(f::Colour a, f::Colour& b, f::Colour& c) { return pass(a, b, c); }
  f::Level the_level(f::Level a, f::Level& b, f::Level& c) { return pass(a, b, c); }
  f::Permissions the_permissions(f::Permissions a, f::Permissions& b, f::Permissions& c) {
    return pass(a, b, c);
  }
  f::Packed the_packed(const f::Packed& a, f::Packed& b, f::Packed& c) { return pass(a, b, c); }
  f::Row the_row(const f::Row& a, f::Row& b, f::Row& c) { return pass(a, b, c); }
  f::Ages the_ages(const f::Ages& a, f::Ages& b, f::Ages& c) { return pass(a, b, c); }
  f::Amount the_amount(const f::Amount& a, f::Amount& b, f::Amount& c) { return pass(a, b, c); }
  bool flag(bool a, bool& b, bool& c) { return pass(a, b, c); }
  wchar_t letter(wchar_t a, wchar_t& b, wchar_t& c) { return pass(a, b, c); }
  long double real(long double a, long double& b, long double& c) { return pass(a, b, c); }
  bool aligned(std::uint8_t a, f::Everything& b, std::uint8_t& c, long double& d) {
    b.m(a);
    c = a;
    d = a;
    return (reinterpret_cast<std::uintptr_t>(&b) | reinterpret_cast<std::uintptr_t>(&d)) %
               alignof(long double) ==
           0;
  }
  f::Unions the_unions(const f::Unions& a, f::Unions& b, f::Unions& c) { return pass(a, b, c); }
  f::Holder the_holder(const f::Holder& a, f::Holder& b, f::Holder& c) { return pass(a, b, c); }
};

template <typename T, typename Call>
void expect_passed(const T& first, const T& second, Call call) {
  T b = second;
  T c{};
  EXPECT_TRUE(call(first, b, c) == first);
  EXPECT_TRUE(b == first);
  EXPECT_TRUE(c == second);
}

TEST_P(Servants, EveryTypeInEveryDirection) {
  const auto p = serve<f::Passing>(std::make_shared<Passer>());
  ASSERT_TRUE(p);
  f::Everything every;
  every.n("text");
  every.o(L"wide \u00e9");
  every.r(f::Amount("-1234.567"));
  every.u({{{1, 2, 3}, {4, 5, 6}}});
  every.w()[3][1] = true;
  f::Packed packed;
  packed.c(-2000);
  f::Unions unions;
  unions.by_ulong_long().the_words({"a", "b"});
  unions.by_boolean().text(L"w");
  expect_passed(every, f::Everything(),
                [&](auto& a, auto& b, auto& c) { return p->the_everything(a, b, c); });
  expect_passed(f::Colour::blue, f::Colour::green,
                [&](auto a, auto& b, auto& c) { return p->the_colour(a, b, c); });
  expect_passed(f::Level::high, f::Level::middle,
                [&](auto a, auto& b, auto& c) { return p->the_level(a, b, c); });
  expect_passed(f::Permissions::can_read | f::Permissions::can_delete, f::Permissions::can_write,
                [&](auto a, auto& b, auto& c) { return p->the_permissions(a, b, c); });
  expect_passed(packed, f::Packed(), [&](auto& a, auto& b, auto& c) { return p->the_packed(a, b, c); });
  expect_passed(f::Row{1, 2, 3}, f::Row{4, 5, 6},
                [&](auto& a, auto& b, auto& c) { return p->the_row(a, b, c); });
  expect_passed(f::Ages{{"a", 1}, {"b", 2}}, f::Ages{{"c", 3}},
                [&](auto& a, auto& b, auto& c) { return p->the_ages(a, b, c); });
  expect_passed(f::Amount("1.5"), f::Amount("-0.125"),
                [&](auto& a, auto& b, auto& c) { return p->the_amount(a, b, c); });
  expect_passed(true, false, [&](auto a, auto& b, auto& c) { return p->flag(a, b, c); });
  expect_passed(L'\u00e9', L'x', [&](auto a, auto& b, auto& c) { return p->letter(a, b, c); });
  expect_passed(3.25L, -1.0L, [&](auto a, auto& b, auto& c) { return p->real(a, b, c); });
  f::Everything behind;
  std::uint8_t small = 0;
  long double large = 0;
  EXPECT_TRUE(p->aligned(7, behind, small, large));
  EXPECT_TRUE(behind.m() == 7 && small == 7 && large == 7);
  expect_passed(unions, f::Unions(), [&](auto& a, auto& b, auto& c) { return p->the_unions(a, b, c); });

  const f::Holder full(nullptr, p);
  f::Holder b;
  f::Holder c(nullptr, p);
  const f::Holder result = p->the_holder(full, b, c);
  EXPECT_FALSE(result.target());
  EXPECT_TRUE(result.anything()->_is_equivalent(p));
  EXPECT_TRUE(b.anything()->_is_equivalent(p));
  EXPECT_FALSE(c.anything());
}

TEST_P(Servants, BadValuesAreRefusedBeforeAndAfterTheCall) {
  struct Careless : Passer {
    f::Colour the_colour(f::Colour, f::Colour&, f::Colour&) { return static_cast<f::Colour>(9); }
  };
  const auto p = serve<f::Passing>(std::make_shared<Careless>());
  f::Colour b{};
  f::Colour c{};
  const auto completed = [&](f::Colour a) {
    try {
      p->the_colour(a, b, c);
    } catch (const CORBA::BAD_PARAM& exception) {
      return exception.completed();
    }
    ADD_FAILURE() << "no exception";
    return CORBA::CompletionStatus::COMPLETED_MAYBE;
  };
  EXPECT_EQ(completed(static_cast<f::Colour>(7)), CORBA::CompletionStatus::COMPLETED_NO);
  EXPECT_EQ(completed(f::Colour::red), CORBA::CompletionStatus::COMPLETED_YES);
}

// --- a diamond, exceptions of operations and attributes ---

struct Joined {
  f::Base::Mode mode = f::Base::Mode::slow;
  std::string right = "right";
  std::atomic<int> hints{0};

  f::Base::Mode the_mode() { return mode; }
  void the_mode(f::Base::Mode value) { mode = value; }
  f::Base::State current() { return f::Base::State(mode, {mode}, {}); }
  f::Base::State change(f::Base::Mode to, f::Base::Choice& why) {
    if (to == mode) throw f::Base::Refused(current());
    mode = to;
    why.the_state(current());
    return current();
  }
  void hint(const std::string&) { ++hints; }
  std::int32_t get_mode() { return static_cast<std::int32_t>(mode); }
  std::int32_t leftward(std::int32_t value) { return -value; }
  std::string right_value() {
    if (right.empty()) throw f::Plain();
    return right;
  }
  void right_value(const std::string& value) {
    if (value == "wrong") throw f::Detailed("because", f::Block(), {value});
    right = value;
  }
  LaterRef self(const LaterRef& other, f::Laters& all, ObjectRef& anything) {
    all.push_back(other);
    anything = other;
    return other;
  }
};

TEST_P(Servants, TieOfADiamond) {
  const auto object = std::make_shared<Joined>();
  const auto later = serve<f::Later>(object);
  ASSERT_TRUE(later);
  for (const std::string_view id : {f::Later::_static_id, f::Left::_static_id, f::Right::_static_id,
                                    f::Base::_static_id, CORBA::Object::_static_id}) {
    EXPECT_TRUE(later->_is_a(std::string(id))) << id;
  }
  EXPECT_FALSE(later->_is_a(std::string(f::Named::_static_id)));
  EXPECT_FALSE(IDL::traits<f::Named>::narrow(later));
  const auto left = IDL::traits<f::Left>::narrow(orb_->string_to_object(orb_->object_to_string(later)));
  ASSERT_TRUE(left);
  EXPECT_EQ(left->leftward(5), -5);

  f::Base::Choice why;
  EXPECT_EQ(later->change(f::Base::Mode::fast, why).the_mode(), f::Base::Mode::fast);
  EXPECT_EQ(why.the_state().the_mode(), f::Base::Mode::fast);
  EXPECT_EQ(later->get_mode(), 1);
  try {
    left->change(f::Base::Mode::fast, why);
    ADD_FAILURE();
  } catch (const f::Base::Refused& refused) {
    EXPECT_EQ(refused.the_state().history().size(), 1u);
  }
  later->the_mode(f::Base::Mode::slow);
  EXPECT_EQ(later->the_mode(), f::Base::Mode::slow);

  EXPECT_THROW(later->right_value("wrong"), f::Detailed);
  EXPECT_EQ(later->right_value(), "right");
  later->right_value("");
  EXPECT_THROW(later->right_value(), f::Plain);

  f::Laters all{nullptr};
  ObjectRef anything;
  const LaterRef same = later->self(later, all, anything);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0]);
  EXPECT_TRUE(all[1]->_is_equivalent(later) && same->_is_equivalent(later) &&
              anything->_is_equivalent(later));
  EXPECT_EQ(same->leftward(1), -1);
  EXPECT_FALSE(later->self(nullptr, all, anything));
  EXPECT_FALSE(anything);

  later->hint("a oneway that shares its connection is served before the call after it");
  EXPECT_EQ(later->get_mode(), 0);
  EXPECT_EQ(object->hints, 1);
}

TEST_P(Servants, TieKeepsItsObjectAndLetsItGo) {
  const auto object = std::make_shared<Joined>();
  {
    const auto tie = CORBA::make_reference<CORBA::servant_traits<f::Later>::tie_type<Joined>>(object);
    EXPECT_EQ(tie->_tied_object(), object);
    EXPECT_EQ(tie->leftward(3), -3);
    EXPECT_EQ(object.use_count(), 2);
  }
  EXPECT_EQ(object.use_count(), 1);
  serve<f::Later>(object);
  EXPECT_EQ(object.use_count(), 2);
  orb_->destroy();
  EXPECT_EQ(object.use_count(), 1);
}

TEST_P(Servants, TieIsActivatedInItsPoa) {
  using Tie = CORBA::servant_traits<f::Later>::tie_type<Joined>;
  const auto object = std::make_shared<Joined>();
  const auto root = IDL::traits<PortableServer::POA>::narrow(orb_->resolve_initial_references("RootPOA"));
  const auto shop =
      root->create_POA("shop", root->the_POAManager(),
                       {PortableServer::POA::create_implicit_activation_policy(
                           PortableServer::ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION)});
  const auto tie = CORBA::make_reference<Tie>(object, shop);
  EXPECT_EQ(tie->_default_POA(), shop);
  EXPECT_EQ(shop->reference_to_servant(tie->_this()), tie);
  const auto plain = CORBA::make_reference<Tie>(object, nullptr);
  EXPECT_EQ(plain->_default_POA(), root);
  const auto other = std::make_shared<Joined>();
  tie->_tied_object(other);
  EXPECT_EQ(tie->_tied_object(), other);
}

// --- bases that the ORB provides, names of parameters ---

struct Paint {
  int destroyed = 0;
  std::int32_t hue() { return 1; }
  std::int32_t corners() { return 2; }
  std::int32_t size() { return 3; }
  std::int32_t gloss() { return 4; }
  CORBA::PolicyType policy_type() { return 5; }
  CORBA::object_reference<CORBA::Policy> copy() { return nullptr; }
  void destroy() { ++destroyed; }
};

TEST_P(Servants, PolicyInheritedFromAllSides) {
  const auto object = std::make_shared<Paint>();
  const auto finish = serve<Wide::Finish>(object);
  ASSERT_TRUE(finish);
  EXPECT_EQ(finish->hue() * 1000 + finish->corners() * 100 + finish->size() * 10 + finish->gloss(), 1234);
  EXPECT_EQ(finish->policy_type(), 5u);
  EXPECT_FALSE(finish->copy());
  const CORBA::object_reference<Wide::Colour> colour = finish;
  const CORBA::object_reference<Wide::Shape> shape = finish;
  colour->destroy();
  shape->destroy();
  EXPECT_EQ(object->destroyed, 2);
  EXPECT_TRUE(finish->_is_a(std::string(CORBA::Policy::_static_id)));
}

struct Namesake {
  void locals(std::int32_t put, Wide::Texts& put_, std::int32_t& get, std::int32_t& get_, std::int32_t in_,
              std::int32_t out_, std::int32_t self, std::int32_t self_, std::int32_t& call,
              std::int32_t call_, Wide::Texts& reader, Wide::Texts& writer, std::int32_t gen,
              std::int32_t raises_, std::int32_t operation, std::int32_t operations, std::int32_t result,
              std::int32_t value) {
    std::string all;
    for (const std::int32_t one :
         {put, in_, out_, self, self_, call, call_, gen, raises_, operation, operations, result, value})
      all += std::to_string(one) + " ";
    put_.push_back(all);
    get = 100;
    get_ = 101;
    ++call;
    std::swap(reader, writer);
  }
  std::int32_t T(std::int32_t T_, std::int32_t tied) { return T_ - tied; }
  std::string Tie(const std::string& T) { return T + "!"; }
};

TEST_P(Servants, ParametersCalledLikeGeneratedLocals) {
  const auto names = serve<Wide::Names>(std::make_shared<Namesake>());
  Wide::Texts put_{"first"};
  Wide::Texts reader{"r"};
  Wide::Texts writer{"w", "w"};
  std::int32_t get = 0;
  std::int32_t get_ = 0;
  std::int32_t call = 6;
  names->locals(1, put_, get, get_, 2, 3, 4, 5, call, 7, reader, writer, 8, 9, 10, 11, 12, 13);
  EXPECT_EQ(put_, (Wide::Texts{"first", "1 2 3 4 5 6 7 8 9 10 11 12 13 "}));
  EXPECT_EQ(get, 100);
  EXPECT_EQ(get_, 101);
  EXPECT_EQ(call, 7);
  EXPECT_EQ(reader.size(), 2u);
  EXPECT_EQ(writer.size(), 1u);
  EXPECT_EQ(names->T(5, 3), 2);
  EXPECT_EQ(names->Tie("t"), "t!");
}

// --- classes of several skeletons ---

class TopPart : public virtual CORBA::servant_traits<Wide::Top>::base_type {
 public:
  std::int32_t level() override { return 1; }
  void level(std::int32_t) override {}
  std::string label() override { return "top"; }
  std::int32_t top_value(std::int32_t value) override { return value; }
  void top_hint(std::int32_t) override {}
  void top_fail(const std::string&) override {}
};

class LeftPart : public virtual CORBA::servant_traits<Wide::Left>::base_type {
 public:
  std::string left_side() override { return "left"; }
  void left_side(const std::string&) override {}
  std::int32_t left_value(std::int32_t value) override { return value; }
  std::int32_t l(std::int32_t value) override { return value; }
  std::int32_t le(std::int32_t value) override { return value; }
  std::int32_t lef(std::int32_t value) override { return value; }
  std::int32_t left_value2(std::int32_t value) override { return value; }
  std::int32_t get_left_side(std::int32_t value) override { return value; }
  std::int32_t set_left_side(std::int32_t value) override { return value; }
};

/// The parts in an order in which the constructor of the base interface's skeleton would be the last one, were it not shared.
class LeftOfParts final : public LeftPart, public TopPart {};
class TopFirst final : public TopPart, public LeftPart {};

TEST_P(Servants, OfInheritedPartsAreOfTheMostDerivedInterface) {
  const auto check = [&](const auto& servant) {
    EXPECT_EQ(servant->_most_derived_id(), "IDL:Wide/Left:1.0");
    const auto reference = tenon::publish<CORBA::servant_traits<Wide::Left>::base_type>(orb_, servant);
    const auto left =
        IDL::traits<Wide::Left>::narrow(orb_->string_to_object(orb_->object_to_string(reference)));
    ASSERT_TRUE(left);
    EXPECT_EQ(left->label(), "top");
    EXPECT_EQ(left->left_side(), "left");
    EXPECT_TRUE(left->_is_a("IDL:Wide/Top:1.0"));
    EXPECT_FALSE(left->_is_a("IDL:Wide/Right:1.0"));
  };
  check(CORBA::make_reference<LeftOfParts>());
  check(CORBA::make_reference<TopFirst>());
}

}  // namespace
