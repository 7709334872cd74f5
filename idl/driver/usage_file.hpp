// SPDX-License-Identifier: Apache-2.0
//
// Reads what runs of a program used (TENON_USAGE, -ORBUsage; docs/stubs.md has the format), for --stubs=auto.
#pragma once

#include <optional>
#include <string>

#include "idl/backends/backend.hpp"

namespace tenon::idl {

// Nothing: `problem` says which line is wrong, or why the file cannot be read.
std::optional<Usage> read_usage_text(const std::string& text, std::string& problem);
std::optional<Usage> read_usage_file(const std::string& path, std::string& problem);

}  // namespace tenon::idl
