// SPDX-License-Identifier: Apache-2.0
//
// CORBA::ORB_init: the start-up of programs that name no protocols.
#include "plugins/defaults/default_protocols.hpp"
#include "tenon/corba/orb.hpp"

namespace CORBA {
inline namespace cpp11 {

object_reference<ORB> ORB_init(int& argc, char* argv[], const std::string& orb_identifier) {
  return tenon::init_orb(argc, argv, tenon::default_protocols(), orb_identifier);
}

object_reference<ORB> ORB_init(const std::vector<std::string>& arguments, const std::string& orb_identifier) {
  return tenon::init_orb(arguments, tenon::default_protocols(), orb_identifier);
}

}  // namespace cpp11
}  // namespace CORBA
