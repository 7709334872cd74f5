// SPDX-License-Identifier: Apache-2.0
//
// Tries TLS at a place by the program tenon-cert, so that this one needs no OpenSSL. Blocking; one thread.
#pragma once

#include <string>
#include <vector>

#include "tools/ior/security_words.hpp"

namespace tenon::explain {

/// Where tenon-cert is: beside this program, else where PATH leads. Empty: nowhere.
std::string find_tenon_cert();

struct TlsTried {
  bool reached = false;  ///< the server has the object, or knows where it is
  bool refused = false;  ///< nothing was tried, since an option or a file of this side is wrong
  std::string said;      ///< lines, each with its end
};
/// `options` are "ssliop.OPTION=VALUE", as a client has them.
TlsTried try_tls(const std::string& program, const TlsPlace& place, const std::vector<std::string>& options,
                 double timeout_s);

}  // namespace tenon::explain
