// SPDX-License-Identifier: Apache-2.0
//
// The lines that omniORB's client prints, and the groups of checks that have their own files.
//
// Threads: main only.
#pragma once

#include "echo.hh"
#include "peer_main.hpp"

#include <functional>
#include <string>
#include <vector>

namespace peer {

// Runs one check: `body` returns what is wrong, or nothing. An exception that escapes is a failure.
void check(const std::string& name, const std::function<std::string()>& body);

// The body must end with one of these system exceptions (short names).
void check_raises(const std::string& name, const std::vector<std::string>& wanted,
                  const std::function<void()>& body);

std::string show(const CORBA::SystemException& e);

void select_checks(const std::string& part);
int summary();  // prints the totals; the exit status

void plane_checks(Interop::Echo_ptr echo, const Options& options);
void sequence_checks(Interop::Echo_ptr echo);
void reference_checks(CORBA::ORB_ptr orb, Interop::Echo_ptr echo);
void behaviour_checks(Interop::Echo_ptr echo);
void dynamic_checks(CORBA::ORB_ptr orb, Interop::Echo_ptr echo, const Options& options);

}  // namespace peer
