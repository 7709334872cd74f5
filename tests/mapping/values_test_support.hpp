// SPDX-License-Identifier: Apache-2.0
//
// Values of values.idl as an application implements them, for the tests of values.
#pragma once

#include <gtest/gtest.h>

#include <tenon/tenon.hpp>

#include "values.hpp"

namespace values_test {

namespace v = Values;

template <typename V>
using Ref = CORBA::valuetype_reference<V>;
template <typename V>
Ref<V> make(auto&&... state) {
  return CORBA::make_reference<typename IDL::traits<V>::obv_type>(std::forward<decltype(state)>(state)...);
}

class Circle final : public virtual v::OBV_Circle {
 public:
  double area() override { return radius() * radius(); }
  void label(const std::string& value) override { name(value); }
  std::string label() override { return name(); }
  std::int32_t colour_number() override { return static_cast<std::int32_t>(tone()); }
};

class Note final : public virtual v::OBV_Note {
 public:
  std::string describe() override { return "note: " + text(); }
};

class Tally final : public virtual v::OBV_Tally {
 public:
  std::int32_t count(const std::string& what) override {
    return total() += static_cast<std::int32_t>(what.size());
  }
};

/// Writes its text backwards, and one thing more than its state.
class Encoded final : public virtual v::OBV_Encoded {
 public:
  void marshal(const CORBA::object_reference<CORBA::DataOutputStream>& os) override {
    os->write_long(number());
    os->write_string({text().rbegin(), text().rend()});
    os->write_octet_array({1, 2, 3, 4}, 1, 2);
    if (number() == 13) throw CORBA::BAD_PARAM(77);
  }
  void unmarshal(const CORBA::object_reference<CORBA::DataInputStream>& is) override {
    number(is->read_long());
    const std::string read = is->read_string();
    text({read.rbegin(), read.rend()});
    CORBA::OctetSeq octets;
    is->read_octet_array(octets, 1, 2);
    EXPECT_EQ(octets, (CORBA::OctetSeq{0, 2, 3}));
  }
};

/// Registers the factories of all types, as an application does once.
inline void register_all(const CORBA::object_reference<CORBA::ORB>& orb) {
  tenon::register_value<v::Node>(orb);
  tenon::register_value<v::Plain>(orb);
  tenon::register_value<v::Derived>(orb);
  tenon::register_value<v::Deepest>(orb);
  tenon::register_value<v::Empty>(orb);
  tenon::register_value<v::Wide>(orb);
  tenon::register_value<v::StringBox>(orb);
  tenon::register_value<v::Circle, Circle>(orb);
  tenon::register_value<v::Note, Note>(orb);
  tenon::register_value<v::Tally, Tally>(orb);
  tenon::register_value<v::Encoded, Encoded>(orb);
}

}  // namespace values_test
