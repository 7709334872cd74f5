// SPDX-License-Identifier: Apache-2.0
//
// tenon::tried(exception): where a call went, how far it came each time, the system's error number and how long it took.
// exception.what() has the same as a sentence. See docs/troubleshooting.md.
#pragma once

#include <tenon/language.hpp>

#include "mapping/cpp11/corba/tried.hpp"
