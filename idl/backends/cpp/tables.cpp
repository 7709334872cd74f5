// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/tables.hpp"

#include <algorithm>
#include <cstdio>

#include "base/operation_hash.hpp"
#include "idl/backends/cpp/kept.hpp"
#include "idl/backends/cpp/operation_slots.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Direction;

namespace {

std::string have_programs(const std::vector<const model::Struct*>& types) {
  std::string codecs;
  for (const model::Struct* one : types)
    codecs += (codecs.empty() ? "Codec<" : ", Codec<") + qualified(*one) + ">";
  return "have_programs<" + codecs + ">";
}

std::string operation_key(const Call& call) { return qualified(*call.owner) + " " + call.wire; }

// Letters and digits of the file's name, and a number made of what the file declares: two files of one program may have one name.
std::string tables_name(const Context& context) {
  std::string name = "Tables_";
  for (const char letter : context.options.base_name) {
    const bool fine = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9');
    name += fine ? letter : '_';
  }
  std::string all;
  each_decl(context.program.roots, [&](const model::Decl& decl) { all += decl.repository_id + "\n"; });
  char digits[12];
  std::snprintf(digits, sizeof digits, "_%08x", static_cast<unsigned>(operation_hash(all, 0)));
  return name + digits;
}

// As in marshal::moves.
std::string group_name(marshal::Group group) {
  using marshal::Group;
  switch (group) {
    case Group::arrays: return "arrays";
    case Group::numbers: return "numbers";
    case Group::booleans: return "booleans";
    case Group::strings: return "strings";
    case Group::sequences: return "sequences";
    case Group::wide: return "wide";
    case Group::long_double: return "long_double";
    case Group::fixed: return "fixed";
    case Group::unions: return "unions";
    case Group::maps: return "maps";
    case Group::common:
    case Group::every: break;
  }
  return "all";
}

}  // namespace

Tables::Tables(const Context& context) : context_(context), name_(tables_name(context)) {
  each_decl(context.program.roots, [&](const model::Decl& decl) {
    if (const auto* exception = model::as<model::Exception>(&decl)) {
      if (context.kinds.interpreted(decl)) exception_run(*exception);
      return finish_types();
    }
    const auto* record = model::as<model::Struct>(&decl);
    const auto* choice = model::as<model::Union>(&decl);
    if ((record != nullptr && record->defined) || (choice != nullptr && choice->defined)) {
      if (!has_codec(decl) || !context.kinds.interpreted(decl)) return;
      model::Type type;
      type.kind = model::TypeKind::Named;
      type.decl = &decl;
      type_run(type);
      finish_types();
    }
  });
  each_decl(context.program.roots, [&](const model::Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface == nullptr || !interface->defined || interface->local) return;
    std::vector<Call> calls;
    std::size_t number = 0;
    for (Call& call : own_calls(*interface)) {
      const std::size_t own = number++;
      if (!context.kinds.interpreted(call)) continue;
      add_operation(call, own);
      calls.push_back(std::move(call));
    }
    if (!calls.empty()) add_interface(*interface, calls);
  });
  place_all();
}

int Tables::add_run(std::string comment, Lines lines) {
  runs_.push_back({std::move(comment), std::move(lines), 0});
  return static_cast<int>(runs_.size()) - 1;
}

marshal::Word Tables::foreign(const std::string& expression) {
  const auto [known, fresh] =
      foreign_places_.try_emplace(expression, static_cast<marshal::Word>(foreign_.size()));
  if (fresh) foreign_.push_back(expression);
  return known->second;
}

int Tables::exception(const model::Exception& decl) {
  const auto [known, fresh] = exception_places_.try_emplace(&decl, static_cast<int>(exceptions_.size()));
  if (fresh) exceptions_.push_back(&decl);
  return known->second;
}

// --- operations ---

// `number`: of the interface's own calls.
void Tables::add_operation(const Call& call, std::size_t number) {
  const std::size_t count = call.parameters.size() + (call.result != nullptr ? 1 : 0);
  const bool arguments = std::any_of(call.parameters.begin(), call.parameters.end(),
                                     [](const auto& one) { return one.direction != Direction::Out; });
  std::string head;
  if (number != 0) head += ", .method = " + std::to_string(number);
  if (count != 0) head += ", .parameters = " + std::to_string(count);
  if (call.oneway) head += ", .oneway = true";
  if (arguments) head += ", .has_arguments = true";
  if (call.result != nullptr) head += ", .has_result = true";
  if (!call.raises->empty()) head += ", .raises = true";
  if (!head.empty()) head.erase(0, 2);
  Lines lines;
  lines.push_back(Line{
      "operation({" + head + "})",
      "name({.at = " + std::to_string(names_size_) + ", .length = " + std::to_string(call.wire.size()) + "})",
      plan(call)});
  operation_names_.push_back(call.wire);
  names_size_ += call.wire.size();
  if (call.result != nullptr) lines.front().push_back(parameter("out", *call.result));
  for (const model::Parameter& one : call.parameters) {
    const std::string direction = one.direction == Direction::In    ? "in"
                                  : one.direction == Direction::Out ? "out"
                                                                    : "inout";
    std::vector<const model::Struct*> others;
    const bool kept = is_kept_by_tables(one, context_.kinds, others);
    lines.front().push_back(parameter((kept ? "kept_" : "") + direction, *one.type));
    if (kept && !others.empty()) lines.front().back().tail += ", " + have_programs(others);
  }
  if (!call.raises->empty()) {
    lines.front().push_back("exceptions(" + std::to_string(call.raises->size()) + ")");
    for (const model::Exception* one : *call.raises)
      lines.front().push_back("exception(" + std::to_string(exception(*one)) + ")");
  }
  operations_[operation_key(call)] =
      add_run(qualified(*call.owner).substr(2) + "::" + call.wire, std::move(lines));
}

void Tables::add_interface(const model::Interface& decl, const std::vector<Call>& calls) {
  const OperationSlots hash = find_slots(calls);
  Lines lines;
  lines.push_back(
      Line{"seed(" + std::to_string(hash.seed) + ")", "slots(" + std::to_string(hash.slots.size()) + ")"});
  for (const std::uint16_t number : hash.slots) {
    lines.front().push_back(number == 0 ? Item(std::string("0"))
                                        : Item(operations_.at(operation_key(calls[number - 1U]))));
  }
  interfaces_[qualified(decl)] = add_run("operations of " + qualified(decl).substr(2), std::move(lines));
}

std::size_t Tables::length(const Lines& lines) {
  std::size_t words = 0;
  for (const Line& line : lines) words += line.size();
  return words;
}

// Index 0 is not used: it means that there is none.
void Tables::place_all() {
  std::size_t place = 1;
  for (Run& run : runs_) {
    run.place = static_cast<std::uint32_t>(place);
    place += length(run.lines);
  }
}

std::uint32_t Tables::type(const model::Decl& decl) const {
  return runs_.at(static_cast<std::size_t>(types_.at("gen::Codec<" + qualified(decl) + ">"))).place;
}
std::uint32_t Tables::operation(const Call& call) const {
  return runs_.at(static_cast<std::size_t>(operations_.at(operation_key(call)))).place;
}
std::uint32_t Tables::interface(const model::Interface& decl) const {
  return runs_.at(static_cast<std::size_t>(interfaces_.at(qualified(decl)))).place;
}
bool Tables::has(const Call& call) const { return operations_.contains(operation_key(call)); }
std::size_t Tables::words(const model::Decl& decl) const {
  return length(runs_.at(static_cast<std::size_t>(types_.at("gen::Codec<" + qualified(decl) + ">"))).lines);
}
std::size_t Tables::words(const Call& call) const {
  return length(runs_.at(static_cast<std::size_t>(operations_.at(operation_key(call)))).lines);
}

// --- text ---

void Tables::declare(Text& out) const {
  out.gap();
  out.line("namespace tenon::gen {");
  out.line("");
  out.line("// This file's types as marshal programs, and its operations.");
  out.line("struct " + name_ + " {");
  out.indent();
  out.line("static const Interpreted file;");
  out.outdent();
  out.line("");
  out.line(" private:");
  out.indent();
  out.line("static const marshal::Word words[];");
  if (!foreign_.empty()) out.line("static const marshal::Foreign* const foreign_classes[];");
  if (!groups_.empty()) out.line("static const marshal::Moves* const moves[];");
  if (!exceptions_.empty()) out.line("static const Raises exception_classes[];");
  out.outdent();
  out.line("};");
  out.line("");
  out.line("}  // namespace tenon::gen");
  out.gap();
}

void Tables::define(Text& out) const {
  out.gap();
  out.line("// Offsets in classes with bases or members that have some: every compiler we know has them.");
  out.line("#pragma GCC diagnostic ignored \"-Winvalid-offsetof\"");
  out.gap();
  out.line("namespace tenon::gen {");
  out.line("");
  out.line("using namespace marshal::fields;");
  out.line("using namespace fields;");
  out.line("");
  out.line("constinit const marshal::Word " + name_ + "::words[] = {");
  out.indent();
  out.line("0,");
  for (const Run& run : runs_) {
    out.line("// " + std::to_string(run.place) + ": " + run.comment);
    for (const Line& line : run.lines) {
      std::vector<std::string> words;
      for (const Item& item : line) {
        const std::string place =
            item.run >= 0 ? std::to_string(runs_.at(static_cast<std::size_t>(item.run)).place) : "";
        words.push_back(item.run < 0 ? item.text
                                     : item.text + place + item.tail + (item.text.empty() ? "" : ")"));
      }
      out.list("", words, ",");
    }
  }
  out.outdent();
  out.line("};");
  const auto array = [&](const std::string& type, const char* name, const std::vector<std::string>& items) {
    if (items.empty()) return;
    out.gap();
    out.line("constinit const " + type + " " + name_ + "::" + name + "[] = {");
    out.indent();
    for (const std::string& item : items) out.line(item + ",");
    out.outdent();
    out.line("};");
  };
  std::vector<std::string> classes;
  for (const std::string& one : foreign_) classes.push_back("&" + one);
  array("marshal::Foreign* const", "foreign_classes", classes);
  std::vector<std::string> moves;
  for (const marshal::Group group : groups_) moves.push_back("&marshal::moves::" + group_name(group));
  array("marshal::Moves* const", "moves", moves);
  std::vector<std::string> exceptions;
  for (const model::Exception* one : exceptions_) exceptions.push_back("raises<" + qualified(*one) + ">");
  array("Raises", "exception_classes", exceptions);
  out.gap();
  out.line("constinit const Interpreted " + name_ + "::file{");
  out.indent();
  out.line(std::string("{words, ") + (foreign_.empty() ? "nullptr" : "foreign_classes") + ", nullptr, " +
           (groups_.empty() ? "nullptr" : "moves") + "},");
  // one piece per name, so that a person finds them
  if (operation_names_.empty()) {
    out.line("nullptr,");
  } else {
    for (const std::string& name : operation_names_)
      out.line("\"" + name + "\"" + (&name == &operation_names_.back() ? "," : ""));
  }
  out.line(exceptions_.empty() ? "nullptr," : "exception_classes,");
  out.outdent();
  out.line("};");
  out.line("");
  out.line("}  // namespace tenon::gen");
  out.gap();
}

}  // namespace tenon::idl::cpp
