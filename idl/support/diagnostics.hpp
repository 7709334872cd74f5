// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: collected in order with their notes, counted, limited, and rendered for a person:
//
//   card.idl:12:8: error: no type is called 'Strng'
//     12 |   Strng name;
//        |   ^~~~~ did you mean 'string'?
//
// Invariants: at most max_errors errors are kept, after that exhausted() asks all callers to give up; a
// diagnostic that repeats the text and place of an earlier one is dropped together with its notes. Threads:
// none.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "idl/support/location.hpp"
#include "idl/support/source_files.hpp"

namespace tenon::idl {

enum class Severity : std::uint8_t { Note, Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::string hint;  // shown beside the caret
};

class Diagnostics {
 public:
  std::uint32_t max_errors = 20;  // 0: no limit
  bool warnings_are_errors = false;
  bool no_warnings = false;
  bool warn_anonymous_types = false;

  void error(Span span, std::string message, std::string hint = {});
  void warning(Span span, std::string message, std::string hint = {});
  void note(Span span, std::string message, std::string hint = {});  // belongs to the one before

  bool has_errors() const { return errors_ != 0; }
  bool exhausted() const { return exhausted_; }
  std::uint32_t errors() const { return errors_; }
  std::uint32_t warnings() const { return warnings_; }
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  bool keep(Severity severity, const Span& span, const std::string& message);

  std::vector<Diagnostic> all_;
  std::set<std::string> seen_;
  std::uint32_t errors_ = 0;
  std::uint32_t warnings_ = 0;
  bool last_kept_ = false;
  bool exhausted_ = false;
};

std::string render(const Diagnostic& diagnostic, SourceFiles& sources, bool colour);

// Everything, and a closing line "2 errors and 1 warning." when there is something to say.
std::string render_all(const Diagnostics& diagnostics, SourceFiles& sources, bool colour);

}  // namespace tenon::idl
