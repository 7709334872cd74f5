// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_parts.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

namespace {

constexpr gen::InitialReference dyn_any_factory{"DynAnyFactory",
                                                [](orb::Orb&) { return gen::dyn_any_factory(); }};
constexpr gen::InitialReference codec_factory{"CodecFactory", [](orb::Orb&) { return gen::codec_factory(); }};
constexpr gen::InitialReference pi_current{"PICurrent", &gen::pi_current};

}  // namespace

// The functions are weak: null where the program links nothing that they belong to.
void dynamic(orb::Parts& parts) {
  if (gen::dyn_any_factory != nullptr) gen::add_initial_reference(parts, dyn_any_factory);
  if (gen::codec_factory != nullptr) gen::add_initial_reference(parts, codec_factory);
  if (gen::pi_current != nullptr) gen::add_initial_reference(parts, pi_current);
}

}  // namespace tenon::parts
