// SPDX-License-Identifier: Apache-2.0
//
// One run of tenon-idl over one file: preprocess, compile, dump or emit, write.
//
// All or nothing: after any error no output file is touched. Files whose text did not change keep their time
// stamps, so that nothing is rebuilt that need not be.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "idl/backends/backend.hpp"
#include "idl/driver/preprocess.hpp"

namespace tenon::idl {

enum class Dump : std::uint8_t { None, Json };
enum class Colour : std::uint8_t { Auto, Always, Never };

struct SessionOptions {
  PreprocessOptions preprocessor;
  BackendOptions backend;  // base_name is filled per file
  std::string out_dir = ".";
  std::string depfile;  // empty: none
  Dump dump = Dump::None;
  bool report_sizes = false;             // --report=size: print instead of writing
  std::vector<std::string> more_inputs;  // what the depfile names beside the IDL files
  bool only_preprocess = false;          // -E
  bool only_check = false;               // no output at all
  bool list_outputs = false;             // print the names of the files that would be written
  bool touch = false;                    // give unchanged files a new time stamp, too
  std::uint32_t max_errors = 20;
  bool warnings_are_errors = false;
  bool no_warnings = false;
  bool warn_anonymous_types = false;
  Colour colour = Colour::Auto;
};

enum class ExitCode : int { Success = 0, IdlError = 1, UsageError = 2, OutputError = 3 };

// Results go to `out`, diagnostics to `err`.
ExitCode run_session(const std::string& path, const SessionOptions& options, Backend& backend, std::FILE* out,
                     std::FILE* err);

}  // namespace tenon::idl
