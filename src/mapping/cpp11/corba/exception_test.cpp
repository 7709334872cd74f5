// SPDX-License-Identifier: Apache-2.0
//
// System exceptions as C++ exceptions: an Error becomes the standard's class, whichever way it is thrown.
#include "tenon/corba/exception.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <typeinfo>

#include "base/minor_codes.hpp"
#include "base/trail.hpp"

namespace tenon::gen {
namespace {

constexpr Error error_of(SystemException id) { return {id, Completion::maybe, 0x41540007}; }

/// What is raised is caught as E, is an E, and has the numbers of the error; so has what E itself throws.
template <typename E, typename Throw>
void expect_class(SystemException id, const Throw& thrower) {
  const Error wanted = error_of(id);
  try {
    thrower();
  } catch (const E& exception) {
    EXPECT_TRUE(typeid(exception) == typeid(E)) << name(id);
    EXPECT_EQ(exception._error(), wanted) << name(id);
    EXPECT_EQ(exception._name(), name(id));
    EXPECT_EQ(exception._rep_id(), repository_id(id));
    EXPECT_EQ(std::string(exception.what()), std::string(name(id)) + " (minor 0x41540007; completed MAYBE)");
    return;
  } catch (...) {
    FAIL() << name(id) << " came as something else";
  }
  FAIL() << name(id) << " was not raised";
}

template <typename E>
void expect_each_way(SystemException id) {
  expect_class<E>(id, [id] { raise(error_of(id)); });
  expect_class<E>(id, [id] { E(error_of(id).minor, CORBA::CompletionStatus::COMPLETED_MAYBE)._raise(); });
  expect_class<E>(id, [id] {
    try {
      raise(error_of(id));
    } catch (const CORBA::SystemException& exception) {
      EXPECT_NE(dynamic_cast<const E*>(&exception), nullptr) << name(id);
      exception._raise();
    }
  });
  expect_class<E>(id, [id] {
    std::exception_ptr kept;
    try {
      raise(error_of(id));
    } catch (const std::exception&) {
      kept = std::current_exception();
    }
    std::rethrow_exception(kept);
  });
}

TEST(SystemExceptionClasses, EachErrorIsOfItsClass) {
#define TENON_SYSTEM_EXCEPTION(Name, id) expect_each_way<CORBA::Name>(SystemException::id);
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
}

TEST(SystemExceptionClasses, NoErrorIsAFaultOfOurs) {
  try {
    raise(Error{});
  } catch (const CORBA::INTERNAL& exception) {
    EXPECT_EQ(exception._rep_id(), "IDL:omg.org/CORBA/INTERNAL:1.0");
    return;
  }
  FAIL();
}

TEST(SystemExceptionClasses, CopiesShareReasonAndTrail) {
  Trail trail;
  trail.add({.step = Step::connect, .address = "192.0.2.7:2809", .error = errors::cannot_connect});
  try {
    raise_with_trail(errors::cannot_connect, std::move(trail));
  } catch (CORBA::TRANSIENT& exception) {
    CORBA::TRANSIENT copy = exception;
    exception._reason("because");
    EXPECT_EQ(exception._reason(), "because");
    EXPECT_EQ(std::string(exception.what()).substr(0, 26), "TRANSIENT: because; tried:");
    EXPECT_EQ(copy._reason(), "");
    ASSERT_NE(copy._trail(), nullptr);
    EXPECT_EQ(copy._trail()->size(), 1u);
    copy = exception;
    EXPECT_EQ(copy._reason(), "because");
    EXPECT_STREQ(copy.what(), exception.what());
    EXPECT_NE(copy.what(), exception.what());
    try {
      copy._raise();
    } catch (const CORBA::TRANSIENT& again) {
      EXPECT_EQ(again._reason(), "because");
    }
    return;
  }
  FAIL();
}

TEST(SystemExceptionClasses, OnTheHeapToo) {
  std::unique_ptr<CORBA::SystemException> exception = std::make_unique<CORBA::NO_MEMORY>();
  exception->_reason("none left");
  EXPECT_STREQ(exception->what(), "NO_MEMORY: none left");
  exception = std::make_unique<CORBA::MARSHAL>(7U);  // the sanitizers see that the first one has gone whole
  EXPECT_EQ(exception->minor(), 7u);
}

}  // namespace
}  // namespace tenon::gen
