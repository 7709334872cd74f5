// SPDX-License-Identifier: Apache-2.0
#include "tenon/key_passwords.hpp"

#include <exception>
#include <memory>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/thread_annotations.hpp"
#include "protocol/key_password.hpp"

namespace tenon {
namespace {

bool ask(void* context, std::string_view file, std::string& password) noexcept {
  try {
    password = (*static_cast<KeyPasswordFunction*>(context))(file);
    return !password.empty();
  } catch (const std::exception& thrown) {
    if (log_enabled(LogLevel::warning))
      log(LogLevel::warning, "orb", joined({"no password for the key ", file, ": ", thrown.what()}));
  } catch (...) {
    log(LogLevel::warning, "orb", "no password for a key: what was asked for it has thrown");
  }
  return false;
}

}  // namespace

void give_key_passwords(KeyPasswordFunction function) {
  static Mutex mutex;
  static std::unique_ptr<KeyPasswordFunction> kept;
  auto given = function ? std::make_unique<KeyPasswordFunction>(std::move(function)) : nullptr;
  const LockGuard lock(mutex);
  protocol::set_key_passwords(given ? ask : nullptr, given.get());
  kept = std::move(given);
}

}  // namespace tenon
