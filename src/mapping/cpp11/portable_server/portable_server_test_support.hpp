// SPDX-License-Identifier: Apache-2.0
//
// For tests: an ORB whose objects are called without a socket, over one with a thread for each connection, or over one with a pool.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tenon/corba/orb.hpp"
#include "tenon/parts.hpp"
#include "tenon/portable_server/poa.hpp"

namespace tenon::gen::test {

enum class Way { collocated, threads, pool };

class PortableServerTest : public testing::TestWithParam<Way> {
 protected:
  PortableServerTest() { open("iiop://127.0.0.1"); }
  ~PortableServerTest() override { close(); }

  void open(const std::string& endpoint) {
    orb::Options options;
    options.endpoints = {endpoint};
    options.call_own_objects_directly = GetParam() == Way::collocated;
    if (GetParam() == Way::pool) options.serving = orb::Serving::pool;
    options.pool_threads = 2;
    orb::Parts parts;
    parts::iiop(parts);
    all_but_protocols(parts);
    core_ = make_ref<orb::Orb>(std::move(options), std::move(parts));
    orb_ = CORBA::make_reference<CORBA::ORB>(core_);
    root_ = root_poa(*core_);
  }
  void close() {
    root_.reset();
    static_cast<void>(core_->destroy());
  }
  void start() { root_->the_POAManager()->activate(); }

  Ref<orb::Orb> core_;
  CORBA::object_reference<CORBA::ORB> orb_;
  CORBA::object_reference<PortableServer::POA> root_;
};

}  // namespace tenon::gen::test
