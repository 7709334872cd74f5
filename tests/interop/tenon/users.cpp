// SPDX-License-Identifier: Apache-2.0
//
// Our side of users.py: `server FILE` wants a user and the password "secret" and writes its reference into the file, where who() is the
// user; `client REFERENCE USER PASSWORD` prints what who() says, or the exception's name and what() behind it. In the clear, on loopback.
#include <cstdio>
#include <fstream>
#include <string>

#include <tenon/csi.hpp>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "echo_skel.hpp"

namespace {

struct Servant final : CORBA::servant_traits<Interop::Base>::base_type {
  std::string who() override { return tenon::csi::caller().user; }
};

int serve(const std::string& file) {
  const auto orb = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "users");
  tenon::csi::Target target;
  target.domain = "interop";
  target.in_clear = true;
  target.accepts = [](const tenon::csi::Login& login) { return login.password == "secret"; };
  tenon::csi::set_target(*orb, target);
  const auto object = tenon::publish<Interop::Base_skeleton>(orb, CORBA::make_reference<Servant>());
  std::ofstream(file + ".partial") << orb->object_to_string(object) << '\n';
  if (std::rename((file + ".partial").c_str(), file.c_str()) != 0) return 1;
  orb->run();
  return 0;
}

int call(const std::string& reference, const std::string& user, const std::string& password) {
  const auto orb = CORBA::ORB_init({"-ORBid", "users"}, "users");
  tenon::csi::set_credentials(*orb, {.user = user, .password = password, .in_clear = true});
  const auto object = IDL::traits<Interop::Base>::unchecked_narrow(orb->string_to_object(reference));
  try {
    std::printf("%s\n", object->who().c_str());
  } catch (const CORBA::SystemException& failed) {
    std::printf("%s\n", failed.what());
  }
  orb->destroy();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  tenon::csi::enable();
  if (words.size() == 2 && words[0] == "server") return serve(words[1]);
  if (words.size() == 4 && words[0] == "client") return call(words[1], words[2], words[3]);
  std::fputs("users server FILE | users client REFERENCE USER PASSWORD\n", stderr);
  return 2;
}
