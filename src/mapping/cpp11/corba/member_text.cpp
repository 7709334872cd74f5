// SPDX-License-Identifier: Apache-2.0
//
// Compiled without exceptions: what is read here has come whole, and a text ends soon after `longest`.
#include "mapping/cpp11/corba/member_text.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/fixed.hpp"
#include "base/hex.hpp"

namespace tenon::gen {
namespace {

constexpr std::size_t longest = 1000;

/// The text in quotes; characters that would control a terminal are escaped.
std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (letter == quote || letter == '\\') out += '\\';
    if (code < 0x20 || code == 0x7F) {
      out.append("\\x").append(hex_number(code, 2));
    } else {
      out += letter;
    }
  }
  return out + quote;
}

std::string narrowed(std::wstring_view text, char quote) {
  std::string out(1, quote);
  for (const wchar_t letter : text) {
    const std::uint32_t code = std::char_traits<wchar_t>::to_int_type(letter);
    out +=
        code >= 0x20 && code < 0x7F ? std::string(1, static_cast<char>(code)) : "\\u" + hex_number(code, 4);
  }
  return out + quote;
}

class MemberText {
 public:
  MemberText(const char* description, ByteView members)
      : description_(description), at_(description), in_(members, text_as_it_is) {}

  std::string text() {
    fields('\0');
    return std::move(out_);
  }

 private:
  /// Nothing more will come.
  bool stopped() const noexcept { return stopped_; }

  void fields(char end) {
    for (bool first = true; *at_ != end && *at_ != '\0' && !stopped(); first = false) {
      if (!first) out_ += ", ";
      member();
      if (*at_ == ' ') ++at_;
    }
    if (*at_ == end && end != '\0') ++at_;
  }

  /// "name = value", or only the value if the member has no name.
  void member() {
    if (*at_ != ':') {
      while (*at_ != ':') out_ += *at_++;
      out_ += " = ";
    }
    ++at_;
    value();
  }

  void value() {
    if (out_.size() > longest || *at_ == '?') return stop();
    const std::size_t before = out_.size();
    const char kind = *at_++;
    switch (kind) {
      case '*': elements(in_.get_length(0)); break;
      case '[': {
        const std::size_t count = number();
        ++at_;
        elements(count);
        break;
      }
      case '{':
        out_ += '{';
        fields('}');
        if (!stopped()) out_ += '}';
        break;
      case '(': enumerator(in_.get<std::uint32_t>()); break;
      case '<': selected(); break;
      case 'v': value_object(); break;
      case 'A': in_.get<bool>() ? reference() : value_object(); break;
      case 'a': any(); break;
      case '%': fixed(); break;
      default: plain(kind);
    }
    if (in_.good()) return;
    if (!stopped()) out_.resize(before);
    stop();
  }

  void stop() {
    if (!stopped_) out_ += "...";
    stopped_ = true;
  }

  void plain(char kind) {
    switch (kind) {
      case 'b': out_ += in_.get<bool>() ? "true" : "false"; break;
      case 'c': out_ += quoted(std::string(1, in_.get<char>()), '\''); break;
      case 'w': out_ += narrowed(std::wstring(1, in_.get_wchar()), '\''); break;
      case 'o': add(std::uint64_t{in_.get<std::uint8_t>()}); break;
      case 'i': add(std::int64_t{in_.get<std::int8_t>()}); break;
      case 'h': short_or_name(in_.get<std::int16_t>()); break;
      case 'H': add(std::uint64_t{in_.get<std::uint16_t>()}); break;
      case 'l': add(std::int64_t{in_.get<std::int32_t>()}); break;
      case 'L': add(std::uint64_t{in_.get<std::uint32_t>()}); break;
      case 'q': add(in_.get<std::int64_t>()); break;
      case 'Q': add(in_.get<std::uint64_t>()); break;
      case 'f': add(in_.get<float>()); break;
      case 'd': add(in_.get<double>()); break;
      case 'D': long_double(in_.get_long_double()); break;
      case 's': string(); break;
      case 'S': wstring(); break;
      case 'r': reference(); break;
      default: stop();
    }
  }

  template <typename T>
  void add(T number) {
    char digits[64];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    out_.append(digits, end);
  }
  void short_or_name(std::int16_t number) {
    if (*at_ != '(') return add(std::int64_t{number});
    ++at_;
    enumerator(static_cast<std::uint32_t>(number));
  }
  void long_double(long double number) {
    char digits[64];
    std::snprintf(digits, sizeof digits, "%.21Lg", number);
    out_ += digits;
  }

  void string() {
    std::string text;
    in_.get_string(text);
    const bool cut = text.size() > longest;
    if (cut) text.resize(longest);
    out_ += quoted(text, '"');
    if (cut) stop();
  }
  void wstring() {
    std::wstring text;
    in_.get_wstring(text);
    const bool cut = text.size() > longest;
    if (cut) text.resize(longest);
    out_ += narrowed(text, '"');
    if (cut) stop();
  }

  void reference() {
    const std::string_view type = in_.get_raw_string();
    const std::uint32_t profiles = in_.get<std::uint32_t>();
    for (std::uint32_t i = 0; i < profiles && in_.good(); ++i) {
      (void)in_.get<std::uint32_t>();
      (void)in_.get_octet_sequence();
    }
    out_ += profiles == 0 ? "nil" : "reference to " + std::string(type.empty() ? "an object" : type);
  }

  std::size_t number() {
    std::size_t read = 0;
    while (*at_ >= '0' && *at_ <= '9') read = read * 10 + static_cast<std::size_t>(*at_++ - '0');
    return read;
  }

  /// Reads "red,green)" of the description and writes the enumerator that `left` others precede.
  void enumerator(std::uint32_t left) {
    for (; *at_ != ')'; ++at_) {
      if (*at_ == ',') {
        --left;
      } else if (left == 0) {
        out_ += *at_;
      }
    }
    ++at_;
  }

  /// The discriminator that comes next, which is not consumed.
  std::int64_t label() {
    cdr::Reader ahead = in_;
    switch (*at_) {
      case 'b': return ahead.get<bool>() ? 1 : 0;
      case 'c': return static_cast<unsigned char>(ahead.get<char>());
      case 'w': return std::char_traits<wchar_t>::to_int_type(ahead.get_wchar());
      case 'o': return ahead.get<std::uint8_t>();
      case 'i': return ahead.get<std::int8_t>();
      case 'h': return ahead.get<std::int16_t>();
      case 'H': return ahead.get<std::uint16_t>();
      case 'l': return ahead.get<std::int32_t>();
      case 'q': return ahead.get<std::int64_t>();
      case 'Q': return static_cast<std::int64_t>(ahead.get<std::uint64_t>());
      default: return ahead.get<std::uint32_t>();  // 'L', an enum
    }
  }
  /// Reads "1,2=" of the description, "=" of the default case: whether `wanted` is there.
  bool has_label(std::int64_t wanted) {
    bool found = *at_ == '=';
    while (*at_ != '=') {
      std::int64_t each = 0;
      at_ = std::from_chars(at_, at_ + std::strlen(at_), each).ptr;
      found = found || each == wanted;
      if (*at_ == ',') ++at_;
    }
    ++at_;
    return found;
  }
  static const char* behind_name(const char* at) {
    while (*at != ':') ++at;
    return at + 1;
  }

  /// Writes a union.
  void selected() {
    const std::int64_t wanted = label();
    out_ += "{_d = ";
    value();
    bool found = false;
    while (*at_ == ' ' && !stopped()) {
      ++at_;
      if (!found && has_label(wanted)) {
        found = true;
        out_ += ", ";
        member();
      } else {
        at_ = behind(behind_name(at_));
      }
    }
    if (stopped()) return;
    if (*at_ != '>' && !found) return stop();  // the description was too long
    if (*at_ == '>') ++at_;
    out_ += '}';
  }

  void value_object() {
    if (*at_ == '=') at_ = behind(at_);
    const cdr::ValueHeader head = in_.begin_value();
    switch (head.kind) {
      case cdr::ValueHeader::Kind::bad: return;
      case cdr::ValueHeader::Kind::null: out_ += "null"; return;
      case cdr::ValueHeader::Kind::shared: out_ += "(an earlier value)"; return;
      case cdr::ValueHeader::Kind::value: break;
    }
    out_ += head.id;
    const char* const state = state_of(head.id);
    if (state == nullptr) {
      out_ += " {...}";
      if (!head.chunked) return stop();  // where it ends is unknown
      return in_.end_value(head, true);
    }
    const char* const after = std::exchange(at_, state);
    out_ += " {";
    fields('}');
    if (stopped()) return;
    out_ += '}';
    at_ = after;
    in_.end_value(head, false);
  }
  /// The place in the description that has the state of this type; null: there is none.
  const char* state_of(std::string_view id) const {
    const char* const found = std::strstr(description_, ("v=" + std::string(id) + '{').c_str());
    return found != nullptr ? found + id.size() + 3 : nullptr;
  }

  void any() {
    if (show_any == nullptr) return stop();
    std::string text;
    show_any(in_, text);
    for (const char letter : text) {
      const auto code = static_cast<unsigned char>(letter);
      out_ += code < 0x20 || code == 0x7F ? "\\x" + hex_number(code, 2) : std::string(1, letter);
    }
    if (out_.size() <= 2 * longest) return;
    out_.resize(longest);
    stop();
  }

  void fixed() {
    const auto digits = static_cast<unsigned>(number());
    ++at_;
    const auto scale = static_cast<unsigned>(number());
    Fixed value;
    in_.get_fixed(value, digits, scale);
    out_ += value.to_string();
  }

  void elements(std::size_t count) {
    const char* const type = at_;
    if (*type == 'o') {
      ++at_;
      out_ += '<' + octets_in_words(in_.get_octets(count)) + '>';
      return;
    }
    out_ += '[';
    for (std::size_t i = 0; i < count && !stopped(); ++i) {
      if (i != 0) out_ += ", ";
      at_ = type;
      value();
    }
    if (stopped()) return;
    out_ += ']';
    at_ = behind(type);
  }

  /// The place after one type in the description.
  static const char* behind(const char* at) {
    while (*at == '*' || *at == '[') {
      at = *at == '[' ? behind_mark(at, ']') : at + 1;
    }
    if (*at == '(') return behind_mark(at, ')');
    unsigned open = 0;
    for (; *at != '\0'; ++at) {
      const bool ends = *at == '}' || *at == '>';
      if (*at == '{' || *at == '<') ++open;
      if (open == 0 && (*at == ' ' || ends)) return at;
      if (ends && --open == 0) return at + 1;
    }
    return at;
  }
  static const char* behind_mark(const char* at, char mark) {
    while (*at != mark) ++at;
    return at + 1;
  }

  const char* const description_;
  const char* at_;
  cdr::Reader in_;
  std::string out_;
  bool stopped_ = false;
};

}  // namespace

ShowAny show_any = nullptr;

std::string member_text(const char* description, ByteView members) {
  return MemberText(description, members).text();
}

}  // namespace tenon::gen
