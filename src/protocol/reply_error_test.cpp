// SPDX-License-Identifier: Apache-2.0
#include "protocol/reply_error.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cdr/reader.hpp"
#include "cdr/writer.hpp"

namespace tenon::protocol {
namespace {

Error of_writing(cdr::WireFormat format) {
  cdr::Writer writer(format);
  writer.put_wstring(L"w");
  return in_reply(writer.error().with(Completion::yes));
}

TEST(ReplyError, WideTextInGiop10) {
  const Error expected = errors::wchar_returned_in_giop_1_0.with(Completion::yes);
  EXPECT_EQ(of_writing({.giop_minor = 0}), expected);
  cdr::Reader reader(ByteView(), {.giop_minor = 0});
  std::wstring text;
  reader.get_wstring(text);
  EXPECT_EQ(in_reply(reader.error().with(Completion::yes)), expected);
}

TEST(ReplyError, WideTextWithoutACodeSet) {
  EXPECT_EQ(of_writing({.giop_minor = 2, .wchars = cdr::CodeSet::none}),
            errors::wchar_not_in_context.with(Completion::yes));
}

TEST(ReplyError, OthersStay) { EXPECT_EQ(in_reply(errors::local_object), errors::local_object); }

}  // namespace
}  // namespace tenon::protocol
