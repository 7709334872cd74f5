// SPDX-License-Identifier: Apache-2.0
//
// ExceptionDetailMessage: hand-made octets, text of every plane, and what peers get wrong.
#include "protocol/exception_detail.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

using Octets = std::vector<std::uint8_t>;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  while (times-- != 0) all += text;
  return all;
}

TEST(ExceptionDetail, IsAnEncapsulatedWstring) {
  // CORBA 3.4 part 2 §9.3.2.7: in GIOP 1.2 the length counts octets; UTF-16 without a mark is big-endian.
  const Octets big = {0, 0, 0, 0, 0, 0, 0, 4, 0, 'h', 0, 'i'};
  EXPECT_EQ(decode_exception_detail(big), "hi");
  const Octets little = {1, 0, 0, 0, 4, 0, 0, 0, 0, 'h', 0, 'i'};
  EXPECT_EQ(decode_exception_detail(little), "hi");
  const Octets marked = {1, 0, 0, 0, 6, 0, 0, 0, 0xFF, 0xFE, 'h', 0, 'i', 0};
  EXPECT_EQ(decode_exception_detail(marked), "hi");
  const Octets ours = encode_exception_detail("hi");
  EXPECT_EQ(ours, std::endian::native == std::endian::little ? little : big);
}

TEST(ExceptionDetail, TravelsInEveryPlane) {
  for (const char* text :
       {"", "plain", "gr\xC3\xBC\xC3\x9F", "\xE4\xB8\xAD\xE6\x96\x87", "\xF0\x9F\x98\x80!"}) {
    EXPECT_EQ(decode_exception_detail(encode_exception_detail(text)), text);
  }
}

TEST(ExceptionDetail, WhatIsNotTextBecomesHarmless) {
  EXPECT_EQ(decode_exception_detail(encode_exception_detail("a\xFF\xC0\x80"
                                                            "b")),
            "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(decode_exception_detail(encode_exception_detail(std::string("a\x1b[31m\nb\0c", 10))),
            "a [31m b c");
  const std::string umlauts = "x" + repeated("\xC3\xBC", longest_exception_detail);
  EXPECT_EQ(decode_exception_detail(encode_exception_detail(umlauts)),
            umlauts.substr(0, longest_exception_detail - 1))
      << "the last character is left out, not cut";
  const std::string many(10'000, 'x');
  EXPECT_EQ(decode_exception_detail(encode_exception_detail(many)).size(), longest_exception_detail);
}

TEST(ExceptionDetail, MalformedOnesAreEmpty) {
  for (const Octets& data :
       {Octets{}, Octets{1}, Octets{1, 0, 0, 0, 9, 0, 0, 0, 0, 'h'},
        Octets{0, 0, 0, 0, 0, 0, 0, 3, 0, 'h', 0}, Octets{0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}}) {
    EXPECT_EQ(decode_exception_detail(data), "");
  }
}

// A peer says how long its text is.
TEST(ExceptionDetail, WhatIsTooLongIsNotRead) {
  for (const std::size_t units : {(longest_received_detail - 8) / 2, longest_received_detail / 2}) {
    Octets data = {0,
                   0,
                   0,
                   0,
                   0,
                   static_cast<std::uint8_t>(units * 2 >> 16),
                   static_cast<std::uint8_t>(units * 2 >> 8),
                   static_cast<std::uint8_t>(units * 2)};
    for (std::size_t i = 0; i < units; ++i) data.insert(data.end(), {0, 'x'});
    const bool is_read = data.size() <= longest_received_detail;
    EXPECT_EQ(decode_exception_detail(data).size(), is_read ? units : 0) << units;
  }
}

}  // namespace
}  // namespace tenon::protocol
