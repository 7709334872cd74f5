// SPDX-License-Identifier: Apache-2.0
//
// What an interceptor's exception says reaches the caller.
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

void refuse(ClientRequestInfo&) {
  CORBA::NO_PERMISSION no;
  no._reason("not on a Sunday");
  throw no;
}

std::string said_by(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& exception) {
    return exception.what();
  }
  return "";
}

TEST_F(Spies, AReasonBeforeTheRequestAndAtTheReply) {
  start();
  for (const char* const point : {"send_request", "receive_exception"}) {
    c1->code = {{point, refuse}};
    const std::string said = said_by([&] { target->fail(); });
    EXPECT_TRUE(said.starts_with("NO_PERMISSION")) << said;
    EXPECT_NE(said.find("interceptor: not usable: not on a Sunday"), std::string::npos) << said;
    c1->code.clear();
  }
  EXPECT_EQ(said_by([&] { target->fail(); }).find("Sunday"), std::string::npos);
}

}  // namespace
}  // namespace tenon::spied
