// SPDX-License-Identifier: Apache-2.0
//
// omniORB's side of service contexts, with interceptors of omniORB's own kind.
//
//   peer server      prints its reference; adds context `back` with one octet more than `there` had to every reply; note(-1) ends it
//   peer client IOR  calls scale(1.25) with context `there`; prints what came back, and the result
//
// Threads: omniORB's; what a request brought is kept per thread, since omniORB serves it on one.
#include <omniORB4/CORBA.h>
// omniORB's own headers want this order.
// clang-format off
#include <omniORB4/internal/giopStrand.h>
#include <omniORB4/internal/giopStream.h>
#include <omniORB4/internal/GIOP_S.h>
#include <omniORB4/omniInterceptors.h>
// clang-format on

#include <cstdio>
#include <cstring>
#include <string>

#include "spied.hh"

namespace {

constexpr CORBA::ULong there = 0x54450001;
constexpr CORBA::ULong back = 0x54450002;

CORBA::ORB_var orb;
thread_local std::string brought;
thread_local std::string returned;

std::string find(const IOP::ServiceContextList& contexts, CORBA::ULong id) {
  for (CORBA::ULong i = 0; i < contexts.length(); ++i) {
    const auto& data = contexts[i].context_data;
    if (contexts[i].context_id == id)
      return {reinterpret_cast<const char*>(data.get_buffer()), data.length()};
  }
  return {};
}

void add(IOP::ServiceContextList& contexts, CORBA::ULong id, const std::string& data) {
  const CORBA::ULong at = contexts.length();
  contexts.length(at + 1);
  contexts[at].context_id = id;
  contexts[at].context_data.length(static_cast<CORBA::ULong>(data.size()));
  for (CORBA::ULong i = 0; i < data.size(); ++i)
    contexts[at].context_data[i] = static_cast<CORBA::Octet>(data[i]);
}

CORBA::Boolean receive_request(omni::omniInterceptors::serverReceiveRequest_T::info_T& info) {
  brought = find(info.giop_s.service_contexts(), there);
  return 1;
}

CORBA::Boolean send_reply(omni::omniInterceptors::serverSendReply_T::info_T& info) {
  add(info.giop_s.service_contexts(), back, brought + "!");
  return 1;
}

CORBA::Boolean send_exception(omni::omniInterceptors::serverSendException_T::info_T& info) {
  add(info.giop_s.service_contexts(), back, brought + "!");
  return 1;
}

CORBA::Boolean send_request(omni::omniInterceptors::clientSendRequest_T::info_T& info) {
  add(info.service_contexts, there, "from omniORB");
  return 1;
}

CORBA::Boolean receive_reply(omni::omniInterceptors::clientReceiveReply_T::info_T& info) {
  returned = find(info.service_contexts, back);
  return 1;
}

class Servant : public POA_Spied::Target {
 public:
  char* who() override { return CORBA::string_dup(("omniORB got " + brought).c_str()); }
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
  CORBA::Double scale(CORBA::Double by) override { return by * 2; }
  void refuse() override { throw Spied::Refused("asked to"); }
  void fail() override { throw CORBA::TRANSIENT(7, CORBA::COMPLETED_NO); }
  void note(CORBA::Long number) override {
    if (number < 0) orb->shutdown(0);
  }
  CORBA::Long noted() override { return 0; }
  CORBA::Long exchange_slot(CORBA::Long) override { return 0; }
  char* ask(Spied::Target_ptr other) override { return other->who(); }
};

int serve() {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  auto* servant = new Servant;
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var reference = poa->id_to_reference(id);
  manager->activate();
  CORBA::String_var text = orb->object_to_string(reference);
  std::printf("%s\n", static_cast<const char*>(text));
  std::fflush(stdout);
  try {
    orb->run();
  } catch (const CORBA::BAD_INV_ORDER&) {
    // It was told to end before it came here.
  }
  return 0;
}

int call(const char* text) {
  CORBA::Object_var object = orb->string_to_object(text);
  Spied::Target_var target = Spied::Target::_unchecked_narrow(object);
  const double scaled = target->scale(1.25);
  std::printf("%s %g\n", returned.c_str(), scaled);
  try {
    target->fail();
  } catch (const CORBA::TRANSIENT& exception) {
    std::printf("%s %u\n", returned.c_str(), static_cast<unsigned>(exception.minor()));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  orb = CORBA::ORB_init(argc, argv);
  omni::omniInterceptors* interceptors = omniORB::getInterceptors();
  interceptors->serverReceiveRequest.add(receive_request);
  interceptors->serverSendReply.add(send_reply);
  interceptors->serverSendException.add(send_exception);
  interceptors->clientSendRequest.add(send_request);
  interceptors->clientReceiveReply.add(receive_reply);
  if (argc == 2 && std::strcmp(argv[1], "server") == 0) return serve();
  if (argc == 3 && std::strcmp(argv[1], "client") == 0) return call(argv[2]);
  std::fprintf(stderr, "peer server | peer client IOR\n");
  return 2;
}
