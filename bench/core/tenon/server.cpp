// SPDX-License-Identifier: Apache-2.0
//
// Tenon's server of core.idl. Options: --ior FILE, --idle SECONDS; the rest goes to ORB_init.
//
// Threads: the ORB's.

#include <map>
#include <mutex>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "core_skel.hpp"
#include "tests/interop/tenon/serve.hpp"

namespace {

using PoaRef = CORBA::object_reference<PortableServer::POA>;
using TargetRef = CORBA::object_reference<BenchCore::Target>;

class TargetServant final : public CORBA::servant_traits<BenchCore::Target>::base_type {
 public:
  void noop() override { ++calls_; }

 private:
  std::uint32_t calls_ = 0;
};

class ControlServant final : public CORBA::servant_traits<BenchCore::Control>::base_type {
 public:
  explicit ControlServant(PoaRef root) : root_(std::move(root)) {}

  void add_objects(std::uint32_t population, std::uint32_t count) override {
    const std::lock_guard lock(mutex_);
    Population& all = populations_[population];
    if (!all.poa) all.poa = child(root_, "population" + std::to_string(population), false);
    for (std::uint32_t i = 0; i < count; ++i) {
      all.ids.push_back(all.poa->activate_object(CORBA::make_reference<TargetServant>()));
    }
  }

  TargetRef object_at(std::uint32_t population, std::uint32_t index) override {
    const std::lock_guard lock(mutex_);
    const Population& all = populations_.at(population);
    return IDL::traits<BenchCore::Target>::unchecked_narrow(all.poa->id_to_reference(all.ids.at(index)));
  }

  TargetRef nested(std::uint32_t depth, bool persistent) override {
    const std::lock_guard lock(mutex_);
    PoaRef poa = root_;
    for (std::uint32_t i = 0; i < depth; ++i) {
      const std::string name =
          (persistent ? "lasting" : "passing") + std::to_string(depth) + std::to_string(i);
      poa = child(poa, name, persistent);
    }
    const auto id = poa->activate_object(CORBA::make_reference<TargetServant>());
    return IDL::traits<BenchCore::Target>::unchecked_narrow(poa->id_to_reference(id));
  }

 private:
  struct Population {
    PoaRef poa;
    std::vector<PortableServer::ObjectId> ids;
  };

  static PoaRef child(const PoaRef& parent, const std::string& name, bool persistent) {
    CORBA::PolicyList policies;
    if (persistent) {
      policies.push_back(parent->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT));
    }
    return parent->create_POA(name, parent->the_POAManager(), policies);
  }

  const PoaRef root_;
  std::mutex mutex_;  // guards what follows
  std::map<std::uint32_t, Population> populations_;
};

}  // namespace

int main(int argc, char** argv) {
  return program::serve(argc, argv, [](const auto& orb) {
    auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    root->the_POAManager()->activate();
    auto servant = CORBA::make_reference<ControlServant>(root);
    return orb->object_to_string(servant->_this());
  });
}
