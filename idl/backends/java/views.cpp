// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/java/views.hpp"

#include "idl/backends/java/types.hpp"

namespace tenon::idl::java {

using model::Member;

namespace {

void collect_inside(const model::Struct& decl, std::set<const model::Struct*>& found) {
  if (!found.insert(&decl).second) return;
  for (const Member& member : model::members_of(decl)) {
    if (const model::Struct* inside = struct_of(*member.type)) collect_inside(*inside, found);
  }
}

std::string member_type(const Unit& unit, const Member& member) {
  const model::Struct* inside = struct_of(*member.type);
  return inside != nullptr ? unit.names.of(*inside, "View") : unit.type(*member.type);
}

// What a record of the view's members is made of.
std::vector<std::string> copies(const Unit& unit, const std::vector<Member>& members) {
  std::vector<std::string> values;
  for (const Member& member : members) {
    const std::string value = "view." + escaped(member.name) + "()";
    const model::Struct* inside = struct_of(*member.type);
    values.push_back(inside != nullptr ? unit.names.of(*inside, "View") + "._copy(" + value + ")" : value);
  }
  return values;
}

// Where elements are not a constant number of octets apart, records are read.
void declare_view_sequences(Text& out, Unit& unit, const model::Struct& decl,
                            const model::ConstantLayout& layout) {
  const std::string type = unit.names.of(decl);
  const std::string view = unit.names.of(decl, "View");
  const std::string least = std::to_string(unit.sizes.of(&decl));
  const bool constant = layout.stride != 0;
  out.gap();
  out.line("static java.util.List<? extends " + view +
           "> _readSequence(org.tenon.CdrReader in, int bound) {");
  out.indent();
  if (constant) {
    out.add(R"(int count = in.readLength($least$, bound);
int at = in.lends() ? in.blocks(count, $first$, $alignment$, $stride$, $size$) : -1;
if (at >= 0) return new _Sequence(in.lend(), at, count);
$type$[] elements = new $type$[count];
for (int i = 0; i < count; ++i) elements[i] = $type$.read(in);
return java.util.Arrays.asList(elements);)",
            {{"type", type},
             {"least", least},
             {"first", std::to_string(layout.first)},
             {"alignment", std::to_string(layout.alignment)},
             {"stride", std::to_string(layout.stride)},
             {"size", std::to_string(layout.size)}});
  } else {
    out.line("return in.readSequence(" + type + "._Type.INSTANCE, " + least + ", bound);");
  }
  out.outdent();
  out.line("}");
  out.gap();
  out.add(
      R"(static void _writeSequence(org.tenon.CdrWriter out, java.util.List<? extends $view$> views, int bound) {
  $write$org.tenon.ViewList.copies(views, $view$::_copy), bound);
})",
      {{"view", view},
       {"write",
        constant ? type + ".writeSequence(out, " : "out.writeSequence(" + type + "._Type.INSTANCE, "}});
  if (!constant) return;
  out.gap();
  out.add(
      R"(/** A sequence of them where a message has it. */
final class _Sequence extends org.tenon.ViewList<$view$> {
  private _Sequence(org.tenon.Lent lent, int at, int count) {
    super(lent, at, $stride$, count);
  }

  @$override$
  public $view$ get(int index) {
    return new _InMessage(lent, place(index));
  }
})",
      {{"view", view}, {"override", unit.names.lang("Override")}, {"stride", std::to_string(layout.stride)}});
}

// The class of a struct that lies in a message.
void declare_in_message(Text& out, const Unit& unit, const model::Struct& decl,
                        const model::ConstantLayout& layout) {
  const std::string override = "@" + unit.names.lang("Override");
  const std::string view = unit.names.of(decl, "View");
  const std::vector<Member> members = model::members_of(decl);
  out.gap();
  out.line("/** Where a message has it. */");
  out.line("final class _InMessage implements " + view + " {");
  out.indent();
  out.line("private final org.tenon.Lent lent;");
  out.line("private final int at;");
  out.gap();
  out.add(R"(public _InMessage(org.tenon.Lent lent, int at) {
  this.lent = lent;
  this.at = at;
})");
  for (std::size_t i = 0; i < members.size(); ++i) {
    const model::Struct* inside = struct_of(*members[i].type);
    const std::string value = inside != nullptr
                                  ? "new " + unit.names.of(*inside, "View") + "._InMessage(this.lent, this." +
                                        at_offset(layout.offsets[i]) + ")"
                                  : read_at(unit, *members[i].type, "this." + at_offset(layout.offsets[i]),
                                            "this.lent.reader()", "this.lent.buffer()");
    out.gap();
    out.line(override);
    out.line("public " + member_type(unit, members[i]) + " " + escaped(members[i].name) + "() {");
    out.line("  return " + value + ";");
    out.line("}");
  }
  out.gap();
  out.line(override);
  out.line("public " + unit.names.lang("String") + " toString() {");
  out.line("  return _copy(this).toString();");
  out.line("}");
  out.outdent();
  out.line("}");
}

}  // namespace

const model::Struct* struct_of(const model::Type& type) {
  return model::as<model::Struct>(model::named_decl(&type));
}

std::set<const model::Struct*> structs_inside(const model::Struct& decl) {
  std::set<const model::Struct*> found;
  collect_inside(decl, found);
  return found;
}

const model::Struct* viewed_struct(const model::Parameter& parameter) {
  return model::is_view(parameter) ? model::sequence_of_constant_structs(*parameter.type) : nullptr;
}

const model::Struct* viewed_result(const model::Decl& decl) {
  const auto* operation = model::as<model::Operation>(&decl);
  return operation != nullptr && model::has_view(operation->annotations)
             ? model::sequence_of_constant_structs(*operation->result)
             : nullptr;
}

Views::Views(const model::Model& program) { collect(program.roots); }

bool Views::has(const model::Struct& decl) const {
  const auto it = reached_from_.find(&decl);
  return it != reached_from_.end() && it->second.contains(decl.location.file);
}

void Views::reach(const model::Struct& decl, std::uint32_t file) {
  for (const model::Struct* one : structs_inside(decl)) reached_from_[one].insert(file);
}

void Views::collect(const std::vector<const model::Decl*>& decls) {
  for (const model::Decl* decl : decls) {
    if (const auto* module = model::as<model::Module>(decl)) collect(module->contents);
    if (const auto* record = model::as<model::Struct>(decl)) {
      if (model::has_view(record->annotations)) reach(*record, decl->location.file);
      collect(record->contents);
    }
    const auto* interface = model::as<model::Interface>(decl);
    if (interface == nullptr) continue;
    collect(interface->contents);
    for (const model::Operation* operation : interface->operations) {
      if (const model::Struct* one = viewed_result(*operation)) reach(*one, operation->location.file);
      for (const model::Parameter& parameter : operation->parameters) {
        if (const model::Struct* one = viewed_struct(parameter)) reach(*one, operation->location.file);
      }
    }
  }
}

void declare_view(Text& out, Unit& unit, const model::Struct& decl, bool nested) {
  const model::ConstantLayout layout = *model::constant_layout(decl);
  const std::string type = unit.names.of(decl);
  const std::string view = unit.names.of(decl, "View");
  const std::vector<Member> members = model::members_of(decl);
  out.line("/** What a " + decl.name + " has, a record or one that lies in a message. */");
  out.line(std::string(nested ? "" : "public ") + "interface " + unit.names.simple(decl, "View") + " {");
  out.indent();
  for (const Member& member : members)
    out.line(member_type(unit, member) + " " + escaped(member.name) + "();");
  out.gap();
  out.line("/** A record with the same members, which stays. */");
  out.line("static " + type + " _copy(" + view + " view) {");
  out.indent();
  out.line("if (view instanceof " + type + " record) return record;");
  out.list("return new " + type + "(", copies(unit, members), ");");
  out.outdent();
  out.line("}");
  declare_view_sequences(out, unit, decl, layout);
  declare_in_message(out, unit, decl, layout);
  out.outdent();
  out.line("}");
}

}  // namespace tenon::idl::java
