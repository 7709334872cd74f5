// SPDX-License-Identifier: Apache-2.0
// client ADDRESS NAME, as tools/footprint/programs/client.cpp is, for gRPC.
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdio>

#include "hello.grpc.pb.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto hello =
      Footprint::Hello::NewStub(grpc::CreateChannel(argv[1], grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
  Footprint::Name name;
  name.set_name(argv[2]);
  Footprint::Greeting greeting;
  const auto status = hello->greet(&context, name, &greeting);
  std::puts(status.ok() ? greeting.text().c_str() : status.error_message().c_str());
  return status.ok() ? 0 : 1;
}
