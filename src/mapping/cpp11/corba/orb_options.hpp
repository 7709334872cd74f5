// SPDX-License-Identifier: Apache-2.0
//
// Command-line options of ORB_init (CORBA 3.4 part 1 §8.5.1): one table from which parsing, -ORBHelp and docs/options.md are made.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orb/options.hpp"

namespace tenon::gen {

struct OptionRow {
  std::string_view name;      ///< "-ORBServing"
  std::string_view argument;  ///< "thread-per-connection|pool"; empty: takes none
  std::string_view text;      ///< one sentence, with the default
  /// False: `why` says what would be right.
  bool (*apply)(orb::Options& options, std::string_view value, std::string& why);
};

std::span<const OptionRow> option_rows() noexcept;

/// Takes every -ORB option out of `arguments`. False: `why` names the option, its value and what would be right.
bool read_options(std::vector<std::string>& arguments, orb::Options& options, std::string& why);

/// The table as text for a terminal.
std::string options_help();
/// The table as Markdown.
std::string options_markdown();

}  // namespace tenon::gen
