// SPDX-License-Identifier: Apache-2.0
//
// The values of values.idl as Tenon's programs implement them.
#pragma once

#include <tenon/tenon.hpp>

#include "values.hpp"

namespace values {

using namespace InteropValues;

template <typename V>
using Ref = IDL::traits<V>::ref_type;
using TreeRef = Ref<Tree>;
using BaseRef = Ref<Base>;

/// The private member, for checks.
struct ReadableText {
  virtual ~ReadableText() = default;
  virtual std::string text_of() const = 0;
};
template <typename V>
struct Open final : virtual IDL::traits<V>::obv_type, ReadableText {
  Open() = default;
  explicit Open(const std::string& value) { this->text(value); }
  std::string text_of() const override { return this->text(); }
};

struct SquareImpl final : virtual OBV_Square {
  double area() override { return side() * side(); }
};
struct LabelImpl final : virtual OBV_Label {
  std::string title() override { return text(); }
};

class PackedImpl final : public virtual OBV_Packed {
 public:
  using OBV_Packed::OBV_Packed;
  void marshal(const CORBA::object_reference<CORBA::DataOutputStream>& os) override {
    os->write_long(number());
    os->write_string({text().rbegin(), text().rend()});
    os->write_octet_array({1, 2, 3}, 0, 3);
  }
  void unmarshal(const CORBA::object_reference<CORBA::DataInputStream>& is) override {
    number(is->read_long());
    const std::string backwards = is->read_string();
    text({backwards.rbegin(), backwards.rend()});
    CORBA::OctetSeq octets;
    is->read_octet_array(octets, 0, 3);
    if (octets != CORBA::OctetSeq{1, 2, 3}) throw CORBA::MARSHAL();
  }
};

inline void register_common(const CORBA::object_reference<CORBA::ORB>& orb) {
  tenon::register_value<Tree>(orb);
  tenon::register_value<Base, Open<Base>>(orb);
  tenon::register_value<Wider, Open<Wider>>(orb);
  tenon::register_value<Square, SquareImpl>(orb);
  tenon::register_value<Label, LabelImpl>(orb);
  tenon::register_value<Packed, PackedImpl>(orb);
}

inline TreeRef leaf(std::int32_t id) { return CORBA::make_reference<OBV_Tree>(id, nullptr, nullptr); }

/// A tree of three: 1 with 2 and 3 below.
inline TreeRef make_tree() { return CORBA::make_reference<OBV_Tree>(1, leaf(2), leaf(3)); }

inline void fill(Wider& made) {
  made.number(7);
  made.real(1.5);
  made.branch(make_tree());
  made.tail("tail");
}
template <typename V>
Ref<V> make_wider() {
  const auto made = CORBA::make_reference<Open<V>>("in");
  fill(*made);
  if constexpr (!std::is_same_v<V, Wider>) {
    made->last(9);
    made->more(made->branch());
  }
  return made;
}

inline TreeRef make_ring(std::int32_t length) {
  const TreeRef first = leaf(1);
  TreeRef last = first;
  for (std::int32_t id = 2; id <= length; ++id) {
    last->left(leaf(id));
    last = last->left();
  }
  last->left(first);
  return first;
}

inline std::int32_t ring_length(const TreeRef& start) {
  std::int32_t steps = 0;
  const Tree* at = start.get();
  while (at != nullptr && (at != start.get() || steps == 0) && steps < 100000) {
    at = at->left().get();
    ++steps;
  }
  return at == start.get() ? steps : -1;
}

}  // namespace values
