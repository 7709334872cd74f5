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
#include <string_view>
#include <vector>

#include "base/error_text.hpp"
#include "base/log.hpp"
#include "base/texts.hpp"
#include "cdr/char_sets.hpp"
#include "plugins/giop/giop.hpp"
#include "tools/ior/probe.hpp"
#include "tools/ior/tls_trial.hpp"
#include "tools/ior/words.hpp"
#include "tools/orb_options.hpp"

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

/// What the command line said.
struct Said {
  std::string reference;
  double timeout = 3;
  bool only_words = false;
  std::vector<std::string> tls_options;  ///< "ssliop.OPTION=VALUE"
};

/// Tries the places that take TLS, and prints what was seen. `could`: whether it was tried at all; `refused`: this side's options are
/// wrong, which standard error says. Whether one has the object.
bool try_tls(const ior::Ior& reference, const Said& said, bool& could, bool& refused) {
  const auto places = explain::tls_places(reference);
  could = false;
  if (places.empty()) return false;
  const std::string program = explain::find_tenon_cert();
  if (program.empty()) {
    std::puts(
        "not tried over TLS: the program tenon-cert, which does that, is not there (Debian: tenon-tls)");
    return false;
  }
  could = true;
  bool reached = false;
  for (std::size_t i = 0; i < std::min(places.size(), explain::most_tries); ++i) {
    const explain::TlsTried tried = explain::try_tls(program, places[i], said.tls_options, said.timeout);
    refused = tried.refused;
    std::fputs(tried.said.c_str(), refused ? stderr : stdout);
    if (refused) return false;
    std::fflush(stdout);
    reached = reached || tried.reached;
  }
  return reached;
}

int run(const Said& said) {
  const std::string& argument = said.reference;
  std::string text;
  ior::Ior reference;
  std::string why;
  if (!reference_text(argument, text, why) || !explain::read_reference(text, reference, why)) {
    std::fprintf(stderr, "tenon-ior: %s: %s\n", argument.c_str(), why.c_str());
    return wrong_usage;
  }
  std::fputs(explain::name_in_words(text).c_str(), stdout);
  std::fputs(explain::in_words(reference).c_str(), stdout);
  if (said.only_words) return reached;
  std::fflush(stdout);
  net::HostNames names(net::system_names());
  auto tries = explain::probe(reference, static_cast<std::int64_t>(said.timeout * 1000), names);
  bool tried_tls = false;
  bool refused = false;
  const bool good_over_tls = try_tls(reference, said, tried_tls, refused);
  if (tried_tls) {  // what has port 0 was tried in another way
    std::erase_if(tries, [](const explain::Try& each) {
      return each.place.transport == explain::Transport::iiop && each.place.host.port == 0 &&
             each.place.otherwise.tls;
    });
  }
  if (!tries.empty()) std::puts("tried:");
  for (const explain::Try& each : tries) std::printf("  %s\n", explain::in_words(each).c_str());
  const std::string help = tries.empty() && tried_tls ? "" : explain::advice(reference, tries);
  if (!help.empty()) std::printf("what would help:\n");
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = help.find('\n', at);
    std::printf("  %s\n", help.substr(at, end - at).c_str());
    at = end + 1;
  }
  const bool good =
      good_over_tls || std::any_of(tries.begin(), tries.end(), [](const explain::Try& each) {
        return each.outcome == explain::Outcome::here || each.outcome == explain::Outcome::elsewhere;
      });
  return refused ? wrong_usage : good ? reached : not_reached;
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
  Said said;
  CLI::App& explain_command = *app.add_subcommand(
      "explain", "Show every profile and component, try each address, say what would help");
  explain_command
      .add_option(
          "reference", said.reference,
          "IOR:, corbaloc:, corbaname: (the name, and its context), file:PATH, or - for standard input")
      ->required()
      ->type_name("OBJECT");
  explain_command.add_option("--timeout", said.timeout, "Seconds for each address")
      ->check(CLI::Range(0.001, 3600.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  explain_command.add_flag("--no-connect", said.only_words, "Only show what the reference says");
  const auto add_tls = [&](const char* name) {
    explain_command
        .add_option_function<std::string>(
            std::string("--") + name,
            [&said, name](const std::string& value) {
              said.tls_options.push_back("ssliop." + std::string(name) + "=" + value);
            },
            "For TLS: as -ORBProtocolOption ssliop." + std::string(name) + "=FILE")
        ->type_name("FILE");
  };
  for (const char* name : {"authorities", "certificate", "key"}) add_tls(name);
  explain_command.footer("A client's -ORBProtocolOption ssliop.OPTION=VALUE can be given as it is.");
  app.footer("Exit status: 0 the object was found (or shown), 1 it was not, 2 wrong usage or no reference.");
  try {
    app.parse(tools::without_orb_options(argc, argv, "ssliop.", said.tls_options));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : wrong_usage;
  }
  return run(said);
}
