// SPDX-License-Identifier: Apache-2.0
//
// The files that take part in a compilation, by number, and their lines as the user wrote them.
//
// The compiler works on preprocessed text; the original lines are read only for diagnostics, for columns that
// macros shifted and for documentation comments. A file that cannot be read simply has no lines.
// Threads: none; one object per compilation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::idl {

class SourceFiles {
 public:
  // reads_disk false: only texts given by set_text exist (fuzzing, tests).
  explicit SourceFiles(bool reads_disk = true) : reads_disk_(reads_disk) {}

  std::uint32_t intern(std::string_view path);
  // The file that a relative name in an #include of another file means: one beside that file. Nothing: there is none.
  std::optional<std::uint32_t> beside(std::string_view name, std::uint32_t includer);
  // Another name of the same file: the preprocessor may print absolute paths where the user gave relative
  // ones.
  void alias(std::string_view path, std::uint32_t file);
  // Paths below this directory (with its final slash) are kept relative to it.
  void set_base(std::string directory) { base_ = std::move(directory); }
  // Below this directory are the standard's IDL files that come with the compiler.
  void set_standard(std::string directory) { standard_ = std::move(directory); }
  bool is_standard(std::uint32_t file) const;
  void set_text(std::uint32_t file, std::string text);

  std::size_t count() const { return files_.size(); }
  const std::string& path(std::uint32_t file) const { return files_[file].path; }
  // The line without its line feed; nothing when the file or the line does not exist. Valid while this lives.
  std::optional<std::string_view> line(std::uint32_t file, std::uint32_t number);
  std::uint32_t line_count(std::uint32_t file);
  // The first line with a zero octet in it; 0: none.
  std::uint32_t line_with_zero(std::uint32_t file);

 private:
  struct Entry {
    std::string path;
    std::string text;
    std::vector<std::size_t> starts;
    bool loaded = false;
  };
  void load(Entry& entry);
  static void index(Entry& entry);

  std::vector<Entry> files_;
  std::map<std::string, std::uint32_t, std::less<>> by_path_;
  std::string base_;
  std::string standard_;
  bool reads_disk_;
};

}  // namespace tenon::idl
