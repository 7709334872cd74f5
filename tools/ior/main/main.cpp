// SPDX-License-Identifier: Apache-2.0
//
// The command line of tenon-ior.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "base/error_text.hpp"
#include "base/log.hpp"
#include "base/texts.hpp"
#include "cdr/char_sets.hpp"
#include "plugins/giop/giop.hpp"
#include "tools/ior/probe.hpp"
#include "tools/ior/words.hpp"

namespace {

using namespace tenon;

enum Status : int { reached = 0, not_reached = 1, wrong_usage = 2 };

/// The first word of a file. False: `why` says what is wrong with it.
bool first_word(const std::string& path, std::string& text, std::string& why) {
  errno = 0;
  std::ifstream file(path);
  if (file && file >> text) return true;
  // A folder can be opened, and then not be read.
  why = errno != 0 ? "cannot be read: " + os_error_text(errno)
                   : "the file is empty; it should have a reference";
  return false;
}

/// The text itself, or the first word of "file:PATH" or of standard input ("-"). False: `why` says why there is none.
bool reference_text(const std::string& argument, std::string& text, std::string& why) {
  if (argument == "-") {
    why = "nothing came from standard input; it should be a reference";
    return static_cast<bool>(std::cin >> text);
  }
  if (argument.starts_with("file:")) return first_word(argument.substr(5), text, why);
  text = argument;
  why = "is empty; write IOR:, corbaloc:, corbaname: or file:";
  return !text.empty();
}

int run(const std::string& argument, double timeout, bool only_words) {
  std::string text;
  ior::Ior reference;
  std::string why;
  if (!reference_text(argument, text, why) || !explain::read_reference(text, reference, why)) {
    std::fprintf(stderr, "tenon-ior: %s: %s\n", argument.c_str(), why.c_str());
    return wrong_usage;
  }
  std::fputs(explain::name_in_words(text).c_str(), stdout);
  std::fputs(explain::in_words(reference).c_str(), stdout);
  if (only_words) return reached;
  std::fflush(stdout);
  net::HostNames names(net::system_names());
  const auto tries = explain::probe(reference, static_cast<std::int64_t>(timeout * 1000), names);
  if (!tries.empty()) std::puts("tried:");
  for (const explain::Try& each : tries) std::printf("  %s\n", explain::in_words(each).c_str());
  const std::string help = explain::advice(reference, tries);
  if (!help.empty()) std::printf("what would help:\n");
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = help.find('\n', at);
    std::printf("  %s\n", help.substr(at, end - at).c_str());
    at = end + 1;
  }
  const bool good = std::any_of(tries.begin(), tries.end(), [](const explain::Try& each) {
    return each.outcome == explain::Outcome::here || each.outcome == explain::Outcome::elsewhere;
  });
  return good ? reached : not_reached;
}

}  // namespace

int main(int argc, char** argv) {
  cdr::use_char_sets();
  use_log();
  giop::enable_message_log();
  use_texts();
  CLI::App app("What an object reference says, and whether its object can be reached.", "tenon-ior");
  app.set_version_flag("--version", "tenon-ior " TENON_VERSION);
  app.require_subcommand(1);
  std::string reference;
  double timeout = 3;
  bool only_words = false;
  CLI::App& explain_command = *app.add_subcommand(
      "explain", "Show every profile and component, try each address, say what would help");
  explain_command
      .add_option(
          "reference", reference,
          "IOR:, corbaloc:, corbaname: (the name, and its context), file:PATH, or - for standard input")
      ->required()
      ->type_name("OBJECT");
  explain_command.add_option("--timeout", timeout, "Seconds for each address")
      ->check(CLI::Range(0.001, 3600.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  explain_command.add_flag("--no-connect", only_words, "Only show what the reference says");
  app.footer("Exit status: 0 the object was found (or shown), 1 it was not, 2 wrong usage or no reference.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrong_usage;
  }
  return run(reference, timeout, only_words);
}
