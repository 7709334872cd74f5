// SPDX-License-Identifier: Apache-2.0
// Object references as values, encapsulations and IOR: text. See ior.hpp.
#include "ior/ior.hpp"

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "ior/iiop_profile.hpp"

namespace tenon::ior {

void read_ior(cdr::Reader& reader, Ior& into) {
  into.type_id = std::string(reader.get_raw_string());
  into.profiles.clear();
  // A profile takes at least its tag and the length of its data.
  const std::size_t count = reader.get_length(8);
  into.profiles.reserve(count);
  for (std::size_t i = 0; i < count && reader.good(); ++i) {
    TaggedProfile& profile = into.profiles.emplace_back();
    profile.tag = reader.get<std::uint32_t>();
    const ByteView data = reader.get_octet_sequence();
    profile.data.assign(data.begin(), data.end());
  }
  if (!reader.good()) into = {};
}

void write_ior(cdr::Writer& writer, const Ior& ior) noexcept {
  writer.put_raw_string(ior.type_id);
  writer.put_length(ior.profiles.size());
  for (const TaggedProfile& profile : ior.profiles) {
    writer.put(profile.tag);
    writer.put_length(profile.data.size());
    writer.put_octets(profile.data);
  }
}

std::vector<std::uint8_t> encapsulate(const Ior& ior) {
  cdr::Encapsulation encapsulation;
  write_ior(encapsulation.content(), ior);
  const ByteView bytes = encapsulation.bytes();
  return {bytes.begin(), bytes.end()};
}

Result<Ior> from_encapsulation(ByteView bytes) {
  cdr::Reader reader = cdr::Reader::encapsulation(bytes);
  Ior ior;
  read_ior(reader, ior);
  if (!reader.good()) return errors::bad_reference;
  return ior;
}

std::string to_ior_text(const Ior& ior) {
  static constexpr char digits[] = "0123456789abcdef";
  const std::vector<std::uint8_t> bytes = encapsulate(ior);
  std::string text = "IOR:";
  text.reserve(4 + 2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

namespace {

bool same_profile(const TaggedProfile& a, const TaggedProfile& b) {
  if (a.tag != b.tag) return false;
  if (a.data == b.data) return true;
  if (a.tag != tag_internet_iop) return false;
  const Result<IiopProfile> left = parse_iiop_profile(a.data);
  const Result<IiopProfile> right = parse_iiop_profile(b.data);
  return left && right && same_host(left->address.host, right->address.host) &&
         left->address.port == right->address.port && left->key == right->key;
}

/// FNV-1a: short inputs, no state, the same in every process.
class Digest {
 public:
  void add(std::uint8_t octet) noexcept { value_ = (value_ ^ octet) * 16777619U; }
  void add(ByteView octets) noexcept {
    for (const std::uint8_t octet : octets) add(octet);
  }
  std::uint32_t value() const noexcept { return value_; }

 private:
  std::uint32_t value_ = 2166136261U;
};

}  // namespace

bool equivalent(const Ior& a, const Ior& b) {
  if (a.nil() || b.nil()) return a.nil() && b.nil();
  for (const TaggedProfile& left : a.profiles) {
    for (const TaggedProfile& right : b.profiles) {
      if (same_profile(left, right)) return true;
    }
  }
  return false;
}

std::uint32_t hash(const Ior& ior) noexcept {
  Digest digest;
  if (const TaggedProfile* profile = find_profile(ior, tag_internet_iop)) {
    // Only what equivalent() compares is hashed: not versions and components, nor capitals in a host's name.
    cdr::Reader reader = cdr::Reader::encapsulation(profile->data);
    reader.get<std::uint8_t>();
    reader.get<std::uint8_t>();
    for (const char letter : reader.get_raw_string()) {
      const bool capital = letter >= 'A' && letter <= 'Z';
      digest.add(static_cast<std::uint8_t>(capital ? letter - 'A' + 'a' : letter));
    }
    const auto port = reader.get<std::uint16_t>();
    digest.add(static_cast<std::uint8_t>(port >> 8));
    digest.add(static_cast<std::uint8_t>(port & 0xFF));
    digest.add(reader.get_octet_sequence());
  } else if (!ior.nil()) {
    digest.add(ior.profiles.front().data);
  }
  return digest.value();
}

const TaggedProfile* find_profile(const Ior& ior, std::uint32_t tag) noexcept {
  for (const TaggedProfile& profile : ior.profiles) {
    if (profile.tag == tag) return &profile;
  }
  return nullptr;
}

const TaggedComponent* find_component(const std::vector<TaggedComponent>& components,
                                      std::uint32_t tag) noexcept {
  for (const TaggedComponent& component : components) {
    if (component.tag == tag) return &component;
  }
  return nullptr;
}

}  // namespace tenon::ior
