// SPDX-License-Identifier: Apache-2.0
//
// The seven policies of a POA (CORBA 3.4 part 1 §15.3.8) as plain values with the standard's numbers, BidirectionalPolicy, and one of our
// own: how objects are found.
#pragma once

#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "poa/fault.hpp"

namespace tenon::poa {

enum class Thread : std::uint8_t { orb_control, single_thread, main_thread };
enum class Lifespan : std::uint8_t { transient, persistent };
enum class Uniqueness : std::uint8_t { unique_id, multiple_id };
enum class Assignment : std::uint8_t { user_id, system_id };
enum class Activation : std::uint8_t { implicit, no_implicit };
enum class Retention : std::uint8_t { retain, non_retain };
enum class Processing : std::uint8_t { active_object_map_only, default_servant, servant_manager };

/// How a POA finds the object of a request. Not of the standard; docs/poa.md compares them.
enum class Demux : std::uint8_t {
  active,  ///< a system id names its slot; ids of users by hash
  hash,    ///< all ids by hash
  linear,  ///< all ids one after the other: only to measure the other ways against
};

/// CORBA::PolicyType values.
enum PolicyType : std::uint32_t {
  thread_policy = 16,
  lifespan_policy = 17,
  uniqueness_policy = 18,
  assignment_policy = 19,
  activation_policy = 20,
  retention_policy = 21,
  processing_policy = 22,
  bidirectional_policy = 37,
  demux_policy = tenon_vmcid | 1,
};

/// The members' initial values are what create_POA() assumes where no policy is given.
struct Policies {
  Thread thread = Thread::orb_control;
  Lifespan lifespan = Lifespan::transient;
  Uniqueness uniqueness = Uniqueness::unique_id;
  Assignment assignment = Assignment::system_id;
  Activation activation = Activation::no_implicit;
  Retention retention = Retention::retain;
  Processing processing = Processing::active_object_map_only;
  Demux demux = Demux::active;
  bool bidirectional = false;  ///< BidirectionalPolicy (part 2 §9.9): of the ORB as a whole once a POA has it
  bool operator==(const Policies&) const = default;

  bool persistent() const noexcept { return lifespan == Lifespan::persistent; }
  bool unique() const noexcept { return uniqueness == Uniqueness::unique_id; }
  bool system_ids() const noexcept { return assignment == Assignment::system_id; }
  bool implicit() const noexcept { return activation == Activation::implicit; }
  bool retains() const noexcept { return retention == Retention::retain; }
  bool has_default_servant() const noexcept { return processing == Processing::default_servant; }
  bool has_manager() const noexcept { return processing == Processing::servant_manager; }
  bool has_activator() const noexcept { return has_manager() && retains(); }
  bool has_locator() const noexcept { return has_manager() && !retains(); }

  static Policies of_root() noexcept {
    Policies root;
    root.activation = Activation::implicit;
    return root;
  }
};

struct PolicyValue {
  std::uint32_t type;
  std::uint32_t value;
  bool of_program = false;  ///< only the program knows it: read_policies() passes over it
};

/// Links what upcalls of POAs with SINGLE_THREAD_MODEL and MAIN_THREAD_MODEL need (manage.cpp), and lets this process have such POAs. To be
/// called before the first one is made; ThreadPolicy does so. As often as one likes, from any thread.
void enable_thread_policies() noexcept;

/// The given policies, and the initial values for the others. InvalidPolicy with the index of the first policy whose type is not that of a
/// POA policy, whose value does not exist, which comes twice, or which contradicts another one.
Outcome<Policies> read_policies(std::span<const PolicyValue> given);

}  // namespace tenon::poa
