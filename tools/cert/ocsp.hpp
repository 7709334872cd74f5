// SPDX-License-Identifier: Apache-2.0
//
// The OCSP response that a server shows of its certificate (RFC 6066 §8). Any thread.
#pragma once

#include <optional>
#include <string>

#include "tools/cert/openssl.hpp"

namespace tenon::cert {

/// What is wrong with the response, after a handshake that has asked for one; empty: nothing is. None: the server has shown none.
std::optional<std::string> wrong_with_response(SSL& session);

}  // namespace tenon::cert
