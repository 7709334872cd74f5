// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of echo.idl: runs every operation with telling values against whatever server the given reference
// names, and prints one line per check: "ok NAME" or "FAIL NAME reason". Exit status 0 only when all checks passed.
//
// Threads: one, but for the check that calls from several.

#include <unistd.h>

#include <atomic>
#include <thread>

#include "tests/interop/tenon/checks.hpp"

namespace {

using namespace Interop;
using checks::check;
using checks::EchoRef;

void large(const EchoRef& echo, std::uint32_t bytes) {
  check("make_blob", [&] {
    const OctetSeq blob = echo->make_blob(bytes);
    if (blob.size() != bytes) return "length " + std::to_string(blob.size());
    for (std::uint32_t i = 0; i < bytes; ++i) {
      if (blob[i] != static_cast<std::uint8_t>((i * 31u + 7u) % 251u)) return "octet " + std::to_string(i);
    }
    return std::string();
  });
  check("sum_blob", [&] {
    OctetSeq blob(bytes);
    std::uint64_t wanted = 0;
    for (std::uint32_t i = 0; i < bytes; ++i)
      wanted += blob[i] = static_cast<std::uint8_t>(i * 7u + (i >> 8));
    return std::string(echo->sum_blob(blob) == wanted ? "" : "wrong sum");
  });
  check("sum_longs", [&] {
    LongSeq longs(bytes / 4);
    std::uint64_t wanted = 0;
    for (std::uint32_t i = 0; i < longs.size(); ++i) {
      longs[i] = static_cast<std::int32_t>(i * 2654435761u);
      wanted += static_cast<std::uint64_t>(longs[i]);
    }
    return std::string(echo->sum_longs(longs) == wanted ? "" : "wrong sum");
  });
}

void several_threads(const EchoRef& echo) {
  check("several_threads", [&] {
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (std::int32_t t = 0; t < 4; ++t) {
      callers.emplace_back([&, t] {
        try {
          for (std::int32_t i = 0; i < 100; ++i) {
            std::int32_t b = i, c = 0;
            if (echo->echo_long(t * 1000 + i, b, c) != t * 1000 + i || c != i) ++wrong;
          }
        } catch (const CORBA::Exception&) {
          ++wrong;
        }
      });
    }
    for (auto& caller : callers) caller.join();
    return std::string(wrong == 0 ? "" : "a thread got another's answer or none");
  });
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  alarm(300);  // a client that hangs is a failure, not a guest
  options.orb.emplace_back("-ORBListenEndpoints");
  options.orb.push_back(program::endpoint(options));
  options.orb.emplace_back("-ORBCallTimeout");
  options.orb.emplace_back("60000");
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    const EchoRef echo =
        IDL::traits<Echo>::narrow(orb->string_to_object(program::read_reference(options.ior)));
    if (!echo) {
      std::printf("FAIL narrow the reference is no Interop::Echo\n");
      return 1;
    }
    checks::select(options.only, options.skip);
    checks::value_checks(echo, options);
    if (options.planes) checks::plane_checks(echo, options);
    checks::constructed_checks(echo);
    checks::sequence_checks(echo);
    checks::reference_checks(*orb, echo);
    checks::behaviour_checks(echo);
    large(echo, options.big_bytes);
    several_threads(echo);
    if (options.dynamic) checks::dynamic_checks(echo, options);
    const int status = checks::summary();
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start %s\n", e.what());
    return 1;
  }
}
