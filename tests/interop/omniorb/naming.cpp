// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of a naming service: binds, lists and resolves the object that --ior names, provokes the
// service's exceptions, and leaves the object bound as "tenon.test/echo.object". The same steps as Tenon's.
//
// Threads: one.

#include <omniORB4/Naming.hh>

#include "checks.hpp"

namespace {

CosNaming::Name name_of(std::initializer_list<std::pair<const char*, const char*>> parts) {
  CosNaming::Name name;
  name.length(static_cast<CORBA::ULong>(parts.size()));
  CORBA::ULong i = 0;
  for (const auto& [id, kind] : parts) {
    name[i].id = CORBA::string_dup(id);
    name[i++].kind = CORBA::string_dup(kind);
  }
  return name;
}

template <class Raised, class Body>
void check_refused(const char* name, Body body) {
  peer::check(name, [&]() -> std::string {
    try {
      body();
    } catch (const Raised&) {
      return "";
    }
    return "no exception";
  });
}

void run(CosNaming::NamingContext_ptr root, CORBA::Object_ptr object) {
  const auto context = name_of({{"tenon", "test"}});
  const auto full = name_of({{"tenon", "test"}, {"echo", "object"}});
  peer::check("bind_new_context", [&] {
    CosNaming::NamingContext_var made = root->bind_new_context(context);
    return std::string(CORBA::is_nil(made) ? "nil" : "");
  });
  peer::check("bind", [&] {
    root->bind(full, object);
    return std::string();
  });
  check_refused<CosNaming::NamingContext::AlreadyBound>("already_bound", [&] { root->bind(full, object); });
  check_refused<CosNaming::NamingContext::InvalidName>("invalid_name",
                                                       [&] { CORBA::Object_var none = root->resolve({}); });
  peer::check("not_found", [&]() -> std::string {
    try {
      CORBA::Object_var none = root->resolve(name_of({{"tenon", "test"}, {"nobody", ""}}));
    } catch (const CosNaming::NamingContext::NotFound& e) {
      const bool good = e.why == CosNaming::NamingContext::missing_node && e.rest_of_name.length() == 1 &&
                        std::strcmp(e.rest_of_name[0].id, "nobody") == 0;
      return good ? "" : "wrong members";
    }
    return "no exception";
  });
  peer::check("rebind_and_unbind", [&] {
    const auto other = name_of({{"tenon", "test"}, {"other", ""}});
    root->rebind(other, object);
    root->rebind(other, object);
    root->unbind(other);
    return std::string();
  });
  peer::check("resolve", [&] {
    CORBA::Object_var found = root->resolve(full);
    Interop::Echo_var echo = Interop::Echo::_narrow(found);
    if (CORBA::is_nil(echo)) return std::string("not an Echo");
    echo->noop();
    return std::string(echo->_is_equivalent(object) ? "" : "another object");
  });
  peer::check("list", [&] {
    CosNaming::BindingList_var bindings;
    CosNaming::BindingIterator_var more;
    root->list(100, bindings.out(), more.out());
    for (CORBA::ULong i = 0; i < bindings->length(); ++i) {
      const CosNaming::Binding& b = bindings.in()[i];
      if (std::strcmp(b.binding_name[0].id, "tenon") == 0 && b.binding_type == CosNaming::ncontext) {
        return std::string();
      }
    }
    return std::string("the context is not in the list");
  });
  peer::check("list_by_iterator", [&] {
    CosNaming::BindingList_var none;
    CosNaming::BindingIterator_var more;
    root->list(0, none.out(), more.out());
    if (CORBA::is_nil(more)) return std::string("no iterator");
    CosNaming::Binding_var one;
    const bool got = more->next_one(one.out());
    more->destroy();
    return std::string(got && none->length() == 0 ? "" : "no binding");
  });
}

}  // namespace

int main(int argc, char** argv) {
  const peer::Options options = peer::parse(argc, argv);
  alarm(60);
  return peer::client_main(options, [](CORBA::ORB_ptr orb, const std::string& reference) {
    CORBA::Object_var object = orb->string_to_object(reference.c_str());
    CORBA::Object_var service = orb->resolve_initial_references("NameService");
    CosNaming::NamingContext_var root = CosNaming::NamingContext::_narrow(service);
    if (CORBA::is_nil(root)) {
      std::printf("FAIL narrow the name service is no NamingContext\n");
      return 1;
    }
    run(root, object);
    return peer::summary();
  });
}
