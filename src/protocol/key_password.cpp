// SPDX-License-Identifier: Apache-2.0
#include "protocol/key_password.hpp"

#include "base/thread_annotations.hpp"

namespace tenon::protocol {
namespace {

struct Asked {
  Mutex mutex;
  KeyPasswords function TENON_GUARDED_BY(mutex) = nullptr;
  void* context TENON_GUARDED_BY(mutex) = nullptr;
};

Asked& asked() noexcept {
  static Asked only;
  return only;
}

}  // namespace

void set_key_passwords(KeyPasswords function, void* context) noexcept {
  Asked& one = asked();
  const LockGuard lock(one.mutex);
  one.function = function;
  one.context = context;
}

bool ask_key_password(std::string_view file, std::string& password) noexcept {
  Asked& one = asked();
  const LockGuard lock(one.mutex);
  return one.function != nullptr && one.function(one.context, file, password);
}

}  // namespace tenon::protocol
