// SPDX-License-Identifier: Apache-2.0
//
// The log of the library, for a program that takes its lines itself: tenon::set_log_sink(), tenon::set_log_level(). See
// docs/troubleshooting.md.
#pragma once

#include <tenon/language.hpp>

#include "base/log.hpp"
