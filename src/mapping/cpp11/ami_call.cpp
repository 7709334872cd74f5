// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/ami_call.hpp"

#include <string>

#include "base/log.hpp"
#include "base/minor_codes.hpp"

namespace tenon::gen {

Messaging::ExceptionHolderRef holder_of(PendingCall& call) {
  using Messaging::ExceptionHolder;
  try {
    call.rethrow();
    return nullptr;
  } catch (const CORBA::UserException& exception) {
    return CORBA::make_reference<ExceptionHolder>(exception, &call.orb());
  } catch (const CORBA::SystemException& exception) {
    return CORBA::make_reference<ExceptionHolder>(exception._error());
  } catch (...) {
    // an argument's own code
    return CORBA::make_reference<ExceptionHolder>(errors::foreign_exception);
  }
}

void note_handler_failure(const PendingCall& call) noexcept {
  if (!log_enabled(LogLevel::warning)) return;
  try {
    std::string text = "the reply handler of '" + std::string(call.operation_name()) + "' raised ";
    try {
      throw;
    } catch (const std::exception& exception) {
      text += exception.what();
    } catch (...) {
      text += "something that is no exception";
    }
    log(LogLevel::warning, "ami", text);
  } catch (...) {
    // no memory for a text
  }
}

}  // namespace tenon::gen
