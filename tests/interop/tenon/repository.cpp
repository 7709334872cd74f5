// SPDX-License-Identifier: Apache-2.0
//
// Tenon's client of an interface repository that holds ../repository.idl: finds what is in it and has it described.
//
// Threads: one.

#include <unistd.h>

#include <chrono>
#include <thread>

#include <tenon/dynamic.hpp>
#include <tenon/standard/ir_any.hpp>
#include <tenon/tenon.hpp>

#include "tests/interop/tenon/program.hpp"
#include "tests/interop/tenon/report.hpp"

namespace {

using checks::check;
template <class T>
using Ref = CORBA::object_reference<T>;
using CORBA::DefinitionKind;
using CORBA::TCKind;

const char* said(bool good, const char* otherwise) { return good ? "" : otherwise; }

/// Whether the repository can describe the file's module, interface and struct.
bool is_loaded(const Ref<CORBA::Repository>& repository) {
  try {
    const auto account =
        IDL::traits<CORBA::InterfaceDef>::narrow(repository->lookup_id("IDL:Bank/Account:1.0"));
    const auto entry = IDL::traits<CORBA::StructDef>::narrow(repository->lookup_id("IDL:Bank/Entry:1.0"));
    return account && entry && account->describe_interface().operations().size() == 2 &&
           entry->members().size() == 2 && !repository->contents(DefinitionKind::dk_Module, false).empty();
  } catch (const CORBA::SystemException&) {
    return false;
  }
}

/// JacORB's server publishes its reference before it has loaded all classes.
void wait_until_loaded(const Ref<CORBA::Repository>& repository) {
  for (int tries = 0; tries < 300 && !is_loaded(repository); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void checks_of(const Ref<CORBA::Repository>& repository, const Ref<CORBA::ORB>& orb) {
  Ref<CORBA::InterfaceDef> account;
  check("lookup_id", [&]() -> std::string {
    account = IDL::traits<CORBA::InterfaceDef>::narrow(repository->lookup_id("IDL:Bank/Account:1.0"));
    return said(account && account->name() == "Account", "no InterfaceDef named Account");
  });
  if (!account) return;
  check("lookup_id_of_nothing",
        [&]() -> std::string { return said(!repository->lookup_id("IDL:Bank/Nothing:1.0"), "not nil"); });
  check("contents", [&]() -> std::string {
    for (const auto& one : repository->contents(DefinitionKind::dk_Module, false)) {
      if (one->absolute_name() == "::Bank") return "";
    }
    return "no module ::Bank";
  });
  check("lookup", [&]() -> std::string {
    const auto found = repository->lookup("::Bank::Account");
    return said(found && found->id() == "IDL:Bank/Account:1.0", "not Account");
  });
  check("describe", [&]() -> std::string {
    const CORBA::Contained::Description description = account->describe();
    CORBA::InterfaceDescription members;
    const bool good = description.kind() == DefinitionKind::dk_Interface && (description.value() >>= members);
    return said(good && members.id() == "IDL:Bank/Account:1.0", "another description");
  });
  check("describe_interface", [&]() -> std::string {
    const CORBA::InterfaceDef::FullInterfaceDescription all = account->describe_interface();
    if (all.attributes().size() != 1 || all.operations().size() != 2)
      return "not one attribute, two operations";
    const CORBA::AttributeDescription& balance = all.attributes().front();
    if (balance.name() != "balance" || balance.mode() != CORBA::AttributeMode::ATTR_READONLY)
      return "another attribute";
    for (const CORBA::OperationDescription& one : all.operations()) {
      if (one.name() != "withdraw") continue;
      if (one.parameters().size() != 2 || one.exceptions().size() != 1) return "another operation";
      const CORBA::ParameterDescription& made = one.parameters()[1];
      const bool good = made.name() == "made" && made.mode() == CORBA::ParameterMode::PARAM_OUT &&
                        made.type()->id() == "IDL:Bank/Entry:1.0";
      return said(good && one.exceptions().front().id() == "IDL:Bank/Poor:1.0",
                  "another parameter or exception");
    }
    return "no withdraw";
  });
  check("members", [&]() -> std::string {
    const auto entry = IDL::traits<CORBA::StructDef>::narrow(repository->lookup_id("IDL:Bank/Entry:1.0"));
    if (!entry) return "no StructDef";
    const CORBA::StructMemberSeq members = entry->members();
    if (members.size() != 2 || members[1].name() != "amount") return "other members";
    const auto type = IDL::traits<CORBA::PrimitiveDef>::narrow(members[1].type_def());
    return said(type && type->kind() == CORBA::PrimitiveKind::pk_long, "amount is no long");
  });
  check("get_primitive", [&]() -> std::string {
    const auto primitive = repository->get_primitive(CORBA::PrimitiveKind::pk_double);
    return said(primitive->type()->kind() == TCKind::tk_double, "not double");
  });
  check("create_operation_list", [&]() -> std::string {
    for (const auto& one : account->contents(DefinitionKind::dk_Operation, false)) {
      if (one->name() != "withdraw") continue;
      Ref<CORBA::NVList> list;
      orb->create_operation_list(one, list);
      return said(list->count() == 2 && list->item(1)->flags() == CORBA::ARG_OUT, "another list");
    }
    return "no withdraw";
  });
}

}  // namespace

int main(int argc, char** argv) {
  program::Options options = program::parse(argc, argv);
  alarm(60);
  try {
    char** arguments = options.arguments();
    auto orb = CORBA::ORB_init(options.argc, arguments);
    const auto repository =
        IDL::traits<CORBA::Repository>::narrow(orb->resolve_initial_references("InterfaceRepository"));
    if (!repository) {
      std::printf("FAIL narrow it is no Repository\n");
      return 1;
    }
    wait_until_loaded(repository);
    checks_of(repository, orb);
    const int status = checks::summary();
    orb->destroy();
    return status;
  } catch (const CORBA::Exception& e) {
    std::printf("FAIL start %s\n", e.what());
    return 1;
  }
}
