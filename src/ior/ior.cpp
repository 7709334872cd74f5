// SPDX-License-Identifier: Apache-2.0
// Object references as values, encapsulations and IOR: text. See ior.hpp.
#include "ior/ior.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/value_memory.hpp"
#include "cdr/writer.hpp"
#include "ior/iiop_profile.hpp"

namespace tenon::ior {

void read_tagged(cdr::Reader& reader, std::vector<Tagged>& into) noexcept {
  // Each takes at least its tag and the length of its data.
  const std::size_t count = reader.get_length(8);
  if (!cdr::reserve(into, count)) reader.fail(errors::out_of_memory);
  for (std::size_t i = 0; i < count && reader.good(); ++i) {
    Tagged& item = cdr::emplace(into);
    item.tag = reader.get<std::uint32_t>();
    if (!cdr::assign(item.data, reader.get_octet_sequence())) reader.fail(errors::out_of_memory);
  }
}

void write_tagged(cdr::Writer& writer, const std::vector<Tagged>& list) noexcept {
  writer.put_length(list.size());
  for (const Tagged& item : list) {
    writer.put(item.tag);
    // Never lent: a reference is often gone before the message.
    writer.put_length(item.data.size());
    writer.put_octets(item.data);
  }
}

Tagged tagged(std::uint32_t tag, cdr::Encapsulation& body) noexcept {
  Tagged made;
  made.tag = tag;
  if (body.content().good()) static_cast<void>(cdr::assign(made.data, body.bytes()));
  return made;
}

void read_ior(cdr::Reader& reader, Ior& into) noexcept {
  if (!cdr::assign(into.type_id, reader.get_raw_string())) reader.fail(errors::out_of_memory);
  read_tagged(reader, into.profiles);
  if (!reader.good()) into = {};
}

void write_ior(cdr::Writer& writer, const Ior& ior) noexcept {
  writer.put_raw_string(ior.type_id);
  write_tagged(writer, ior.profiles);
}

std::vector<std::uint8_t> encapsulate(const Ior& ior) noexcept {
  cdr::Encapsulation encapsulation;
  write_ior(encapsulation.content(), ior);
  return tagged(0, encapsulation).data;
}

Result<Ior> from_encapsulation(ByteView bytes) noexcept {
  cdr::Reader reader = cdr::Reader::encapsulation(bytes);
  Ior ior;
  read_ior(reader, ior);
  if (reader.error() == errors::out_of_memory) return errors::out_of_memory;
  if (!reader.good()) return errors::bad_reference;
  return ior;
}

std::string to_ior_text(const Ior& ior) noexcept {
  static constexpr char digits[] = "0123456789abcdef";
  constexpr std::string_view scheme = "IOR:";
  const std::vector<std::uint8_t> bytes = encapsulate(ior);
  std::string text;
  if (bytes.empty() || !cdr::make_room(text, scheme.size() + 2 * bytes.size())) return text;
  char* to = std::copy(scheme.begin(), scheme.end(), text.data());
  for (const std::uint8_t byte : bytes) {
    *to++ = digits[byte >> 4];
    *to++ = digits[byte & 15];
  }
  return text;
}

namespace {

/// What equivalent() and hash() look at in an IIOP profile: not its version and components.
struct Place {
  explicit Place(ByteView profile) noexcept {
    cdr::Reader reader = cdr::Reader::encapsulation(profile);
    const auto major = reader.get<std::uint8_t>();
    reader.get<std::uint8_t>();
    host = reader.get_raw_string();
    port = reader.get<std::uint16_t>();
    key = reader.get_octet_sequence();
    valid = reader.good() && major == 1;
  }
  std::string_view host;
  std::uint16_t port;
  ByteView key;
  bool valid;
};

bool same_profile(const TaggedProfile& a, const TaggedProfile& b) noexcept {
  if (a.tag != b.tag) return false;
  if (a.data == b.data) return true;
  if (a.tag != tag_internet_iop) return false;
  const Place left(a.data);
  const Place right(b.data);
  return left.valid && right.valid && same_host(left.host, right.host) && left.port == right.port &&
         std::equal(left.key.begin(), left.key.end(), right.key.begin(), right.key.end());
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

bool equivalent(const Ior& a, const Ior& b) noexcept {
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
    // Only what equivalent() compares is hashed: not capitals in a host's name.
    const Place place(profile->data);
    for (const char letter : place.host) {
      const bool capital = letter >= 'A' && letter <= 'Z';
      digest.add(static_cast<std::uint8_t>(capital ? letter - 'A' + 'a' : letter));
    }
    digest.add(static_cast<std::uint8_t>(place.port >> 8));
    digest.add(static_cast<std::uint8_t>(place.port & 0xFF));
    digest.add(place.key);
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
