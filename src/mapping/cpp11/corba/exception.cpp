// SPDX-License-Identifier: Apache-2.0
#include "tenon/corba/exception.hpp"

#include <cxxabi.h>

#include <atomic>
#include <iterator>
#include <new>
#include <typeinfo>
#include <utility>

#include "base/error_text.hpp"
#include "base/texts.hpp"
#include "base/trail.hpp"
#include "mapping/cpp11/corba/exception_text.hpp"
#include "mapping/cpp11/exceptions/define.hpp"

namespace tenon::gen {

struct Said {
  std::string reason;
  Trail trail;
  std::atomic<unsigned> holders{1};
};

constinit std::atomic<TextOfUserException> text_of_user_exception{nullptr};

}  // namespace tenon::gen

namespace CORBA {
inline namespace cpp11 {

UserException::~UserException() { delete text_; }

const char* UserException::what() const noexcept {
  const auto keep_text = tenon::gen::text_of_user_exception.load(std::memory_order_relaxed);
  const char* const text = keep_text != nullptr ? keep_text(*this, text_) : nullptr;
  if (text != nullptr) return text;
  // A repository id is a string literal in every exception class, so its data ends in NUL.
  return _rep_id().data();
}

std::string_view SystemException::_rep_id() const noexcept { return tenon::repository_id(error_.id); }

std::string_view SystemException::_name() const noexcept { return tenon::name(error_.id); }

const char* SystemException::what() const noexcept {
  try {
    if (text_ == nullptr) {
      const std::string_view reason = _reason();
      text_ = reason.empty() ? new std::string(tenon::text(error_)) : new std::string(_name());
      if (!reason.empty()) text_->append(": ").append(reason);
      const tenon::Texts* texts = tenon::texts();
      if (const tenon::Trail* trail = _trail(); trail != nullptr && texts != nullptr)
        text_->append("; ").append(texts->trail(*trail));
    }
    return text_->c_str();
  } catch (...) {
    delete std::exchange(text_, nullptr);
    return _rep_id().data();
  }
}

std::string_view SystemException::_reason() const noexcept {
  return said_ != nullptr ? std::string_view(said_->reason) : std::string_view();
}

const tenon::Trail* SystemException::_trail() const noexcept {
  return said_ != nullptr && !said_->trail.empty() ? &said_->trail : nullptr;
}

void SystemException::_reason(std::string_view reason) {
  auto* const said = new tenon::gen::Said{.reason = std::string(reason),
                                          .trail = said_ != nullptr ? said_->trail : tenon::Trail()};
  drop();
  said_ = said;
}

tenon::gen::Said* SystemException::hold() const noexcept {
  if (said_ != nullptr) said_->holders.fetch_add(1, std::memory_order_relaxed);
  return said_;
}

// Not in its header: each of the 41 classes would have it once more.
SystemException::~SystemException() {
  if (said_ != nullptr || text_ != nullptr) drop();
}

void SystemException::drop() noexcept {
  delete std::exchange(text_, nullptr);
  auto* const said = std::exchange(said_, nullptr);
  if (said != nullptr && said->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete said;
}

void SystemException::operator delete(SystemException* exception, std::destroying_delete_t) {
  exception->~SystemException();
  ::operator delete(exception);
}

SystemException& SystemException::operator=(const SystemException& other) noexcept {
  if (this == &other) return *this;
  drop();
  error_ = other.error_;
  said_ = other.hold();
  return *this;
}

void SystemException::_raise() const { tenon::gen::raise_saying(error_, hold()); }

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

// Weak: the address of what makes an exception of a class is null where the program has not linked the class.
namespace blank {
#define TENON_SYSTEM_EXCEPTION(Name, id) [[gnu::weak]] extern MakeBlank Name;
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
}  // namespace blank

namespace {

/// By the value of SystemException.
constexpr MakeBlank* makers[] = {
    nullptr,
#define TENON_SYSTEM_EXCEPTION(Name, id) &blank::Name,
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
};

#define TENON_SYSTEM_EXCEPTION(Name, id) \
  static_assert(makers[static_cast<std::size_t>(SystemException::id)] == &blank::Name);
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION

void destroy(void* exception) { static_cast<CORBA::SystemException*>(exception)->~SystemException(); }

}  // namespace

/// As a throw-expression does it (Itanium C++ ABI §2.4), once instead of in each of 40 cases: room, the exception in it, its class.
void raise_saying(Error error, Said* said) {
  void* const room = abi::__cxa_allocate_exception(sizeof(CORBA::SystemException));
  // An Error that is none should not have come here.
  if (!error || static_cast<std::size_t>(error.id) >= std::size(makers)) error.id = SystemException::internal;
  new (room) CORBA::SystemException(Blank{});
  if (MakeBlank* const make = makers[static_cast<std::size_t>(error.id)]) make(room);
  auto* const exception = static_cast<CORBA::SystemException*>(room);
  exception->error_ = error;
  exception->said_ = said;
  exception->text_ = nullptr;
  abi::__cxa_throw(exception, const_cast<std::type_info*>(&typeid(*exception)), destroy);
}

void raise(Error error) { raise_with_trail(error, {}); }

void raise_with_reason(Error error, std::string reason) {
  // Where there is no memory, the exception comes without it.
  raise_saying(error, new (std::nothrow) Said{.reason = std::move(reason), .trail = {}});
}

void raise_with_trail(Error error, Trail&& trail) {
  std::string excess;
  if (const Texts* known = texts()) excess = known->excess(error);
  if (excess.empty() && trail.empty()) raise_saying(error, nullptr);
  raise_saying(error, new (std::nothrow) Said{.reason = std::move(excess), .trail = std::move(trail)});
}

void raise_call_failed(Error error) { raise_with_trail(error, Trail::mine().take()); }

}  // namespace tenon::gen
