// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/config_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>

#include "base/joined.hpp"
#include "net/address.hpp"
#include "net/descriptor.hpp"

namespace tenon::gen {

namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Takes one line off the front of the text, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_text(std::string_view line) {
  return std::ranges::none_of(line, [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && letter != '\t') || code == 0x7F;
  });
}

bool read_line(std::string_view line, std::string_view last_key, ConfigLine& into, std::string& why) {
  const std::size_t equals = line.find('=');
  if (equals != std::string_view::npos) into.value = without_blanks(line.substr(equals + 1));
  std::string_view key = without_blanks(line.substr(0, equals));
  if (key.empty()) key = last_key;
  if (key.empty()) {
    why = "there is no key before '=', nor in a line above; write key = value";
  } else if (key.find_first_of(blanks) != std::string_view::npos) {
    why = "a key has no blanks; write key = value, and '#' before a comment";
  }
  into.key = key;
  return why.empty();
}

}  // namespace

bool parse_config(std::string_view text, std::vector<ConfigLine>& into, std::string& why) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::string last_key;
  unsigned number = 0;
  while (!text.empty()) {
    ConfigLine setting;
    setting.number = ++number;
    std::string line(without_blanks(take_line(text)));
    if (line.empty() || line.front() == '#') continue;
    while (line.ends_with('\\') && !text.empty()) {
      line.pop_back();
      line += without_blanks(take_line(text));
      ++number;
    }
    std::string wrong;
    if (!is_text(line)) wrong = "there is an octet in it that is no text";
    if (!wrong.empty() || !read_line(line, last_key, setting, wrong)) {
      why = worded("%: %", {decimal(setting.number), wrong});
      return false;
    }
    last_key = setting.key;
    into.push_back(std::move(setting));
  }
  return true;
}

bool read_config_file(const std::string& path, std::vector<ConfigLine>& into, std::string& why) {
  why = path + ": ";
  // Non-blocking, so that the name of a pipe that no process writes to is an error and no wait.
  const net::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat entry{};
  if (!file || ::fstat(file.get(), &entry) != 0) {
    why.append("cannot be read: ").append(net::error_text(errno));
    return false;
  }
  if (!S_ISREG(entry.st_mode)) {
    why += "is not a file";
    return false;
  }
  constexpr std::size_t room = config_bytes_most + 1;
  const std::unique_ptr<char[]> text(new (std::nothrow) char[room]);
  if (!text) {
    why.append("cannot be read: ").append(net::error_text(ENOMEM));
    return false;
  }
  std::size_t size = 0;
  ssize_t came = 0;
  do {
    came = ::read(file.get(), text.get() + size, room - size);
    if (came > 0) size += static_cast<std::size_t>(came);
  } while (size < room && (came > 0 || (came < 0 && errno == EINTR)));
  if (came < 0) {
    why.append("cannot be read: ").append(net::error_text(errno));
    return false;
  }
  if (size > config_bytes_most) {
    why += worded("has more than % bytes, which is no configuration", {decimal(config_bytes_most)});
    return false;
  }
  std::string wrong;
  if (!parse_config({text.get(), size}, into, wrong)) {
    why = worded("%:%", {path, wrong});
    return false;
  }
  why.clear();
  return true;
}

}  // namespace tenon::gen
