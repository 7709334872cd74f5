// SPDX-License-Identifier: Apache-2.0
//
// Options of ORB_init (CORBA 3.4 part 1 §8.5.1): tables from which parsing, -ORBHelp, docs/options.md and docs/migrating-options.md are
// made or tested. Where they come from (file, environment, command line) is in option_sources.cpp, Tenon's own options in orb_options.cpp,
// what other ORBs have in other_orbs_options.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orb/options.hpp"

namespace tenon::gen {

struct OptionRow {
  std::string_view name;      ///< "-ORBServing"; of a property: "jacorb.logfile"
  std::string_view argument;  ///< "thread-per-connection|pool"; empty: takes none
  std::string_view text;      ///< one sentence, with the default
  /// False: `why` says what would be right. Null: the option is another name of `as`.
  bool (*apply)(orb::Options& options, std::string_view value, std::string& why) = nullptr;
  bool of_process =
      false;  ///< concerns the process and not one ORB, so it has an effect also where ORB_init finds an ORB
  std::string_view as = {};
};

/// An option of another ORB that Tenon does not have.
struct RefusedOption {
  std::string_view name;
  std::string_view orb;  ///< "TAO"
  std::string_view
      unless;  ///< values that are taken, since Tenon does as they say anyway: "0", "0|1"; mostly none
  std::string_view instead;  ///< what to write, or why there is nothing
};

/// Those that the documentation lists: Tenon's own, then those under names of other ORBs.
std::span<const OptionRow> option_rows();
std::span<const OptionRow> own_options() noexcept;
std::span<const OptionRow> other_orbs_options() noexcept;
/// JacORB's properties, which stand in configuration files only.
std::span<const OptionRow> properties() noexcept;
std::span<const RefusedOption> refused_options() noexcept;

/// Reads the configuration file, TENON_ORB_OPTIONS and the arguments, in this order, so that a later one overrides; the endpoints of one
/// replace those of an earlier one. Takes every -ORB option out of `arguments`. False: `why` says where the fault is, names the option
/// and its value, and says what would be right.
bool read_options(std::vector<std::string>& arguments, orb::Options& options, std::string& why);

/// The URL of an initial reference that only -ORBDefaultInitRef `base` gives: a naming URL takes the name behind '#', an object URL as its
/// key (CORBA 3.4 part 1 §8.5.3).
std::string default_initial_url(std::string_view base, std::string_view name);

/// The table as text for a terminal.
std::string options_help();
/// Options as a table in Markdown.
std::string options_markdown(std::span<const OptionRow> options);

}  // namespace tenon::gen
