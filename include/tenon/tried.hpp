// SPDX-License-Identifier: Apache-2.0
//
// tenon::tried(exception): where a call went, how far it came each time, the system's error number and how long it took. The same
// as a sentence is in exception.what(). See docs/troubleshooting.md.
#pragma once

#include "mapping/cpp11/corba/tried.hpp"
