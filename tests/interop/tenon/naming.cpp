// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of a naming service: binds, lists and resolves the object that --ior names, provokes the service's
// exceptions, and leaves the object bound as "tenon.test/echo.object". The same steps as omniORB's, and names as text beside them.
//
// Threads: one.

#include <unistd.h>

#include <tenon/cos_naming.hpp>

#include "tests/interop/tenon/checks.hpp"

namespace {

using checks::check;
using checks::check_throws;
using Context = IDL::traits<CosNaming::NamingContext>;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

const CosNaming::Name context{CosNaming::NameComponent("tenon", "test")};

CosNaming::Name in_context(const std::string& id, const std::string& kind) {
  CosNaming::Name name = context;
  name.emplace_back(id, kind);
  return name;
}

void binding(const Context::ref_type& root, const ObjectRef& object) {
  using CosNaming::NamingContext;
  const CosNaming::Name full = in_context("echo", "object");
  check("bind_new_context", [&] { return std::string(root->bind_new_context(context) ? "" : "nil"); });
  check("bind", [&] {
    root->bind(full, object);
    return std::string();
  });
  check_throws<NamingContext::AlreadyBound>("already_bound", [&] { root->bind(full, object); });
  check_throws<NamingContext::InvalidName>("invalid_name", [&] { root->resolve({}); });
  check("not_found", [&]() -> std::string {
    try {
      root->resolve(in_context("nobody", ""));
    } catch (const NamingContext::NotFound& e) {
      const bool good = e.why() == NamingContext::NotFoundReason::missing_node &&
                        e.rest_of_name().size() == 1 && e.rest_of_name()[0].id() == "nobody";
      return good ? "" : "wrong members";
    }
    return "no exception";
  });
  check("rebind_and_unbind", [&] {
    const CosNaming::Name other = in_context("other", "");
    root->rebind(other, object);
    root->rebind(other, object);
    root->unbind(other);
    return std::string();
  });
  check("resolve", [&]() -> std::string {
    const auto echo = IDL::traits<Interop::Echo>::narrow(root->resolve(full));
    if (!echo) return "not an Echo";
    echo->noop();
    return echo->_is_equivalent(object) ? "" : "another object";
  });
}

void listing(const Context::ref_type& root) {
  check("list", [&]() -> std::string {
    CosNaming::BindingList bindings;
    IDL::traits<CosNaming::BindingIterator>::ref_type more;
    root->list(100, bindings, more);
    for (const CosNaming::Binding& b : bindings) {
      if (b.binding_name()[0].id() == "tenon" && b.binding_type() == CosNaming::BindingType::ncontext)
        return "";
    }
    return "the context is not in the list";
  });
  check("list_by_iterator", [&]() -> std::string {
    CosNaming::BindingList none;
    IDL::traits<CosNaming::BindingIterator>::ref_type more;
    root->list(0, none, more);
    if (!more) return "no iterator";
    CosNaming::Binding one;
    const bool got = more->next_one(one);
    more->destroy();
    return got && none.empty() ? "" : "no binding";
  });
}

// What NamingContextExt adds.
void text(const IDL::traits<CosNaming::NamingContextExt>::ref_type& root, const ObjectRef& object) {
  using CosNaming::NamingContext;
  using CosNaming::NamingContextExt;
  check("to_string", [&]() -> std::string {
    const std::string found = root->to_string(in_context("echo", "object"));
    return found == "tenon.test/echo.object" ? "" : found;
  });
  check("to_name", [&] {
    const bool same = root->to_name("tenon.test/echo.object") == in_context("echo", "object");
    return std::string(same ? "" : "another name");
  });
  check("resolve_str", [&] {
    const ObjectRef found = root->resolve_str("tenon.test/echo.object");
    return std::string(found && found->_is_equivalent(object) ? "" : "another object");
  });
  check("to_url", [&]() -> std::string {
    const std::string found = root->to_url(":host:2809", "a/b");
    return found == "corbaname::host:2809#a/b" ? "" : found;
  });
  check_throws<NamingContext::InvalidName>("invalid_text", [&] { root->to_name("a//b"); });
  check_throws<NamingContextExt::InvalidAddress>("invalid_address", [&] { root->to_url("", "a"); });
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  alarm(60);
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    const ObjectRef object = orb->string_to_object(program::read_reference(options.ior));
    const auto root = Context::narrow(orb->resolve_initial_references("NameService"));
    if (!root) {
      std::printf("FAIL narrow the name service is no NamingContext\n");
      return 1;
    }
    binding(root, object);
    listing(root);
    const auto extended = IDL::traits<CosNaming::NamingContextExt>::narrow(root);
    if (!extended) {
      std::printf("FAIL narrow the name service is no NamingContextExt\n");
      return 1;
    }
    text(extended, object);
    const int status = checks::summary();
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start %s\n", e.what());
    return 1;
  }
}
