// SPDX-License-Identifier: Apache-2.0
// server: prints an address and serves, as tools/footprint/programs/server.cpp does, for gRPC.
#include <grpcpp/grpcpp.h>

#include <cstdio>

#include "hello.grpc.pb.h"

class Greeter final : public Footprint::Hello::Service {
 public:
  grpc::Status greet(grpc::ServerContext*, const Footprint::Name* name,
                     Footprint::Greeting* greeting) override {
    if (name->name().empty()) return grpc::Status(grpc::StatusCode::INVALID_ARGUMENT, "nobody to greet");
    greeting->set_text("hello, " + name->name());
    return grpc::Status::OK;
  }
};

int main() {
  Greeter greeter;
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(&greeter);
  const auto server = builder.BuildAndStart();
  std::printf("127.0.0.1:%d\n", port);
  std::fflush(stdout);
  server->Wait();
}
