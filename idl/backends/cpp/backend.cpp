// SPDX-License-Identifier: Apache-2.0
//
// IDL to C++11: which files there are, and in which order their parts stand.
//
// a.hpp       types and stubs: declarations in their namespaces, then traits and codecs of each
// a.cpp       codecs, exceptions, stubs
// a_skel.hpp  skeletons and ties       a_skel.cpp  upcalls and operation tables
// a_async.hpp asynchronous calls that return a tenon::Reply, on demand; the standard's sendc_ and sendp_ are in the files above
// a_any.*     TypeCodes and Any operators, on demand
#include <algorithm>
#include <functional>
#include <set>

#include "idl/backends/cpp/any_types.hpp"
#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/kept.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {
namespace {

using model::Decl;
using model::DeclKind;

// Interfaces below `decl` too, itself last.
void each_interface(const Decl& decl, const std::function<void(const model::Interface&)>& visit) {
  each_decl({&decl}, [&](const Decl& one) {
    const auto* interface = model::as<model::Interface>(&one);
    if (interface != nullptr && interface->defined) visit(*interface);
  });
}

void declare_codec(Text& out, const Context& context, const Decl& decl) {
  if (const auto* it = model::as<model::Enum>(&decl)) return declare_enum_codec(out, *it);
  if (const auto* it = model::as<model::Bitmask>(&decl)) return declare_bitmask_codec(out, *it);
  if (const auto* it = model::as<model::Bitset>(&decl)) return declare_bitset_codec(out, *it);
  if (const auto* it = model::as<model::Exception>(&decl)) return declare_exception_codec(out, context, *it);
  const auto* record = model::as<model::Struct>(&decl);
  if (record != nullptr && record->defined && has_codec(decl)) declare_struct_codec(out, context, *record);
  const auto* choice = model::as<model::Union>(&decl);
  if (choice != nullptr && choice->defined && has_codec(decl)) declare_union_codec(out, context, *choice);
}

void define_codec(Text& out, const Context& context, const Decl& decl) {
  if (const auto* it = model::as<model::Exception>(&decl)) return define_exception_codec(out, context, *it);
  const auto* record = model::as<model::Struct>(&decl);
  if (record != nullptr && record->defined && has_codec(decl)) define_struct_codec(out, context, *record);
  const auto* choice = model::as<model::Union>(&decl);
  if (choice != nullptr && choice->defined && has_codec(decl)) define_union_codec(out, context, *choice);
}

// --- files ---

// The declarations of other files that this one names.
std::set<const Decl*> used_from_elsewhere(const model::Model& program) {
  std::set<const Decl*> used;
  each_decl(program.roots, [&](const Decl& decl) {
    for (const Decl* one : model::dependencies(&decl)) {
      if (!is_ours(*one)) used.insert(one);
    }
  });
  return used;
}

// Headers of generated code for every file that is included; for files such as orb.idl only if something of theirs is used that the
// ORB's own headers do not have.
std::vector<std::string> generated_includes(const Context& context, const std::set<const Decl*>& used) {
  std::set<std::uint32_t> needed;
  std::set<std::uint32_t> optional;
  for (const Decl* decl : used) {
    if (!decl->provided_by_orb) needed.insert(decl->location.file);
  }
  const std::function<void(const std::vector<const Decl*>&)> find_optional =
      [&](const std::vector<const Decl*>& decls) {
        for (const Decl* decl : decls) {
          if (decl->provided_by_orb) optional.insert(decl->location.file);
          if (const auto* module = model::as<model::Module>(decl)) find_optional(module->contents);
        }
      };
  find_optional(context.program.roots);
  std::vector<std::string> headers;
  for (std::uint32_t i = 0; i < context.program.files.size(); ++i) {
    const model::File& file = context.program.files[i];
    if (file.main) continue;
    const bool whole = file.direct && !file.orb_provided && !optional.contains(i);
    // A standard file that only names others has no C++ of its own.
    if (needed.contains(i) || (whole && (!file.standard || file.declares)))
      headers.push_back(header_of(context, i, ".hpp"));
  }
  return headers;
}

// The ORB's own headers, each with the beginnings of the names that it has. The first line counts whose beginning a name has.
struct OwnHeader {
  std::string_view names;
  std::string_view header;
};
constexpr OwnHeader own_headers[] = {
    {"::PortableServer::", "portable_server.hpp"},
    {"::PortableInterceptor::", "portable_interceptor.hpp"},
    {"::Dynamic::", "portable_interceptor.hpp"},
    {"::IOP::Codec", "portable_interceptor.hpp"},
    {"::IOP::Encoding", "portable_interceptor.hpp"},
    {"::IOP::ENCODING_CDR_ENCAPS", "portable_interceptor.hpp"},
    {"::DynamicAny::", "dynamic.hpp"},
    {"::IOP::", "corba/iop_types.hpp"},
    {"::TimeBase::", "corba/time_base.hpp"},
    {"::BiDirPolicy::", "corba/bidir_policy.hpp"},
    {"::Messaging::ExceptionHolder", "gen/messaging.hpp"},
    {"::Messaging::Poller", "gen/messaging.hpp"},
    {"::Messaging::ReplyHandler", "gen/messaging.hpp"},
    {"::CORBA::Pollable", "gen/messaging.hpp"},
    {"::Messaging::", "messaging.hpp"},
    {"::CORBA::PolicyCurrent", "messaging.hpp"},
    {"::CORBA::PolicyManager", "messaging.hpp"},
    {"::CORBA::AbstractBase", "corba/abstract_base.hpp"},
    {"::CORBA::AnySeq", "gen/any.hpp"},
    {"::CORBA::EnumMemberSeq", "gen/any.hpp"},
    {"::CORBA::PRIVATE_MEMBER", "gen/any.hpp"},
    {"::CORBA::PUBLIC_MEMBER", "gen/any.hpp"},
    {"::CORBA::StructMember", "gen/any.hpp"},
    {"::CORBA::TCKind", "gen/any.hpp"},
    {"::CORBA::TypeCode", "gen/any.hpp"},
    {"::CORBA::UnionMember", "gen/any.hpp"},
    {"::CORBA::VM_", "gen/any.hpp"},
    {"::CORBA::ValueMember", "gen/any.hpp"},
    {"::CORBA::ValueModifier", "gen/any.hpp"},
    {"::CORBA::Visibility", "gen/any.hpp"},
    {"::CORBA::", "gen/orb_types.hpp"},
};

// Those that declare what the file names, or declares itself (an orb.idl of a vendor), in the order of the list.
std::vector<std::string_view> headers_of_orb(const Context& context, const std::set<const Decl*>& used,
                                             std::set<std::string_view> needed) {
  const auto need = [&needed](const Decl& decl) {
    for (const OwnHeader& one : own_headers) {
      if (!decl.scoped_name.starts_with(one.names)) continue;
      needed.insert(one.header);
      return;
    }
  };
  for (const Decl* decl : used) {
    if (decl->provided_by_orb) need(*decl);
  }
  const std::function<void(const std::vector<const Decl*>&)> walk =
      [&](const std::vector<const Decl*>& decls) {
        for (const Decl* decl : decls) {
          if (const auto* module = model::as<model::Module>(decl)) {
            walk(module->contents);
          } else if (decl->in_main_file && decl->provided_by_orb) {
            need(*decl);
          }
        }
      };
  walk(context.program.roots);
  std::vector<std::string_view> headers;
  for (const OwnHeader& one : own_headers) {
    if (needed.erase(one.header) != 0) headers.push_back(one.header);
  }
  return headers;
}

bool program_uses_any(const model::Model& program) {
  bool found = false;
  each_decl(program.roots, [&](const Decl& decl) { found = found || model::uses_any(&decl); });
  return found;
}

bool has_custom_values(const model::Model& program) {
  bool found = false;
  each_decl(program.roots, [&](const Decl& decl) {
    const auto* value = model::as<model::ValueType>(&decl);
    found = found || (value != nullptr && value->custom);
  });
  return found;
}

bool has_handlers(const model::Model& program) {
  bool found = false;
  each_decl(program.roots, [&](const Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    found = found || (interface != nullptr && interface->handler != nullptr);
  });
  return found;
}

bool has_views(const model::Model& program) {
  bool found = false;
  each_decl(program.roots, [&](const Decl& decl) {
    const auto* operation = model::as<model::Operation>(&decl);
    found = found || (operation != nullptr && std::ranges::any_of(operation->parameters, model::is_view));
  });
  return found;
}

// Includes the support library's separate headers, each where the text names what it declares.
void include_what_is_named(Text& out, const std::string& text) {
  const auto named = [&](const char* name) { return text.find(name) != std::string::npos; };
  if (named("::IDL::Fixed<")) out.line("#include <tenon/gen/fixed.hpp>");
  if (named("std::map<")) out.line("#include <tenon/gen/map.hpp>");
  if (named("std::variant<") || named("::tenon::gen::Bits<")) out.line("#include <tenon/gen/union.hpp>");
}

std::string types_header_body(const Context& context) {
  Text out;
  if (context.kinds.any()) context.tables->declare(out);
  in_modules(out, context.program.roots, [&](Text& text, const Decl& decl) { declare(text, context, decl); });
  for (const Decl* root : context.program.roots) {
    each_interface(*root, [&](const model::Interface& interface) { declare_traits(out, interface); });
  }
  each_decl(context.program.roots, [&](const Decl& decl) {
    if (decl.kind == DeclKind::ValueType || decl.kind == DeclKind::ValueBox) declare_value_traits(out, decl);
  });
  Text codecs;
  each_decl(context.program.roots, [&](const Decl& decl) {
    codecs.gap();
    declare_codec(codecs, context, decl);
  });
  if (!codecs.empty()) {
    out.gap();
    out.line("namespace tenon::gen {");
    out.line("");
    out.add(codecs.str());
    out.line("");
    out.line("}  // namespace tenon::gen");
  }
  return out.str();
}

std::string types_header(const Context& context) {
  const std::string body = types_header_body(context);
  Text out;
  begin(out, context);
  out.line("#pragma once");
  out.gap();
  const std::set<const Decl*> used = used_from_elsewhere(context.program);
  std::set<std::string_view> needed;
  if (program_uses_any(context.program)) needed.insert("gen/any.hpp");
  if (has_handlers(context.program)) needed.insert("gen/messaging.hpp");
  if (body.find("::CORBA::AbstractBase") != std::string::npos) needed.insert("corba/abstract_base.hpp");
  for (const std::string_view header : headers_of_orb(context, used, needed))
    out.line("#include <tenon/" + std::string(header) + ">");
  if (context.kinds.any()) out.line("#include <tenon/gen/interpreted.hpp>");
  if (has_custom_values(context.program)) out.line("#include <tenon/gen/custom_value.hpp>");
  include_what_is_named(out, body);
  if (has_views(context.program)) out.line("#include <tenon/gen/view.hpp>");
  out.line("#include <tenon/gen/support.hpp>");
  out.gap();
  for (const std::string& header : generated_includes(context, used)) include(out, header);
  each_decl(context.program.roots, [&](const Decl& decl) {
    if (decl.kind != DeclKind::Native) return;
    for (const std::string& text : verbatim(decl, true)) out.line(text);
  });
  return body.empty() ? out.str() : out.str() + "\n" + body;
}

// Short names for the support library, as far as the program leaves them free.
void declare_short_names(Text& out, const Context& context) {
  out.gap();
  if (context.names.gen == "gen") out.line("namespace gen = ::tenon::gen;");
  for (const std::string& name : {context.names.reader, context.names.writer}) {
    if (!name.starts_with("::")) out.line("using ::tenon::cdr::" + name + ";");
  }
}

std::string types_source(const Context& context) {
  Text out;
  begin(out, context);
  include(out, own_header(context.options, ".hpp"));
  if (has_handlers(context.program)) out.line("#include <tenon/gen/ami.hpp>");
  declare_short_names(out, context);
  define_held(out, context, true);
  if (context.kinds.any()) context.tables->define(out);
  each_decl(context.program.roots, [&](const Decl& decl) {
    out.gap();
    define_codec(out, context, decl);
  });
  in_modules(out, context.program.roots, [&](Text& text, const Decl& decl) {
    each_decl({&decl}, [&](const Decl& one) {
      if (const auto* exception = model::as<model::Exception>(&one))
        define_exception(text, context, *exception);
      const auto* interface = model::as<model::Interface>(&one);
      if (interface != nullptr && interface->defined) {
        define_stub(text, context, *interface);
        if (interface->handler != nullptr) define_async_operations(text, context, *interface);
      }
      if (const auto* value = model::as<model::ValueType>(&one)) define_value(text, context, *value);
      if (const auto* box = model::as<model::ValueBox>(&one)) define_value_box(text, context, *box);
    });
  });
  return out.str();
}

// Headers of the skeletons that this file's skeletons inherit from elsewhere.
void include_base_skeletons(Text& out, const Context& context) {
  std::set<std::string> headers;
  each_decl(context.program.roots, [&](const Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface == nullptr || interface->local) return;
    for (const model::Interface* base : interface->all_bases) {
      if (base->in_main_file || base->provided_by_orb) continue;
      headers.insert(header_of(context, base->location.file, "_skel.hpp"));
    }
  });
  for (const std::string& header : headers) include(out, header);
}

std::string skeleton_header(const Context& context) {
  Text body;
  const auto& roots = context.program.roots;
  in_modules(body, roots, [&](Text& text, const Decl& decl) {
    each_interface(decl, [&](const model::Interface& interface) {
      if (!interface.local) declare_skeleton(text, context, interface);
    });
  });
  for (const Decl* root : roots) {
    each_interface(*root, [&](const model::Interface& interface) {
      if (!interface.local) declare_servant_traits(body, interface);
    });
  }
  Text out;
  begin(out, context);
  out.line("#pragma once");
  out.gap();
  if (body.str().find("::Messaging::ReplyHandler_skeleton") != std::string::npos)
    out.line("#include <tenon/gen/reply_skeleton.hpp>");
  out.line("#include <tenon/gen/skeleton.hpp>");
  out.gap();
  include(out, own_header(context.options, ".hpp"));
  include_base_skeletons(out, context);
  return body.empty() ? out.str() : out.str() + "\n" + body.str();
}

std::string skeleton_source(const Context& context) {
  Text out;
  begin(out, context);
  include(out, own_header(context.options, "_skel.hpp"));
  declare_short_names(out, context);
  define_held(out, context, false);
  in_modules(out, context.program.roots, [&](Text& text, const Decl& decl) {
    each_interface(decl, [&](const model::Interface& interface) {
      if (!interface.local) define_skeleton(text, context, interface);
    });
  });
  return out.str();
}

// Asynchronous calls. All of them end in templates, so there is no source file.
std::string async_header(const Context& context) {
  Text out;
  begin(out, context);
  out.line("#pragma once");
  out.gap();
  out.line("#include <tuple>");
  out.gap();
  include(out, own_header(context.options, ".hpp"));
  out.line("#include <tenon/gen/async.hpp>");
  out.gap();
  const auto& roots = context.program.roots;
  in_modules(out, roots, [&](Text& text, const Decl& decl) {
    each_interface(decl, [&](const model::Interface& interface) {
      if (!interface.local && interface.handles == nullptr) declare_async(text, context, interface);
    });
  });
  for (const Decl* root : roots) {
    each_interface(*root, [&](const model::Interface& interface) {
      if (!interface.local && interface.handles == nullptr) declare_async_traits(out, interface);
    });
  }
  return out.str();
}

class Cpp11Backend final : public Backend {
 public:
  std::vector<std::string> file_names(const BackendOptions& options) const override {
    const std::string& base = options.base_name;
    std::vector<std::string> names{base + ".hpp", base + ".cpp", base + "_skel.hpp", base + "_skel.cpp"};
    if (options.ami) names.push_back(base + "_async.hpp");
    if (options.any) names.insert(names.end(), {base + "_any.hpp", base + "_any.cpp"});
    return names;
  }

  std::vector<OutputFile> emit(const model::Model& program, const BackendOptions& options,
                               BackendDiagnostics& diagnostics) override {
    if (refuse(program, diagnostics)) return {};
    const StubKinds kinds(program, options);
    Context context{program, options, SupportNames(program), kinds};
    const Tables tables(context);
    context.tables = &tables;
    const std::string& base = options.base_name;
    std::vector<OutputFile> files{{base + ".hpp", types_header(context)},
                                  {base + ".cpp", types_source(context)},
                                  {base + "_skel.hpp", skeleton_header(context)},
                                  {base + "_skel.cpp", skeleton_source(context)}};
    if (options.ami) files.push_back({base + "_async.hpp", async_header(context)});
    if (options.any) std::ranges::move(any_files(context), std::back_inserter(files));
    return files;
  }

  std::string size_report(const model::Model& program, const BackendOptions& options,
                          BackendDiagnostics& diagnostics) override {
    return refuse(program, diagnostics) ? std::string() : cpp::size_report(program, options);
  }
};

}  // namespace

void declare(Text& out, const Context& context, const model::Decl& decl) {
  if (!is_ours(decl)) return;
  const auto* interface = model::as<model::Interface>(&decl);
  if (interface != nullptr && !interface->defined) return;
  const auto* value = model::as<model::ValueType>(&decl);
  if (value != nullptr && !value->defined) return;
  if (decl.kind == DeclKind::Annotation) return;
  if (decl.kind == DeclKind::Native && verbatim(decl, false).empty()) return;
  out.gap();
  out.line("// " + place(context.program, decl));
  switch (decl.kind) {
    case DeclKind::Constant: declare_constant(out, *model::as<model::Constant>(&decl)); break;
    case DeclKind::Typedef: declare_typedef(out, *model::as<model::Typedef>(&decl)); break;
    case DeclKind::Enum: declare_enum(out, *model::as<model::Enum>(&decl)); break;
    case DeclKind::Bitmask: declare_bitmask(out, *model::as<model::Bitmask>(&decl)); break;
    case DeclKind::Bitset: declare_bitset(out, *model::as<model::Bitset>(&decl)); break;
    case DeclKind::Struct: declare_struct(out, context, *model::as<model::Struct>(&decl)); break;
    case DeclKind::Union: declare_union(out, context, *model::as<model::Union>(&decl)); break;
    case DeclKind::Exception: declare_exception(out, context, *model::as<model::Exception>(&decl)); break;
    case DeclKind::Interface:
      if (interface->handler != nullptr) declare_implied_names(out, *interface);
      declare_interface(out, context, *interface);
      if (interface->handles != nullptr) declare_poller(out, context, *interface->handles);
      break;
    case DeclKind::ValueType: declare_value(out, context, *value); break;
    case DeclKind::ValueBox: declare_value_box(out, *model::as<model::ValueBox>(&decl)); break;
    case DeclKind::Forward: out.line("class " + escaped(decl.name) + ";"); break;
    case DeclKind::Native:
      for (const std::string& text : verbatim(decl, false)) out.line(text);
      break;
    default: break;
  }
  if (context.options.any) declare_nested_type_constant(out, decl);
  out.gap();
}

}  // namespace tenon::idl::cpp

namespace tenon::idl {

std::unique_ptr<Backend> make_cpp11_backend() { return std::make_unique<cpp::Cpp11Backend>(); }

}  // namespace tenon::idl
