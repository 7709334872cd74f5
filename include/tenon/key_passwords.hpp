// SPDX-License-Identifier: Apache-2.0
//
// Passwords of private keys from the program itself: from a dialogue, a vault, a device. For keys whose password is neither in a file nor in
// the environment (options ssliop.key_password_file and ssliop.key_password_env of TLS; docs/security.md).
//
//   tenon::give_key_passwords([](std::string_view file) { return vault.password_of(file); });
//   const auto orb = CORBA::ORB_init(argc, argv);
#pragma once

#include <tenon/language.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace tenon {

/// The password of the encrypted key in `file`, the path as the option gives it. An empty text, or an exception: there is none, and the key
/// cannot be used.
using KeyPasswordFunction = std::function<std::string(std::string_view file)>;

/// From now on this function is asked for passwords, in the whole process; an empty one takes it away. Set it before ORB_init, which loads
/// keys; it is asked once more whenever changed files are loaded (rotation), on the thread that has found the change, which a connection
/// then waits for: it should not ask a person who may be away, and may not call this function. One call runs at a time. Any thread.
/// The ORB wipes its copy of the password when the key is loaded.
void give_key_passwords(KeyPasswordFunction function);

}  // namespace tenon
