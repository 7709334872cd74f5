// SPDX-License-Identifier: Apache-2.0
#include "idl/support/diagnostics.hpp"

#include <algorithm>

namespace tenon::idl {

namespace {

constexpr std::uint32_t most_warnings = 500;
constexpr std::size_t widest_line = 200;  // of a shown source line, in bytes

struct Paint {
  const char* bold;
  const char* severity;
  const char* caret;
  const char* off;
};

Paint paint_for(Severity severity, bool colour) {
  if (!colour) return {"", "", "", ""};
  switch (severity) {
    case Severity::Note: return {"\033[1m", "\033[1;36m", "\033[1;32m", "\033[0m"};
    case Severity::Warning: return {"\033[1m", "\033[1;35m", "\033[1;32m", "\033[0m"};
    case Severity::Error: return {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[0m"};
  }
  return {"", "", "", ""};
}

const char* word(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "";
}

// Source bytes may be anything: keep control characters off the terminal, and tabs one column wide each.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '\t') {
      out.push_back(' ');
    } else if (u < 0x20 || u == 0x7f) {
      out.push_back('?');
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// Columns count bytes, carets stand below characters: continuation bytes of UTF-8 take no place.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

void append_source(std::string& out, const Diagnostic& d, std::string_view line, const Paint& paint) {
  std::size_t column = d.span.where.column;  // from 1
  std::size_t first = 0;
  if (line.size() > widest_line) {  // show the part around the caret
    first = column > widest_line / 2 ? column - widest_line / 2 : 0;
    first = std::min(first, line.size() - widest_line);
    line = line.substr(first, widest_line);
    column = column > first ? column - first : 1;
  }
  column = std::min(column, line.size() + 1);
  const std::size_t before = width(line.substr(0, column - 1));
  const std::string_view marked = line.substr(column - 1, d.span.length);
  const std::string number = std::to_string(d.span.where.line);
  const std::string margin(std::max<std::size_t>(number.size(), 5), ' ');
  out += margin.substr(number.size()) + number + " | " + printable(line) + "\n";
  out += margin + " | " + std::string(before, ' ') + paint.caret + "^";
  if (const std::size_t tail = width(marked); tail > 1) out += std::string(tail - 1, '~');
  if (!d.hint.empty()) out += " " + d.hint;
  out += paint.off;
  out += "\n";
}

}  // namespace

bool Diagnostics::keep(Severity severity, const Span& span, const std::string& message) {
  std::string key = std::to_string(static_cast<int>(severity)) + ":" + std::to_string(span.where.file) + ":" +
                    std::to_string(span.where.line) + ":" + std::to_string(span.where.column) + ":" + message;
  last_kept_ = seen_.insert(std::move(key)).second;
  return last_kept_;
}

void Diagnostics::error(Span span, std::string message, std::string hint) {
  last_kept_ = false;
  if (exhausted_ || !keep(Severity::Error, span, message)) return;
  all_.push_back({Severity::Error, span, std::move(message), std::move(hint)});
  if (++errors_ == max_errors) exhausted_ = true;
}

void Diagnostics::warning(Span span, std::string message, std::string hint) {
  last_kept_ = false;
  if (no_warnings) return;
  if (warnings_are_errors) {
    error(span, std::move(message), std::move(hint));
    return;
  }
  if (warnings_ == most_warnings || !keep(Severity::Warning, span, message)) return;
  all_.push_back({Severity::Warning, span, std::move(message), std::move(hint)});
  ++warnings_;
}

void Diagnostics::note(Span span, std::string message, std::string hint) {
  if (!last_kept_) return;
  all_.push_back({Severity::Note, span, std::move(message), std::move(hint)});
}

std::string render(const Diagnostic& d, SourceFiles& sources, bool colour) {
  const Paint paint = paint_for(d.severity, colour);
  std::string out = paint.bold;
  if (d.span.where.line != 0 && d.span.where.file < sources.count()) {
    out += sources.path(d.span.where.file) + ":" + std::to_string(d.span.where.line);
    if (d.span.where.column != 0) out += ":" + std::to_string(d.span.where.column);
    out += ": ";
  } else {
    out += "tenon-idl: ";
  }
  out += paint.off;
  out += paint.severity;
  out += word(d.severity);
  out += ": ";
  out += paint.off;
  out += paint.bold + d.message + paint.off;
  const auto line =
      d.span.where.column != 0 ? sources.line(d.span.where.file, d.span.where.line) : std::nullopt;
  if (line) {
    out += "\n";
    append_source(out, d, *line, paint);
  } else {
    if (!d.hint.empty()) out += " (" + d.hint + ")";
    out += "\n";
  }
  return out;
}

std::string render_all(const Diagnostics& diagnostics, SourceFiles& sources, bool colour) {
  std::string out;
  for (const Diagnostic& d : diagnostics.all()) out += render(d, sources, colour);
  if (diagnostics.exhausted()) out += "tenon-idl: too many errors, stopping (see --max-errors)\n";
  const auto counted = [](std::uint32_t n, const char* what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  if (diagnostics.errors() != 0) out += counted(diagnostics.errors(), "error");
  if (diagnostics.warnings() != 0) {
    out += (diagnostics.errors() != 0 ? " and " : "") + counted(diagnostics.warnings(), "warning");
  }
  if (diagnostics.errors() + diagnostics.warnings() != 0) out += ".\n";
  return out;
}

}  // namespace tenon::idl
