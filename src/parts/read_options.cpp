// SPDX-License-Identifier: Apache-2.0
//
// Options in text as a Configuration.
#include <utility>

#include "base/log.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  log(LogLevel::error, "orb", why);
  gen::raise_with_reason(errors::bad_option, why);
}

/// `arguments` begin with the program's name.
Configuration read(std::vector<std::string>& arguments, const std::string& orb_identifier) {
  Configuration configuration;
  configuration.arguments = arguments;
  std::string why;
  if (!gen::read_options(arguments, configuration, why)) refuse(why);
  static_cast<void>(log_enabled(LogLevel::warning));  // so that a wrong TENON_LOG is told now
  if (!gen::count_usage_of_environment(why)) refuse(why);
  if (!orb_identifier.empty()) configuration.id = orb_identifier;
  return configuration;
}

}  // namespace

Configuration read_options(int& argc, char* argv[], const std::string& orb_identifier) {
  std::vector<std::string> arguments;
  for (int i = 0; i < argc; ++i) arguments.emplace_back(std::string(argv[i]));
  Configuration configuration = read(arguments, orb_identifier);
  // The arguments that are left keep their pointers and their order.
  int kept = 0;
  for (int i = 0; i < argc && static_cast<std::size_t>(kept) < arguments.size(); ++i) {
    if (arguments[static_cast<std::size_t>(kept)] == argv[i]) argv[kept++] = argv[i];
  }
  if (kept < argc) argv[kept] = nullptr;
  argc = kept;
  return configuration;
}

Configuration read_options(std::vector<std::string>& arguments, const std::string& orb_identifier) {
  std::vector<std::string> all;
  all.push_back("program");
  for (const std::string& each : arguments) all.push_back(each);
  Configuration configuration = read(all, orb_identifier);
  all.erase(all.begin());
  arguments = std::move(all);
  return configuration;
}

}  // namespace tenon
