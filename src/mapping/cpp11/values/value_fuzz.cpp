// SPDX-License-Identifier: Apache-2.0
//
// Reads any octets as values: nothing may be read beyond them, and no more memory may be held than they justify. What was read is
// written, read and written again, and the octets must be the same both times. The first octet of the input is the byte order and, by its
// second bit, whether end tags are read as TAO writes them (-ORBEndTagsPerBase); the second is the position where the message begins.
#include <cstdlib>
#include <set>

#include "cdr/compatibility.hpp"
#include "mapping/cpp11/types/codec.hpp"
#include "orb/server/serving.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/corba/value.hpp"
#include "tenon/corba/value_factory.hpp"

namespace {

using namespace tenon;
using gen::ValueRef;
using Values = gen::Sequence<gen::Value<CORBA::ValueBase>>;

/// Everything that state is made of, as generated code reads it. The ids are short, so that they are found.
class Node : public virtual CORBA::ValueBase {
 public:
  static constexpr std::string_view _static_id = "N";

  const gen::ValueInfo& _value_info() const noexcept override {
    static constexpr std::string_view ids[] = {"N"};
    static constexpr gen::ValueInfo info{ids};
    return info;
  }
  void _put_state(cdr::Writer& out) const override {
    out.put(number);
    gen::Value<CORBA::ValueBase>::put(out, next);
    Values::put(out, others);
    gen::String<>::put(out, text);
  }
  void _get_state(cdr::Reader& in) override {
    number = in.get<std::int16_t>();
    gen::Value<CORBA::ValueBase>::get(in, next);
    Values::get(in, others);
    gen::String<>::get(in, text);
  }
  void _clear_state() override {
    next = nullptr;
    others.clear();
  }

  std::int16_t number = 0;
  ValueRef next;
  Values::value_type others;
  std::string text;
};

class Longer final : public Node {
 public:
  const gen::ValueInfo& _value_info() const noexcept override {
    static constexpr std::string_view ids[] = {"L", "N"};
    static constexpr gen::ValueInfo info{ids};
    return info;
  }
  void _put_state(cdr::Writer& out) const override {
    Node::_put_state(out);
    gen::Sequence<gen::Codec<double>>::put(out, doubles);
    gen::Codec<bool>::put(out, flag);
    gen::Value<Node>::put(out, last);
  }
  void _get_state(cdr::Reader& in) override {
    Node::_get_state(in);
    gen::Sequence<gen::Codec<double>>::get(in, doubles);
    gen::Codec<bool>::get(in, flag);
    gen::Value<Node>::get(in, last);
  }
  void _clear_state() override {
    Node::_clear_state();
    last = nullptr;
  }

  std::vector<double> doubles;
  bool flag = false;
  CORBA::valuetype_reference<Node> last;
};

/// A cycle lives until it is broken.
void unlink(const Values::value_type& roots) {
  std::set<Node*> seen;
  Values::value_type waiting = roots;
  while (!waiting.empty()) {
    const ValueRef value = std::move(waiting.back());
    waiting.pop_back();
    auto* node = dynamic_cast<Node*>(value.get());
    if (node == nullptr || !seen.insert(node).second) continue;
    if (node->next) waiting.push_back(std::exchange(node->next, nullptr));
    for (ValueRef& other : node->others) {
      if (other) waiting.push_back(std::exchange(other, nullptr));
    }
    if (auto* longer = dynamic_cast<Longer*>(node); longer != nullptr && longer->last) {
      waiting.push_back(std::exchange(longer->last, nullptr));
    }
  }
}

/// All values of a message, up to the first octets that are no value. Values of a bad message may hold each other; the reader ends them.
Values::value_type read(ByteView bytes, cdr::WireFormat format, std::size_t phase) {
  static const auto orb = [] {
    auto one = CORBA::ORB_init();
    one->register_value_factory("N", CORBA::make_reference<gen::PlainValueFactory<Node>>());
    one->register_value_factory("L", CORBA::make_reference<gen::PlainValueFactory<Longer>>());
    return one;
  }();
  const orb::OrbScope scope(orb->_core());
  cdr::Reader in(bytes, format, phase);
  Values::value_type values;
  while (in.good() && in.remaining() != 0 && values.size() < 8) {
    ValueRef value;
    gen::Value<CORBA::ValueBase>::get(in, value);
    if (in.good()) values.push_back(value);
  }
  if (!in.good()) values.clear();
  return values;
}

std::vector<std::uint8_t> written(const Values::value_type& values, cdr::WireFormat format) {
  cdr::Writer out(format);
  for (const ValueRef& value : values) gen::Value<CORBA::ValueBase>::put(out, value);
  return out.good() ? out.copy() : std::vector<std::uint8_t>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  cdr::WireFormat format;
  format.order = (data[0] & 1) != 0 ? ByteOrder::little : ByteOrder::big;
  cdr::compatibility().end_tags_per_base = (data[0] & 2) != 0;
  const Values::value_type values = read({data + 2, size - 2}, format, data[1] & 7);
  const auto first = written(values, format);
  const Values::value_type again = read(first, format, 0);
  if (!first.empty() && written(again, format) != first) std::abort();
  unlink(values);
  unlink(again);
  return 0;
}
