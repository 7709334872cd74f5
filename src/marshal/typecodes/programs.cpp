// SPDX-License-Identifier: Apache-2.0
#include "marshal/typecodes/programs.hpp"

#include <array>
#include <atomic>
#include <optional>

#include "marshal/typecodes/transcode.hpp"
#include "types/walker.hpp"

namespace tenon::marshal {

namespace {

using types::TypeCode;
using types::TypeRef;

/// The program of one type, or the note that it has none.
struct Made final : types::TypeAttachment {
  explicit Made(const TypeCode& of) : type(&of) {
    // A TypeRef without the graph: the graph will keep this object, and must not keep itself alive.
    if (auto made = compile(TypeRef(of))) program = std::move(*made);
  }
  Runnable runnable() const noexcept {
    return program ? Runnable{&program->unit(), program->root()} : Runnable{};
  }

  const TypeCode* type;
  Ref<const Program> program;
};

/// Programs of types that are constant data. Open addressing; entries stay.
class ConstantPrograms {
 public:
  Runnable find_or_make(const TypeCode& type) {
    const std::uint64_t address = reinterpret_cast<std::uintptr_t>(&type) / sizeof(void*);
    auto at = static_cast<std::size_t>(address * 0x9E3779B97F4A7C15U >> shift);
    for (unsigned tries = 0; tries < most_tries; ++tries, at = (at + 1) % slots_.size()) {
      const Made* there = slots_[at].load(std::memory_order_acquire);
      if (there == nullptr) {
        auto made = std::make_unique<const Made>(type);
        if (slots_[at].compare_exchange_strong(there, made.get(), std::memory_order_acq_rel))
          there = made.release();
      }
      if (there->type == &type) return there->runnable();
    }
    return {};  // all slots near this one are taken
  }

 private:
  static constexpr unsigned most_tries = 16;
  static constexpr unsigned bits = 10;
  static constexpr unsigned shift = 64 - bits;
  std::array<std::atomic<const Made*>, std::size_t{1} << bits> slots_{};
};

constinit ConstantPrograms constant_programs;

/// What the type's graph keeps for it; nullopt: nothing yet. Only this file attaches objects to graphs.
std::optional<Runnable> attached(const TypeRef& type, unsigned& count) noexcept {
  const types::TypeGraph& graph = *type.graph();
  for (const auto* each = graph.attachment(); each != nullptr; each = graph.attachment(each)) {
    const auto& made = *static_cast<const Made*>(each);
    if (made.type == type.get()) return made.runnable();
    if (made.program) {
      const TypeIndex part = made.program->index_of(*type);
      if (part != no_case) return Runnable{&made.program->unit(), part};
    }
    ++count;
  }
  return std::nullopt;
}

/// The walker takes about as long for so many octets as it takes to make a program.
constexpr std::size_t octets_per_program = 512;
constexpr unsigned most_programs = 16;  // of one graph

bool has_parts(const TypeCode& type) noexcept { return type.content != nullptr || !type.members.empty(); }

}  // namespace

Runnable runnable(const TypeRef& type, std::size_t octets) {
  const TypeCode& below = types::unaliased(*type);
  if (!has_parts(below) || below.kind == types::Kind::tk_enum) return {};
  const TypeRef real = type.part(below);
  if (!real.graph()) return constant_programs.find_or_make(below);
  unsigned count = 0;
  if (const auto found = attached(real, count)) return *found;
  if (count >= most_programs || real.graph()->worked(octets) < octets_per_program) return {};
  auto made = std::make_unique<Made>(below);
  const Runnable fresh = made->runnable();
  real.graph()->attach(made.release());
  return fresh;
}

namespace {

void skip_value(cdr::Reader& in, const TypeRef& type) {
  const Runnable program = runnable(type, 0);
  if (!program) {
    const std::size_t before = in.position();
    types::skip(in, *type);
    if (type.graph()) type.graph()->worked(in.position() - before);
    return;
  }
  const TypeCode& below = types::unaliased(*type);
  if (below.kind == types::Kind::tk_except) types::take_exception_id(in, below.id);
  skip(*program.unit, program.type, in);
}

void copy_value(cdr::Reader& in, cdr::Writer& out, const TypeRef& type) {
  const Runnable program = runnable(type, in.remaining());
  if (!program) return types::copy(in, out, *type);
  const TypeCode& below = types::unaliased(*type);
  if (below.kind == types::Kind::tk_except) {
    types::take_exception_id(in, below.id);
    out.put_raw_string(below.id);
  }
  transcode(*program.unit, program.type, in, out);
}

}  // namespace

constexpr types::Runner by_program{.skip = skip_value, .copy = copy_value};

}  // namespace tenon::marshal
