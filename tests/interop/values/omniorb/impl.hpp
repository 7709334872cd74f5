// SPDX-License-Identifier: Apache-2.0
//
// The values of values.idl as omniORB's programs implement them, and their factories.
#pragma once

#include "values.hh"

namespace values {

using namespace InteropValues;

// The private member, for checks.
struct ReadableText {
  virtual ~ReadableText() {}
  virtual const char* text_of() = 0;
};

// A value without operations.
#define PEER_VALUE(Name)                                               \
  struct Name##Impl : public virtual OBV_InteropValues::Name,          \
                      public virtual CORBA::DefaultValueRefCountBase { \
    Name##Impl() {}                                                    \
  };
#define PEER_BASE(Name)                                               \
  struct Name##Impl : public virtual OBV_InteropValues::Name,         \
                      public virtual CORBA::DefaultValueRefCountBase, \
                      public ReadableText {                           \
    Name##Impl() {}                                                   \
    const char* text_of() override { return text(); }                 \
    void set_text(const char* value) { text(value); }                 \
  };

PEER_VALUE(Tree)
PEER_BASE(Base)
PEER_BASE(Wider)
PEER_BASE(Inbound)
PEER_BASE(Outbound)
PEER_BASE(Secret)
#undef PEER_BASE
#undef PEER_VALUE

struct SquareImpl : public virtual OBV_InteropValues::Square, public virtual CORBA::DefaultValueRefCountBase {
  CORBA::Double area() override { return side() * side(); }
};

struct LabelImpl : public virtual OBV_InteropValues::Label, public virtual CORBA::DefaultValueRefCountBase {
  char* title() override { return CORBA::string_dup(text()); }
};

template <class Impl>
struct Factory : public virtual CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Impl; }
};

template <class V, class Impl>
void add(CORBA::ORB_ptr orb) {
  CORBA::ValueFactoryBase_var factory = new Factory<Impl>;
  CORBA::ValueFactoryBase_var old = orb->register_value_factory(V::_PD_repoId, factory);
}

inline void add_common(CORBA::ORB_ptr orb) {
  add<Tree, TreeImpl>(orb);
  add<Base, BaseImpl>(orb);
  add<Wider, WiderImpl>(orb);
  add<Square, SquareImpl>(orb);
  add<Label, LabelImpl>(orb);
}

// A tree of three: 1 with 2 and 3 below.
inline Tree* make_tree() {
  auto* root = new TreeImpl;
  root->id(1);
  CORBA::Long id = 2;
  Tree_var left = new TreeImpl;
  left->id(id++);
  Tree_var right = new TreeImpl;
  right->id(id);
  root->left(left);
  root->right(right);
  return root;
}

template <class Impl>
Impl* make_wider() {
  auto* made = new Impl;
  made->set_text("in");
  made->number(7);
  made->real(1.5);
  Tree_var tree = make_tree();
  made->branch(tree);
  made->tail("tail");
  made->last(9);
  made->more(tree);
  return made;
}

inline Tree* make_ring(CORBA::Long length) {
  Tree_var first = new TreeImpl;
  first->id(1);
  Tree* last = first;
  for (CORBA::Long id = 2; id <= length; ++id) {
    Tree_var next = new TreeImpl;
    next->id(id);
    last->left(next);
    last = next;
  }
  last->left(first);
  return first._retn();
}

inline CORBA::Long ring_length(Tree* start) {
  CORBA::Long steps = 0;
  Tree* at = start;
  while (at != nullptr && (at != start || steps == 0) && steps < 100000) {
    at = at->left();
    ++steps;
  }
  return at == start ? steps : -1;
}

}  // namespace values
