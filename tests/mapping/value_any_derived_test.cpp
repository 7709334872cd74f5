// SPDX-License-Identifier: Apache-2.0
//
// Values in an Any that are more than its TypeCode tells: of a derived type, custom, or of a type that the program does not know.
// Each is put in, sent, read and passed on, in both byte orders and at every alignment.
#include <functional>

#include "tenon/dynamic/dyn_any_factory.hpp"
#include "tenon/dynamic/dyn_constructed.hpp"
#include "values_in_any_test_support.hpp"

using namespace values_in_any;

namespace {

class DerivedValuesInAny : public ValuesInAny {};

std::vector<WireFormat> both_orders() {
  return {{.giop_minor = 2, .order = ByteOrder::big}, {.giop_minor = 2, .order = ByteOrder::little}};
}

/// A message that begins at `phase` and holds nothing but the Any; and one read.
std::vector<std::uint8_t> message_of(const CORBA::Any& any, const WireFormat& format, std::size_t phase) {
  Writer out(format, phase);
  AnyCodec::put(out, any);
  EXPECT_TRUE(out.good()) << tenon::describe(out.error());
  return out.copy();
}
CORBA::Any any_in(const std::vector<std::uint8_t>& message, const WireFormat& format, std::size_t phase) {
  Reader in(message, format, phase);
  CORBA::Any any;
  AnyCodec::get(in, any);
  EXPECT_TRUE(in.good()) << tenon::describe(in.error());
  EXPECT_EQ(in.remaining(), 0u);
  return any;
}

/// From the program into a message, and from that into another: `check` gets each Any that arrives.
void pass_on_everywhere(const CORBA::Any& given, const std::function<void(const CORBA::Any&)>& check) {
  for (const WireFormat& first : both_orders()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      const CORBA::Any once = any_in(message_of(given, first, phase), first, phase);
      check(once);
      for (const WireFormat& second : both_orders()) {
        for (const std::size_t other : {phase, (phase + 4) % 8, (phase + 1) % 8})
          check(any_in(message_of(once, second, other), second, other));
      }
    }
  }
}

/// What tells one value of the base from another, derived part and all.
std::string whole_text(const CORBA::Any& any) {
  Ref<v::Plain> base;
  if (!(any >>= base) || !base) return "no Plain";
  std::string text = std::to_string(base->a());
  if (const auto it = IDL::traits<v::Derived>::narrow(base)) text += ", d " + std::to_string(it->d());
  if (const auto it = IDL::traits<v::Sibling>::narrow(base)) text += ", s " + std::to_string(it->s());
  if (const auto it = IDL::traits<v::Deepest>::narrow(base)) {
    text += ", octets " + std::to_string(it->octets().size()) + ", tree " + std::to_string(it->tree()->id());
    it->tree()->next(nullptr);  // a cycle would live for ever
  }
  return text;
}

Ref<v::Deepest> deepest_value() {
  const auto tree = pair_of(9, nullptr);
  return make<v::Deepest>(7, "b", 0.5, std::vector<std::uint8_t>(3), tree);
}

TEST_F(DerivedValuesInAny, ADerivedValueTravelsWhole) {
  tenon::register_value<v::Sibling>(orb_);
  const auto travels = [](const Ref<v::Plain>& value, const char* text) {
    const CORBA::Any any = any_of<v::Plain>(value);
    EXPECT_TRUE(any.type()->equal(v::_tc_Plain));
    EXPECT_EQ(whole_text(any), text);
    pass_on_everywhere(any, [&](const CORBA::Any& arrived) {
      EXPECT_TRUE(arrived.type()->equal(v::_tc_Plain));
      EXPECT_EQ(whole_text(arrived), text);
    });
  };
  travels(make<v::Plain>(7, "b"), "7");
  travels(make<v::Derived>(7, "bc", 0.5), "7, d 0.500000");
  travels(make<v::Sibling>(7, "bcd", std::int16_t{5}), "7, s 5");
  travels(deepest_value(), "7, d 0.500000, octets 3, tree 9");
}

// A client may only send such values: then it has no factories.
TEST_F(DerivedValuesInAny, ASenderNeedsNoFactory) {
  for (const auto id : {v::Plain::_static_id, v::Derived::_static_id})
    orb_->unregister_value_factory(std::string(id));
  const auto sibling = make<v::Sibling>(7, "b", std::int16_t{5});
  const CORBA::Any any = any_of<v::Plain>(sibling);
  const CORBA::Any outer = [&] {
    CORBA::Any holds;
    holds <<= CORBA::AnySeq{any, any};
    return holds;
  }();
  sibling->s(6);  // an Any refers to the values that were put into it, as references do
  Ref<v::Plain> same;
  ASSERT_TRUE(any >>= same);
  EXPECT_EQ(same.get(), sibling.get());
  for (const WireFormat& format : both_orders()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      const auto message = message_of(any, format, phase);
      const auto outer_message = message_of(outer, format, phase);
      CORBA::ORB& receiver = *orb_;
      receiver.register_value_factory(std::string(v::Sibling::_static_id),
                                      CORBA::make_reference<gen::PlainValueFactory<v::OBV_Sibling>>());
      EXPECT_EQ(whole_text(any_in(message, format, phase)), "7, s 6");
      CORBA::AnySeq inside;
      ASSERT_TRUE(any_in(outer_message, format, phase) >>= inside);
      ASSERT_EQ(inside.size(), 2u);
      EXPECT_EQ(whole_text(inside[0]), "7, s 6");
      EXPECT_EQ(whole_text(inside[1]), "7, s 6");
      receiver.unregister_value_factory(std::string(v::Sibling::_static_id));
    }
  }
}

// Shared values and circles, in a struct and within what only the derived type has.
TEST_F(DerivedValuesInAny, DerivedValuesKeepTheirShape) {
  const auto one = deepest_value();
  one->tree()->next(one->tree());
  const auto box = CORBA::make_reference<v::StringBox>("boxed");
  v::Holder holder(one->tree(), nullptr, box, one, {one, make<v::Derived>(1, "", 2.5), one},
                   {one->tree(), nullptr});
  CORBA::Any any;
  any <<= holder;
  const auto check = [](const CORBA::Any& arrived) {
    v::Holder back;
    ASSERT_TRUE(arrived >>= back);
    ASSERT_EQ(back.plains().size(), 3u);
    const auto deepest = IDL::traits<v::Deepest>::narrow(back.plains()[0]);
    ASSERT_TRUE(deepest);
    EXPECT_EQ(back.plains()[2].get(), back.plains()[0].get());
    EXPECT_EQ(dynamic_cast<v::Plain*>(back.base().get()), back.plains()[0].get());
    EXPECT_EQ(deepest->tree().get(), back.tree().get());
    EXPECT_EQ(back.two()[0].get(), back.tree().get());
    EXPECT_EQ(back.tree()->next().get(), back.tree().get());
    EXPECT_EQ(IDL::traits<v::Derived>::narrow(back.plains()[1])->d(), 2.5);
    EXPECT_EQ(back.box()->_value(), "boxed");
    back.tree()->next(nullptr);
  };
  // What was put in is what comes out here: leave its circle alone until it has been sent.
  pass_on_everywhere(any, check);
  one->tree()->next(nullptr);
}

TEST_F(DerivedValuesInAny, CustomAndAbstractOnesToo) {
  const auto encoded = CORBA::make_reference<Encoded>();
  encoded->number(5);
  encoded->text("secret");
  pass_on_everywhere(any_of<v::Encoded>(encoded), [](const CORBA::Any& arrived) {
    Ref<v::Encoded> back;
    ASSERT_TRUE(arrived >>= back);
    EXPECT_EQ(back->text(), "secret");
  });
  const auto circle = CORBA::make_reference<Circle>();
  circle->radius(3);
  pass_on_everywhere(any_of<v::Shape>(circle), [](const CORBA::Any& arrived) {
    Ref<v::Shape> back;
    ASSERT_TRUE(arrived >>= back);
    EXPECT_EQ(back->area(), 9);
  });
  const auto sibling = make<v::Derived>(7, "b", 0.25);
  pass_on_everywhere(any_of<CORBA::ValueBase>(sibling), [](const CORBA::Any& arrived) {
    Ref<CORBA::ValueBase> back;
    ASSERT_TRUE(arrived >>= back);
    ASSERT_TRUE(IDL::traits<v::Derived>::narrow(back));
    EXPECT_EQ(IDL::traits<v::Derived>::narrow(back)->d(), 0.25);
  });
}

TEST_F(DerivedValuesInAny, ThroughDynAny) {
  tenon::register_value<v::Sibling>(orb_);
  const auto factory =
      IDL::traits<DynamicAny::DynAnyFactory>::narrow(orb_->resolve_initial_references("DynAnyFactory"));
  for (const Ref<v::Plain>& value : std::initializer_list<Ref<v::Plain>>{
           make<v::Sibling>(7, "b", std::int16_t{5}), make<v::Derived>(7, "bc", 0.5), deepest_value()}) {
    const CORBA::Any given = any_of<v::Plain>(value);
    const std::string text = whole_text(given);
    v::Holder holder;
    holder.plains({value});
    CORBA::Any in_struct;
    in_struct <<= holder;
    pass_on_everywhere(given, [&](const CORBA::Any& arrived) {
      EXPECT_EQ(whole_text(factory->create_dyn_any(arrived)->to_any()), text);
      EXPECT_TRUE(factory->create_dyn_any(arrived)->equal(factory->create_dyn_any(given)));
    });
    pass_on_everywhere(in_struct, [&](const CORBA::Any& arrived) {
      const auto parts = IDL::traits<DynamicAny::DynStruct>::narrow(factory->create_dyn_any(arrived));
      ASSERT_TRUE(parts);
      parts->seek(4);
      const auto plains = IDL::traits<DynamicAny::DynSequence>::narrow(parts->current_component());
      ASSERT_TRUE(plains);
      EXPECT_EQ(whole_text(plains->get_elements().at(0)), text);
      v::Holder back;
      ASSERT_TRUE(parts->to_any() >>= back);  // written part by part
      EXPECT_EQ(whole_text(any_of<v::Plain>(back.plains().at(0))), text);
    });
  }
}

// An Any typed as the derived type, and a program that knows a base only.
TEST_F(DerivedValuesInAny, OfAnUnknownTypeGiveTheirKnownBase) {
  const CORBA::Any null = any_of(Ref<v::Deepest>());
  for (const WireFormat& format : both_orders()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      register_all(orb_);
      const auto arrives = [&](const CORBA::Any& any) {
        return any_in(message_of(any, format, phase), format, phase);
      };
      const CORBA::Any deepest = arrives(any_of(deepest_value()));
      tenon::register_value<v::Sibling>(orb_);
      const CORBA::Any sibling = arrives(any_of(make<v::Sibling>(7, "b", std::int16_t{5})));
      Ref<v::Plain> plain;
      Ref<v::Derived> derived;
      Ref<v::Deepest> whole;
      Ref<v::Node> node;
      EXPECT_TRUE(deepest >>= whole);
      EXPECT_FALSE(deepest >>= derived);  // what is known is of its own type
      EXPECT_FALSE(deepest >>= plain);
      orb_->unregister_value_factory(std::string(v::Deepest::_static_id));
      EXPECT_FALSE(deepest >>= whole);
      EXPECT_FALSE(deepest >>= plain);
      EXPECT_FALSE(deepest >>= node);
      ASSERT_TRUE(deepest >>= derived);
      EXPECT_EQ(derived->d(), 0.5);
      ASSERT_TRUE(arrives(null) >>= derived);
      EXPECT_FALSE(derived);
      orb_->unregister_value_factory(std::string(v::Derived::_static_id));
      ASSERT_TRUE(deepest >>= plain);
      EXPECT_EQ(plain->a(), 7);
      EXPECT_FALSE(deepest >>= derived);
      EXPECT_TRUE(deepest.type()->equal(v::_tc_Deepest));  // and it is passed on as what it is
      orb_->unregister_value_factory(std::string(v::Sibling::_static_id));
      EXPECT_FALSE(sibling >>= plain);  // not truncatable
    }
  }
}

// omniORB passes Anys on by the TypeCode: values lose their ids and chunks there.
TEST_F(DerivedValuesInAny, OfAnUnknownTypeThatOnlyTheTypeCodeNames) {
  orb_->unregister_value_factory(std::string(v::Deepest::_static_id));
  for (const WireFormat& format : both_orders()) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      Writer out(format, phase);
      types::write(out, *v::_tc_Deepest._type());
      out.begin_value(nullptr, {}, false);
      out.put(std::int32_t{7});
      out.put_string("b");
      out.put(0.5);
      out.put_length(0);
      out.begin_value(nullptr, {}, false);
      out.put(std::int32_t{9});
      out.put_null_value();
      out.put_length(0);
      out.end_value();
      out.end_value();
      const CORBA::Any any = any_in(out.copy(), format, phase);
      Ref<v::Derived> derived;
      ASSERT_TRUE(any >>= derived);
      EXPECT_EQ(derived->d(), 0.5);
      Ref<v::Plain> plain;
      EXPECT_FALSE(any >>= plain);
    }
  }
}

// Who does not know a type can only leave it as it is, or cut it down to what the TypeCode tells.
TEST_F(DerivedValuesInAny, UnknownDerivedTypes) {
  const auto other_order = both_orders()[tenon::native_order == ByteOrder::big ? 1 : 0];
  const WireFormat format = types::Any::memory_format();
  const auto truncatable = any_in(message_of(any_of<v::Plain>(deepest_value()), format, 0), format, 0);
  const auto alone = message_of(any_of<v::Plain>(make<v::Sibling>(7, "b", std::int16_t{5})), format, 0);
  for (const auto id : {v::Derived::_static_id, v::Deepest::_static_id})
    orb_->unregister_value_factory(std::string(id));
  EXPECT_EQ(whole_text(truncatable), "7");
  EXPECT_EQ(message_of(truncatable, format, 0), message_of(any_of<v::Plain>(deepest_value()), format, 0));
  EXPECT_EQ(whole_text(any_in(message_of(truncatable, other_order, 1), other_order, 1)), "7");
  Reader in(alone, format);
  CORBA::Any any;
  AnyCodec::get(in, any);
  EXPECT_EQ(in.error(), tenon::errors::no_values_in_any);  // nobody knows where it ends
}

}  // namespace
