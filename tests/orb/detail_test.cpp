// SPDX-License-Identifier: Apache-2.0
//
// ExceptionDetailMessage from end to end: what a server says beside its system exceptions, how much of it, and that clients show it.
#include <tenon/tried.hpp>

#include "base/minor_codes.hpp"
#include "protocol/exception_detail.hpp"
#include "tests/orb/raw_peer.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

std::string what_of(const std::function<void()>& call) {
  try {
    call();
    return "";
  } catch (const CORBA::SystemException& exception) {
    return exception.what();
  }
}

using Detail = World;
INSTANTIATE_TEST_SUITE_P(All, Detail, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Detail, SaysAllWhereTheServerWants) {
  const Pair open(GetParam(), {"-ORBExceptionDetail", "full"});
  const std::string what = what_of([&] { open.test->fail(Suite::Failure::a_runtime_error); });
  EXPECT_TRUE(what.starts_with("UNKNOWN")) << what;
  EXPECT_TRUE(has(what, "saying 'out of range'")) << what;
  EXPECT_EQ(open.test->add(1, 2), 3);
}

TEST_P(Detail, SaysNothingOfTheProgramOtherwise) {
  EXPECT_FALSE(has(what_of([&] { pair->test->fail(Suite::Failure::a_runtime_error); }), "out of range"));
  EXPECT_EQ(pair->test->add(1, 2), 3);
}

TEST(DetailOfVersions, EachHasAPlaceForIt) {
  for (const char* version : {"1.0", "1.1", "1.2"}) {
    const Pair pair(Case{"iiop", "pool"}, {"-ORBExceptionDetail", "full", "-ORBGIOPVersion", version});
    const std::string what = what_of([&] { pair.test->fail(Suite::Failure::a_runtime_error); });
    EXPECT_TRUE(has(what, "saying 'out of range'")) << version << ": " << what;
  }
}

/// What a server with this option says to a request for an object that it does not have: the reply's octets.
Bytes refusal(const char* detail) {
  const Pair pair(Case{"iiop", "thread-per-connection"}, {"-ORBExceptionDetail", detail});
  const std::string endpoint = pair.server()._endpoints().front();
  const auto port = static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
  const RawSocket peer = RawSocket::connect(port);
  EXPECT_TRUE(peer.send(request(5, "nobody", "noop")));
  return peer.receive_message();
}

TEST(DetailOnTheWire, IsServiceContextFourteen) {
  const Bytes reply = refusal("meaning");
  ASSERT_GT(reply.size(), 40U);
  // GIOP 1.2 §9.4.3: header 12, request id 4, status 4, then the list of contexts: how many, id, octets.
  EXPECT_EQ(reply[16], 2U);
  EXPECT_EQ(reply[20], 1U);
  EXPECT_EQ(reply[24], protocol::exception_detail_context);
  const std::size_t size = reply[28] + 256U * reply[29];
  ASSERT_LT(32 + size, reply.size());
  const std::string said = protocol::decode_exception_detail({reply.data() + 32, size});
  EXPECT_EQ(said, describe(errors::no_such_adapter)) << said;
}

TEST(DetailOnTheWire, IsLeftOutWhereTheServerWants) {
  const Bytes reply = refusal("none");
  ASSERT_GT(reply.size(), 24U);
  EXPECT_EQ(reply[16], 2U);
  EXPECT_EQ(reply[20], 0U);
}

}  // namespace
}  // namespace tenon::suite
