// SPDX-License-Identifier: Apache-2.0
//
// Options of ORB_init (CORBA 3.4 part 1 §8.5.1): tables from which parsing, -ORBHelp, docs/options.md and docs/migrating-options.md are
// made or tested. Where they come from (file, environment, command line) is in option_sources.cpp, Tenon's own options in orb_options.cpp,
// what other ORBs have in other_orbs_options.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.hpp"
#include "mapping/cpp11/corba/option_table.hpp"
#include "orb/options.hpp"

namespace tenon::gen {

/// A row of a table, for readers.
struct OptionRow {
  std::string_view name;       ///< "-ORBServing"; of a property: "jacorb.logfile"
  std::string_view argument;   ///< "thread-per-connection|pool"; empty: takes none
  std::string text;            ///< one sentence, with the default
  const OptionSetting* apply;  ///< null: the option is another name of `as`
  bool
      of_process;  ///< concerns the process and not one ORB, so it has an effect also where ORB_init finds an ORB
  std::string_view as;
};

/// An option of another ORB that Tenon does not have.
struct RefusedOption {
  std::string_view name;
  std::string_view orb;  ///< "TAO"
  std::string_view
      unless;  ///< values that are taken, since Tenon does as they say anyway: "0", "0|1"; mostly none
  std::string instead;  ///< what to write, or why there is nothing
};

/// Those that the documentation lists: Tenon's own, then those under names of other ORBs.
std::vector<OptionRow> option_rows();
std::vector<OptionRow> own_options();
std::vector<OptionRow> other_orbs_options();
/// JacORB's properties, which stand in configuration files only.
std::vector<OptionRow> properties();
std::vector<RefusedOption> refused_options();

extern const OptionTable own_table;
extern const OptionTable other_orbs_table;
extern const OptionTable property_table;

/// A row while options are read.
struct Option {
  std::string_view name;  ///< empty: there is none
  std::string_view argument;
  std::string_view as;
  const OptionTable* table = nullptr;
  std::size_t index = 0;

  explicit operator bool() const noexcept { return table != nullptr; }
  bool operator==(const Option& other) const noexcept { return table == other.table && index == other.index; }
  const OptionSetting& setting() const noexcept { return table->settings[index]; }
};

/// The rows of a table one after the other, until `take` returns true; that row, or none.
Option find_option(const OptionTable& table, FunctionRef<bool(const Option&)> take);

/// Sets what the option says. False: `why` says what would be right.
bool set_option(const Option& option, orb::Options& options, std::string_view value, std::string& why);

/// The one of this name, in any capitals; false: there is none.
bool find_refused(std::string_view name, RefusedOption& found);

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
std::string options_markdown(const std::vector<OptionRow>& options);

}  // namespace tenon::gen
