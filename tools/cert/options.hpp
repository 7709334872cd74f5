// SPDX-License-Identifier: Apache-2.0
//
// What a client refuses in its options before it calls anybody, here as a Problem that says what would be right. Any thread.
#pragma once

#include <string>

#include "tools/cert/openssl.hpp"
#include "tools/cert/trial.hpp"

namespace tenon::cert {

/// Throws the Problem "option ssliop.NAME=VALUE: cause".
[[noreturn]] void wrong_option(const std::string& name, const std::string& value, const std::string& cause);

/// Throws a Problem for a file that cannot be read, a variable that is not set, or options that do not go together.
void check_options(const Trial& trial);

/// The version, ciphers and groups of the options. Throws a Problem.
void choose_algorithms(SSL_CTX& context, const Trial& trial);

}  // namespace tenon::cert
