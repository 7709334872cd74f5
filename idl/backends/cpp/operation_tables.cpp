// SPDX-License-Identifier: Apache-2.0
#include "idl/backends/cpp/operation_tables.hpp"

#include <algorithm>

#include "idl/backends/cpp/operation_numbers.hpp"
#include "idl/backends/cpp/operation_slots.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"

namespace tenon::idl::cpp {

namespace {

// In the order of the table. A number means one of all operations, so tables with numbers also have those of bases and interpreted ones;
// in other tables, a name that is not found is looked up in the bases. Reply handlers have tables of another kind.
std::vector<Call> calls_in_table(const Context& context, const model::Interface& decl) {
  if (decl.handles != nullptr) return {};
  if (context.options.operations == Operations::index) return all_calls(decl);
  std::vector<Call> calls = own_calls(decl);
  std::erase_if(calls, [&](const Call& call) { return context.kinds.interpreted(call); });
  if (context.options.operations == Operations::binary) {
    std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.wire < b.wire; });
  }
  return calls;
}

// Whether the table has a function for the operation, and not only its name. An interpreted one has no function of its own, and how bases
// from other files were made is not known here: their own skeletons find such operations by the name.
bool has_function(const Context& context, const Call& call) {
  return call.owner->in_main_file && !context.kinds.interpreted(call);
}

void define_raises(Text& out, const Context& context, const std::vector<Call>& calls) {
  const std::string& gen = context.names.gen;
  std::size_t number = 0;
  for (const Call& call : calls) {
    ++number;
    if (call.raises->empty() || !has_function(context, call)) continue;
    std::vector<std::string> entries;
    for (const model::Exception* exception : *call.raises)
      entries.push_back(gen + "::raises<" + qualified(*exception) + ">");
    out.list("static constexpr " + gen + "::Raises raises_" + std::to_string(number) + "[] = {", entries,
             "};");
  }
}

void define_entries(Text& out, const Context& context, const model::Interface& decl,
                    const std::string& skeleton, const std::vector<Call>& calls) {
  std::size_t number = 0;
  for (const Call& call : calls) {
    ++number;
    if (!has_function(context, call)) {
      out.line("{\"" + call.wire + "\", nullptr},");
      continue;
    }
    std::string run = "&" + call.upcall;
    if (call.owner != &decl) {
      run = "&" + context.names.gen + "::inherited<&" + skeleton_path(*call.owner) + "::" + call.upcall +
            ", " + skeleton + ">";
    }
    out.line("{\"" + call.wire + "\", " + run +
             (call.raises->empty() ? "" : ", raises_" + std::to_string(number)) + "},");
  }
}

}  // namespace

std::string skeleton_name(const model::Interface& decl) { return escaped(decl.name) + "_skeleton"; }

std::string skeleton_path(const model::Interface& decl) {
  return (decl.parent != nullptr ? qualified(*decl.parent) : std::string()) + "::" + skeleton_name(decl);
}

std::string operation_step(const Context& context, const model::Interface& decl) {
  if (calls_in_table(context, decl).empty()) return {};
  return context.names.gen +
         (context.options.operations == Operations::hash ? "::dispatch" : "::dispatch_by") +
         "(operations, servant, call)";
}

void define_operation_table(Text& out, const Context& context, const model::Interface& decl) {
  const std::vector<Call> calls = calls_in_table(context, decl);
  if (calls.empty()) return;
  const std::string& gen = context.names.gen;
  const std::string skeleton = skeleton_name(decl);
  const Operations kind = context.options.operations;
  define_raises(out, context, calls);
  const std::string counts = "<" + skeleton + ", " + std::to_string(calls.size());
  const auto open = [&](const std::string& table) {
    out.line("static constexpr " + gen + "::" + table + " operations{");
    out.indent();
    out.indent();
  };
  if (kind == Operations::binary || kind == Operations::linear) {
    open((kind == Operations::binary ? "SortedOperations" : "ListedOperations") + counts + ">");
    out.line("{");
  } else {
    const OperationSlots hash = find_slots(calls);
    const std::string table = counts + ", " + std::to_string(hash.slots.size()) + ">";
    open((kind == Operations::index ? "NumberedOperations" : "OperationTable") + table);
    out.line((kind == Operations::index ? "{" : "") + std::to_string(hash.seed) + ",");
    std::vector<std::string> slots;
    for (const std::uint16_t slot : hash.slots) slots.push_back(std::to_string(slot));
    out.list("{", slots, "},");
    out.line("{");
  }
  out.indent();
  define_entries(out, context, decl, skeleton, calls);
  out.outdent();
  out.line(kind == Operations::index ? "}}, " + braced_check(numbering_of(decl)) + "};" : "}};");
  out.outdent();
  out.outdent();
}

}  // namespace tenon::idl::cpp
