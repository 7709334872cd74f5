// SPDX-License-Identifier: Apache-2.0
//
// A program that names two classes of system exceptions, and so need not have the others: what it can see of an exception is the same. It
// starts no ORB, whose parts might bring all classes.
#include <gtest/gtest.h>

#include <string>
#include <typeinfo>

#include "base/error.hpp"
#include "tenon/corba/exception.hpp"

namespace tenon::gen {
namespace {

constexpr Error error_of(SystemException id) { return {id, Completion::maybe, 0x41540007}; }

TEST(FewClasses, AnExceptionIsOfTheClassThatAHandlerNames) {
  try {
    raise(error_of(SystemException::transient));
  } catch (const CORBA::NO_MEMORY&) {
    ADD_FAILURE() << "another class";
  } catch (const CORBA::TRANSIENT& exception) {
    EXPECT_TRUE(typeid(exception) == typeid(CORBA::TRANSIENT));
    EXPECT_EQ(exception._error(), error_of(SystemException::transient));
  }
  EXPECT_THROW(raise(error_of(SystemException::no_memory)), CORBA::NO_MEMORY);
}

TEST(FewClasses, AnExceptionOfAClassThatIsNotThereSaysAllTheSameWhatItIs) {
  for (unsigned value = 1; value <= static_cast<unsigned>(SystemException::thread_cancelled); ++value) {
    const auto id = static_cast<SystemException>(value);
    const auto expect = [id](const CORBA::SystemException& exception) {
      EXPECT_EQ(exception._name(), name(id));
      EXPECT_EQ(exception._rep_id(), repository_id(id));
      EXPECT_EQ(exception._error(), error_of(id));
      EXPECT_EQ(std::string(exception.what()),
                std::string(name(id)) + " (minor 0x41540007; completed MAYBE)");
    };
    try {
      raise(error_of(id));
    } catch (const CORBA::SystemException& first) {
      expect(first);
      try {
        first._raise();
      } catch (const CORBA::Exception& second) {
        const auto* again = dynamic_cast<const CORBA::SystemException*>(&second);
        ASSERT_NE(again, nullptr);
        EXPECT_TRUE(typeid(*again) == typeid(first));
        expect(*again);
      }
    }
  }
}

TEST(FewClasses, WhatIsNoErrorComesAsInternal) {
  try {
    raise(Error{});
  } catch (const CORBA::SystemException& exception) {
    EXPECT_EQ(exception._name(), "INTERNAL");
  }
}

}  // namespace
}  // namespace tenon::gen
