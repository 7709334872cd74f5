// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of values.idl.
#include <tenon/portable_server.hpp>

#include <mutex>
#include <vector>

#include "tests/interop/tenon/program.hpp"
#include "tests/interop/values/tenon/impl.hpp"
#include "values_any.hpp"
#include "values_skel.hpp"

namespace {

using namespace values;

class PlaceServant final : public CORBA::servant_traits<Place>::base_type {
 public:
  std::string title() override { return "a place"; }
  void visit() override {}
};

class ExchangeServant final : public CORBA::servant_traits<Exchange>::base_type {
 public:
  explicit ExchangeServant(Ref<Place> place) : place_(std::move(place)) {}
  ~ExchangeServant() override {
    for (const TreeRef& ring : rings_) ring->left(nullptr);
  }

  BaseRef kept() override { return kept_; }
  void kept(BaseRef value) override { kept_ = std::move(value); }

  TreeRef echo_tree(TreeRef a, TreeRef& b, TreeRef& c) override {
    c = b;
    b = a;
    return a;
  }
  bool same(TreeRef a, TreeRef b) override { return a == b; }
  std::int32_t ring_length(TreeRef start) override {
    const std::int32_t length = values::ring_length(start);
    if (length > 0) start->left(nullptr);  // a cycle lives until it is broken
    return length;
  }
  TreeRef make_ring(std::int32_t length) override {
    const TreeRef ring = values::make_ring(length);
    const std::lock_guard lock(rings_mutex_);
    rings_.push_back(ring);
    return ring;
  }
  BaseRef echo_base(BaseRef a) override { return a; }
  BaseSeq echo_bases(const BaseSeq& a) override { return a; }
  std::string text_of(BaseRef a) override {
    const auto* readable = dynamic_cast<const ReadableText*>(a.get());
    return readable != nullptr ? readable->text_of() : "not ours";
  }
  BaseRef make_inbound() override { return make_wider<Inbound>(); }
  BaseRef make_secret() override { return CORBA::make_reference<OBV_Secret>(1, "", 2); }
  Ref<TextBox> echo_text(Ref<TextBox> a) override { return a; }
  Ref<LongsBox> echo_longs(Ref<LongsBox> a) override { return a; }
  Ref<PairBox> echo_pair(Ref<PairBox> a) override { return a; }
  Ref<Shape> echo_shape(Ref<Shape> a) override { return a; }
  double area_of(Ref<Shape> a) override { return a->area(); }
  Ref<CORBA::ValueBase> echo_value(Ref<CORBA::ValueBase> a) override { return a; }
  Ref<Packed> echo_packed(Ref<Packed> a) override { return a; }
  Ref<Titled> echo_titled(Ref<Titled> a) override { return a; }
  std::string title_of(Ref<Titled> a) override { return a->title(); }
  Ref<Place> where() override { return place_; }
  Holder echo_holder(const Holder& a) override { return a; }
  void fail(TreeRef cause) override { throw Failed(cause, "as asked"); }
  CORBA::Any echo_any(const CORBA::Any& a) override { return a; }
  CORBA::Any make_any(bool truncatable_value) override {
    CORBA::Any any;
    if (truncatable_value) {
      any <<= make_wider<Inbound>();
    } else {
      const TreeRef tree = leaf(4);
      tree->left(tree);
      any <<= tree;
      tree->left(nullptr);
    }
    return any;
  }

 private:
  const Ref<Place> place_;
  BaseRef kept_;
  /// Rings that were sent: a cycle lives until it is broken, and a reply is marshalled after the upcall.
  std::mutex rings_mutex_;
  std::vector<TreeRef> rings_;
};

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  program::hold_signals();
  options.orb.emplace_back("-ORBListenEndpoints");
  options.orb.push_back(program::endpoint(options));
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    register_common(orb);
    tenon::register_value<Inbound, Open<Inbound>>(orb);
    tenon::register_value<Secret>(orb);
    const auto place = tenon::publish(orb, CORBA::make_reference<PlaceServant>());
    const auto exchange = tenon::publish(orb, CORBA::make_reference<ExchangeServant>(place));
    program::publish(options.ior, orb->object_to_string(exchange));
    program::wait_for_the_end(options.idle_seconds);
    orb->destroy();
    return 0;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "server: %s\n", e.what());
    return 1;
  }
}
