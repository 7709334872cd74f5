// SPDX-License-Identifier: Apache-2.0
#include "dissect.hpp"

#include <algorithm>
#include <type_traits>

#include "base/hex.hpp"
#include "cdr/reader.hpp"

namespace tenon::walk {
namespace {

std::string hex(std::uint64_t value) { return "0x" + hex_number(value); }

class Dissector {
 public:
  explicit Dissector(ByteView message)
      : message_(message),
        reader_(message, {.giop_minor = 2, .order = little(message) ? ByteOrder::little : ByteOrder::big}) {}

  /// Reads a number; padding before it becomes a field of its own.
  template <typename T, typename Meaning>
    requires std::is_invocable_v<Meaning, T>
  T number(const Meaning& meaning) {
    align(sizeof(T));
    const std::size_t at = reader_.position();
    const T value = reader_.get<T>();
    add(at, meaning(value));
    return value;
  }
  template <typename T>
  T number(const char* name) {
    return number<T>([&](T value) { return std::string(name) + " " + std::to_string(value); });
  }
  void octets(std::size_t count, const std::string& meaning) {
    const std::size_t at = reader_.position();
    reader_.get_octets(count);
    add(at, meaning);
  }
  std::string string(const std::string& name) {
    const auto length =
        number<std::uint32_t>([&](auto value) { return name + ": " + std::to_string(value) + " octets"; });
    const std::size_t at = reader_.position();
    const ByteView text = reader_.get_octets(length);
    std::string value(text.begin(), text.end());
    if (!value.empty() && value.back() == '\0') value.pop_back();
    add(at, "\"" + value + "\" and its NUL");
    return value;
  }
  void align(std::size_t alignment) {
    const std::size_t at = reader_.position();
    reader_.align(alignment);
    if (reader_.position() != at) add(at, "padding to a multiple of " + std::to_string(alignment));
  }

  void header(const std::string& type) {
    octets(4, "magic: \"GIOP\"");
    number<std::uint8_t>([](unsigned major) { return "version " + std::to_string(major); });
    number<std::uint8_t>([](unsigned minor) { return "." + std::to_string(minor); });
    number<std::uint8_t>([](unsigned flags) {
      return std::string("flags: ") + ((flags & 1) != 0 ? "little-endian" : "big-endian") +
             ((flags & 2) != 0 ? ", more fragments" : ", not fragmented");
    });
    number<std::uint8_t>(
        [&](unsigned value) { return "message type " + std::to_string(value) + ": " + type; });
    const auto size = number<std::uint32_t>("size of what follows:");
    sound_ = sound_ && size + 12 == message_.size();
  }

  void contexts() { sound_ = number<std::uint32_t>("service contexts:") == 0 && sound_; }

  std::vector<Field> finish() {
    const bool whole = sound_ && reader_.good() && reader_.remaining() == 0;
    return whole ? std::move(fields_) : std::vector<Field>();
  }

 private:
  static bool little(ByteView message) { return message.size() > 6 && (message[6] & 1) != 0; }
  void add(std::size_t from, std::string meaning) {
    fields_.push_back({from, reader_.position() - from, std::move(meaning)});
  }

  ByteView message_;
  cdr::Reader reader_;
  std::vector<Field> fields_;
  bool sound_ = true;
};

}  // namespace

std::vector<Field> dissect_request(ByteView message) {
  Dissector in(message);
  in.header("Request");
  in.number<std::uint32_t>("request id");
  in.number<std::uint8_t>([](unsigned flags) {
    return "response flags " + hex(flags) + (flags == 3 ? ": a reply from the target is wanted" : "");
  });
  in.octets(3, "reserved");
  in.number<std::uint16_t>([](unsigned kind) {
    return "addressing " + std::to_string(kind) + (kind == 0 ? ": by object key" : "");
  });
  const auto length =
      in.number<std::uint32_t>([](auto value) { return "object key: " + std::to_string(value) + " octets"; });
  in.octets(length, "the key that the server published");
  in.string("operation");
  in.contexts();
  in.align(8);
  in.number<std::int32_t>("a =");
  in.number<std::int32_t>("b =");
  return in.finish();
}

std::vector<Field> dissect_reply(ByteView message) {
  Dissector in(message);
  in.header("Reply");
  in.number<std::uint32_t>("to request");
  in.number<std::uint32_t>(
      [](auto status) { return "status " + std::to_string(status) + (status == 0 ? ": no exception" : ""); });
  in.contexts();
  in.align(8);
  in.number<std::int32_t>("return value");
  return in.finish();
}

std::string annotated(ByteView message, const std::vector<Field>& fields) {
  constexpr std::size_t per_line = 8;
  std::string out;
  for (const Field& field : fields) {
    for (std::size_t done = 0; done < field.size; done += per_line) {
      const ByteView part = message.subspan(field.offset + done, std::min(per_line, field.size - done));
      std::string line = hex_number(field.offset + done, 4) + "  ";
      std::string characters;
      for (const std::uint8_t octet : part) {
        line += hex_number(octet, 2) + " ";
        characters += octet > ' ' && octet < 0x7F ? static_cast<char>(octet) : '.';
      }
      line.resize(6 + per_line * 3 + 1, ' ');
      line += characters;
      if (done == 0) {
        line.resize(6 + per_line * 3 + 1 + per_line + 2, ' ');
        line += field.meaning;
      }
      out += line + "\n";
    }
  }
  return out;
}

}  // namespace tenon::walk
