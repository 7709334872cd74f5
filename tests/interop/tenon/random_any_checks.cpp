// SPDX-License-Identifier: Apache-2.0
#include "tests/interop/tenon/random_any_checks.hpp"

#include "tests/equality/naive.hpp"
#include "tests/equality/random_value.hpp"
#include "tests/equality/shrink.hpp"
#include "tests/interop/tenon/checks.hpp"
#include "types/compare.hpp"
#include "types/walker.hpp"

namespace checks {
namespace {

using namespace tenon;
using equality::Sample;
using DynamicRef = IDL::traits<InteropDynamic::Dynamic>::ref_type;

CORBA::Any any_of(const Sample& sample, const equality::Wire& wire) {
  const equality::Message message = equality::naive_encode(*sample.type, sample.data, wire);
  CORBA::Any any;
  any._value(types::Any(sample.type, message.bytes, wire.format(), wire.phase));
  return any;
}

/// Whether the Any holds the sample, as the naive codec reads it.
bool holds(const CORBA::Any& any, const Sample& sample) {
  const types::Any& value = any._value();
  if (!types::equal(*value.type(), *sample.type)) return false;
  const equality::Wire wire;
  cdr::Reader in = value.reader();
  cdr::Writer out(wire.format(), wire.phase);
  types::copy(in, out, *value.type());
  return out.good() && equality::naive_decode(*sample.type, {wire, out.copy(), {}}) == sample.data;
}

/// Echoes the sample together with another value; what went wrong, or nothing.
std::string echoed(const DynamicRef& dynamic, const Sample& sample, const equality::Wire& wire) {
  const Sample other{types::basic(types::Kind::tk_ushort), {.bits = 7}};
  try {
    const CORBA::Any a = any_of(sample, wire);
    CORBA::Any b = any_of(other, {});
    CORBA::Any c;
    const CORBA::Any r = dynamic->echo_any(a, b, c);
    return verdict(holds(r, sample), holds(b, sample), holds(c, other));
  } catch (const CORBA::SystemException& raised) {
    return raised.what();
  }
}

}  // namespace

void random_any_checks(const DynamicRef& dynamic, bool wide, std::size_t largest) {
  constexpr std::uint64_t groups = 6;
  constexpr std::uint64_t samples = 30;
  for (std::uint64_t group = 0; group < groups; ++group) {
    check("random_any_" + std::to_string(group), [&]() -> std::string {
      for (std::uint64_t i = 0; i < samples; ++i) {
        equality::Random random(group * samples + i + 1);
        // omniORB 4.3 never comes back from the TypeCode of a union that is switched by wchar
        const equality::TypeChoice choice{.depth = 3,
                                          .references = false,
                                          .wide = wide,
                                          .long_doubles = false,
                                          .wide_labels = false,
                                          .ascii = true};
        const types::TypeRef type = equality::random_type(random, choice);
        const Sample sample{type, equality::random_value(random, *type, choice)};
        const equality::Wire wire{.order = i % 2 == 0 ? ByteOrder::big : ByteOrder::little,
                                  .phase = static_cast<std::size_t>(i % 8)};
        if (equality::naive_encode(*type, sample.data, wire).bytes.size() > largest) continue;
        if (echoed(dynamic, sample, wire).empty()) continue;
        const Sample smallest =
            equality::shrunk(sample, [&](const Sample& one) { return !echoed(dynamic, one, wire).empty(); });
        const std::size_t size = equality::naive_encode(*smallest.type, smallest.data, wire).bytes.size();
        std::string text = echoed(dynamic, smallest, wire) + ", " + std::to_string(size) +
                           " bytes: " + equality::text(smallest);
        for (char& c : text) {
          if (c == '\n') c = ' ';
        }
        return text;
      }
      return {};
    });
  }
}

}  // namespace checks
