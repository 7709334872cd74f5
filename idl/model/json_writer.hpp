// SPDX-License-Identifier: Apache-2.0
//
// Writes JSON: values in order, with the commas, quotes and indentation between them. Part of the model's
// dump.
#pragma once

#include <cstdio>
#include <string>

namespace tenon::idl::model {

// Length of the well-formed UTF-8 sequence at text[i], 0 if there is none.
inline std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned lead = byte(i);
  const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                             : lead >= 0xe0 && lead <= 0xef ? 3
                             : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                            : 0;
  if ((lead == 0xe0 && byte(i + 1) < 0xa0) || (lead == 0xed && byte(i + 1) > 0x9f) ||
      (lead == 0xf0 && byte(i + 1) < 0x90) || (lead == 0xf4 && byte(i + 1) > 0x8f)) {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0) != 0x80) return 0;
  }
  return length;
}

// Writes values with the commas and indentation between them.
class JsonWriter {
 public:
  void open(char bracket) {
    separate();
    text_.push_back(bracket);
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_) new_line();
    text_.push_back(bracket);
    first_ = false;
  }
  void key(const char* name) {
    separate();
    quote(name);
    text_ += ": ";
    after_key_ = true;
  }
  void string(const std::string& value) {
    separate();
    quote(value);
  }
  void raw(const std::string& value) {
    separate();
    text_ += value;
  }
  void field(const char* name, const std::string& value) {
    key(name);
    string(value);
  }
  void field(const char* name, const char* value) { field(name, std::string(value)); }
  void field(const char* name, bool value) {
    key(name);
    raw(value ? "true" : "false");
  }
  void number(const char* name, std::uint64_t value) {
    key(name);
    raw(std::to_string(value));
  }
  void flag(const char* name, bool value) {  // written only when true
    if (value) field(name, true);
  }
  std::string take() {
    text_.push_back('\n');
    return std::move(text_);
  }

 private:
  void separate() {
    if (after_key_) {
      after_key_ = false;
      return;
    }
    if (depth_ == 0) return;
    if (!first_) text_.push_back(',');
    new_line();
    first_ = false;
  }
  void new_line() {
    text_.push_back('\n');
    text_.append(depth_, ' ');
  }
  // JSON is UTF-8: bytes that are none (IDL strings may hold any) come as the character of that number.
  void quote(const std::string& value) {
    text_.push_back('"');
    for (std::size_t i = 0; i < value.size();) {
      if (const std::size_t length = utf8_length(value, i); length != 0) {
        text_.append(value, i, length);
        i += length;
        continue;
      }
      const auto byte = static_cast<unsigned char>(value[i++]);
      if (byte == '"' || byte == '\\') {
        text_.push_back('\\');
        text_.push_back(static_cast<char>(byte));
      } else if (byte >= 0x20 && byte < 0x7f) {
        text_.push_back(static_cast<char>(byte));
      } else {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
        text_ += escape;
      }
    }
    text_.push_back('"');
  }
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;
  bool after_key_ = false;
};

}  // namespace tenon::idl::model
