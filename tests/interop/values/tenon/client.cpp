// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of values.idl: the same checks under the same names as omniORB's. Main thread only.
#include <unistd.h>

#include "tests/interop/tenon/checks.hpp"
#include "tests/interop/values/tenon/impl.hpp"
#include "types/any.hpp"
#include "values_any.hpp"

namespace {

using namespace values;
using checks::check;
using Server = Ref<Exchange>;

std::string unless(bool right, const char* wrong) { return right ? "" : wrong; }

bool alike(const TreeRef& a, const TreeRef& b) {
  if (!a || !b) return a == b;
  return a->id() == b->id() && alike(a->left(), b->left()) && alike(a->right(), b->right());
}

void trees(const Server& server) {
  check("value_null", [&] {
    TreeRef b, c = leaf(1);
    return unless(!server->echo_tree(nullptr, b, c) && !b && !c, "not null");
  });
  check("value_tree", [&] {
    const TreeRef a = make_tree();
    TreeRef b = leaf(99), c;
    const TreeRef back = server->echo_tree(a, b, c);
    if (!alike(back, a) || !alike(b, a) || c->id() != 99) return std::string("other values");
    return unless(back == b, "result and inout are not one value");
  });
  check("value_shared", [&] {
    const TreeRef a = make_tree();
    return unless(server->same(a, a) && !server->same(a, make_tree()), "wrong answer");
  });
  check("value_ring", [&] {
    const TreeRef mine = make_ring(5);
    if (server->ring_length(mine) != 5) return std::string("the server met another ring");
    const TreeRef theirs = server->make_ring(7);
    const bool right = ring_length(theirs) == 7;
    mine->left(nullptr);
    theirs->left(nullptr);
    return unless(right, "another ring came");
  });
}

std::string wrong_wider(const Ref<CORBA::ValueBase>& value) {
  const auto w = IDL::traits<Wider>::narrow(value);
  if (!w) return "not a Wider";
  const auto* readable = dynamic_cast<const ReadableText*>(w.get());
  if (readable == nullptr || readable->text_of() != "in") return "other private state";
  if (w->number() != 7 || w->real() != 1.5 || w->tail() != "tail") return "other state";
  return unless(alike(w->branch(), make_tree()), "another tree");
}

void bases(const Server& server) {
  check("value_derived", [&] {
    const auto a = make_wider<Wider>();
    if (server->text_of(a) != "in") return std::string("private state");
    return wrong_wider(server->echo_base(a));
  });
  check("value_truncated_there", [&] { return wrong_wider(server->echo_base(make_wider<Outbound>())); });
  check("value_truncated_here", [&] { return wrong_wider(server->make_inbound()); });
  checks::check_raises("value_unknown", {"MARSHAL"}, [&] { server->make_secret(); });
  check("value_sequence", [&] {
    const BaseRef plain = CORBA::make_reference<Open<Base>>();
    plain->number(3);
    const BaseSeq back = server->echo_bases({make_wider<Outbound>(), nullptr, plain, plain});
    if (back.size() != 4 || back[1]) return std::string("other elements");
    if (back[2]->number() != 3 || back[2] != back[3]) return std::string("not one value twice");
    return wrong_wider(back[0]);
  });
  check("value_attribute", [&] {
    const BaseRef a = CORBA::make_reference<Open<Base>>();
    a->number(12);
    server->kept(a);
    return unless(server->kept()->number() == 12, "another value");
  });
}

void others(const Server& server) {
  check("value_boxes", [&] {
    const auto text = server->echo_text(CORBA::make_reference<TextBox>("boxed"));
    const auto longs = server->echo_longs(CORBA::make_reference<LongsBox>(LongSeq{0, 0, 33}));
    const auto pair = server->echo_pair(CORBA::make_reference<PairBox>(Pair(1, 2.5)));
    return unless(text->_value() == "boxed" && longs->_value() == LongSeq{0, 0, 33} &&
                      pair->_value() == Pair(1, 2.5) && !server->echo_text(nullptr),
                  "other content");
  });
  check("value_abstract", [&] {
    const auto square = CORBA::make_reference<SquareImpl>();
    square->side(3);
    return unless(server->area_of(square) == 9 && server->echo_shape(square)->area() == 9, "another area");
  });
  check("value_base", [&] {
    const TreeRef tree = make_tree();
    return unless(alike(IDL::traits<Tree>::narrow(server->echo_value(tree)), tree), "another value");
  });
  check("value_custom", [&] {
    const auto made = CORBA::make_reference<PackedImpl>();
    made->number(-5);
    made->text("custom");
    const auto back = server->echo_packed(made);
    return unless(back->number() == -5 && back->text() == "custom", "other state");
  });
  check("value_abstract_interface", [&] {
    const auto label = CORBA::make_reference<LabelImpl>();
    label->text("a label");
    if (server->title_of(label) != "a label") return std::string("title of the value");
    const auto back = server->echo_titled(label);
    if (dynamic_cast<LabelImpl*>(back.get()) == nullptr || back->title() != "a label")
      return std::string("what came back");
    return unless(server->echo_titled(server->where())->title() == "a place", "title of the object");
  });
  check("value_holder", [&] {
    const TreeRef tree = make_tree();
    const auto square = CORBA::make_reference<SquareImpl>();
    square->side(2);
    Choice chosen;
    chosen.branch(tree);
    const Holder back =
        server->echo_holder(Holder(tree, square, CORBA::make_reference<TextBox>("in a struct"),
                                   make_wider<Outbound>(), {make_wider<Outbound>()}, chosen, tree));
    if (!alike(back.root(), tree) || back.root() != back.again() || back.chosen()._d() != 1 ||
        back.chosen().branch() != back.root())
      return std::string("the tree is not one value");
    if (back.form()->area() != 4 || back.box()->_value() != "in a struct")
      return std::string("other members");
    const std::string wrong = wrong_wider(back.whatever());
    return wrong.empty() ? wrong_wider(back.bases().at(0)) : wrong;
  });
  check("value_exception", [&] {
    const TreeRef tree = make_tree();
    try {
      server->fail(tree);
    } catch (const Failed& failed) {
      return unless(alike(failed.cause(), tree) && failed.why() == "as asked", "other members");
    }
    return std::string("no exception");
  });
}

void anys(const Server& server) {
  check("value_any", [&] {
    const TreeRef tree = make_tree();
    tree->left()->left(tree);
    CORBA::Any a;
    a <<= tree;
    tree->left()->left(nullptr);
    TreeRef inside;
    if (!(server->echo_any(a) >>= inside)) return std::string("no Tree in it");
    const bool right = inside->left()->left() == inside && inside->right()->id() == 3;
    inside->left(nullptr);
    return unless(right, "another tree");
  });
  check("value_any_derived", [&] {
    // The text before it moves the value through all alignments.
    for (std::size_t before = 0; before < 8; ++before) {
      CORBA::AnySeq both(2);
      both[0] <<= std::string(before, 'x');
      both[1] <<= BaseRef(make_wider<Wider>());
      CORBA::Any a;
      a <<= both;
      if (!(server->echo_any(a) >>= both) || both.size() != 2) return std::string("no Anys in it");
      BaseRef base;
      if (!(both[1] >>= base)) return std::string("no Base in it");
      const auto wider = IDL::traits<Wider>::narrow(base);
      if (!wider || wider->tail() != make_wider<Wider>()->tail() || !wider->branch())
        return "cut behind " + std::to_string(before) + " octets";
    }
    return std::string();
  });
  check("value_any_made_there", [&] {
    TreeRef inside;
    if (!(server->make_any(false) >>= inside)) return std::string("no Tree in it");
    const bool right = inside->id() == 4 && inside->left() == inside;
    inside->left(nullptr);
    return unless(right, "another tree");
  });
  check("value_any_passed_on", [&] {
    const CORBA::Any back = server->echo_any(server->make_any(true));
    if (back.type()->id() != "IDL:InteropValues/Inbound:1.0") return std::string("another type");
    Ref<Wider> known;  // we have no factory for Inbound
    if (!(back >>= known)) return std::string("no Wider in it: ") + tenon::types::text(back._value());
    return unless(known && known->branch(), "not a Wider");
  });
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  alarm(300);
  options.orb.emplace_back("-ORBListenEndpoints");
  options.orb.push_back(program::endpoint(options));
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    register_common(orb);
    const Server server =
        IDL::traits<Exchange>::narrow(orb->string_to_object(program::read_reference(options.ior)));
    checks::select(options.only);
    trees(server);
    bases(server);
    others(server);
    anys(server);
    const int status = checks::summary();
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start %s\n", e.what());
    return 1;
  }
}
