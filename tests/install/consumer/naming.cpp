// SPDX-License-Identifier: Apache-2.0
// A program that uses the C++ of a standard IDL file, from the installed library: as a client, and in an IDL file of its own.
#include <cstdio>
#include <string>

#include <tenon/cos_naming.hpp>
#include <tenon/tenon.hpp>

#include "naming_skel.hpp"

namespace {

using Context = CosNaming::NamingContext;
using ContextRef = CORBA::object_reference<Context>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

class Names final : public CORBA::servant_traits<Shop::Directory>::base_type {
 public:
  CosNaming::Name last() override { return name_; }
  void bind(const CosNaming::Name& n, ObjectRef obj) override {
    if (bound_) throw Context::AlreadyBound();
    rebind(n, obj);
  }
  void rebind(const CosNaming::Name& n, ObjectRef obj) override {
    name_ = n;
    bound_ = obj;
  }
  ObjectRef resolve(const CosNaming::Name& n) override {
    if (n != name_) throw Context::NotFound(Context::NotFoundReason::missing_node, n);
    return bound_;
  }
  void bind_context(const CosNaming::Name&, ContextRef) override { throw CORBA::NO_IMPLEMENT(); }
  void rebind_context(const CosNaming::Name&, ContextRef) override { throw CORBA::NO_IMPLEMENT(); }
  void unbind(const CosNaming::Name&) override { throw CORBA::NO_IMPLEMENT(); }
  ContextRef new_context() override { throw CORBA::NO_IMPLEMENT(); }
  ContextRef bind_new_context(const CosNaming::Name&) override { throw CORBA::NO_IMPLEMENT(); }
  void destroy() override { throw CORBA::NO_IMPLEMENT(); }
  void list(std::uint32_t, CosNaming::BindingList&,
            CORBA::object_reference<CosNaming::BindingIterator>&) override {
    throw CORBA::NO_IMPLEMENT();
  }

 private:
  CosNaming::Name name_;
  ObjectRef bound_;
};

}  // namespace

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto names = tenon::publish(orb, CORBA::make_reference<Names>(), "NameService");
  const std::string at = "NameService=" + tenon::corbaloc(orb, "NameService");
  std::string words[] = {"naming", "-ORBid", "client", "-ORBInitRef", at};
  char* more[] = {words[0].data(), words[1].data(), words[2].data(),
                  words[3].data(), words[4].data(), nullptr};
  int count = 5;
  auto client = CORBA::ORB_init(count, more);
  auto root = IDL::traits<Context>::narrow(client->resolve_initial_references("NameService"));
  const CosNaming::Name printer{CosNaming::NameComponent("printer", "")};
  root->bind(printer, root);
  bool raised = false;
  try {
    root->bind(printer, root);
  } catch (const Context::AlreadyBound&) {
    raised = true;
  }
  auto directory = IDL::traits<Shop::Directory>::narrow(root->resolve(printer));
  const bool good = raised && directory && directory->last() == printer;
  client->destroy();
  orb->destroy();
  std::puts(good ? "found" : "wrong");
  return good ? 0 : 1;
}
