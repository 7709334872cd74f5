// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of values.idl.
#include <omniORB4/omniInterceptors.h>

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

CORBA::Boolean count_request(omni::omniInterceptors::serverReceiveRequest_T::info_T&) {
  peer::touch();
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  peer::Options options = peer::parse(argc, argv);
  peer::catch_signals();
  options.orb.emplace_back("-ORBendPoint");
  options.orb.push_back(peer::endpoint(options));
  try {
    CORBA::ORB_var orb = peer::init(options);
    omniORB::getInterceptors()->serverReceiveRequest.add(count_request);
    add_common(orb);
    add<Inbound, InboundImpl>(orb);
    add<Secret, SecretImpl>(orb);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var gate = poa->the_POAManager();
    gate->activate();
    auto* place = new PlaceServant;
    Place_var where = place->_this();
    auto* servant = new ExchangeServant(where);
    Exchange_var exchange = servant->_this();
    CORBA::String_var ior = orb->object_to_string(exchange);
    peer::publish(options.ior, ior);
    peer::wait_for_the_end(options.idle_seconds);
    orb->shutdown(true);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: CORBA exception %s\n", e._name());
    return 1;
  }
}
