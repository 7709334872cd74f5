// SPDX-License-Identifier: Apache-2.0
//
// What the tests of values in Anys share.
#pragma once

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"
#include "orb/server/serving.hpp"
#include "types/any.hpp"
#include "types/typecode_cdr.hpp"
#include "types/walker.hpp"
#include "values_any.hpp"
#include "values_test_support.hpp"

namespace values_in_any {

using namespace values_test;
namespace gen = tenon::gen;
namespace types = tenon::types;
using tenon::ByteOrder;
using tenon::cdr::Reader;
using tenon::cdr::WireFormat;
using tenon::cdr::Writer;
using AnyCodec = gen::Codec<CORBA::Any>;
using Nodes = gen::Value<v::Node>;

class ValuesInAny : public testing::Test {
 protected:
  ValuesInAny() : orb_(CORBA::ORB_init({}, "values-in-any")), scope_(orb_->_core()) { register_all(orb_); }
  ~ValuesInAny() override { orb_->destroy(); }
  CORBA::object_reference<CORBA::ORB> orb_;
  tenon::orb::OrbScope scope_;
};

inline Ref<v::Node> pair_of(std::int32_t id, const Ref<v::Node>& next) {
  return make<v::Node>(id, next, v::NodeSeq{next, nullptr});
}

template <typename V>
CORBA::Any any_of(const Ref<V>& value) {
  CORBA::Any any;
  any <<= value;
  return any;
}

}  // namespace values_in_any
