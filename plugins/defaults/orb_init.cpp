// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB_init: the start-up of programs that name no protocols. Their ORBs have all of this library.
#include "orb/protocols.hpp"
#include "plugins/giop/giop.hpp"
#include "plugins/iiop/iiop.hpp"
#include "tenon/corba/orb.hpp"
#ifdef TENON_WITH_UIOP
#include "plugins/uiop/uiop.hpp"
#endif

namespace CORBA {
inline namespace cpp11 {

namespace {

tenon::orb::Protocols all_protocols() {
  const auto giop = tenon::giop::make_messaging();
  tenon::orb::Protocols protocols;
  protocols.push_back({tenon::iiop::make_plugin(), giop});
#ifdef TENON_WITH_UIOP
  protocols.push_back({tenon::uiop::make_plugin(), giop});
#endif
  return protocols;
}

}  // namespace

object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_identifier) {
  return tenon::init_orb(argc, argv, all_protocols(), orb_identifier);
}

object_reference<ORB> ORB_init(const std::vector<std::string>& arguments, const std::string& orb_identifier) {
  return tenon::init_orb(arguments, all_protocols(), orb_identifier);
}

}  // namespace cpp11
}  // namespace CORBA
