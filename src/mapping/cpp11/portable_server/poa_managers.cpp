// SPDX-License-Identifier: Apache-2.0
//
// Servant managers and adapter activators between the object adapter, which knows no exceptions, and the application.
#include "tenon/portable_server/poa_managers.hpp"

#include <exception>
#include <new>
#include <string>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/caller_words.hpp"
#include "orb/server/serving.hpp"
#include "poa/whole_poa.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen {
namespace {

using PortableServer::ObjectId;
using PortableServer::POA;
using ServantRef = CORBA::servant_reference<PortableServer::Servant>;

ObjectId copied(ByteView id) { return ObjectId(id.begin(), id.end()); }
CORBA::object_reference<POA> shown(poa::WholePoa& poa) { return face_of(Ref<poa::Poa>(&poa)); }

/// What a servant manager was asked for.
struct Asked {
  const char* what;            ///< "incarnate", ...
  std::string_view operation;  ///< of the request; empty: any
};

/// The caller does not learn what was thrown.
void tell(const Asked& asked, const char* thrown) noexcept {
  if (!log_enabled(LogLevel::warning)) return;
  try {
    std::string text = std::string(asked.what) + " of a servant manager";
    if (!asked.operation.empty()) text += ", for operation '" + std::string(asked.operation) + "',";
    text += std::string(" threw: ") + thrown;
    const orb::UpcallScope* const upcall = orb::UpcallScope::innermost();
    if (&caller_words != nullptr && upcall != nullptr) text += caller_words(upcall->call());
    log(LogLevel::warning, "poa", text);
  } catch (...) {
    log(LogLevel::warning, "poa", "a servant manager threw what there is no memory to tell");
  }
}

/// Called inside a catch block: the exception that was caught, as data. `completed` is what the caller hears of the operation, unless a
/// system exception says it itself.
Error current_error(const Asked& asked, Completion completed) noexcept {
  try {
    throw;
  } catch (const CORBA::SystemException& exception) {
    return exception._error();
  } catch (const CORBA::UserException& exception) {
    tell(asked, exception.what());
    return errors::unlisted_user_exception.with(completed);
  } catch (const std::bad_alloc&) {
    return errors::out_of_memory.with(completed);
  } catch (const std::exception& exception) {
    tell(asked, exception.what());
    return errors::foreign_exception.with(completed);
  } catch (...) {
    tell(asked, "something that is no std::exception");
    return errors::foreign_exception.with(completed);
  }
}

template <typename Ask>
poa::Supplied ask_for_servant(const Asked& asked, Ask ask) noexcept {
  poa::Supplied answer;
  try {
    const ServantRef servant = ask();
    answer.servant = Ref<poa::Servant>(servant.get());
  } catch (const PortableServer::ForwardRequest& elsewhere) {
    const auto& to = elsewhere.forward_reference();
    if (to) answer.forward = to->_reference();
    if (!answer.forward) answer.error = to ? errors::local_object : errors::nil_object;
  } catch (...) {
    answer.error = current_error(asked, Completion::no);
  }
  return answer;
}

class Activator final : public poa::ServantActivator {
 public:
  explicit Activator(CORBA::object_reference<PortableServer::ServantActivator> own) : own_(std::move(own)) {}

  void* face() const noexcept override { return static_cast<PortableServer::ServantManager*>(own_.get()); }

  poa::Supplied incarnate(ByteView id, poa::WholePoa& poa) noexcept override {
    return ask_for_servant({"incarnate", {}}, [&] { return own_->incarnate(copied(id), shown(poa)); });
  }
  void etherealize(ByteView id, poa::WholePoa& poa, poa::Servant& servant, bool cleanup_in_progress,
                   bool remaining_activations) noexcept override {
    // The ORB ignores what is thrown here (§15.3.5.2).
    try {
      ServantRef own(dynamic_cast<PortableServer::Servant*>(&servant));
      own_->etherealize(copied(id), shown(poa), std::move(own), cleanup_in_progress, remaining_activations);
    } catch (...) {
      return;
    }
  }

 private:
  const CORBA::object_reference<PortableServer::ServantActivator> own_;
};

class Locator final : public poa::ServantLocator {
 public:
  explicit Locator(CORBA::object_reference<PortableServer::ServantLocator> own) : own_(std::move(own)) {}

  void* face() const noexcept override { return static_cast<PortableServer::ServantManager*>(own_.get()); }

  poa::Supplied preinvoke(ByteView id, poa::WholePoa& poa, std::string_view operation,
                          void*& cookie) noexcept override {
    return ask_for_servant({"preinvoke", operation}, [&] {
      return own_->preinvoke(copied(id), shown(poa), std::string(operation), cookie);
    });
  }
  Error postinvoke(ByteView id, poa::WholePoa& poa, std::string_view operation, void* cookie,
                   poa::Servant& servant) noexcept override {
    try {
      own_->postinvoke(copied(id), shown(poa), std::string(operation), cookie,
                       ServantRef(dynamic_cast<PortableServer::Servant*>(&servant)));
      return {};
    } catch (...) {
      return current_error({"postinvoke", operation}, Completion::yes);
    }
  }

 private:
  const CORBA::object_reference<PortableServer::ServantLocator> own_;
};

class PoaActivator final : public poa::AdapterActivator {
 public:
  explicit PoaActivator(CORBA::object_reference<PortableServer::AdapterActivator> own)
      : own_(std::move(own)) {}

  void* face() const noexcept override { return own_.get(); }

  Answer unknown_adapter(poa::WholePoa& parent, std::string_view name) noexcept override {
    try {
      return own_->unknown_adapter(shown(parent), std::string(name)) ? Answer::yes : Answer::no;
    } catch (...) {
      return Answer::failed;
    }
  }

 private:
  const CORBA::object_reference<PortableServer::AdapterActivator> own_;
};

}  // namespace

Ref<poa::ServantActivator> engine_activator(
    CORBA::object_reference<PortableServer::ServantActivator> activator) {
  return activator ? make_ref<Activator>(std::move(activator)) : nullptr;
}

Ref<poa::ServantLocator> engine_locator(CORBA::object_reference<PortableServer::ServantLocator> locator) {
  return locator ? make_ref<Locator>(std::move(locator)) : nullptr;
}

Ref<poa::AdapterActivator> engine_activator(
    CORBA::object_reference<PortableServer::AdapterActivator> activator) {
  return activator ? make_ref<PoaActivator>(std::move(activator)) : nullptr;
}

}  // namespace tenon::gen
