// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/session.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "idl/driver/compile.hpp"
#include "idl/driver/output.hpp"
#include "idl/model/json.hpp"
#include "idl/sema/implied.hpp"

namespace tenon::idl {

namespace {

bool wants_colour(Colour choice, std::FILE* err) {
  if (choice != Colour::Auto) return choice == Colour::Always;
  const char* term = std::getenv("TERM");
  return std::getenv("NO_COLOR") == nullptr && term != nullptr && std::strcmp(term, "dumb") != 0 &&
         ::isatty(::fileno(err)) != 0;
}

class Reporter final : public BackendDiagnostics {
 public:
  explicit Reporter(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}
  void error(model::Location where, std::string message) override {
    diagnostics_.error(Span{where, 1}, std::move(message));
  }
  void warning(model::Location where, std::string message) override {
    diagnostics_.warning(Span{where, 1}, std::move(message));
  }
  void note(model::Location where, std::string message) override {
    diagnostics_.note(Span{where, 1}, std::move(message));
  }

 private:
  Diagnostics& diagnostics_;
};

std::string base_name(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (const char* suffix : {".idl", ".IDL", ".pidl"}) {
    if (name.size() > std::strlen(suffix) && name.ends_with(suffix)) {
      return name.substr(0, name.size() - std::strlen(suffix));
    }
  }
  return name;
}

struct Session {
  const std::string& path;
  const SessionOptions& options;
  Backend& backend;
  std::FILE* out;
  std::FILE* err;
  SourceFiles sources;
  Diagnostics diagnostics;

  ExitCode finish(ExitCode code) {
    const std::string text = render_all(diagnostics, sources, wants_colour(options.colour, err));
    std::fwrite(text.data(), 1, text.size(), err);
    if (code == ExitCode::Success && diagnostics.has_errors()) code = ExitCode::IdlError;
    return code;
  }

  ExitCode list(const std::vector<std::string>& names) {
    for (const std::string& name : names) std::fprintf(out, "%s\n", name.c_str());
    return finish(ExitCode::Success);
  }

  ExitCode write(const std::vector<OutputFile>& files) {
    std::vector<std::string> inputs = options.more_inputs;
    for (std::uint32_t i = 0; i < sources.count(); ++i) inputs.push_back(sources.path(i));
    std::string problem;
    bool good = write_outputs(options.out_dir, files, options.touch, problem);
    if (good && !options.depfile.empty()) {
      std::vector<std::string> outputs;
      for (const OutputFile& file : files)
        outputs.push_back((std::filesystem::path(options.out_dir) / file.name).string());
      good = write_if_changed(options.depfile, depfile_text(outputs, inputs), true, problem);
    }
    if (good) return finish(ExitCode::Success);
    diagnostics.error(Span{}, problem);
    return finish(ExitCode::OutputError);
  }

  ExitCode run() {
    diagnostics.max_errors = options.max_errors;
    diagnostics.warnings_are_errors = options.warnings_are_errors;
    diagnostics.no_warnings = options.no_warnings;
    diagnostics.warn_anonymous_types = options.warn_anonymous_types;
    BackendOptions backend_options = options.backend;
    backend_options.base_name = base_name(path);
    if (options.list_outputs && !backend.names_want_model()) return list(backend.file_names(backend_options));
    const auto text = preprocess(path, options.preprocessor, sources, diagnostics);
    if (!text) return finish(ExitCode::IdlError);
    if (options.only_preprocess) {
      std::fwrite(text->data(), 1, text->size(), out);
      return finish(ExitCode::Success);
    }
    // After an #include that was not found, every name would be unknown.
    if (diagnostics.has_errors()) return finish(ExitCode::IdlError);
    const auto program = compile_text(*text, sources, diagnostics);
    if (diagnostics.has_errors() || options.only_check) return finish(ExitCode::Success);
    if (backend_options.ami && backend.wants_implied_idl()) add_implied(*program);
    if (options.dump == Dump::Json) {
      const std::string json = model::to_json(*program);
      std::fwrite(json.data(), 1, json.size(), out);
      return finish(ExitCode::Success);
    }
    Reporter reporter(diagnostics);
    if (options.report_sizes) {
      const std::string report = backend.size_report(*program, backend_options, reporter);
      if (!diagnostics.has_errors()) std::fwrite(report.data(), 1, report.size(), out);
      return finish(ExitCode::Success);
    }
    const std::vector<OutputFile> files = backend.emit(*program, backend_options, reporter);
    if (diagnostics.has_errors()) return finish(ExitCode::IdlError);
    if (options.list_outputs) {
      std::vector<std::string> names;
      for (const OutputFile& file : files) names.push_back(file.name);
      return list(names);
    }
    return write(files);
  }
};

}  // namespace

ExitCode run_session(const std::string& path, const SessionOptions& options, Backend& backend, std::FILE* out,
                     std::FILE* err) {
  Session session{path, options, backend, out, err, SourceFiles{}, Diagnostics{}};
  return session.run();
}

}  // namespace tenon::idl
