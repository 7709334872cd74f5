// SPDX-License-Identifier: Apache-2.0
//
// Runs mcpp on a file and returns its output; what mcpp reports becomes our diagnostics.
//
// mcpp runs as a process of its own, without a shell, and never sees the environment's locale (it would warn
// about encodings; IDL outside of literals is ASCII).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "idl/support/diagnostics.hpp"
#include "idl/support/source_files.hpp"

namespace tenon::idl {

struct PreprocessOptions {
  std::string program = "mcpp";
  std::vector<std::string> include_directories;  // -I, in order
  std::string standard_directory;                // with the standard's IDL files, looked at last; empty: none
  std::vector<std::string> definitions;          // -D: NAME or NAME=VALUE
  std::vector<std::string> undefinitions;        // -U
};

// Nothing: reported. Interns `path` as file 0 of `sources`, which must be empty.
std::optional<std::string> preprocess(const std::string& path, const PreprocessOptions& options,
                                      SourceFiles& sources, Diagnostics& diagnostics);

}  // namespace tenon::idl
