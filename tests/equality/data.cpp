// SPDX-License-Identifier: Apache-2.0
#include "tests/equality/data.hpp"

#include "base/hex.hpp"
#include "types/compare.hpp"
#include "types/walker.hpp"

namespace tenon::equality {

bool Data::operator==(const Data& other) const {
  if (static_cast<bool>(type) != static_cast<bool>(other.type)) return false;
  if (type && !types::equal(*type, *other.type)) return false;
  if (value != other.value || again != other.again) return false;
  return bits == other.bits && text == other.text && wide == other.wide && parts == other.parts;
}

std::string text(const Data& data) {
  std::string out;
  if (data.type) out += "(" + types::text(*data.type) + ")";
  if (data.value != 0) out += "#" + std::to_string(data.value);
  if (data.again) return out;
  if (!data.text.empty()) {
    const auto* octets = reinterpret_cast<const std::uint8_t*>(data.text.data());
    out += "\"" + to_hex({octets, data.text.size()}) + "\"";
  }
  if (!data.wide.empty()) {
    out += "L\"";
    for (const wchar_t c : data.wide) out += " " + std::to_string(static_cast<std::uint32_t>(c));
    out += "\"";
  }
  if (data.bits != 0 || out.empty()) {
    if (data.parts.empty() || data.bits != 0) out += std::to_string(static_cast<std::int64_t>(data.bits));
  }
  if (data.parts.empty()) return out;
  out += "{";
  for (const Data& part : data.parts) out += (&part == data.parts.data() ? "" : ", ") + text(part);
  return out + "}";
}

}  // namespace tenon::equality
