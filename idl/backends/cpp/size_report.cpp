// SPDX-License-Identifier: Apache-2.0
//
// --report=size: what each operation and type costs as compiled and as interpreted code (docs/stubs.md).
//
// An estimate, so that it needs no compiler and no Tenon around: octets of code, constants and tables on a 64-bit machine at -O2, by
// constants that were fitted to object files. The test size_report compares the sums with real ones, within a factor of two.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>

#include "idl/backends/cpp/emit.hpp"
#include "idl/backends/cpp/stub_kinds.hpp"
#include "idl/backends/cpp/tables.hpp"
#include "idl/backends/cpp/walk.hpp"

namespace tenon::idl::cpp {

using model::Direction;
using model::Type;
using model::TypeKind;

namespace {

// Octets of code for each place where a value of the type is written, read, or made and destroyed.
struct Cost {
  std::size_t put = 15;
  std::size_t get = 15;
  std::size_t life = 0;
};

const Type& element_of(const Type& type) { return *model::resolve_aliases(type.element); }

// The cost of making and destroying values, computed once for each struct.
class Lives {
 public:
  std::size_t of(const Type& alias) {
    const Type& type = *model::resolve_aliases(&alias);
    switch (type.kind) {
      case TypeKind::String:
      case TypeKind::WString: return 98;
      case TypeKind::Any: return 60;
      case TypeKind::Sequence: return is_scalar(element_of(type)) ? 50 : 130;
      case TypeKind::Map: return 120;
      case TypeKind::Array: return of(element_of(type)) != 0 ? 120 : 0;
      case TypeKind::Named: break;
      default: return is_reference(type) ? 40 : 0;
    }
    if (const auto* record = model::as<model::Struct>(type.decl)) return of(*record);
    if (model::as<model::Union>(type.decl) != nullptr) return 160;
    return is_reference(type) ? 40 : 0;
  }

 private:
  std::size_t of(const model::Struct& record) {
    if (const auto known = known_.find(&record); known != known_.end()) return known->second;
    std::size_t sum = 0;
    for (const model::Member& member : record.members) sum += of(*member.type);
    sum = std::min(sum, largest) * 4 / 5;  // runs of members share code that destroys them
    known_[&record] = sum;
    return sum;
  }

  static constexpr std::size_t largest = 1000000;  // no function is larger: so much code is a loop or a call
  std::map<const model::Struct*, std::size_t> known_;
};

// Templates of sequences and maps, which an object file has once.
class Templates {
 public:
  std::size_t add(const Type& alias) {
    const Type& type = *model::resolve_aliases(&alias);
    const bool sequence = type.kind == TypeKind::Sequence;
    if (!sequence && type.kind != TypeKind::Map)
      return type.kind == TypeKind::Array ? add(element_of(type)) : 0;
    if (!seen_.insert(codec(type, "gen")).second) return 0;
    std::size_t size = add(element_of(type)) + (sequence ? 0 : add(*type.key));
    if (!sequence) return size + 900;
    const Type& element = element_of(type);
    if (is_scalar(element)) return size + 150;
    return size + (element.kind == TypeKind::String ? 960 : 1800);
  }

 private:
  std::set<std::string> seen_;
};

Cost cost_of(const Type& alias, Lives& lives) {
  const Type& type = *model::resolve_aliases(&alias);
  Cost cost;
  cost.life = lives.of(type);
  if (is_scalar(type)) return {75, 95, 0};
  if (type.kind == TypeKind::Sequence) cost.put = is_scalar(element_of(type)) ? 60 : 170;
  if (type.kind == TypeKind::Array) cost.put = cost.get = 60;
  if (type.kind == TypeKind::Map) cost.put = 120;
  return cost;
}

struct Sizes {
  std::size_t compiled = 0;
  std::size_t interpreted = 0;
  Sizes& operator+=(const Sizes& other) {
    compiled += other.compiled;
    interpreted += other.interpreted;
    return *this;
  }
};

class Report {
 public:
  explicit Report(const Context& context, const Tables& all) : context_(context), all_(all) {}

  std::string text();

 private:
  void line(const char* format, ...) __attribute__((format(printf, 2, 3)));
  void row(const std::string& name, const Sizes& sizes, bool interpreted, const char* chosen = nullptr);
  Sizes type(const model::Decl& decl, const std::vector<model::Member>& members, bool exception);
  Sizes choice(const model::Union& decl);
  Sizes operation(const Call& call);

  const Context& context_;
  const Tables& all_;  // as if everything were interpreted
  std::string text_;
  Sizes sum_;
  std::size_t chosen_ = 0;
  Templates stub_templates_;
  Templates skeleton_templates_;
  std::set<std::string> results_;
  Lives lives_;
};

void Report::line(const char* format, ...) {
  char buffer[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  text_ += buffer;
  text_ += '\n';
}

void Report::row(const std::string& name, const Sizes& sizes, bool interpreted, const char* chosen) {
  if (chosen == nullptr) chosen = interpreted ? "interpreted" : "compiled";
  line("%8zu  %11zu  %-11s  %s", sizes.compiled, sizes.interpreted, chosen, name.c_str());
  sum_ += sizes;
  chosen_ += interpreted ? sizes.interpreted : sizes.compiled;
}

Sizes Report::type(const model::Decl& decl, const std::vector<model::Member>& members, bool exception) {
  Sizes sizes{40, 0};
  for (const model::Member& member : members) {
    const Cost cost = cost_of(*member.type, lives_);
    sizes.compiled += cost.put + cost.get + stub_templates_.add(*member.type);
  }
  sizes.interpreted = 4 * all_.words(decl);
  if (exception) {  // its class, and what throws it
    sizes.compiled += 700;
    sizes.interpreted += 700;
  }
  return sizes;
}

Sizes Report::choice(const model::Union& decl) {
  Sizes sizes{150, 4 * all_.words(decl) + 550};
  for (const model::UnionCase& one : decl.cases) {
    const Cost cost = cost_of(*one.member.type, lives_);
    sizes.compiled += cost.put + cost.get + 80 + stub_templates_.add(*one.member.type);
    sizes.interpreted += 90 + 16 * one.labels.size();
  }
  return sizes;
}

Sizes Report::operation(const Call& call) {
  const bool tables = all_.has(call);  // else it is always compiled
  Sizes sizes{310 + call.wire.size(), 30 + 30 + (tables ? 4 * all_.words(call) : 0) + call.wire.size()};
  const auto add = [&](const Type& type, bool sent, bool received) {
    const Cost cost = cost_of(type, lives_);
    sizes.compiled += (sent ? cost.put + cost.get : 0) + (received ? cost.put + cost.get : 0) + cost.life;
    if (received) sizes.compiled += stub_templates_.add(type);
    if (sent) sizes.compiled += skeleton_templates_.add(type);
    sizes.interpreted += 16;
  };
  if (call.result != nullptr) {
    add(*call.result, false, true);
    sizes.compiled += lives_.of(*call.result) / 2;
    if (results_.insert(codec(*call.result, "gen")).second) sizes.interpreted += 35 + lives_.of(*call.result);
  }
  for (const model::Parameter& parameter : call.parameters)
    add(*parameter.type, parameter.direction != Direction::Out, parameter.direction != Direction::In);
  sizes.compiled += 24 * call.raises->size();
  if (!tables) sizes.interpreted = sizes.compiled;
  return sizes;
}

std::string Report::text() {
  line(
      "compiled  interpreted  chosen       what (octets of code, constants and tables; estimated for 64 bits "
      "at -O2)");
  each_decl(context_.program.roots, [&](const model::Decl& decl) {
    const std::string name = qualified(decl).substr(2);
    const bool interpreted = context_.kinds.interpreted(decl);
    if (const auto* one = model::as<model::Exception>(&decl))
      row(name, type(decl, one->members, true), interpreted);
    if (!has_codec(decl)) return;
    if (const auto* one = model::as<model::Struct>(&decl); one != nullptr && one->defined)
      row(name, type(decl, one->members, false), interpreted);
    if (const auto* one = model::as<model::Union>(&decl); one != nullptr && one->defined && all_.has(decl))
      row(name, choice(*one), interpreted);
  });
  each_decl(context_.program.roots, [&](const model::Decl& decl) {
    const auto* interface = model::as<model::Interface>(&decl);
    if (interface == nullptr || !interface->defined || interface->local) return;
    const std::string name = qualified(decl).substr(2);
    // tables of virtual functions, type information, destructors, what the skeleton says of itself: the same for both
    const std::vector<Call> calls = own_calls(*interface);
    const std::size_t classes = 1400 + 16 * calls.size() + 350 * interface->all_bases.size();
    row(name + " (its classes)", {classes, classes}, false, "either");
    for (const Call& call : calls) {
      if (all_.has(call) || call.has_views())
        row(name + "::" + call.wire, operation(call), context_.kinds.interpreted(call));
    }
  });
  line("%8zu  %11zu  %-11zu  all", sum_.compiled, sum_.interpreted, chosen_);
  return std::move(text_);
}

}  // namespace

std::string size_report(const model::Model& program, const BackendOptions& options) {
  BackendOptions everything = options;
  everything.stubs = Stubs::interpreted;
  everything.usage.reset();
  everything.annotated_stubs = false;
  const StubKinds all_kinds(program, everything);
  const Context all_context{program, everything, SupportNames(program), all_kinds};
  const Tables all(all_context);
  const StubKinds kinds(program, options);
  const Context context{program, options, SupportNames(program), kinds};
  return Report(context, all).text();
}

}  // namespace tenon::idl::cpp
