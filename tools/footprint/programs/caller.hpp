// SPDX-License-Identifier: Apache-2.0
//
// The call of the hello clients: one string operation, with a time-out, a user exception and system exceptions.
#pragma once

#include <chrono>
#include <cstdio>
#include <tenon/timeout.hpp>

#include "start_up.hpp"
#ifdef WITH_ASYNC
#include "hello_async.hpp"
#else
#include "hello.hpp"
#endif

namespace hello {

/// 0 if the object answered; `who` is sent.
inline int call(const CORBA::object_reference<CORBA::ORB>& orb, const char* address, const char* who) {
  try {
    const auto object = IDL::traits<Footprint::Hello>::narrow(orb->string_to_object(address));
    if (!object) return 1;
    tenon::set_timeout(*object, std::chrono::seconds(2));
#ifdef WITH_ASYNC
    const auto greeting = tenon::async(object).greet(who).get();
#else
    const auto greeting = object->greet(who);
#endif
#ifdef WITH_SEQUENCE
    if (object->echo({1, 2, 3}) != Footprint::Hello::Octets{1, 2, 3}) return 1;
#endif
    std::puts(greeting.c_str());
    return 0;
  } catch (const Footprint::Nobody&) {
    std::puts("nobody to greet");
  } catch (const CORBA::SystemException& e) {
    std::puts(e.what());
  }
  return 1;
}

}  // namespace hello
