// SPDX-License-Identifier: Apache-2.0
//
// Value types against octets written by hand (values.hex), and against themselves: sharing, cycles, truncation, chunks, boxes,
// custom and abstract values, and what is malformed.
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "cdr/compatibility.hpp"
#include "orb/server/serving.hpp"
#include "tests/wire/hex_sections.hpp"
#include "values_test_support.hpp"

namespace gen = tenon::gen;
using namespace values_test;
using tenon::ByteOrder;
using tenon::Error;
using tenon::cdr::Reader;
using tenon::cdr::WireFormat;
using tenon::cdr::Writer;

namespace {

class Values_ : public testing::Test {
 protected:
  Values_() : orb_(CORBA::ORB_init({}, "values")), scope_(orb_->_core()) { register_all(orb_); }
  ~Values_() override { orb_->destroy(); }

  const std::vector<std::uint8_t>& hex(const std::string& name) {
    static const auto sections = tenon::wire::read_hex_sections("values.hex");
    const auto place = sections.find(name);
    if (place == sections.end()) throw std::logic_error("no section " + name);
    return place->second;
  }
  /// Reads all of a section.
  template <typename C>
  typename C::value_type read(const std::string& name) {
    Reader in(hex(name), big_);
    typename C::value_type value{};
    C::get(in, value);
    EXPECT_TRUE(in.good()) << name << ": " << tenon::describe(in.error());
    EXPECT_EQ(in.remaining(), 0u) << name;
    return value;
  }
  template <typename C>
  void refuses(const std::string& name, Error error) {
    Reader in(hex(name), big_);
    typename C::value_type value{};
    C::get(in, value);
    EXPECT_EQ(in.error(), error) << name << ": " << tenon::describe(in.error());
  }
  template <typename C>
  void writes(const std::string& name, const typename C::value_type& value) {
    Writer out(big_);
    C::put(out, value);
    ASSERT_TRUE(out.good());
    EXPECT_EQ(out.copy(), hex(name)) << name;
  }

  static constexpr WireFormat big_{.giop_minor = 2, .order = ByteOrder::big};
  CORBA::object_reference<CORBA::ORB> orb_;
  tenon::orb::OrbScope scope_;
};

using PlainCodec = gen::Value<v::Plain>;
using Plains = gen::Sequence<PlainCodec, 3>;

/// The private state of a Plain, as its octets show it.
std::string private_text(const v::Plain& value) {
  Writer out;
  value._put_state(out);
  Reader in(out.bytes(), out.format());
  in.get<std::int32_t>();
  std::string text;
  in.get_string(text);
  return text;
}

void expect_plain(const Ref<v::Plain>& value, std::int32_t a, const std::string& b) {
  ASSERT_TRUE(value);
  EXPECT_EQ(value->a(), a);
  EXPECT_EQ(private_text(*value), b);
}

TEST_F(Values_, HeadsOfEachKind) {
  EXPECT_FALSE(read<PlainCodec>("null"));
  for (const char* name : {"no_id", "one_id", "code_base", "list_of_one"})
    expect_plain(read<PlainCodec>(name), 7, "hi");
  writes<PlainCodec>("null", nullptr);
  writes<PlainCodec>("one_id", make<v::Plain>(7, "hi"));
}

TEST_F(Values_, IndirectionsToIdsAndValues) {
  const auto two = read<Plains>("two_plains");
  ASSERT_EQ(two.size(), 2u);
  expect_plain(two[0], 1, "x");
  expect_plain(two[1], 2, "y");
  writes<Plains>("two_plains", {make<v::Plain>(1, "x"), make<v::Plain>(2, "y")});

  const auto same = read<Plains>("same_twice");
  ASSERT_EQ(same.size(), 3u);
  expect_plain(same[0], 1, "x");
  EXPECT_EQ(same[0].get(), same[1].get());
  EXPECT_FALSE(same[2]);
  const auto one = make<v::Plain>(1, "x");
  writes<Plains>("same_twice", {one, one, nullptr});
}

TEST_F(Values_, ACycleIsReadAndWritten) {
  const auto cycle = read<gen::Value<v::Node>>("cycle");
  ASSERT_TRUE(cycle);
  EXPECT_EQ(cycle->id(), 5);
  EXPECT_EQ(cycle->next().get(), cycle.get());
  writes<gen::Value<v::Node>>("cycle", cycle);
  cycle->next(nullptr);  // or it would live for ever
}

TEST_F(Values_, TruncatableValuesAreChunked) {
  for (const char* name : {"truncatable", "many_chunks", "padding_chunks"}) {
    const auto value = IDL::traits<v::Derived>::narrow(read<PlainCodec>(name));
    ASSERT_TRUE(value) << name;
    expect_plain(value, 7, "hi");
    EXPECT_EQ(value->d(), 1.5);
  }
  writes<PlainCodec>("truncatable", make<v::Derived>(7, "hi", 1.5));
  for (const char* name : {"truncatable_twice", "truncatable_again"}) {
    const auto twice = read<Plains>(name);
    ASSERT_EQ(twice.size(), 2u);
    expect_plain(twice[1], 7, "x");
  }
  writes<Plains>("truncatable_again", {make<v::Derived>(7, "x", 1.5), make<v::Derived>(7, "x", 1.5)});
}

TEST_F(Values_, NestedValuesStandBetweenChunks) {
  for (const char* name : {"nested", "nested_own"}) {
    const auto value = IDL::traits<v::Deepest>::narrow(read<PlainCodec>(name));
    ASSERT_TRUE(value) << name;
    expect_plain(value, 7, "hi");
    EXPECT_EQ(value->octets(), (std::vector<std::uint8_t>{0xAA, 0xBB}));
    ASSERT_TRUE(value->tree());
    EXPECT_EQ(value->tree()->id(), 9);
    writes<PlainCodec>("nested_own", value);
  }
}

// Encoded writes a text that it makes for that, and which is gone when the message is sent.
TEST_F(Values_, WhatCustomMarshallingWritesIsCopied) {
  const auto given = CORBA::make_reference<Encoded>();
  given->text(std::string(3 * Writer::borrow_from, 'x') + "y");
  Writer out;
  out.allow_lending(true);
  gen::Value<v::Encoded>::put(out, given);
  EXPECT_TRUE(out.contiguous());
  EXPECT_EQ(out.lends_from(), Writer::borrow_from);
  const std::vector<std::uint8_t> octets = out.copy();
  Reader in(octets, out.format());
  Ref<v::Encoded> back;
  gen::Value<v::Encoded>::get(in, back);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->text(), given->text());
}

TEST_F(Values_, WithoutItsFactoryAValueIsTruncatedToItsBase) {
  orb_->unregister_value_factory(std::string(v::Deepest::_static_id));
  auto base = read<PlainCodec>("nested");
  EXPECT_TRUE(IDL::traits<v::Derived>::narrow(base));
  EXPECT_FALSE(IDL::traits<v::Deepest>::narrow(base));
  expect_plain(base, 7, "hi");
  orb_->unregister_value_factory(std::string(v::Derived::_static_id));
  base = read<PlainCodec>("nested_own");
  EXPECT_FALSE(IDL::traits<v::Derived>::narrow(base));
  expect_plain(base, 7, "hi");
  orb_->unregister_value_factory(std::string(v::Plain::_static_id));
  refuses<PlainCodec>("nested", tenon::errors::no_value_factory);
}

TEST_F(Values_, ValuesWithinWhatWasLeftOutCanBeShared) {
  const auto plains = read<Plains>("unknown_derived");
  ASSERT_EQ(plains.size(), 2u);
  expect_plain(plains[0], 7, "hi");
  expect_plain(plains[1], 8, "in");
}

TEST_F(Values_, RefusesWhatIsMalformed) {
  namespace errors = tenon::errors;
  refuses<PlainCodec>("unknown_alone", errors::no_value_factory);
  refuses<PlainCodec>("wrong_type", errors::wrong_value_type);
  for (const char* name : {"bad_tag", "bad_type_info", "huge_list"})
    refuses<PlainCodec>(name, errors::bad_value_header);
  for (const char* name : {"forward_indirection", "indirection_to_itself", "indirection_before"})
    refuses<PlainCodec>(name, errors::bad_value_indirection);
  refuses<Plains>("indirection_to_nothing", errors::bad_value_indirection);
  refuses<PlainCodec>("chunk_too_long", errors::out_of_data);
  refuses<PlainCodec>("chunk_too_short", errors::out_of_data);
  refuses<PlainCodec>("no_end_tag", errors::out_of_data);
  refuses<PlainCodec>("end_too_deep", errors::end_tag_too_deep);
  refuses<PlainCodec>("state_left", errors::bad_value_end);
  refuses<gen::Value<v::Node>>("value_in_chunk", errors::bad_value_header);
  Reader in(hex("wrong_shared_type"), big_);
  Ref<v::Node> node;
  Ref<v::Plain> plain;
  gen::Value<v::Node>::get(in, node);
  EXPECT_TRUE(in.good());
  PlainCodec::get(in, plain);
  EXPECT_EQ(in.error(), errors::wrong_value_type);
}

class EndTagsPerBase : public Values_ {
 protected:
  EndTagsPerBase() { tenon::cdr::compatibility().end_tags_per_base = true; }
  ~EndTagsPerBase() override { tenon::cdr::compatibility().end_tags_per_base = false; }
};

TEST_F(EndTagsPerBase, ValuesOfTaoAreRead) {
  const auto derived = IDL::traits<v::Derived>::narrow(read<PlainCodec>("tao_derived"));
  ASSERT_TRUE(derived);
  expect_plain(derived, 7, "hi");
  EXPECT_EQ(derived->d(), 1.5);
  const auto deepest = IDL::traits<v::Deepest>::narrow(read<PlainCodec>("tao_deepest"));
  ASSERT_TRUE(deepest);
  expect_plain(deepest, 7, "hi");
  EXPECT_EQ(deepest->d(), 1.5);
  EXPECT_EQ(deepest->octets(), (std::vector<std::uint8_t>{0xAA, 0xBB}));
  EXPECT_FALSE(deepest->tree());
  // Values of other ORBs are read as before.
  for (const char* name : {"nested", "nested_own", "deep_end_before_value"}) {
    const auto other = IDL::traits<v::Deepest>::narrow(read<PlainCodec>(name));
    ASSERT_TRUE(other && other->tree()) << name;
    EXPECT_EQ(other->tree()->id(), 9);
  }
}

TEST_F(EndTagsPerBase, ValuesOfTaoAreTruncated) {
  const auto plains = read<Plains>("tao_unknown");
  ASSERT_EQ(plains.size(), 2u);
  expect_plain(plains[0], 7, "hi");
  expect_plain(plains[1], 8, "in");
  orb_->unregister_value_factory(std::string(v::Deepest::_static_id));
  EXPECT_TRUE(IDL::traits<v::Derived>::narrow(read<PlainCodec>("tao_deepest")));
  orb_->unregister_value_factory(std::string(v::Derived::_static_id));
  for (const char* name : {"tao_derived", "tao_deepest"}) expect_plain(read<PlainCodec>(name), 7, "hi");
}

TEST_F(EndTagsPerBase, OtherFaultsAreStillRefused) {
  namespace errors = tenon::errors;
  refuses<PlainCodec>("deep_end_in_state", errors::bad_value_end);
  refuses<PlainCodec>("state_left", errors::bad_value_end);
  for (const char* name : {"only_deep_ends", "end_too_deep"}) refuses<PlainCodec>(name, errors::out_of_data);
  const auto& whole = hex("tao_deepest");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Reader in(tenon::ByteView(whole.data(), size), big_);
    Ref<CORBA::ValueBase> value;
    gen::Value<CORBA::ValueBase>::get(in, value);
    EXPECT_FALSE(in.good()) << size << " octets";
  }
}

TEST_F(Values_, EndTagsPerBaseAreRefusedAndTheLogSaysWhatHelps) {
  static std::vector<std::string> lines;
  lines.clear();
  tenon::set_log_level(tenon::LogLevel::warning);
  tenon::set_log_sink(
      [](void*, tenon::LogLevel, std::string_view, std::string_view text) { lines.emplace_back(text); },
      nullptr);
  for (const char* name : {"tao_derived", "tao_deepest", "deep_end_before_value"})
    refuses<PlainCodec>(name, tenon::errors::end_tag_too_deep);
  refuses<Plains>("tao_unknown", tenon::errors::end_tag_too_deep);
  tenon::set_log_sink(nullptr, nullptr);
  tenon::set_log_level(tenon::LogLevel::off);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[1].starts_with("a value's end tag -3 names nesting level 3, but only 1 is open"))
      << lines[1];
  EXPECT_TRUE(lines[1].ends_with("-ORBEndTagsPerBase yes")) << lines[1];
  EXPECT_TRUE(tenon::describe(tenon::errors::end_tag_too_deep).ends_with("(-ORBEndTagsPerBase)"));
}

TEST_F(Values_, EveryBeginningOfAValueIsRefused) {
  for (const char* name : {"one_id", "truncatable", "nested", "unknown_derived", "cycle"}) {
    const auto& whole = hex(name);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      Reader in(tenon::ByteView(whole.data(), size), big_);
      Plains::value_type plains;
      Ref<CORBA::ValueBase> value;
      if (std::string_view(name) == "unknown_derived") {
        Plains::get(in, plains);
      } else {
        gen::Value<CORBA::ValueBase>::get(in, value);
      }
      EXPECT_FALSE(in.good()) << name << ", " << size << " octets";
      if (const auto node = IDL::traits<v::Node>::narrow(value)) node->next(nullptr);
    }
  }
}

class OneFactory final : public v::Factories {
 public:
  void servant(CORBA::servant_reference<PortableServer::Servant> value) override {
    servant_ = std::move(value);
  }
  CORBA::servant_reference<PortableServer::Servant> servant() override { return servant_; }
  CORBA::ValueFactory find(const std::string&, CORBA::ValueFactory otherwise,
                           CORBA::ValueFactory& also) override {
    also = otherwise;
    return otherwise;
  }

 private:
  CORBA::servant_reference<PortableServer::Servant> servant_;
};

TEST_F(Values_, FactoriesAndServantsAreParametersOfLocalInterfaces) {
  const CORBA::ValueFactory plain = orb_->lookup_value_factory(std::string(v::Plain::_static_id));
  ASSERT_TRUE(plain);
  const auto factories = CORBA::make_reference<OneFactory>();
  CORBA::ValueFactory also;
  EXPECT_EQ(factories->find("id", plain, also), plain);
  EXPECT_EQ(also, plain);
  EXPECT_FALSE(factories->servant());
}

static_assert(!std::equality_comparable<v::Loose>);

}  // namespace
