// SPDX-License-Identifier: Apache-2.0
//
// Parts of an ORB that belong to the mapping (orb/parts.hpp): the initial references that it makes itself, URLs that lead to other
// references, the interface repository. CORBA::ORB uses what its start-up has named. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "orb/options.hpp"
#include "orb/parts.hpp"
#include "tenon/corba/object.hpp"

namespace CORBA {
inline namespace cpp11 {
class ORB;
}
}  // namespace CORBA

namespace tenon::orb {
class Orb;
}

namespace tenon::gen {

/// Before an ORB starts: sets memory aside for it (base/memory.hpp). NO_MEMORY: the heap has not enough.
void prepare_memory();

/// A name that resolve_initial_references() knows without being told (CORBA 3.4 part 1 §8.5.2).
struct InitialReference {
  std::string_view name;
  CORBA::object_reference<CORBA::Object> (*make)(orb::Orb& orb);
};
extern const InitialReference root_poa_reference;        ///< "RootPOA"
extern const InitialReference poa_current_reference;     ///< "POACurrent"
extern const InitialReference policy_manager_reference;  ///< "ORBPolicyManager"
extern const InitialReference policy_current_reference;  ///< "PolicyCurrent"
extern const InitialReference rt_orb_reference;          ///< "RTORB"
/// Once, however often it is called.
void add_initial_reference(orb::Parts& parts, const InitialReference& reference);
/// These add "RootPOA" and "POACurrent". They are weak, null in a program that links nothing of PortableServer::POA or of
/// PortableServer::Current: it could not do anything with the reference. Narrowing to the class is enough.
[[gnu::weak]] void add_root_poa(orb::Parts& parts);
[[gnu::weak]] void add_poa_current(orb::Parts& parts);

/// References that are found by other references: URLs of the schemes corbaname:, corbaloc:rir: and file:, and what -ORBInitRef and
/// -ORBDefaultInitRef say. False: it says nothing of that text or name.
struct NamingUrls {
  bool (*read)(CORBA::ORB& orb, const std::string& text, CORBA::object_reference<CORBA::Object>& found);
  bool (*configured)(CORBA::ORB& orb, const std::string& name, CORBA::object_reference<CORBA::Object>& found);
  bool (*by_default)(CORBA::ORB& orb, const std::string& name, CORBA::object_reference<CORBA::Object>& found);
};
extern const NamingUrls naming_urls;

/// What a servant answers when it is asked for its interface.
struct InterfaceRepository {
  /// What the InterfaceRepository of current_orb(), an initial reference, has under that repository id. INTF_REPOS (OMG minor 1), what()
  /// says why.
  CORBA::object_reference<CORBA::Object> (*interface_def)(std::string_view repository_id);
};
extern const InterfaceRepository interface_repository;

/// As init_orb() of tenon/corba/orb.hpp, but moves nothing before the ORB takes both.
CORBA::object_reference<CORBA::ORB> make_orb(orb::Options&& options, orb::Parts&& parts);

}  // namespace tenon::gen
