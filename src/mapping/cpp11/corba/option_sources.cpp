// SPDX-License-Identifier: Apache-2.0
//
// Where options of ORB_init come from: a configuration file, the environment, the command line. All are read and checked against the
// tables before the first one is applied, in the order of precedence, so that an unknown option changes nothing.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <forward_list>
#include <span>
#include <utility>

#include "base/joined.hpp"
#include "mapping/cpp11/corba/config_file.hpp"
#include "mapping/cpp11/corba/option_values.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"

namespace tenon::gen {

namespace {

constexpr std::string_view blank_letters = " \t\r\n";

/// One option as it was written. The texts are kept elsewhere while options are read.
struct Setting {
  Option row;
  std::string_view where;  ///< "/etc/app.cfg:3: ", for messages; empty: the command line
  std::string_view name;   ///< as it was written
  std::string_view value;
  bool of_file = false;
};

using Words = std::vector<std::string>;
/// Texts that no source has as they are.
using Kept = std::forward_list<std::string>;

/// A value in a message: the value may be as long as a file.
std::string shown(std::string_view value) {
  constexpr std::size_t most = 200;
  return value.size() <= most ? std::string(value) : joined({beginning(value, most), "..."});
}

Option find_row(const OptionTable& table, std::string_view name) {
  const Option found = find_option(table, [&](const Option& option) { return option.name == name; });
  if (found) return found;
  // TAO does not look at capitals, and its users do not either.
  return find_option(table, [&](const Option& option) { return same_word(option.name, name); });
}

/// Those of the command line.
Option find_row(std::string_view name) {
  const Option own = find_row(own_table, name);
  if (own && own.name == name) return own;
  const Option of_others = find_row(other_orbs_table, name);
  return own && of_others.name != name ? own : of_others;
}

template <typename Take>
void each_row(Take take) {
  for (const OptionTable* table : {&own_table, &other_orbs_table}) {
    find_option(*table, [&](const Option& option) {
      take(option);
      return false;
    });
  }
}

std::string in_lower_case(std::string_view word) {
  std::string lower(word);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

constexpr std::size_t longest_wrong_name = 64;

/// How many letters must be changed, added, left out or swapped with their neighbour to make one word of the other. `b` has at most
/// `longest_wrong_name`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::size_t rows[3][longest_wrong_name + 1]{};
  std::size_t* before_last = rows[0];
  std::size_t* last = rows[1];
  std::size_t* row = rows[2];
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The option that a name without a row was probably meant to be, if one is near.
Option nearest_row(std::string_view name) {
  constexpr std::string_view prefix = "-ORB";
  if (name.size() > longest_wrong_name) return {};
  const std::string wanted = in_lower_case(name);
  // One letter in six may be wrong, and one more.
  std::size_t nearest = 2 + (wanted.size() - std::min(wanted.size(), prefix.size())) / 6;
  Option found;
  each_row([&](const Option& row) {
    const std::size_t distance = edit_distance(in_lower_case(row.name), wanted);
    if (distance >= nearest) return;
    nearest = distance;
    found = row;
  });
  return found;
}

/// Whether a joined value may begin with a letter: for the standard's own options. For others such a word is rather a wrong name.
bool takes_joined_words(const Option& row) {
  for (const std::string_view name :
       {"-ORBid", "-ORBServerId", "-ORBInitRef", "-ORBDefaultInitRef", "-ORBListenEndpoints"}) {
    if (row.name == name) return true;
  }
  return false;
}

/// -ORBname with the value in the same word (§8.5.1): "-ORBInitRefName=url", "-ORBInitRef Name=url". The longest name that fits counts,
/// unless the whole word is nearly the name of another option.
Option find_joined(std::string_view word, std::string_view& value) {
  Option found;
  each_row([&](const Option& row) {
    if (row.argument.empty() || !word.starts_with(row.name)) return;
    if (row.name.size() > found.name.size()) found = row;
  });
  if (!found) return {};
  const std::string_view whole = word;
  word.remove_prefix(found.name.size());
  const std::size_t first = word.find_first_not_of(blank_letters);
  if (first == std::string_view::npos) return {};
  value = word.substr(first);
  const char lower = in_lower_case(value).front();
  if (first != 0 || lower < 'a' || lower > 'z') return found;
  if (!takes_joined_words(found)) return {};
  const Option near = nearest_row(whole);
  return !near || near == found ? found : Option{};
}

/// A '#' behind a blank in a value of a file is mostly meant as a comment.
bool seems_to_end_in_comment(const Setting& setting) {
  return setting.of_file && (setting.value.find(" #") != std::string_view::npos ||
                             setting.value.find("\t#") != std::string_view::npos);
}

/// Whether a value says what Tenon does anyway.
bool says_nothing_new(const RefusedOption& option, std::string_view value) {
  std::string_view words = option.unless;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('|'));
    if (same_word(word, value)) return true;
    words.remove_prefix(std::min(word.size() + 1, words.size()));
  }
  return false;
}

/// An option of this name that is in no table of those that Tenon has; `setting` is how it was written. True: its value says what Tenon
/// does anyway.
bool pass_over(std::string_view name, const Setting& setting, std::string& why) {
  RefusedOption option;
  const bool known = find_refused(name, option);
  if (known && says_nothing_new(option, setting.value)) return true;
  why = worded("%option %", {setting.where, shown(setting.name)});
  if (!known) {
    why += ": there is no such option; ";
    if (const Option near = nearest_row(name)) {
      const bool as_a_key = setting.of_file && !setting.name.starts_with('-');
      why += worded("did you mean %? ", {near.name.substr(as_a_key ? 4 : 0)});
    }
    why += "-ORBHelp lists them";
  } else if (option.unless.empty()) {
    why += worded(": % has it, Tenon does not; %", {option.orb, option.instead});
  } else {
    why += worded(", value '%': % has it, Tenon takes only %; %",
                  {shown(setting.value), option.orb, option.unless, option.instead});
  }
  return false;
}

/// Whether a word is an option, and not the program's own.
bool is_option(std::string_view word) {
  return word.starts_with("-ORB") || (begins_with_word(word, "-ORB") && find_row(word));
}

/// Those of the words that are options, with their values; the others go to `left`. False: `why` says what is wrong.
bool take_options(const Words& words, std::string_view where, std::vector<Setting>& into, Words& left,
                  std::string& why) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (!is_option(word)) {
      left.emplace_back(word);
      continue;
    }
    Setting setting{.row = find_row(word), .where = where, .name = word, .value = {}};
    RefusedOption refused;
    const bool is_refused = !setting.row && find_refused(word, refused);
    const std::string_view argument = is_refused ? refused.unless : setting.row.argument;
    if (!setting.row && !is_refused) {
      setting.row = find_joined(word, setting.value);
      if (setting.row) setting.name = setting.row.name;
    } else if (!argument.empty()) {
      if (++i == words.size()) {
        why = worded("%option %: wants % behind it", {where, word, argument});
        return false;
      }
      setting.value = words[i];
    }
    if (setting.row) {
      into.push_back(setting);
    } else if (!pass_over(word, setting, why)) {
      return false;
    }
  }
  return true;
}

/// Cuts at blanks; quotes of either kind keep those that a value has.
bool split_words(std::string_view text, Words& words, std::string& why) {
  std::string word;
  bool begun = false;
  char quote = '\0';
  for (const char letter : text) {
    if (quote != '\0') {
      if (letter == quote) {
        quote = '\0';
      } else {
        word += letter;
      }
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
      begun = true;
    } else if (blank_letters.find(letter) == std::string_view::npos) {
      word += letter;
      begun = true;
    } else if (begun) {
      words.push_back(std::exchange(word, {}));
      begun = false;
    }
  }
  if (begun) words.push_back(std::move(word));
  if (quote == '\0') return true;
  why = std::string("there is no second ") + quote;
  return false;
}

bool options_of_environment(Words& words, std::vector<Setting>& into, std::string& why) {
  const char* const set = std::getenv("TENON_ORB_OPTIONS");
  if (set == nullptr) return true;
  constexpr std::string_view where = "TENON_ORB_OPTIONS: ";
  if (!split_words(set, words, why)) {
    why.insert(0, where);
    return false;
  }
  Words left;
  if (!take_options(words, where, into, left, why)) return false;
  if (left.empty()) return true;
  why = worded("%'%' is neither an option nor the value of one; put quotes around values with blanks",
               {where, shown(left.front())});
  return false;
}

/// The row of a key: "ORBInitRef", "InitRef", "-ORBInitRef" are the same, and properties have their whole names.
Option row_of_key(std::string_view key, std::string& name) {
  name = key;
  if (const Option row = find_row(property_table, name)) return row;
  if (RefusedOption refused; find_refused(name, refused)) return {};
  if (key.starts_with('-')) key.remove_prefix(1);
  if (begins_with_word(key, "ORB")) key.remove_prefix(3);
  name = worded("-ORB%", {key});
  return find_row(name);
}

bool option_of_line(const ConfigLine& line, std::string_view where, Kept& kept, std::vector<Setting>& into,
                    std::string& why) {
  std::string_view key = line.key;
  Setting setting{.row = {}, .where = where, .name = key, .value = {}, .of_file = true};
  if (line.value) setting.value = *line.value;
  // JacORB writes the name of an initial reference into the key.
  constexpr std::string_view named = "ORBInitRef.";
  if (begins_with_word(key, named) && line.value) {
    setting.value = kept.emplace_front(worded("%=%", {key.substr(named.size()), setting.value}));
    key = named.substr(0, named.size() - 1);
  }
  std::string name;
  const Option row = setting.row = row_of_key(key, name);
  if (!row) return pass_over(name, setting, why);
  if (row.name == "-ORBConfigFile") {
    why = "a file cannot name another one";
  } else if (row.argument.empty() && !setting.value.empty()) {
    why = "takes no value";
  } else if (!row.argument.empty() && !line.value) {
    why = worded("wants % = %", {line.key, row.argument});
  } else {
    into.push_back(setting);
    return true;
  }
  why = worded("%option %: %", {where, line.key, why});
  return false;
}

bool options_of_file(const std::string& path, std::vector<ConfigLine>& lines, Kept& kept,
                     std::vector<Setting>& into, std::string& why) {
  if (!read_config_file(path, lines, why)) return false;
  for (const ConfigLine& line : lines) {
    const std::string_view where = kept.emplace_front(worded("%:%: ", {path, decimal(line.number)}));
    if (!option_of_line(line, where, kept, into, why)) return false;
  }
  return true;
}

/// The last of these that names a file; null: none does.
const Setting* config_file_of(std::span<const Setting> settings) {
  const Setting* found = nullptr;
  for (const Setting& each : settings) {
    if (each.row.name == "-ORBConfigFile") found = &each;
  }
  return found;
}

Option acting_row(const Option& row) { return row.as.empty() ? row : find_row(own_table, row.as); }

/// Lists of an earlier source, which those of a later one replace.
template <typename T>
void replace_earlier(std::vector<T>& all, std::size_t earlier) {
  if (all.size() > earlier) all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(earlier));
}

bool apply(std::span<const Setting> settings, orb::Options& options, std::string& why) {
  protocol::TransportOptions& transports = options.transports;
  const std::size_t endpoints = options.endpoints.size();
  const std::size_t publish = transports.publish.size();
  const std::size_t publish_also = transports.publish_also.size();
  const std::size_t peer_rules = transports.peer_rules.size();
  for (const Setting& each : settings) {
    const Option row = acting_row(each.row);
    std::string right;
    const bool has_comment = seems_to_end_in_comment(each);
    // These would be read as if they were whole, and fail later, when nobody knows the line any more.
    const bool late = row.name == "-ORBListenEndpoints";
    if ((has_comment && late) || !set_option(row, options, each.value, right)) {
      why = worded("%option %, value '%': %%%", {each.where, each.name, shown(each.value), right,
                                                 has_comment && !right.empty() ? "; " : "",
                                                 has_comment ? "a comment wants a line of its own" : ""});
      return false;
    }
    if (!row.setting().of_process && row.name != "-ORBid" && row.name != "-ORBConfigFile")
      options.given.push_back(joined({row.name, each.value.empty() ? "" : " ", each.value}));
  }
  replace_earlier(options.endpoints, endpoints);
  replace_earlier(transports.publish, publish);
  replace_earlier(transports.publish_also, publish_also);
  replace_earlier(transports.peer_rules, peer_rules);
  return true;
}

}  // namespace

bool read_options(std::vector<std::string>& arguments, orb::Options& options, std::string& why) {
  std::vector<Setting> all;  // of the command line, then of the environment, then of the file
  Words left;
  if (!take_options(arguments, "", all, left, why)) return false;
  const std::size_t of_arguments = all.size();
  Words environment;
  if (!options_of_environment(environment, all, why)) return false;
  const std::size_t of_both = all.size();
  const Setting* named = config_file_of({all.data(), of_arguments});
  if (named == nullptr) named = config_file_of(all);
  const char* const set = std::getenv("TENON_ORB_CONFIG");
  std::string path;
  if (named != nullptr) {
    path = named->value;
  } else if (set != nullptr) {
    path = set;
  }
  std::vector<ConfigLine> lines;
  Kept kept;
  // An empty name is that of no file, so that a command line can do without the variable's.
  // A wrong line is told by file and number, and a file that cannot be read by what named it.
  const std::string_view said_by = named != nullptr ? "-ORBConfigFile " : "TENON_ORB_CONFIG=";
  if (!path.empty() && !options_of_file(path, lines, kept, all, why)) {
    if (why.starts_with(path) && std::string_view(why).substr(path.size()).starts_with(": "))
      why.insert(0, said_by);
    return false;
  }
  const std::span<const Setting> settings = all;
  if (!apply(settings.subspan(of_both), options, why) ||
      !apply(settings.subspan(of_arguments, of_both - of_arguments), options, why) ||
      !apply(settings.first(of_arguments), options, why))
    return false;
  arguments = std::move(left);
  return true;
}

}  // namespace tenon::gen
