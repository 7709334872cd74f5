// SPDX-License-Identifier: Apache-2.0
//
// The command line of tenon-call: one call to one object, its arguments and results in JSON, its types from an IDL file.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"
#include "orb/client/invocation.hpp"
#include "protocol/reply_error.hpp"
#include "tenon/corba/call_policies.hpp"
#include "tools/call/bad_input.hpp"
#include "tools/call/json_value.hpp"
#include "types/any.hpp"

namespace {

using namespace tenon::call;
using tenon::idl::model::Direction;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

enum Status : int { success = 0, user_exception = 1, system_exception = 2, wrong_usage = 3 };

struct CommandLine {
  std::string reference;
  std::string operation;
  std::vector<std::string> arguments;
  std::string idl;
  std::string interface;
  tenon::idl::PreprocessOptions preprocessor;
  double timeout = 0;
  bool list = false;
  bool compact = false;
};

void describe(CLI::App& app, CommandLine& line) {
  app.set_version_flag("--version", "tenon-call " TENON_VERSION);
  app.add_option("reference", line.reference, "The object: IOR:, corbaloc:, corbaname: or file:")
      ->required()
      ->type_name("OBJECT");
  app.add_option("operation", line.operation,
                 "An operation, or an attribute: read without an argument, set with one")
      ->type_name("OPERATION");
  // Arguments are what CLI11 leaves over: as an option it would split "[1,2]".
  app.allow_extras();
  const char* types = "Types";
  app.add_option("--idl", line.idl, "The IDL file with the object's interface")
      ->type_name("FILE")
      ->group(types);
  app.add_option(
         "--interface", line.interface,
         "The object's interface: Module::Name or a repository id; else what the reference says, or what the "
         "object says of the interfaces in the file (_is_a)")
      ->type_name("NAME")
      ->group(types);
  app.add_option("-I", line.preprocessor.include_directories, "Look for included files in DIR (repeatable)")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(types);
  app.add_option("-D", line.preprocessor.definitions, "Define a macro: NAME or NAME=VALUE")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(types);
  app.add_option("-U", line.preprocessor.undefinitions, "Undefine a macro")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->group(types);
  app.add_option("--preprocessor", line.preprocessor.program, "The mcpp program to run")
      ->capture_default_str()
      ->type_name("PROGRAM")
      ->group(types);
  app.add_option("--timeout", line.timeout,
                 "Give up after so many seconds; the ORB's own time-outs otherwise")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS");
  app.add_flag("--list", line.list, "Print the interface's operations instead of calling one");
  app.add_flag("--compact", line.compact, "Print on one line");
  app.footer(
      "What follows the operation are its arguments: in and inout parameters in order, in JSON; text, "
      "enumerators\n"
      "and references also without quotes. Put -- before those that start with '--'.\n"
      "Options of the ORB (-ORB...) are taken, too.\n"
      "Exit status: 0 success, 1 a user exception, 2 a system exception, 3 wrong usage, IDL or arguments.\n"
      "Example: tenon-call --idl shop.idl corbaloc::host:2809/Store add 2 40");
}

void take_arguments(const CLI::App& app, int argc, char** argv, CommandLine& line) {
  line.arguments = app.remaining();
  const bool marked = std::find(argv, argv + argc, std::string_view("--")) != argv + argc;
  if (marked) {
    // CLI11 may leave the mark itself among them.
    const auto mark = std::ranges::find(line.arguments, "--");
    if (mark != line.arguments.end()) line.arguments.erase(mark);
    return;
  }
  for (const std::string& each : line.arguments) {
    if (each.starts_with("--")) throw CLI::ExtrasError({each});
  }
}

void print(const Json& json, const CommandLine& line) {
  const std::string text = json.dump(line.compact ? -1 : 2, ' ', false, Json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
}

/// Operations that every object has need no IDL.
bool built_in(const std::string& name, Signature& signature) {
  using tenon::types::basic;
  using tenon::types::Kind;
  signature.operation = name;
  signature.result = basic(name == "_repository_id" ? Kind::tk_string : Kind::tk_boolean);
  if (name == "_is_a")
    signature.parameters.push_back({"logical_type_id", Direction::In, basic(Kind::tk_string)});
  return name == "_is_a" || name == "_non_existent" || name == "_repository_id";
}

using Interfaces = std::vector<const tenon::idl::model::Interface*>;

/// The first interface that the object says it has (_is_a); null: `why` says why there is none.
const tenon::idl::model::Interface* asked(const ObjectRef& object, const Interfaces& candidates,
                                          std::string& why) {
  constexpr std::size_t most = 100;
  try {
    for (std::size_t i = 0; i < std::min(candidates.size(), most); ++i) {
      if (object->_is_a(candidates[i]->repository_id)) return candidates[i];
    }
    why += ", and says (_is_a) that it has none of these";
  } catch (const CORBA::SystemException& exception) {
    why += std::string(", and cannot be asked (_is_a): ") + exception.what();
  }
  return nullptr;
}

const tenon::idl::model::Interface& interface_of(const ObjectRef& object, const IdlFile& idl,
                                                 const CommandLine& line) {
  if (!line.interface.empty()) {
    const auto* named = idl.interface(line.interface);
    if (named == nullptr) throw BadInput(line.idl + " has no interface " + line.interface);
    return *named;
  }
  const std::string type_id(object->_reference()->type_id());
  if (const auto* own = idl.interface(type_id)) return *own;
  // The object may have an interface that is derived from one in the file, or a reference without a type, such as a corbaloc.
  const Interfaces all = idl.interfaces();
  const Interfaces candidates = line.list ? all : idl.interfaces_with(line.operation);
  if (candidates.size() == 1) return *candidates.front();
  if (candidates.empty()) {
    const std::string similar = idl.similar_operation(all, line.operation);
    throw BadInput(line.list
                       ? line.idl + " has no interface"
                       : "no interface in " + line.idl + " has an operation or attribute '" + line.operation +
                             "'" + (similar.empty() ? "" : "; did you mean '" + similar + "'?"));
  }
  std::string why = type_id.empty()
                        ? "the reference does not say what interface the object has"
                        : line.idl + " has no interface " + type_id + ", which the reference names";
  if (const auto* own = asked(object, candidates, why)) return *own;
  for (const auto* each : candidates) why += "\n  perhaps --interface " + each->scoped_name.substr(2);
  throw BadInput(why);
}

/// The in and inout parameters, in the order of the signature.
std::vector<Json> arguments_of(const Signature& signature, const CommandLine& line) {
  std::vector<Json> arguments;
  for (const Parameter& each : signature.parameters) {
    if (each.direction == Direction::Out) continue;
    if (arguments.size() == line.arguments.size())
      throw BadInput("argument " + each.name + " is missing: " + signature.text);
    arguments.push_back(argument(line.arguments[arguments.size()], *each.type, each.name));
  }
  if (arguments.size() != line.arguments.size())
    throw BadInput("there are " + std::to_string(line.arguments.size()) + " arguments, but " +
                   std::to_string(arguments.size()) + " are wanted: " + signature.text);
  return arguments;
}

void put(tenon::cdr::Writer& out, const Signature& signature, const std::vector<Json>& arguments,
         JsonWriter& values) {
  auto next = arguments.begin();
  for (const Parameter& each : signature.parameters) {
    if (each.direction != Direction::Out) values.put(out, *next++, *each.type, each.name);
  }
}

/// {"return": ..., "out": {"count": ...}}; parts that the operation does not have are left out.
Json results(tenon::cdr::Reader& in, const Signature& signature, JsonReader& values) {
  Json shown = Json::object();
  if (signature.result->kind != tenon::types::Kind::tk_void)
    shown["return"] = values.get(in, *signature.result);
  for (const Parameter& each : signature.parameters) {
    if (each.direction != Direction::In) shown["out"][each.name] = values.get(in, *each.type);
  }
  return shown;
}

/// {"exception": {"id": ..., "members": ...}}
Json raised(tenon::cdr::Reader& in, const Signature& signature, JsonReader& values) {
  Json body = Json::object();
  const std::string id(in.get_raw_string());
  body["id"] = id;
  for (const auto& each : signature.exceptions) {
    if (each->id == id) body["members"] = values.get(in, *each);
  }
  if (!body.contains("members"))
    tenon::gen::raise(tenon::errors::unlisted_user_exception.with(tenon::Completion::yes));
  return {{"exception", std::move(body)}};
}

Json shown(const CORBA::SystemException& exception) {
  static constexpr const char* completed[] = {"YES", "NO", "MAYBE"};
  Json body = Json::object();
  body["id"] = std::string(exception._rep_id());
  body["minor"] = exception.minor();
  body["completed"] = completed[static_cast<std::size_t>(exception.completed())];
  body["text"] = exception.what();
  return {{"exception", std::move(body)}};
}

/// Makes the call and prints its outcome. The returned status says whether that was a user exception.
Status invoke(const ObjectRef& object, const Signature& signature, const std::vector<Json>& arguments,
              JsonWriter& writer, JsonReader& reader, Json& shown) {
  tenon::orb::CallSpec spec{
      .operation = signature.operation,
      .response_expected = !signature.oneway,
      .has_arguments = !arguments.empty(),
      .sync = signature.oneway ? tenon::protocol::Sync::with_transport : tenon::protocol::Sync::with_target};
  tenon::gen::apply_policies(*object, spec);
  tenon::orb::Invocation invocation(*object->_reference(), spec);
  for (tenon::cdr::Writer* out = invocation.begin(); out != nullptr; out = invocation.send())
    put(*out, signature, arguments, writer);
  if (!invocation.outcome()) tenon::gen::raise_call_failed(invocation.outcome().error());
  shown = Json::object();
  if (signature.oneway) return success;
  tenon::cdr::Reader& in = invocation.reply();
  const bool is_exception = invocation.reply_status() == tenon::protocol::ReplyStatus::user_exception;
  shown = is_exception ? raised(in, signature, reader) : results(in, signature, reader);
  if (!in.good()) tenon::gen::raise(tenon::protocol::in_reply(in.error()).with(tenon::Completion::yes));
  return is_exception ? user_exception : success;
}

Status list(IdlFile& idl, const tenon::idl::model::Interface& interface) {
  for (const Signature& each : idl.signatures(interface)) {
    if (!each.operation.starts_with("_set_")) std::printf("%s\n", each.text.c_str());
  }
  return success;
}

Status call(CORBA::ORB& orb, const CommandLine& line) {
  std::unique_ptr<IdlFile> idl;
  if (!line.idl.empty()) idl = std::make_unique<IdlFile>(line.idl, line.preprocessor);
  const ObjectRef object = orb.string_to_object(line.reference);
  if (!object) throw BadInput("the reference is nil");
  if (line.timeout != 0) {
    tenon::set_timeout(*object,
                       std::chrono::milliseconds(static_cast<std::int64_t>(line.timeout * 1000) + 1));
  }
  Signature signature;
  if (line.list || !built_in(line.operation, signature)) {
    if (!idl) throw BadInput("--idl FILE must say what the operation takes");
    const auto& interface = interface_of(object, *idl, line);
    if (line.list) return list(*idl, interface);
    signature = idl->signature(interface, line.operation, line.arguments.size());
  }
  const std::vector<Json> arguments = arguments_of(signature, line);
  JsonWriter writer(orb, idl.get());
  JsonReader reader(orb, idl.get());
  // Errors in the arguments are reported before anything is sent.
  tenon::cdr::Writer scratch(tenon::types::Any::memory_format());
  put(scratch, signature, arguments, writer);
  Json shown;
  const Status status = invoke(object, signature, arguments, writer, reader, shown);
  print(shown, line);
  return status;
}

Status run(CORBA::ORB& orb, const CommandLine& line) {
  try {
    return call(orb, line);
  } catch (const BadInput& wrong) {
    std::fprintf(stderr, "tenon-call: %s\n", wrong.what());
    return wrong_usage;
  } catch (const CORBA::SystemException& exception) {
    print(shown(exception), line);
    return system_exception;
  } catch (const CORBA::Exception& exception) {
    std::fprintf(stderr, "tenon-call: %s\n", exception.what());
    return wrong_usage;
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"tenon-call calls an operation of a CORBA object, with arguments and results in JSON.",
               "tenon-call"};
  CommandLine line;
  describe(app, line);
  CORBA::object_reference<CORBA::ORB> orb;
  try {
    orb = CORBA::ORB_init(argc, argv);
    app.parse(argc, argv);
    take_arguments(app, argc, argv, line);
    if (line.operation.empty() && !line.list) throw CLI::RequiredError("operation");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : wrong_usage;
  } catch (const CORBA::SystemException& exception) {
    std::fprintf(stderr, "tenon-call: %s\n", exception.what());
    return wrong_usage;
  }
  const Status status = run(*orb, line);
  orb->destroy();
  return std::fflush(stdout) == 0 ? status : wrong_usage;
}
