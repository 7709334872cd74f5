// SPDX-License-Identifier: Apache-2.0
//
// Values in an Any: whatever stands before them in the message, at every alignment and in both byte orders; shared with what is
// outside; of types that nobody here knows; as text.
#include "marshal/typecodes/compile.hpp"
#include "marshal/typecodes/programs.hpp"
#include "values_in_any_test_support.hpp"

using namespace values_in_any;

namespace {

TEST_F(ValuesInAny, GoInAndComeOut) {
  const auto node = pair_of(1, pair_of(2, nullptr));
  Ref<v::Node> back;
  ASSERT_TRUE(any_of(node) >>= back);
  EXPECT_EQ(back->next()->id(), 2);
  Ref<v::Plain> plain;
  EXPECT_FALSE(any_of(node) >>= plain);
  Ref<v::StringBox> box;
  ASSERT_TRUE(any_of(CORBA::make_reference<v::StringBox>("in a box")) >>= box);
  EXPECT_EQ(box->_value(), "in a box");
  ASSERT_TRUE(any_of(Ref<v::StringBox>()) >>= box);
  EXPECT_FALSE(box);
  const auto note = CORBA::make_reference<Note>();
  note->text("told");
  Ref<v::Note> note_back;
  ASSERT_TRUE(any_of<v::Note>(note) >>= note_back);
  EXPECT_EQ(note_back->describe(), "note: told");
  EXPECT_EQ(v::_tc_Deepest->concrete_base_type()->name(), "Derived");
  EXPECT_EQ(v::_tc_Deepest->type_modifier(), CORBA::VM_TRUNCATABLE);
  EXPECT_EQ(v::_tc_Node->member_visibility(2), CORBA::PRIVATE_MEMBER);
}

// Read from one message and written into another: other order, other alignment.
TEST_F(ValuesInAny, ArePassedOn) {
  const auto node = pair_of(1, pair_of(2, nullptr));
  node->next()->next(node);
  const auto deepest = make<v::Deepest>(7, "b", 0.5, std::vector<std::uint8_t>(3), node);
  const CORBA::Any given = any_of<v::Deepest>(deepest);
  for (const auto order : {ByteOrder::big, ByteOrder::little}) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      WireFormat format;
      format.order = order;
      Writer first(format, phase);
      AnyCodec::put(first, given);
      AnyCodec::put(first, given);  // repository ids are indirections to those of the first
      Reader in(first.bytes(), format, phase);
      CORBA::Any once, twice;
      AnyCodec::get(in, once);
      AnyCodec::get(in, twice);
      ASSERT_TRUE(in.good()) << tenon::describe(in.error());
      EXPECT_EQ(in.remaining(), 0u);
      for (const CORBA::Any* any : {&once, &twice}) {
        Ref<v::Deepest> back;
        ASSERT_TRUE(*any >>= back);
        EXPECT_EQ(back->d(), 0.5);
        EXPECT_EQ(back->tree()->next()->next().get(), back->tree().get());
        back->tree()->next()->next(nullptr);  // or it would live for ever
      }
    }
  }
  node->next()->next(nullptr);
}

TEST_F(ValuesInAny, ShareWithWhatStandsOutside) {
  // omniORB and others write one indirection table per message: by hand, a Node, then an Any whose value is that Node.
  const auto node = pair_of(5, pair_of(6, nullptr));
  Writer out;
  Nodes::put(out, node);
  types::write(out, *v::_tc_Node._type());
  Nodes::put(out, node);  // an indirection
  types::write(out, *v::_tc_Node._type());
  Nodes::put(out, node->next());  // and one into the first
  Reader in(out.bytes(), out.format());
  Ref<v::Node> outside;
  Nodes::get(in, outside);
  CORBA::Any whole, part;
  AnyCodec::get(in, whole);
  AnyCodec::get(in, part);
  ASSERT_TRUE(in.good()) << tenon::describe(in.error());
  EXPECT_EQ(in.remaining(), 0u);
  Ref<v::Node> back;
  ASSERT_TRUE(whole >>= back);
  EXPECT_EQ(back->id(), 5);
  EXPECT_EQ(back->next().get(), IDL::traits<v::Node>::narrow(back->next()).get());
  ASSERT_TRUE(part >>= back);
  EXPECT_EQ(back->id(), 6);

  // and the other way round: the value is in the Any, the indirection outside
  Writer other;
  types::write(other, *v::_tc_Node._type());
  Nodes::put(other, node);
  Nodes::put(other, node);
  Reader again(other.bytes(), other.format());
  AnyCodec::get(again, whole);
  Nodes::get(again, outside);
  ASSERT_TRUE(again.good()) << tenon::describe(again.error());
  EXPECT_EQ(outside->next()->id(), 6);
}

TEST_F(ValuesInAny, AnIndirectionCanNotMakeMuchOfLittle) {
  Writer out;
  Nodes::put(out, make<v::Node>(1, nullptr, v::NodeSeq(20000, make<v::Node>(2, nullptr, v::NodeSeq()))));
  const std::size_t large = out.size();
  Ref<v::Node> unused;
  for (int i = 0; i < 1000; ++i) {
    types::write(out, *v::_tc_Node._type());
    out.align(4);
    out.put_value_indirection(0);
  }
  Reader in(out.bytes(), out.format());
  Nodes::get(in, unused);
  int made = 0;
  for (CORBA::Any any; made < 1000 && in.good(); ++made) AnyCodec::get(in, any);
  EXPECT_EQ(in.error(), tenon::errors::too_much_sharing);
  EXPECT_LT(made, 40);
  EXPECT_GT(large, 100000u);
}

TEST_F(ValuesInAny, InsideChunkedValuesOfAStruct) {
  // a custom value that writes an Any of a value into its chunks
  class Carrier final : public virtual v::OBV_Encoded {
   public:
    void marshal(const CORBA::object_reference<CORBA::DataOutputStream>& os) override {
      os->write_any(any);
      os->write_long(77);
    }
    void unmarshal(const CORBA::object_reference<CORBA::DataInputStream>& is) override {
      any = is->read_any();
      EXPECT_EQ(is->read_long(), 77);
    }
    CORBA::Any any;
  };
  tenon::register_value<v::Encoded, Carrier>(orb_);
  for (std::size_t phase = 0; phase < 8; ++phase) {
    const auto carrier = CORBA::make_reference<Carrier>();
    carrier->any = any_of(pair_of(1, pair_of(2, nullptr)));
    Writer out({}, phase);
    gen::Value<v::Encoded>::put(out, carrier);
    ASSERT_TRUE(out.good());
    Reader in(out.bytes(), out.format(), phase);
    Ref<v::Encoded> back;
    gen::Value<v::Encoded>::get(in, back);
    ASSERT_TRUE(in.good()) << tenon::describe(in.error());
    EXPECT_EQ(in.remaining(), 0u);
    Ref<v::Node> node;
    ASSERT_TRUE(dynamic_cast<Carrier&>(*back).any >>= node);
    EXPECT_EQ(node->next()->id(), 2);
  }
}

TEST_F(ValuesInAny, OfTypesThatTheTypeCodeDoesNotTell) {
  // a Deepest where the TypeCode says Plain: carried as it is to the same alignment, else as the base
  const auto deepest = make<v::Deepest>(7, "b", 0.5, std::vector<std::uint8_t>(3), pair_of(1, nullptr));
  const CORBA::Any any = any_of<v::Plain>(deepest);
  for (std::size_t phase = 0; phase < 8; ++phase) {
    Writer out(types::Any::memory_format(), phase);
    AnyCodec::put(out, any);
    ASSERT_TRUE(out.good());
    Reader in(out.bytes(), out.format(), phase);
    CORBA::Any back;
    AnyCodec::get(in, back);
    Ref<v::Plain> plain;
    ASSERT_TRUE(back >>= plain);
    EXPECT_EQ(plain->a(), 7);
  }
  // A type that is neither known nor truncatable can only be left alone.
  const auto encoded = CORBA::make_reference<Encoded>();
  encoded->text("secret");
  const CORBA::Any opaque = any_of<v::Encoded>(encoded);
  EXPECT_NE(types::text(opaque._value()).find("(a value of IDL:Values/Encoded:1.0)"), std::string::npos);
  Ref<v::Encoded> back;
  ASSERT_TRUE(opaque >>= back);
  EXPECT_EQ(back->text(), "secret");
  Writer first;
  AnyCodec::put(first, opaque);
  Reader in(first.bytes(), first.format());
  CORBA::Any arrived;
  AnyCodec::get(in, arrived);
  EXPECT_TRUE(in.good());
  orb_->unregister_value_factory(std::string(v::Encoded::_static_id));
  WireFormat swapped;
  swapped.order = tenon::native_order == ByteOrder::big ? ByteOrder::little : ByteOrder::big;
  Writer out(swapped);
  AnyCodec::put(out, arrived);
  EXPECT_EQ(out.error(), tenon::errors::no_values_in_any);
}

/// A chunked Plain whose state is followed by more than its type has.
std::vector<std::uint8_t> plain_with_surplus(const WireFormat& format, std::size_t phase,
                                             const std::string& text, std::size_t surplus,
                                             bool another_chunk) {
  Writer out(format, phase);
  const std::string_view ids[] = {v::Plain::_static_id};
  out.begin_value(nullptr, ids, true);
  out.put(std::int32_t{7});
  out.put_string(text);
  if (another_chunk) {
    const std::string_view inner[] = {v::Empty::_static_id};
    out.begin_value(nullptr, inner, true);
    out.end_value();
  }
  out.put_octets(std::vector<std::uint8_t>(surplus, 1));
  out.end_value();
  return out.copy();
}

// Whoever reads a value that has the TypeCode's id reads all of it, or says MARSHAL.
TEST_F(ValuesInAny, MoreStateThanTheTypeHasIsRefused) {
  const auto refused_by_all = [&](const WireFormat& format, std::size_t phase, const std::string& text,
                                  std::size_t surplus, bool another_chunk) {
    const auto bytes = plain_with_surplus(format, phase, text, surplus, another_chunk);
    const bool whole = surplus == 0 && !another_chunk;
    const auto agrees = [&](const char* who, const Reader& in) {
      EXPECT_EQ(in.good(), whole) << who << ": " << surplus << " octets behind \"" << text << "\" at "
                                  << phase;
      EXPECT_EQ(in.error().id, whole ? tenon::SystemException::none : tenon::SystemException::marshal) << who;
    };
    Reader compiled(bytes, format, phase);
    Ref<v::Plain> plain;
    gen::Value<v::Plain>::get(compiled, plain);
    agrees("compiled code", compiled);
    const types::TypeRef& type = v::_tc_Plain._type();
    for (const types::Runner* runner : {&types::by_walker, &tenon::marshal::by_program}) {
      Reader skipped(bytes, format, phase);
      runner->skip(skipped, type);
      agrees("skipping", skipped);
      Reader copied(bytes, format, phase);
      Writer out(types::Any::memory_format(), 3);
      runner->copy(copied, out, type);
      agrees("copying", copied);
      EXPECT_EQ(out.good(), whole);
    }
    const auto program = tenon::marshal::compile(type);
    ASSERT_TRUE(program);
    Reader decoded(bytes, format, phase);
    tenon::marshal::Value(*program).decode(decoded);
    agrees("a program", decoded);
    Reader in(bytes, format, phase);
    types::read_value(in, type);
    agrees("an Any", in);
  };
  for (const auto order : {ByteOrder::big, ByteOrder::little}) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      for (const char* text : {"", "1", "12", "123"}) {
        for (std::size_t surplus = 0; surplus <= 9; ++surplus)
          refused_by_all({.giop_minor = 2, .order = order}, phase, text, surplus, false);
        refused_by_all({.giop_minor = 2, .order = order}, phase, text, 0, true);
        refused_by_all({.giop_minor = 2, .order = order}, phase, text, 1, true);
      }
    }
  }
}

// Neither does it vanish before a value inside.
TEST_F(ValuesInAny, MoreStateThanTheTypeHasBeforeAnInnerValueIsRefused) {
  for (std::size_t surplus = 0; surplus <= 6; ++surplus) {
    Writer out({.giop_minor = 2, .order = ByteOrder::big});
    const std::string_view ids[] = {v::Node::_static_id};
    out.begin_value(nullptr, ids, true);
    out.put(std::int32_t{7});
    out.put_octets(std::vector<std::uint8_t>(surplus, 1));
    Nodes::put(out, make<v::Node>(8, nullptr, v::NodeSeq()));
    out.put_length(0);
    out.end_value();
    Reader in(out.bytes(), out.format());
    Ref<v::Node> node;
    Nodes::get(in, node);
    EXPECT_EQ(in.good(), surplus == 0) << surplus;
    Reader unknown(out.bytes(), out.format());
    types::skip(unknown, *CORBA::_tc_ValueBase._type());  // what is passed over may have any state
    EXPECT_TRUE(unknown.good()) << surplus;
    EXPECT_EQ(unknown.remaining(), 0u);
  }
}

TEST_F(ValuesInAny, AsText) {
  const auto node = make<v::Node>(1, nullptr, v::NodeSeq());
  node->next(node);
  EXPECT_TRUE(
      types::text(any_of(node)._value()).ends_with(" Node{id = 1, next = (an earlier value), children = []}"))
      << types::text(any_of(node)._value());
  node->next(nullptr);
  EXPECT_TRUE(types::text(any_of(make<v::Derived>(1, "b", 2.5))._value())
                  .ends_with("Derived{a = 1, b = \"b\"}{d = 2.5}"))
      << types::text(any_of(make<v::Derived>(1, "b", 2.5))._value());
}

}  // namespace
