// SPDX-License-Identifier: Apache-2.0
//
// What a language sees of messages that come in pieces, when arguments fit, and texts that are too long for a tenon_error.
#include <gtest/gtest.h>

#include <cstring>

#include "base/minor_codes.hpp"
#include "bindings/c/handles.hpp"

namespace tenon::c {
namespace {

/// The position modulo 8 of each octet, as a binding counts it.
std::vector<std::size_t> phases(const tenon_body& body) {
  std::vector<std::size_t> all;
  std::size_t next = body.format.phase;
  std::uint32_t segment = 0;
  for (std::size_t at = 0; at < body.size; ++at) {
    if (segment < body.segment_count && body.segments[segment].offset == at)
      next = static_cast<std::size_t>(body.segments[segment++].phase);
    all.push_back(next & 7);
    ++next;
  }
  EXPECT_EQ(segment, body.segment_count);
  return all;
}

TEST(Bodies, OfFragmentsSayWhereAlignmentRestarts) {
  const std::vector<std::uint8_t> octets(100);
  // Every length of a first and a second piece, with each phase that a fragment may begin at.
  for (std::size_t first = 1; first < 20; ++first) {
    for (std::size_t phase = 0; phase < 8; ++phase) {
      const cdr::Restart restarts[] = {{first, phase}, {first + 13, 4}};
      const cdr::Reader in(octets, {.giop_minor = 1}, 4, restarts);
      std::vector<tenon_segment> segments;
      const tenon_body body = body_of(in, segments);
      ASSERT_EQ(body.size, octets.size());
      const std::vector<std::size_t> seen = phases(body);
      for (std::size_t at = 0; at < seen.size(); ++at) {
        const std::size_t expected = at < first        ? 4 + at
                                     : at < first + 13 ? phase + at - first
                                                       : 4 + at - first - 13;
        ASSERT_EQ(seen[at], expected & 7) << at << " of " << first << ", " << phase;
      }
    }
  }
}

TEST(Bodies, InOnePieceHaveNoSegments) {
  const std::vector<std::uint8_t> octets(24);
  std::vector<tenon_segment> segments{{1, 1}};
  cdr::Reader in(octets, {.giop_minor = 0, .order = ByteOrder::big}, 4);
  in.skip(4);
  const tenon_body body = body_of(in, segments);
  EXPECT_EQ(body.data, octets.data() + 4);
  EXPECT_EQ(body.size, 20U);
  EXPECT_EQ(body.format.phase, 0);
  EXPECT_EQ(body.format.little_endian, 0);
  EXPECT_EQ(body.format.giop_minor, 0);
  EXPECT_EQ(body.segment_count, 0U);
  EXPECT_EQ(body.segments, nullptr);
}

TEST(Bodies, FitWhereNothingThatMattersDiffers) {
  const cdr::WireFormat usual;
  const cdr::Writer out(usual);
  tenon_body body = {};
  body.format = format_of(usual, 0);
  EXPECT_TRUE(fits(body, out, true));
  body.format.chars = 0x00010001;
  EXPECT_FALSE(fits(body, out, true));
  EXPECT_TRUE(fits(body, out, false));
  body.format = format_of(usual, 0);
  body.format.giop_minor = 1;
  EXPECT_FALSE(fits(body, out, true));
  EXPECT_TRUE(fits(body, out, false));
  body.format = format_of(usual, 4);
  EXPECT_FALSE(fits(body, out, false));
  body.format =
      format_of({.order = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little}, 0);
  EXPECT_FALSE(fits(body, out, false));
}

TEST(Errors, TextThatIsTooLongIsCutBetweenCharacters) {
  tenon_error error;
  for (std::size_t before = 480; before < 500; ++before) {
    std::string text(before, 'a');
    for (int i = 0; i < 20; ++i) text += "\xE2\x82\xAC";  // three octets
    tell(&error, errors::out_of_data, text);
    const std::string cut = error.text;
    EXPECT_LT(cut.size(), sizeof error.text);
    EXPECT_GE(cut.size(), sizeof error.text - 4);
    EXPECT_EQ(text.substr(0, cut.size()), cut);
    EXPECT_EQ((cut.size() - std::min(cut.size(), before)) % 3, 0U);
  }
}

TEST(Errors, OfServantsAreTakenAsTheyAreOrUnknown) {
  tenon_error error = {};
  EXPECT_EQ(error_of(error).id, SystemException::unknown);
  error.exception = tenon_exception_count() + 1;
  EXPECT_EQ(error_of(error).id, SystemException::unknown);
  error.exception = static_cast<std::uint32_t>(SystemException::marshal);
  error.minor = 17;
  error.completed = 7;
  EXPECT_EQ(error_of(error), (Error{SystemException::marshal, Completion::maybe, 17}));
}

}  // namespace
}  // namespace tenon::c
