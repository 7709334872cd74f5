// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/usage.hpp"

#include "base/minor_codes.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void usage(orb::Parts&) {
  if (std::string why; !gen::count_usage_of_environment(why)) gen::raise_with_reason(errors::bad_option, why);
}

}  // namespace tenon::parts
