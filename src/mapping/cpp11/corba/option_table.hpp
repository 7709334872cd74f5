// SPDX-License-Identifier: Apache-2.0
//
// How a table of options is written in the sources, and what is made of it while compiling: names, settings and packed texts, without a
// pointer for each of them. Most options are data: where in orb::Options the value goes and how it is read. An option that needs more
// has a function. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/packed_text.hpp"
#include "cdr/compatibility.hpp"
#include "mapping/cpp11/corba/configuration_check.hpp"
#include "orb/options.hpp"

namespace tenon::gen {

/// How a value is read, and what it is there.
enum class How : std::uint8_t {
  alias,      ///< the option is another name of one
  function,   ///< `place` is the number of the function
  text,       ///< std::string
  yes_no,     ///< bool
  number,     ///< std::uint32_t, between the bounds
  seconds,    ///< std::uint32_t, of milliseconds
  octets,     ///< std::size_t
  octets_32,  ///< std::uint32_t: refused below the bounds, and above them unless they end where the type does
  choice,     ///< the number of the word among those of `argument`, as one octet, plus `least`
  wide_code_set,  ///< cdr::CodeSet: the words of `argument` are UTF-16, UCS-2 and perhaps none
  flag            ///< of cdr::compatibility(), which is `least` for yes
};

struct OptionSetting {
  How how = How::alias;
  bool of_process = false;
  std::uint16_t place = 0;
  std::uint32_t least = 0;
  std::uint32_t most = UINT32_MAX;
};

/// A member of orb::Options: TENON_OPTION_MEMBER(messaging.limits.memory).
template <typename T>
struct OptionMember {
  std::uint16_t place;
};

// Members of a class that is no C struct: GCC and Clang both have that.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#define TENON_OPTION_MEMBER(member)                                      \
  OptionMember<decltype(std::declval<orb::Options&>().member)> {         \
    static_cast<std::uint16_t>(__builtin_offsetof(orb::Options, member)) \
  }
#define TENON_OPTION_FLAG(member, yes) \
  flag_setting(static_cast<std::uint16_t>(__builtin_offsetof(cdr::Compatibility, member)), yes)

consteval OptionSetting text_setting(OptionMember<std::string> at) { return {How::text, false, at.place}; }
consteval OptionSetting yes_no_setting(OptionMember<bool> at) { return {How::yes_no, false, at.place}; }
consteval OptionSetting number_setting(OptionMember<std::uint32_t> at,
                                       const Bounds& bounds = {"", 0, UINT32_MAX}) {
  return {How::number, false, at.place, bounds.least, bounds.most};
}
consteval OptionSetting seconds_setting(OptionMember<std::uint32_t> at) {
  return {How::seconds, false, at.place, 0, UINT32_MAX / 1000};
}
consteval OptionSetting octets_setting(OptionMember<std::size_t> at) {
  return {How::octets, false, at.place};
}
consteval OptionSetting octets_setting_32(OptionMember<std::uint32_t> at,
                                          const Bounds& bounds = {"", 0, UINT32_MAX}) {
  return {How::octets_32, false, at.place, bounds.least, bounds.most};
}
template <typename T>
consteval OptionSetting choice_setting(OptionMember<T> at, std::uint32_t first = 0) {
  static_assert(sizeof(T) == 1);
  return {How::choice, false, at.place, first};
}
consteval OptionSetting wide_code_set_setting(OptionMember<cdr::CodeSet> at) {
  return {How::wide_code_set, false, at.place};
}
consteval OptionSetting flag_setting(std::uint16_t place, bool yes) {
  return {How::flag, true, place, yes ? 1u : 0u};
}

/// False: `why` says what would be right.
using ApplyOption = bool (*)(orb::Options& options, std::string_view value, std::string& why);

/// A row as it is written.
struct WrittenOption {
  consteval WrittenOption(std::string_view named, std::string_view takes, std::string_view says,
                          OptionSetting set)
      : name(named), argument(takes), text(says), setting(set) {}
  consteval WrittenOption(std::string_view named, std::string_view takes, std::string_view says,
                          ApplyOption function, bool of_process = false)
      : name(named),
        argument(takes),
        text(says),
        setting{.how = How::function, .of_process = of_process},
        apply(function) {}

  std::string_view name;      ///< "-ORBServing"; of a property: "jacorb.logfile"
  std::string_view argument;  ///< "thread-per-connection|pool"; empty: takes none
  std::string_view text;      ///< one sentence, with the default
  OptionSetting setting;
  ApplyOption apply = nullptr;
  std::string_view as = {};  ///< what it is another name of
};

/// What is there while the program runs.
struct OptionTable {
  PackedWords* names;  ///< of each row its name, argument and `as`
  const char* texts;   ///< packed
  const OptionSetting* settings;
  const ApplyOption* functions;
  std::size_t count;
};

/// An OptionTable of a constexpr array of WrittenOption.
template <const auto& rows>
struct PackedOptions {
  static constexpr std::size_t count = std::size(rows);

  static consteval std::size_t octets_of_names() {
    std::size_t octets = 0;
    for (const auto& each : rows) octets += each.name.size() + each.argument.size() + each.as.size() + 3;
    return octets;
  }
  static consteval std::size_t count_functions() {
    std::size_t found = 1;  // an array has at least one
    for (const auto& each : rows) found += each.apply != nullptr;
    return found;
  }

  static constexpr auto written_names = [] {
    PackedTexts<octets_of_names()> all;
    std::size_t to = 0;
    for (const auto& each : rows) {
      for (const std::string_view word : {each.name, each.argument, each.as}) {
        for (const char letter : word) all.octets[to++] = letter;
        ++to;
      }
    }
    return all;
  }();

  static constexpr auto packed_names = pack_all<words_of<written_names, 3 * count>>();
  static inline char names_room[octets_of_names()];
  static inline constinit PackedWords names{packed_names.octets, 3 * count, names_room};

  static constexpr auto written_texts = [] {
    std::array<std::string_view, count> made;
    for (std::size_t i = 0; i < count; ++i) made[i] = rows[i].text;
    return made;
  }();
  static constexpr auto texts = pack_all<written_texts>();

  struct Functions {
    ApplyOption all[count_functions()]{};
  };
  struct Settings {
    OptionSetting all[count]{};
  };
  static constexpr Functions functions = [] {
    Functions made;
    std::size_t to = 0;
    for (const auto& each : rows) {
      if (each.apply != nullptr) made.all[to++] = each.apply;
    }
    return made;
  }();
  static constexpr Settings settings = [] {
    Settings made;
    std::size_t to = 0;
    std::uint16_t number = 0;
    for (const auto& each : rows) {
      made.all[to] = each.setting;
      if (each.setting.how == How::function) made.all[to].place = number++;
      ++to;
    }
    return made;
  }();
  static constexpr OptionTable table{&names, texts.octets, settings.all, functions.all, count};
};

}  // namespace tenon::gen
