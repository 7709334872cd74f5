// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of values.idl.

#include "impl.hpp"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using namespace values;

template <class V>
V* shared(V* value) {
  CORBA::add_ref(value);
  return value;
}

class PlaceServant : public POA_InteropValues::Place {
 public:
  char* title() override { return CORBA::string_dup("a place"); }
  void visit() override {}
};

class ExchangeServant : public POA_InteropValues::Exchange {
 public:
  explicit ExchangeServant(Place_ptr place) : place_(Place::_duplicate(place)) {}

  Base* kept() override { return shared(kept_.in()); }
  void kept(Base* value) override { kept_ = shared(value); }

  Tree* echo_tree(Tree* a, Tree*& b, Tree_out c) override {
    c = b;
    b = shared(a);
    return shared(a);
  }
  CORBA::Boolean same(Tree* a, Tree* b) override { return a == b; }
  CORBA::Long ring_length(Tree* start) override { return values::ring_length(start); }
  Tree* make_ring(CORBA::Long length) override { return values::make_ring(length); }
  Base* echo_base(Base* a) override { return shared(a); }
  BaseSeq* echo_bases(const BaseSeq& a) override { return new BaseSeq(a); }
  char* text_of(Base* a) override {
    auto* readable = dynamic_cast<ReadableText*>(a);
    return CORBA::string_dup(readable != nullptr ? readable->text_of() : "not ours");
  }
  Base* make_inbound() override { return make_wider<InboundImpl>(); }
  Base* make_secret() override {
    auto* secret = new SecretImpl;
    secret->number(1);
    secret->hidden(2);
    return secret;
  }
  TextBox* echo_text(TextBox* a) override { return shared(a); }
  LongsBox* echo_longs(LongsBox* a) override { return shared(a); }
  PairBox* echo_pair(PairBox* a) override { return shared(a); }
  Shape* echo_shape(Shape* a) override { return shared(a); }
  CORBA::Double area_of(Shape* a) override { return a->area(); }
  CORBA::ValueBase* echo_value(CORBA::ValueBase* a) override { return shared(a); }
  Titled_ptr echo_titled(Titled_ptr a) override { return Titled::_duplicate(a); }
  char* title_of(Titled_ptr a) override { return a->title(); }
  Place_ptr where() override { return Place::_duplicate(place_); }
  Holder* echo_holder(const Holder& a) override { return new Holder(a); }
  void fail(Tree* cause) override { throw Failed(shared(cause), "as asked"); }
  CORBA::Any* echo_any(const CORBA::Any& a) override { return new CORBA::Any(a); }
  CORBA::Any* make_any(CORBA::Boolean truncatable_value) override {
    CORBA::Any_var any = new CORBA::Any;
    if (truncatable_value) {
      Inbound_var made = make_wider<InboundImpl>();
      any.inout() <<= made.in();
    } else {
      Tree_var tree = new TreeImpl;
      tree->id(4);
      tree->left(tree);
      any.inout() <<= tree.in();
    }
    return any._retn();
  }

 private:
  Place_var place_;
  Base_var kept_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    peer::touch_at_requests();
    add_common(server.orb);
    add<Inbound, InboundImpl>(server.orb);
    add<Secret, SecretImpl>(server.orb);
    auto* place = new PlaceServant;
    Place_var where = place->_this();
    CORBA::Object_var exchange = server.activate(new ExchangeServant(where));
    return server.text(exchange);
  });
}
