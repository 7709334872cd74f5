// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of values.idl: the same checks under the same names as Tenon's. Main thread only.
#include "impl.hpp"
#include "tests/interop/omniorb/checks.hpp"

namespace {

using namespace values;
using peer::check;

std::string no() { return std::string(); }

// Where the two are alike, and each knows when it comes back to a value it has seen.
bool alike(Tree* a, Tree* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return a->id() == b->id() && alike(a->left(), b->left()) && alike(a->right(), b->right());
}

void trees(Exchange_ptr server) {
  check("value_null", [&] {
    Tree* b = nullptr;
    Tree_var c;
    Tree_var back = server->echo_tree(nullptr, b, c.out());
    return std::string(back.in() == nullptr && b == nullptr && c.in() == nullptr ? "" : "not null");
  });
  check("value_tree", [&] {
    Tree_var a = make_tree();
    Tree_var b0 = new TreeImpl;
    b0->id(99);
    CORBA::add_ref(b0.in());
    Tree* b = b0;
    Tree_var c;
    Tree_var back = server->echo_tree(a, b, c.out());
    Tree_var after = b;
    if (!alike(back, a) || !alike(after, a) || c->id() != 99) return std::string("other values");
    return std::string(back.in() == after.in() ? "" : "result and inout are not one value");
  });
  check("value_shared", [&] {
    Tree_var a = make_tree(), b = make_tree();
    return std::string(server->same(a, a) && !server->same(a, b) ? "" : "wrong answer");
  });
  check("value_ring", [&] {
    Tree_var mine = make_ring(5);
    if (server->ring_length(mine) != 5) return std::string("the server met another ring");
    Tree_var theirs = server->make_ring(7);
    const bool right = values::ring_length(theirs) == 7;
    mine->left(nullptr);
    theirs->left(nullptr);
    return std::string(right ? "" : "another ring came");
  });
}

std::string wrong_wider(Wider* w) {
  if (w == nullptr) return "not a Wider";
  Tree_var tree = make_tree();
  if (w->number() != 7 || w->real() != 1.5 || std::strcmp(w->tail(), "tail") != 0) return "other state";
  return alike(w->branch(), tree) ? "" : "another tree";
}

void bases(Exchange_ptr server) {
  check("value_derived", [&] {
    WiderImpl* made = new WiderImpl;
    Wider_var a = made;
    made->set_text("in");
    a->number(7);
    a->real(1.5);
    a->tail("tail");
    Tree_var tree = make_tree();
    a->branch(tree);
    CORBA::String_var text = server->text_of(a);
    if (std::strcmp(text, "in") != 0) return std::string("private state: ") + text.in();
    Base_var back = server->echo_base(a);
    return wrong_wider(Wider::_downcast(back));
  });
  check("value_truncated_there", [&] {
    Base_var a = make_wider<OutboundImpl>();
    Base_var back = server->echo_base(a);
    return wrong_wider(Wider::_downcast(back));
  });
  check("value_truncated_here", [&] {
    Base_var back = server->make_inbound();
    return wrong_wider(Wider::_downcast(back));
  });
  peer::check_raises("value_unknown", {"MARSHAL"}, [&] { Base_var back = server->make_secret(); });
  check("value_sequence", [&] {
    BaseSeq a;
    a.length(4);
    a[0] = make_wider<OutboundImpl>();
    a[2] = new BaseImpl;
    a[2]->number(3);
    CORBA::add_ref(a[2].in());
    a[3] = a[2].in();
    BaseSeq_var back = server->echo_bases(a);
    if (back->length() != 4 || back[1].in() != nullptr) return std::string("other elements");
    if (back[2]->number() != 3 || back[2].in() != back[3].in()) return std::string("not one value twice");
    return wrong_wider(Wider::_downcast(back[0]));
  });
  check("value_attribute", [&] {
    BaseImpl* made = new BaseImpl;
    Base_var a = made;
    a->number(12);
    server->kept(a);
    Base_var back = server->kept();
    return std::string(back->number() == 12 ? "" : "another value");
  });
}

void others(Exchange_ptr server) {
  check("value_boxes", [&] {
    TextBox_var text = new TextBox("boxed");
    TextBox_var text_back = server->echo_text(text);
    LongsBox_var longs = new LongsBox;
    longs->length(3);
    (*longs)[2] = 33;
    LongsBox_var longs_back = server->echo_longs(longs);
    Pair pair;
    pair.x = 1;
    pair.y = 2.5;
    PairBox_var boxed = new PairBox(pair);
    PairBox_var pair_back = server->echo_pair(boxed);
    TextBox_var none = server->echo_text(nullptr);
    const bool right = std::strcmp(text_back->_value(), "boxed") == 0 && longs_back->length() == 3 &&
                       (*longs_back)[2] == 33 && pair_back->x() == 1 && pair_back->y() == 2.5 &&
                       none.in() == nullptr;
    return std::string(right ? "" : "other content");
  });
  check("value_abstract", [&] {
    Square_var square = new SquareImpl;
    square->side(3);
    Shape_var back = server->echo_shape(square);
    return std::string(server->area_of(square) == 9 && back->area() == 9 ? "" : "another area");
  });
  check("value_base", [&] {
    Tree_var tree = make_tree();
    CORBA::ValueBase_var back = server->echo_value(tree);
    return std::string(alike(Tree::_downcast(back), tree) ? "" : "another value");
  });
  check("value_abstract_interface", [&] {
    Label_var label = new LabelImpl;
    label->text("a label");
    CORBA::String_var title = server->title_of(label);
    if (std::strcmp(title, "a label") != 0) return std::string("title of the value: ") + title.in();
    Titled_var back = server->echo_titled(label);
    CORBA::String_var again = back->title();
    if (std::strcmp(again, "a label") != 0) return std::string("title of what came back: ") + again.in();
    Place_var place = server->where();
    Titled_var object = server->echo_titled(place);
    CORBA::String_var theirs = object->title();
    return std::string(std::strcmp(theirs, "a place") == 0 ? "" : "title of the object");
  });
  check("value_holder", [&] {
    Holder a;
    Tree_var tree = make_tree();
    a.root = tree;
    Square_var square = new SquareImpl;
    square->side(2);
    CORBA::add_ref(square.in());
    a.form = square.in();
    a.box = new TextBox("in a struct");
    Base_var whatever = make_wider<OutboundImpl>();
    a.whatever = whatever;
    a.bases.length(1);
    a.bases[0] = make_wider<OutboundImpl>();
    a.chosen.branch(tree);
    a.again = tree;
    Holder_var back = server->echo_holder(a);
    if (!alike(back->root, tree) || back->root.in() != back->again.in() || back->chosen._d() != 1 ||
        back->chosen.branch() != back->root.in())
      return std::string("the tree is not one value");
    if (back->form->area() != 4 || std::strcmp(back->box->_value(), "in a struct") != 0)
      return std::string("other members");
    const std::string wrong = wrong_wider(Wider::_downcast(back->whatever));
    return wrong.empty() ? wrong_wider(Wider::_downcast(back->bases[0])) : wrong;
  });
  check("value_exception", [&] {
    Tree_var tree = make_tree();
    try {
      server->fail(tree);
    } catch (const Failed& failed) {
      return std::string(
          alike(failed.cause, tree) && std::strcmp(failed.why, "as asked") == 0 ? "" : "other members");
    }
    return std::string("no exception");
  });
}

void anys(Exchange_ptr server) {
  check("value_any", [&] {
    Tree_var tree = make_tree();
    tree->left()->left(tree);
    CORBA::Any a;
    a <<= tree.in();
    CORBA::Any_var back = server->echo_any(a);
    Tree* inside = nullptr;
    tree->left()->left(nullptr);
    if (!(back.in() >>= inside)) return std::string("no Tree in it");
    return std::string(inside->left()->left() == inside && inside->right()->id() == 3 ? "" : "another tree");
  });
  check("value_any_made_there", [&] {
    CORBA::Any_var any = server->make_any(false);
    Tree* inside = nullptr;
    if (!(any.in() >>= inside)) return std::string("no Tree in it");
    return std::string(inside->id() == 4 && inside->left() == inside ? "" : "another tree");
  });
  check("value_any_passed_on", [&] {
    CORBA::Any_var any = server->make_any(true);
    CORBA::Any_var back = server->echo_any(any);
    CORBA::TypeCode_var type = back->type();
    return std::string(std::strcmp(type->id(), "IDL:InteropValues/Inbound:1.0") == 0 ? "" : "another type");
  });
}

}  // namespace

int main(int argc, char** argv) {
  peer::Options options = peer::parse(argc, argv);
  alarm(300);
  peer::listen(options);
  return peer::client_main(options, [&](CORBA::ORB_ptr orb, const std::string& reference) {
    add_common(orb);
    Exchange_var server = peer::object_of<Exchange>(orb, reference);
    peer::select_checks(options.only);
    trees(server);
    bases(server);
    others(server);
    anys(server);
    return peer::summary();
  });
}
