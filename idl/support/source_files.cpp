// SPDX-License-Identifier: Apache-2.0
#include "idl/support/source_files.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace tenon::idl {

namespace {
constexpr std::size_t largest_source = 64u << 20;  // bytes; what is larger shows no source lines
}

std::uint32_t SourceFiles::intern(std::string_view path) {
  if (auto it = by_path_.find(path); it != by_path_.end()) return it->second;
  if (!base_.empty() && path.size() > base_.size() && path.starts_with(base_)) {
    path.remove_prefix(base_.size());
    if (auto it = by_path_.find(path); it != by_path_.end()) return it->second;
  }
  const auto id = static_cast<std::uint32_t>(files_.size());
  files_.push_back(Entry{std::string(path), {}, {}, false});
  by_path_.emplace(std::string(path), id);
  return id;
}

std::optional<std::uint32_t> SourceFiles::beside(std::string_view name, std::uint32_t includer) {
  namespace fs = std::filesystem;
  if (name.empty() || name.front() == '/') return std::nullopt;
  const std::string& path = files_[includer].path;
  const std::string joined = path.substr(0, path.rfind('/') + 1) + std::string(name);
  const fs::path plain = fs::path(joined).lexically_normal();
  if (!reads_disk_) {
    const auto known = by_path_.find(plain.string());
    return known != by_path_.end() ? std::optional(known->second) : std::nullopt;
  }
  std::error_code error;
  if (!fs::exists(joined, error)) return std::nullopt;
  // "a/../b" is not "b" where a is a link
  return intern(fs::equivalent(plain, joined, error) ? plain.string() : joined);
}

void SourceFiles::alias(std::string_view path, std::uint32_t file) {
  by_path_.emplace(std::string(path), file);
}

bool SourceFiles::is_standard(std::uint32_t file) const {
  if (standard_.empty()) return false;
  const std::string& given = files_[file].path;
  const std::string path = given.starts_with('/') ? given : base_ + given;
  return path.size() > standard_.size() && path.starts_with(standard_) && path[standard_.size()] == '/';
}

void SourceFiles::set_text(std::uint32_t file, std::string text) {
  Entry& entry = files_[file];
  entry.text = std::move(text);
  entry.loaded = true;
  index(entry);
}

void SourceFiles::index(Entry& entry) {
  entry.starts.assign(1, 0);
  for (std::size_t i = 0; i < entry.text.size(); ++i) {
    if (entry.text[i] == '\n' && i + 1 < entry.text.size()) entry.starts.push_back(i + 1);
  }
}

void SourceFiles::load(Entry& entry) {
  if (entry.loaded) return;
  entry.loaded = true;
  if (!reads_disk_) return;
  std::FILE* file = std::fopen(entry.path.c_str(), "rb");
  if (file == nullptr) return;
  char block[16384];
  while (entry.text.size() < largest_source) {
    const std::size_t got = std::fread(block, 1, sizeof block, file);
    entry.text.append(block, got);
    if (got < sizeof block) break;
  }
  std::fclose(file);
  index(entry);
}

std::uint32_t SourceFiles::line_count(std::uint32_t file) {
  if (file >= files_.size()) return 0;
  load(files_[file]);
  return static_cast<std::uint32_t>(files_[file].starts.size());
}

std::uint32_t SourceFiles::line_with_zero(std::uint32_t file) {
  load(files_[file]);
  const Entry& entry = files_[file];
  const std::size_t at = entry.text.find('\0');
  if (at == std::string::npos) return 0;
  return static_cast<std::uint32_t>(std::ranges::upper_bound(entry.starts, at) - entry.starts.begin());
}

std::optional<std::string_view> SourceFiles::line(std::uint32_t file, std::uint32_t number) {
  if (number == 0 || number > line_count(file)) return std::nullopt;
  const Entry& entry = files_[file];
  const std::size_t begin = entry.starts[number - 1];
  std::size_t end = entry.text.find('\n', begin);
  if (end == std::string::npos) end = entry.text.size();
  if (end > begin && entry.text[end - 1] == '\r') --end;
  return std::string_view(entry.text).substr(begin, end - begin);
}

}  // namespace tenon::idl
