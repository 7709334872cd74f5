// SPDX-License-Identifier: Apache-2.0
//
// The command line of tenon-idl.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "idl/driver/session.hpp"
#include "idl/driver/standard_idl.hpp"
#include "idl/driver/usage_file.hpp"

namespace {

using namespace tenon::idl;

struct CommandLine {
  SessionOptions session;
  std::vector<std::string> files;
  std::vector<std::string> warnings;
  std::string backend = "cpp11";
  std::string usage;
  std::string report;
  bool any = false;
  bool signatures = false;
  bool ami = false;
};

/// Takes one of the words. CLI11's own transformer would show the values of an enum of octets as characters.
template <typename E>
CLI::Validator one_of(const std::vector<std::pair<std::string, E>>& words) {
  CLI::Validator validator;
  validator.operation([words](std::string& text) -> std::string {
    std::string all;
    for (const auto& [word, value] : words) {
      if (CLI::detail::to_lower(text) == word) {
        text = std::to_string(static_cast<unsigned>(value));
        return {};
      }
      all += (all.empty() ? "" : ", ") + word;
    }
    return "'" + text + "' is none of: " + all;
  });
  return validator;
}

void describe(CLI::App& app, CommandLine& line) {
  SessionOptions& s = line.session;
  app.set_version_flag("--version", "tenon-idl " TENON_VERSION);
  app.add_option("files", line.files, "IDL files to compile")->required()->type_name("FILE");

  const char* input = "Input";
  app.add_option("-I", s.preprocessor.include_directories, "Look for included files in DIR (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(input);
  app.add_option("-D", s.preprocessor.definitions, "Define a macro: NAME or NAME=VALUE")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(input);
  app.add_option("-U", s.preprocessor.undefinitions, "Undefine a macro")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(input);
  app.add_option("--preprocessor", s.preprocessor.program, "The mcpp program to run")
      ->capture_default_str()
      ->type_name("PROGRAM")
      ->group(input);

  const char* output = "Output";
  app.add_option("-o,--out-dir", s.out_dir, "Where generated files go")
      ->capture_default_str()
      ->type_name("DIR")
      ->group(output);
  app.add_option("--backend", line.backend, "What to generate: cpp11, java")
      ->check(CLI::IsMember({"cpp11", "java"}))
      ->capture_default_str()
      ->group(output);
  app.add_option("--stubs", s.backend.stubs,
                 "How operations and types are marshalled: compiled, interpreted, auto")
      ->transform(one_of<Stubs>(
          {{"compiled", Stubs::compiled}, {"interpreted", Stubs::interpreted}, {"auto", Stubs::automatic}}))
      ->type_name("KIND")
      ->default_str("compiled")
      ->group(output);
  app.add_option("--operations", s.backend.operations,
                 "How compiled skeletons find an operation: hash, binary, linear, index")
      ->transform(one_of<Operations>({{"hash", Operations::hash},
                                      {"binary", Operations::binary},
                                      {"linear", Operations::linear},
                                      {"index", Operations::index}}))
      ->type_name("KIND")
      ->default_str("hash")
      ->group(output);
  app.add_option("--usage", line.usage, "With --stubs=auto: what runs of the program used (TENON_USAGE)")
      ->type_name("FILE")
      ->group(output);
  app.add_option("--report", line.report, "Print what compiled and interpreted stubs cost, instead of them")
      ->check(CLI::IsMember({"size"}))
      ->type_name("size")
      ->group(output);
  app.add_flag("--any,!--no-any", line.any,
               "Also generate TypeCodes, for Any (*_any files; in Java in each type's class); off by default")
      ->group(output);
  app.add_flag("--signatures,!--no-signatures", line.signatures,
               "With --any: also generate what shows interceptors the values of stubs; off by default")
      ->group(output);
  app.add_flag(
         "--ami,!--no-ami", line.ami,
         "Also generate asynchronous calls (*_async.hpp, sendc_, sendp_; in Java FooAsync); off by default")
      ->group(output);
  app.add_option("--include-prefix", s.backend.include_prefix,
                 "Put DIR/ before generated headers in #include lines")
      ->type_name("DIR")
      ->group(output);
  app.add_option("--java-package", s.backend.java_package,
                 "Put PACKAGE before the packages that modules are in Java")
      ->type_name("PACKAGE")
      ->group(output);
  app.add_option(
         "--java-wrappers", s.backend.java_wrappers,
         "Which operations of Java cross to C++ in one process one argument at a time: auto, always, never")
      ->transform(one_of<JavaWrappers>({{"auto", JavaWrappers::automatic},
                                        {"always", JavaWrappers::always},
                                        {"never", JavaWrappers::never}}))
      ->type_name("WHICH")
      ->default_str("auto")
      ->group(output);
  app.add_option("--depfile", s.depfile, "Write a dependency file for make or ninja")
      ->type_name("FILE")
      ->group(output);
  app.add_flag("--touch", s.touch, "Give unchanged files a new time stamp too")->group(output);
  app.add_flag("-E", s.only_preprocess, "Stop after preprocessing and print the text")->group(output);
  app.add_flag("--check", s.only_check, "Report errors, write nothing")->group(output);
  app.add_option("--dump", s.dump, "Print the model instead of generating code")
      ->transform(one_of<Dump>({{"json", Dump::Json}}))
      ->type_name("json")
      ->group(output);
  app.add_flag("--list-outputs", s.list_outputs, "Print the names of the files that would be written")
      ->group(output);

  const char* messages = "Messages";
  app.add_option("--max-errors", s.max_errors, "Stop after N errors; 0: never")
      ->capture_default_str()
      ->type_name("N")
      ->group(messages);
  app.add_option("-W", line.warnings, "-Werror: warnings are errors; -Wanonymous: warn about anonymous types")
      ->check(CLI::IsMember({"error", "anonymous"}))
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(messages);
  app.add_flag("-w", s.no_warnings, "No warnings")->group(messages);
  app.add_option("--color", s.colour, "Coloured messages: auto, always, never")
      ->transform(
          one_of<Colour>({{"auto", Colour::Auto}, {"always", Colour::Always}, {"never", Colour::Never}}))
      ->type_name("WHEN")
      ->group(messages);
  app.footer(
      "Exit status: 0 success, 1 errors in the IDL, 2 wrong usage, 3 output could not be written.\n"
      "Example: tenon-idl -I idl --out-dir gen --any linecard.idl");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"tenon-idl compiles OMG IDL to C++11 or Java stubs and skeletons for the Tenon ORB.",
               "tenon-idl"};
  CommandLine line;
  describe(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::UsageError);
  }
  for (const std::string& warning : line.warnings) {
    if (warning == "error") line.session.warnings_are_errors = true;
    if (warning == "anonymous") line.session.warn_anonymous_types = true;
  }
  line.session.backend.any = line.any;
  line.session.backend.signatures = line.signatures;
  if (line.signatures && !line.any) {
    std::fputs("tenon-idl: --signatures goes with --any\n", stderr);
    return static_cast<int>(ExitCode::UsageError);
  }
  if (line.backend == "java" && line.signatures) {
    std::fputs("tenon-idl: --signatures goes with --backend=cpp11\n", stderr);
    return static_cast<int>(ExitCode::UsageError);
  }
  line.session.backend.ami = line.ami;
  line.session.report_sizes = !line.report.empty();
  if (!line.usage.empty()) {
    std::string problem;
    line.session.backend.usage = read_usage_file(line.usage, problem);
    if (!line.session.backend.usage || line.session.backend.stubs != Stubs::automatic) {
      if (problem.empty()) problem = "--usage goes with --stubs=auto";
      std::fprintf(stderr, "tenon-idl: %s: %s\n", line.usage.c_str(), problem.c_str());
      return static_cast<int>(ExitCode::UsageError);
    }
    line.session.more_inputs.push_back(line.usage);
  }
  if (line.files.size() > 1 && !line.session.depfile.empty()) {
    std::fputs("tenon-idl: --depfile takes one IDL file at a time\n", stderr);
    return static_cast<int>(ExitCode::UsageError);
  }
  line.session.preprocessor.standard_directory = standard_idl_directory();
  const auto backend = line.backend == "java" ? make_java_backend() : make_cpp11_backend();
  int worst = 0;
  for (const std::string& file : line.files) {
    const int code = static_cast<int>(run_session(file, line.session, *backend, stdout, stderr));
    if (code > worst) worst = code;
  }
  if (std::fflush(stdout) != 0 && worst == 0) worst = static_cast<int>(ExitCode::OutputError);
  return worst;
}
