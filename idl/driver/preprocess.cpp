// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/preprocess.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

extern char** environ;

namespace tenon::idl {

namespace {

constexpr std::size_t largest_output = 256u << 20;  // bytes

struct Finished {
  int spawn_error = 0;
  int status = 0;
  bool too_large = false;
  std::string output;
  std::string complaints;
};

class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_read();
    close_write();
  }
  bool good() const { return ends_[0] >= 0; }
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  int ends_[2] = {-1, -1};
};

// Reads both pipes until both are closed, or one has sent too much.
void drain(Pipe& output, Pipe& complaints, Finished& into) {
  pollfd polled[2] = {{output.read_end(), POLLIN, 0}, {complaints.read_end(), POLLIN, 0}};
  std::string* texts[2] = {&into.output, &into.complaints};
  int open = 2;
  char block[65536];
  while (open > 0 && !into.too_large) {
    if (::poll(polled, 2, -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    for (int i = 0; i < 2; ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      const ssize_t got = ::read(polled[i].fd, block, sizeof block);
      if (got > 0) {
        texts[i]->append(block, static_cast<std::size_t>(got));
        into.too_large = into.too_large || texts[i]->size() > largest_output;
      } else if (got == 0 || errno != EINTR) {
        polled[i].fd = -1;
        --open;
      }
    }
  }
}

std::vector<char*> environment() {
  std::vector<char*> out;
  for (char** one = environ; *one != nullptr; ++one) {
    if (std::strncmp(*one, "LC_", 3) == 0 || std::strncmp(*one, "LANG", 4) == 0) continue;
    out.push_back(*one);
  }
  static char locale[] = "LC_ALL=C";
  out.push_back(locale);
  out.push_back(nullptr);
  return out;
}

Finished run(const std::vector<std::string>& arguments) {
  Finished out;
  Pipe output;
  Pipe complaints;
  if (!output.good() || !complaints.good()) {
    out.spawn_error = errno;
    return out;
  }
  std::vector<char*> argv;
  for (const std::string& one : arguments) argv.push_back(const_cast<char*>(one.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> envp = environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write_end(), 1);
  posix_spawn_file_actions_adddup2(&actions, complaints.write_end(), 2);
  pid_t child = 0;
  out.spawn_error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&actions);
  if (out.spawn_error != 0) return out;
  output.close_write();
  complaints.close_write();
  drain(output, complaints, out);
  output.close_read();  // a child that still writes gets SIGPIPE and ends
  complaints.close_read();
  while (::waitpid(child, &out.status, 0) < 0 && errno == EINTR) {}
  return out;
}

// The name that mcpp gives to the main file: that of its first `#line 1 "..."`.
std::string first_name(std::string_view text) {
  const std::size_t open = text.find('"');
  const std::size_t line_end = text.find('\n');
  if (!text.starts_with("#line 1 ") || open == std::string_view::npos || open > line_end) return {};
  const std::size_t close = text.find('"', open + 1);
  if (close == std::string_view::npos || close > line_end) return {};
  return std::string(text.substr(open + 1, close - open - 1));
}

// The whole line, without blanks around it.
Span line_span(SourceFiles& sources, std::uint32_t file, std::uint32_t number) {
  Span span{{file, number, 0}, 1};
  const auto line = sources.line(file, number);
  if (!line) return span;
  const std::size_t first = line->find_first_not_of(" \t");
  if (first == std::string_view::npos) return span;
  const std::size_t last = line->find_last_not_of(" \t");
  span.where.column = static_cast<std::uint32_t>(first) + 1;
  span.length = static_cast<std::uint32_t>(last - first + 1);
  return span;
}

// What one line of the preprocessor's complaints says: "/a/b.idl:12: fatal error: text".
struct Complaint {
  std::string_view path;
  std::uint32_t line = 0;
  std::string_view severity;
  std::string_view text;
};

std::optional<Complaint> parse(std::string_view line) {
  for (const std::string_view severity : {"fatal error", "fatal", "error", "warning"}) {
    const std::string mark = ": " + std::string(severity) + ": ";
    const std::size_t end = line.find(mark);
    if (end == std::string_view::npos) continue;
    const std::size_t colon = line.rfind(':', end - 1);
    Complaint out;
    out.severity = severity;
    out.text = line.substr(end + mark.size());
    if (end == 0 || colon == std::string_view::npos) return out;
    out.path = line.substr(0, colon);
    const auto digits = line.substr(colon + 1, end - colon - 1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), out.line);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size()) return out;
  }
  return std::nullopt;
}

// Messages of the preprocessor that do not help a user as they are, and what is said instead.
struct Known {
  std::string_view text;  // the beginning of its message
  std::string_view ours;  // empty: leave it out
  std::string_view hint;
};
constexpr Known known_complaints[] = {
    {"Too long source line", "this line has more than 65534 octets, the most that the preprocessor reads",
     "break it"},
    {"Too long logical line",
     "these lines, joined by '\\', have more than 65534 octets, the most that the preprocessor reads",
     "use fewer of them"},
    {"Too long comment", "this comment is longer than the preprocessor reads", "break it into several"},
    {"More than 256 nesting of #include", "includes are nested more than 256 deep here",
     "does a file include itself? '#ifndef' or '#pragma once' at its start keeps it from that"},
    {"End of input with unterminated comment", "the file ends inside a comment that is never closed", ""},
    {"End of input with no newline", "", ""},  // legal in IDL, and so are lines as Windows ends them
    {"Converted [CR+LF]", "", ""},
    {"null character ignored", "", ""},  // the lexer sees those, and such as the preprocessor says nothing of
};

// Reports every line that has a severity. Lines that begin with a blank continue an earlier message; the last line is a summary.
void report_line(std::string_view line, SourceFiles& sources, Diagnostics& diagnostics) {
  const auto complaint = parse(line);
  if (!complaint) {
    const bool says_more = line.empty() || line.front() == ' ' || line.front() == '\t';
    if (!says_more && line.find(" in preprocessor") == std::string_view::npos)
      diagnostics.error(Span{}, "the preprocessor says: " + std::string(line));
    return;
  }
  Span span{{0, 0, 0}, 1};
  if (!complaint->path.empty()) {
    std::string_view path = complaint->path;
    path.remove_prefix(std::min(path.find_first_not_of(' '), path.size()));
    span = line_span(sources, sources.intern(path), complaint->line);
  }
  std::string text(complaint->text);
  std::string hint;
  bool is_error = complaint->severity != "warning";
  for (const Known& known : known_complaints) {
    if (!complaint->text.starts_with(known.text)) continue;
    if (known.ours.empty()) return;
    text = known.ours;
    hint = known.hint;
    is_error = true;  // part of the text is lost
  }
  if (is_error) {
    diagnostics.error(span, std::move(text), std::move(hint));
  } else {
    diagnostics.warning(span, std::move(text));
  }
}

void report(const std::string& complaints, SourceFiles& sources, Diagnostics& diagnostics) {
  std::size_t begin = 0;
  while (begin < complaints.size()) {
    const std::size_t end = std::min(complaints.find('\n', begin), complaints.size());
    report_line(std::string_view(complaints).substr(begin, end - begin), sources, diagnostics);
    begin = end + 1;
  }
}

std::vector<std::string> command_line(const std::string& path, const PreprocessOptions& options) {
  // -j: no source lines in messages, we show them; -k: keep columns; -N: `unix` and `linux` are names like
  // others; -I-: no headers of C; -V: line numbers above 32767.
  std::vector<std::string> out{options.program, "-j", "-k", "-N", "-I-", "-V199901L"};
  for (const std::string& one : options.include_directories) out.push_back("-I" + one);
  // Last, so that a project's own orb.idl wins.
  if (!options.standard_directory.empty()) out.push_back("-I" + options.standard_directory);
  out.emplace_back("-D__TENON_IDL__=1");
  for (const std::string& one : options.definitions) out.push_back("-D" + one);
  for (const std::string& one : options.undefinitions) out.push_back("-U" + one);
  out.push_back(path.starts_with('-') ? "./" + path : path);
  return out;
}

}  // namespace

std::optional<std::string> preprocess(const std::string& path, const PreprocessOptions& options,
                                      SourceFiles& sources, Diagnostics& diagnostics) {
  const std::uint32_t main_file = sources.intern(path);
  sources.set_standard(options.standard_directory);
  const Span nowhere{{main_file, 0, 0}, 1};
  const int probe = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  const bool readable = probe >= 0 && ::read(probe, &byte, 1) >= 0;
  const int reason = errno;
  if (probe >= 0) ::close(probe);
  if (!readable) {
    diagnostics.error(nowhere, "cannot read '" + path + "': " + std::strerror(reason));
    return std::nullopt;
  }
  Finished result = run(command_line(path, options));
  if (result.spawn_error != 0) {
    diagnostics.error(
        nowhere,
        "cannot run the preprocessor '" + options.program + "': " + std::strerror(result.spawn_error),
        "install mcpp, or name it with --preprocessor");
    return std::nullopt;
  }
  if (result.too_large) {
    diagnostics.error(nowhere, "the preprocessed text of '" + path + "' is larger than 256 MiB");
    return std::nullopt;
  }
  if (char* here = ::realpath(".", nullptr)) {
    sources.set_base(std::string(here) + "/");
    std::free(here);
  }
  if (const std::string name = first_name(result.output); !name.empty()) sources.alias(name, main_file);
  const std::uint32_t before = diagnostics.errors();
  report(result.complaints, sources, diagnostics);
  const bool failed = !WIFEXITED(result.status) || WEXITSTATUS(result.status) != 0;
  if (failed && diagnostics.errors() == before) {
    diagnostics.error(nowhere, "the preprocessor '" + options.program +
                                   "' failed: " + result.complaints.substr(0, result.complaints.find('\n')));
    return std::nullopt;
  }
  return std::move(result.output);
}

}  // namespace tenon::idl
