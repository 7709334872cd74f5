// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/kept.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Direction;
using model::Struct;
using model::Type;
using model::TypeKind;

namespace {

// Every struct in a type, each once, after the structs nested in it.
class StructWalk {
 public:
  explicit StructWalk(const std::function<void(const Struct&)>& visit) : visit_(visit) {}

  // False: the type contains something that may refer to objects or cannot be read into, or it is nested deeper than is worth while.
  bool of(const Type& alias) {
    const Type& type = *model::resolve_aliases(&alias);
    switch (type.kind) {
      case TypeKind::String:
      case TypeKind::WString:
      case TypeKind::Fixed: return true;
      case TypeKind::Sequence:
      case TypeKind::Array: return of(*type.element);
      case TypeKind::Named: break;
      default: return is_scalar(type);
    }
    if (is_scalar(type)) return true;
    const auto* decl = model::as<Struct>(type.decl);
    if (decl == nullptr || !decl->defined) return false;
    const auto [known, fresh] = finished_.try_emplace(decl, false);
    if (!fresh) return known->second;  // one that is not finished contains itself
    if (++depth_ > deepest) return false;
    for (const Struct* one = decl; one != nullptr; one = one->base) {
      for (const model::Member& member : one->members) {
        if (!of(*member.type)) return false;
      }
    }
    --depth_;
    for (const Struct* base = decl->base; base != nullptr; base = base->base) visit_(*base);
    visit_(*decl);
    finished_[decl] = true;
    return true;
  }

 private:
  static constexpr int deepest = 256;
  const std::function<void(const Struct&)>& visit_;
  std::map<const Struct*, bool> finished_;
  int depth_ = 0;
};

bool each_struct(const Type& type, const std::function<void(const Struct&)>& visit) {
  return StructWalk(visit).of(type);
}

bool grows(const Type& type) { return model::contains_variable_elements(&type); }

void define_held(Text& out, const Struct& decl) {
  std::vector<std::string> sum;
  if (decl.base != nullptr) sum.push_back("held<" + qualified(*decl.base) + ">(value)");
  for (const model::Member& member : decl.members) {
    if (model::is_variable_length(member.type)) sum.push_back("held(value." + escaped(member.name) + "())");
  }
  const std::string name = qualified(decl);
  out.line("template <>");
  out.line("struct Held<" + name + "> {");
  out.indent();
  out.line("static constexpr bool any = true;");
  out.line("static std::size_t bytes(const " + name + "& value) noexcept {");
  out.indent();
  for (std::size_t i = 0; i < sum.size(); ++i) {
    out.line((i == 0 ? "return " : "       ") + sum[i] + (i + 1 == sum.size() ? ";" : " +"));
  }
  out.outdent();
  out.line("}");
  out.outdent();
  out.line("};");
  out.line("");
}

bool holds_memory(const Struct& decl) {
  for (const Struct* one = &decl; one != nullptr; one = one->base) {
    for (const model::Member& member : one->members) {
      if (model::is_variable_length(member.type)) return true;
    }
  }
  return false;
}

}  // namespace

bool is_kept(const Type& type) {
  return grows(type) && each_struct(type, [](const Struct&) {});
}

bool is_kept(const model::Parameter& parameter) {
  return parameter.direction != Direction::Out && is_kept(*parameter.type);
}

bool is_kept_by_tables(const model::Parameter& parameter, const StubKinds& kinds,
                       std::vector<const Struct*>& others) {
  if (!is_kept(parameter)) return false;
  bool known = true;
  each_struct(*parameter.type, [&](const Struct& one) {
    if (!holds_memory(one)) return;
    if (one.in_main_file) {
      known = known && kinds.interpreted(one);
    } else if (std::find(others.begin(), others.end(), &one) == others.end()) {
      others.push_back(&one);
    }
  });
  return known;
}

void define_held(Text& out, const Context& context, bool of_handlers) {
  Text all;
  std::set<const Struct*> defined;
  each_decl(context.program.roots, [&](const model::Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface == nullptr || !interface->defined || interface->local) return;
    if ((interface->handles != nullptr) != of_handlers) return;
    for (const Call& call : own_calls(*interface)) {
      if (context.kinds.interpreted(call)) continue;
      for (const model::Parameter& parameter : call.parameters) {
        if (!is_kept(parameter)) continue;
        each_struct(*parameter.type, [&](const Struct& one) {
          if (holds_memory(one) && defined.insert(&one).second) define_held(all, one);
        });
      }
    }
  });
  if (all.empty()) return;
  out.gap();
  out.line("namespace tenon::gen {");
  out.line("");
  out.add(all.str());
  out.line("}  // namespace tenon::gen");
}

}  // namespace tenon::idl::cpp
