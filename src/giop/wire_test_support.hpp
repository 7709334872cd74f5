// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder: hand-written messages by name, readers on them, and whole messages made by writers.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "giop/header.hpp"
#include "tests/wire/hex_sections.hpp"

namespace tenon::giop::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes golden(const std::string& name) {
  static const wire::HexSections sections = wire::read_hex_sections("../../tests/wire/giop_heads.hex");
  const auto found = sections.find(name);
  EXPECT_NE(found, sections.end()) << "no section " << name << " in tests/wire/giop_heads.hex";
  return found == sections.end() ? Bytes(header_size) : found->second;
}

inline cdr::WireFormat format(std::uint8_t minor, ByteOrder order) {
  cdr::WireFormat result;
  result.giop_minor = minor;
  result.order = order;
  return result;
}

/// A checked message: its header, and a reader behind it.
struct Opened {
  CheckedHeader header;
  cdr::Reader reader;
};

inline Opened open(const Bytes& message) {
  const HeaderResult header = parse_header(message.data(), 1u << 20);
  EXPECT_TRUE(header) << "fault " << static_cast<int>(header.fault());
  EXPECT_EQ(header->total(), message.size());
  return {*header, cdr::Reader(ByteView(message).subspan(header_size),
                               format((*header)->minor, (*header)->order), body_phase)};
}

inline Bytes bytes_of(cdr::Writer& writer) {
  EXPECT_TRUE(writer.good());
  return writer.copy();
}

inline ByteView view(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string text(ByteView bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace tenon::giop::test
