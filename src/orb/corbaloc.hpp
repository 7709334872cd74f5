// SPDX-License-Identifier: Apache-2.0
//
// References as corbaloc: URLs (CORBA 3.4 part 2 §7.6.10): a part of an ORB. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/ref.hpp"

namespace tenon::orb {

class Orb;
class Reference;

struct CorbalocUrls {
  /// BAD_PARAM with the standard's minor codes; `why` says where in the text the fault is.
  Result<Ref<Reference>> (*read)(Orb& orb, std::string_view url, std::string& why);
  /// A URL with all addresses of the reference, if that says all that calls need: "" where it has profiles or components that only an IOR
  /// holds. A corbaloc has neither the type's id nor code sets.
  std::string (*write)(Reference& reference);
};
extern const CorbalocUrls corbaloc_urls;

}  // namespace tenon::orb
