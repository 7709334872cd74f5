// SPDX-License-Identifier: Apache-2.0
//
// Values as parameters, results, members, attributes and in exceptions, to a servant of the same ORB: called directly and over TCP.
// And values as values: copies, life, streams, every format and alignment.
#include <gtest/gtest.h>

#include <atomic>
#include <tenon/portable_server.hpp>

#include "base/minor_codes.hpp"
#include "orb/server/serving.hpp"
#include "values_skel.hpp"
#include "values_test_support.hpp"

namespace {

using namespace values_test;
namespace gen = tenon::gen;

class EchoServant final : public CORBA::servant_traits<v::Echo>::base_type {
 public:
  Ref<v::Plain> current() override { return current_; }
  void current(Ref<v::Plain> value) override { current_ = std::move(value); }

  Ref<v::Node> exchange(Ref<v::Node> given, Ref<v::Plain>& changed, Ref<v::StringBox>& made,
                        Ref<v::Node> again) override {
    if (given && given->id() == 13) throw v::Trouble(given, given);
    made = CORBA::make_reference<v::StringBox>(given.get() == again.get() ? "same" : "other");
    if (changed) changed->a(changed->a() + 1);
    return given;
  }
  Ref<CORBA::ValueBase> echo_base(Ref<CORBA::ValueBase> given) override { return given; }
  CORBA::object_reference<v::Describable> echo_describable(
      CORBA::object_reference<v::Describable> given) override {
    described = given ? given->describe() : "nothing";
    return given;
  }
  v::Holder echo_holder(const v::Holder& given, v::Choice& chosen) override {
    shared = given.tree().get() == given.two()[1].get() && chosen._d() == 1 &&
             chosen.tree().get() == given.tree().get();
    return given;
  }
  Ref<v::Encoded> echo_encoded(Ref<v::Encoded> given) override { return given; }
  Ref<v::Plain> echo_plain(Ref<v::Plain> given) override { return given; }
  Ref<v::Wide> echo_wide(Ref<v::Wide> given, Ref<v::Node> tree) override {
    shared = given->tree().get() == tree.get();
    return given;
  }
  Ref<v::Shape> echo_shape(Ref<v::Shape> given) override { return given; }

  bool shared = false;
  std::string described;

 private:
  Ref<v::Plain> current_;
};

class StationServant final : public CORBA::servant_traits<v::Station>::base_type {
 public:
  std::string describe() override { return "a station"; }
  void ping() override {}
};

class ValueCalls : public testing::TestWithParam<const char*> {
 protected:
  ValueCalls() {
    static std::atomic<int> number{0};
    orb_ = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1", "-ORBCollocation", GetParam()},
                           "value-calls-" + std::to_string(number.fetch_add(1)));
    register_all(orb_);
    servant_ = CORBA::make_reference<EchoServant>();
    echo_ = IDL::traits<v::Echo>::narrow(
        orb_->string_to_object(orb_->object_to_string(tenon::publish(orb_, servant_))));
  }
  ~ValueCalls() override { orb_->destroy(); }

  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::servant_reference<EchoServant> servant_;
  CORBA::object_reference<v::Echo> echo_;
};

INSTANTIATE_TEST_SUITE_P(Collocated, ValueCalls, testing::Values("yes"));
INSTANTIATE_TEST_SUITE_P(OverTcp, ValueCalls, testing::Values("no"));

Ref<v::Node> list(std::int32_t length) {
  Ref<v::Node> first;
  for (std::int32_t i = length; i > 0; --i) first = make<v::Node>(i, first, v::NodeSeq());
  return first;
}

Ref<v::Wide> wide(const Ref<v::Node>& tree) {
  const auto one = make<v::Wide>();
  one->b(true);
  one->o(200);
  one->c('c');
  one->w(L'\u00e9');
  one->s(-5);
  one->l(100000);
  one->ll(-5000000000);
  one->f(1.25F);
  one->d(-2.5);
  one->ld(3.5L);
  one->text("some text");
  one->wtext(L"wide");
  one->doubles({1, 2, 3});
  one->points({v::Point(1, 1.5), v::Point(2, 2.5), v::Point(3, 3.5), v::Point(4, 4.5)});
  one->booleans({true, false, true});
  one->texts({"a", "", "bcd"});
  one->fixed_points()[1] = v::Point(9, 9.5);
  one->tree(tree);
  one->last(7);
  return one;
}

void expect_wide(const Ref<v::Wide>& one) {
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->b() && one->o() == 200 && one->c() == 'c' && one->w() == L'\u00e9' && one->s() == -5);
  EXPECT_TRUE(one->l() == 100000 && one->ll() == -5000000000 && one->f() == 1.25F && one->d() == -2.5);
  EXPECT_TRUE(one->ld() == 3.5L && one->text() == "some text" && one->wtext() == L"wide");
  EXPECT_EQ(one->doubles(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(one->points().size(), 4u);
  EXPECT_EQ(one->points()[3], v::Point(4, 4.5));
  EXPECT_EQ(one->booleans(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(one->texts(), (std::vector<std::string>{"a", "", "bcd"}));
  EXPECT_EQ(one->fixed_points()[1], v::Point(9, 9.5));
  EXPECT_EQ(one->last(), 7);
}

TEST_P(ValueCalls, ParametersOfEachDirectionShareValues) {
  const auto node = list(3);
  auto changed = Ref<v::Plain>(make<v::Derived>(4, "b", 0.5));
  Ref<v::StringBox> made;
  const auto back = echo_->exchange(node, changed, made, node);
  ASSERT_TRUE(back && back->next() && back->next()->next());
  EXPECT_NE(back.get(), node.get());
  EXPECT_EQ(back->next()->next()->id(), 3);
  EXPECT_EQ(made->_value(), "same");
  EXPECT_EQ(changed->a(), 5);
  EXPECT_EQ(IDL::traits<v::Derived>::narrow(changed)->d(), 0.5);
  changed = nullptr;
  EXPECT_EQ(echo_->exchange(node, changed, made, list(1))->id(), 1);
  EXPECT_EQ(made->_value(), "other");
  EXPECT_FALSE(changed);
}

TEST_P(ValueCalls, AttributesAndNull) {
  EXPECT_FALSE(echo_->current());
  echo_->current(make<v::Plain>(9, ""));
  EXPECT_EQ(echo_->current()->a(), 9);
  EXPECT_FALSE(echo_->echo_plain(nullptr));
}

TEST_P(ValueCalls, ExceptionsCarryValues) {
  const auto unlucky = make<v::Node>(13, nullptr, v::NodeSeq());
  Ref<v::Plain> changed;
  Ref<v::StringBox> made;
  try {
    echo_->exchange(unlucky, changed, made, nullptr);
    FAIL() << "no exception";
  } catch (const v::Trouble& trouble) {
    ASSERT_TRUE(trouble.cause());
    EXPECT_EQ(trouble.cause()->id(), 13);
    EXPECT_EQ(static_cast<const CORBA::ValueBase*>(trouble.cause().get()), trouble.more().get());
  }
}

TEST_P(ValueCalls, MembersOfStructsAndUnions) {
  v::Holder given;
  given.tree(list(2));
  const auto circle = CORBA::make_reference<Circle>();
  circle->radius(2);
  circle->tone(v::Circle::Paint::blue);
  given.form(circle);
  given.box(CORBA::make_reference<v::StringBox>("boxed"));
  given.base(given.box());
  given.plains({make<v::Plain>(1, "one"), nullptr,
                make<v::Deepest>(3, "three", 3.5, std::vector<std::uint8_t>(5), given.tree())});
  given.two()[1] = given.tree();
  v::Choice chosen;
  chosen.tree(given.tree());
  const auto back = echo_->echo_holder(given, chosen);
  EXPECT_TRUE(servant_->shared);
  ASSERT_TRUE(back.form());
  EXPECT_EQ(back.form()->area(), 4);
  EXPECT_EQ(back.box()->_value(), "boxed");
  EXPECT_EQ(static_cast<CORBA::ValueBase*>(back.box().get()), back.base().get());
  const auto deepest = IDL::traits<v::Deepest>::narrow(back.plains().at(2));
  ASSERT_TRUE(deepest);
  EXPECT_EQ(deepest->tree().get(), back.two()[1].get());
  EXPECT_EQ(chosen.tree()->next()->id(), 2);
  EXPECT_EQ(chosen.tree().get(), back.tree().get());  // one reply, one table
}

TEST_P(ValueCalls, CustomValuesWriteThemselves) {
  const auto given = CORBA::make_reference<Encoded>();
  given->number(5);
  given->text("abc");
  const auto back = echo_->echo_encoded(given);
  EXPECT_EQ(back->number(), 5);
  EXPECT_EQ(back->text(), "abc");
  given->number(13);
  try {
    echo_->echo_encoded(given);
    FAIL() << "no exception";
  } catch (const CORBA::BAD_PARAM& exception) {
    EXPECT_EQ(exception.minor(), 77u);
  }
}

TEST_P(ValueCalls, WhereAnAbstractInterfaceIsExpectedObjectsAndValuesGo) {
  const auto note = CORBA::make_reference<Note>();
  note->text("hello");
  const auto back = echo_->echo_describable(CORBA::object_reference<v::Describable>(note));
  EXPECT_EQ(servant_->described, "note: hello");
  EXPECT_EQ(back->describe(), "note: hello");
  EXPECT_NE(dynamic_cast<Note*>(back.get()), nullptr);
  const auto station = tenon::publish(orb_, CORBA::make_reference<StationServant>());
  const auto object = echo_->echo_describable(station);
  EXPECT_EQ(servant_->described, "a station");
  EXPECT_EQ(object->describe(), "a station");
  EXPECT_FALSE(echo_->echo_describable(nullptr));
}

TEST_P(ValueCalls, AnAbstractInterfaceSaysWhetherItIsAnObjectOrAValue) {
  const CORBA::object_reference<CORBA::AbstractBase> value = CORBA::make_reference<Note>();
  EXPECT_FALSE(value->_to_object());
  EXPECT_TRUE(IDL::traits<v::Note>::narrow(value->_to_value()));
  const auto station = tenon::publish(orb_, CORBA::make_reference<StationServant>());
  const CORBA::object_reference<CORBA::AbstractBase> object = echo_->echo_describable(station);
  EXPECT_TRUE(object->_to_object()->_is_equivalent(station));
  EXPECT_FALSE(object->_to_value());
  const auto back = IDL::traits<v::Describable>::narrow(object->_to_object());
  EXPECT_EQ(back->describe(), "a station");
}

TEST_P(ValueCalls, StateOfEveryKindInChunksAndOut) {
  const auto node = list(2);
  expect_wide(echo_->echo_wide(wide(node), node));
  EXPECT_TRUE(servant_->shared);
}

TEST_P(ValueCalls, AValueOfAnUnknownTypeIsMarshalMinorOne) {
  orb_->unregister_value_factory(std::string(v::Tally::_static_id));
  const auto tally = CORBA::make_reference<Tally>();
  try {
    echo_->echo_plain(tally);
    FAIL() << "no exception";
  } catch (const CORBA::MARSHAL& exception) {
    EXPECT_EQ(exception.minor(), tenon::errors::no_value_factory.minor);
  }
}

TEST_P(ValueCalls, LongListsHaveALimitAndNoMore) {
  auto longest = list(tenon::cdr::deepest_value);
  EXPECT_EQ(echo_->echo_base(longest)->_value_info().ids.front(), v::Node::_static_id);
  EXPECT_THROW(echo_->echo_base(make<v::Node>(0, longest, v::NodeSeq())), CORBA::MARSHAL);
}

class ValueLife : public testing::Test {
 protected:
  ValueLife() : orb_(CORBA::ORB_init({}, "value-life")), scope_(orb_->_core()) { register_all(orb_); }
  ~ValueLife() override { orb_->destroy(); }
  CORBA::object_reference<CORBA::ORB> orb_;
  tenon::orb::OrbScope scope_;
};

TEST_F(ValueLife, CopiesAreDeepAndKeepTheirShape) {
  const auto node = list(3);
  node->next()->next()->next(node);
  const auto copy = IDL::traits<v::Node>::narrow(node->_copy_value());
  EXPECT_NE(copy.get(), node.get());
  EXPECT_EQ(copy->next()->next()->next().get(), copy.get());
  node->next(nullptr);
  copy->next(nullptr);
}

TEST_F(ValueLife, FactoriesAreRegisteredByRepositoryId) {
  const std::string id(v::Plain::_static_id);
  EXPECT_TRUE(orb_->lookup_value_factory(id));
  const auto mine = CORBA::make_reference<v::Plain_init>();
  EXPECT_TRUE(orb_->register_value_factory(id, mine));
  EXPECT_EQ(orb_->lookup_value_factory(id).get(), mine.get());
  orb_->unregister_value_factory(id);
  EXPECT_THROW(orb_->lookup_value_factory(id), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->unregister_value_factory(id), CORBA::BAD_PARAM);
  EXPECT_THROW(orb_->register_value_factory(id, nullptr), CORBA::BAD_PARAM);
  EXPECT_FALSE(orb_->register_value_factory(id, mine));
}

TEST_F(ValueLife, EveryFormatAndAlignment) {
  for (const auto order : {tenon::ByteOrder::big, tenon::ByteOrder::little}) {
    for (const std::uint8_t minor : {std::uint8_t{1}, std::uint8_t{2}}) {
      for (std::size_t phase = 0; phase < 8; ++phase) {
        tenon::cdr::WireFormat format;
        format.order = order;
        format.giop_minor = minor;
        tenon::cdr::Writer out(format, phase);
        const auto node = list(1);
        gen::Value<CORBA::ValueBase>::put(out, wide(node));
        gen::Value<v::Node>::put(out, node);
        ASSERT_TRUE(out.good());
        const auto bytes = out.copy();
        tenon::cdr::Reader in(bytes, format, phase);
        Ref<CORBA::ValueBase> back;
        gen::Value<CORBA::ValueBase>::get(in, back);
        Ref<v::Node> tree;
        gen::Value<v::Node>::get(in, tree);
        ASSERT_TRUE(in.good()) << tenon::describe(in.error());
        EXPECT_EQ(in.remaining(), 0u);
        const auto one = IDL::traits<v::Wide>::narrow(back);
        expect_wide(one);
        EXPECT_EQ(one->tree().get(), tree.get());
        // only the base is known: all else is passed over, and the tree is made when it is referred to
        orb_->unregister_value_factory(std::string(v::Wide::_static_id));
        tenon::cdr::Reader again(bytes, format, phase);
        gen::Value<CORBA::ValueBase>::get(again, back);
        gen::Value<v::Node>::get(again, tree);
        ASSERT_TRUE(again.good()) << tenon::describe(again.error());
        EXPECT_TRUE(IDL::traits<v::Empty>::narrow(back));
        EXPECT_EQ(tree->id(), 1);
        tenon::register_value<v::Wide>(orb_);
      }
    }
  }
}

TEST_F(ValueLife, NothingIsHeldAfterTheMessage) {
  const auto node = list(1);
  {
    tenon::cdr::Writer out;
    gen::Value<v::Node>::put(out, node);
    EXPECT_EQ(node->_refcount_value(), 2u);
    out.forget_values();
    EXPECT_EQ(node->_refcount_value(), 1u);
    tenon::cdr::Reader in(out.bytes(), out.format());
    Ref<v::Node> back;
    gen::Value<v::Node>::get(in, back);
    EXPECT_EQ(back->_refcount_value(), 2u);
    in.forget_values();
    EXPECT_EQ(back->_refcount_value(), 1u);
  }
}

}  // namespace
