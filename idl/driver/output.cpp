// SPDX-License-Identifier: Apache-2.0
#include "idl/driver/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

namespace tenon::idl {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string out;
  char block[16384];
  std::size_t got = 0;
  while ((got = std::fread(block, 1, sizeof block, file)) > 0) out.append(block, got);
  std::fclose(file);
  return out;
}

// A file that waits beside its target for the rename, and disappears if that never comes.
class Waiting {
 public:
  explicit Waiting(std::string target)
      : target_(std::move(target)), path_(target_ + ".new" + std::to_string(::getpid())) {}
  Waiting(Waiting&& other) noexcept : target_(std::move(other.target_)), path_(std::move(other.path_)) {
    other.path_.clear();
  }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  ~Waiting() {
    if (!path_.empty()) std::remove(path_.c_str());
  }
  bool write(const std::string& text, std::string& problem) {
    std::FILE* file = std::fopen(path_.c_str(), "wb");
    bool good = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr) good = std::fclose(file) == 0 && good;
    if (!good) problem = "cannot write '" + target_ + "': " + std::strerror(errno);
    return good;
  }
  bool place(std::string& problem) {
    if (std::rename(path_.c_str(), target_.c_str()) != 0) {
      problem = "cannot write '" + target_ + "': " + std::strerror(errno);
      return false;
    }
    path_.clear();
    return true;
  }

 private:
  std::string target_;
  std::string path_;
};

void renew_time(const std::string& path) { ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0); }

std::string escaped(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == ' ' || c == '#' || c == '\\') out.push_back('\\');
    if (c == '$') out.push_back('$');
    out.push_back(c);
  }
  return out;
}

}  // namespace

bool write_outputs(const std::string& directory, const std::vector<OutputFile>& files, bool touch,
                   std::string& problem) {
  std::vector<Waiting> waiting;
  std::vector<std::string> unchanged;
  for (const OutputFile& file : files) {
    const fs::path path = fs::path(directory) / file.name;
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (error) {
      problem = "cannot make the directory '" + path.parent_path().string() + "': " + error.message();
      return false;
    }
    if (const auto before = read_file(path.string()); before && *before == file.text) {
      unchanged.push_back(path.string());
      continue;
    }
    waiting.emplace_back(path.string());
    if (!waiting.back().write(file.text, problem)) return false;
  }
  for (Waiting& one : waiting) {
    if (!one.place(problem)) return false;
  }
  if (touch) {
    for (const std::string& path : unchanged) renew_time(path);
  }
  return true;
}

bool write_if_changed(const std::string& path, const std::string& text, bool touch, std::string& problem) {
  return write_outputs("", {OutputFile{path, text}}, touch, problem);
}

std::string depfile_text(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::string out;
  for (const std::string& name : outputs) out += (out.empty() ? "" : " ") + escaped(name);
  out += ':';
  for (const std::string& name : inputs) out += " \\\n  " + escaped(name);
  return out + "\n";
}

}  // namespace tenon::idl
