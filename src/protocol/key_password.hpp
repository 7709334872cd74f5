// SPDX-License-Identifier: Apache-2.0
//
// Passwords of private keys that a program gives when they are needed: a plug-in asks here for those that its options do not give.
//
// Threads: any; the function is called on the thread that loads the key, one call at a time.
#pragma once

#include <string>
#include <string_view>

namespace tenon::protocol {

/// Puts the password of the key in `file` into `password`. False: there is none. It may not throw.
using KeyPasswords = bool (*)(void* context, std::string_view file, std::string& password) noexcept;

/// The process has one such function: the last one that was set; null: none. Returns when the one before runs no more.
void set_key_passwords(KeyPasswords function, void* context) noexcept;
/// False: there is no function, or it has no password.
bool ask_key_password(std::string_view file, std::string& password) noexcept;

}  // namespace tenon::protocol
