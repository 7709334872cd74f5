// SPDX-License-Identifier: Apache-2.0
//
// The store of shop.idl twice, compiled and dynamic, and two ORBs to call it over. The tests say what each call must give.
#pragma once

#include <gtest/gtest.h>
#include <tenon/dynamic.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include <functional>
#include <mutex>
#include <semaphore>

#include "shop_any.hpp"
#include "shop_skel.hpp"

namespace tenon::shop {

using CORBA::Any;
using ObjectRef = CORBA::object_reference<CORBA::Object>;
using StoreRef = CORBA::object_reference<Shop::Store>;

/// What both servants share.
struct Stock {
  std::counting_semaphore<> gate{0};
  std::mutex mutex;  // guards what follows
  std::string motto = "none";
  std::string told;

  static Shop::Items sorted(Shop::Items items);
};

class CompiledStore final : public CORBA::servant_traits<Shop::Store>::base_type {
 public:
  explicit CompiledStore(Stock& stock) : stock_(stock) {}
  std::string motto() override;
  void motto(const std::string& value) override;
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
  Shop::Items sort(const Shop::Items& given, std::string& label, std::int32_t& count) override;
  void fail(std::int32_t which) override;
  void tell(const std::string& text) override;
  std::string told() override;
  Any echo(const Any& value) override { return value; }
  std::int32_t hold(std::int32_t number) override;

 private:
  Stock& stock_;
};

class DynamicStore final : public PortableServer::DynamicImplementation {
 public:
  explicit DynamicStore(Stock& stock) : stock_(stock) {}
  void invoke(CORBA::object_reference<CORBA::ServerRequest> request) override;
  std::string _primary_interface(const PortableServer::ObjectId&,
                                 const CORBA::object_reference<PortableServer::POA>&) const override {
    return std::string(Shop::Store::_static_id);
  }

 private:
  void sort(CORBA::ServerRequest& request);
  void fail(CORBA::ServerRequest& request);
  Stock& stock_;
};

/// A server's ORB with a store, and its client's.
class Shops : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override;
  void TearDown() override;
  ObjectRef at_client(const ObjectRef& object) const {
    return client->string_to_object(server->object_to_string(object));
  }

  Stock stock;
  CORBA::object_reference<CORBA::ORB> server;
  CORBA::object_reference<CORBA::ORB> client;
  ObjectRef
      store;  ///< as the client sees it; TestWithParam says which one: "compiled", "dynamic", "collocated", or "single" of a client with
              ///< a single thread
};

/// The error of a call as "NO_PERMISSION 7 YES", "" when there was none.
std::string outcome_of(const std::function<void()>& call);
std::string text_of(Error error);

/// An Any with one value.
template <typename T>
Any any_of(const T& value) {
  Any any;
  any <<= value;
  return any;
}

template <typename T>
T value_of(const Any& any) {
  T value{};
  EXPECT_TRUE(any >>= value);
  return value;
}

}  // namespace tenon::shop
