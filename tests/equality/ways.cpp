// SPDX-License-Identifier: Apache-2.0
#include "tests/equality/ways.hpp"

#include "base/minor_codes.hpp"
#include "marshal/typecodes/compile.hpp"
#include "marshal/typecodes/programs.hpp"
#include "marshal/typecodes/transcode.hpp"
#include "types/any.hpp"
#include "types/walker.hpp"

namespace tenon::equality {
namespace {

std::string described(const char* doing, const Error& error) {
  const MinorCode* row = minor_code(error);
  return std::string(doing) + ": " + (row != nullptr ? std::string(row->text) : std::to_string(error.minor));
}

cdr::Reader reader(const Message& message) {
  return {message.bytes, message.wire.format(), message.wire.phase, message.restarts};
}

Outcome finished(const cdr::Reader& in, const cdr::Writer& out) {
  if (!in.good()) return {{}, described("reading", in.error())};
  if (!out.good()) return {{}, described("writing", out.error())};
  if (in.remaining() != 0) return {{}, std::to_string(in.remaining()) + " bytes left"};
  return {out.copy(), {}};
}

Outcome walk(const types::TypeRef& type, const Message& from, const Wire& to) {
  cdr::Reader skipped = reader(from);
  types::skip(skipped, *type);
  if (!skipped.good() || skipped.remaining() != 0) return {{}, "skip does not end where the value does"};
  cdr::Reader in = reader(from);
  cdr::Writer out(to.format(), to.phase);
  types::copy(in, out, *type);
  return finished(in, out);
}

/// As an Any that was received, was kept, and is sent on: as octets where it can be.
Outcome pass_on(const types::TypeRef& type, const Message& from, const Wire& to,
                const types::Runner& runner) {
  cdr::Reader in = reader(from);
  cdr::Writer out(to.format(), to.phase);
  if (type->kind == types::Kind::tk_any) {
    const types::Any any = types::read_any(in, runner);
    types::write(out, types::Any(any), runner);
  } else {
    const types::Any any = types::read_value(in, type, runner);
    types::write_value(out, types::Any(any), runner);
  }
  return finished(in, out);
}
Outcome pass_on_walked(const types::TypeRef& type, const Message& from, const Wire& to) {
  return pass_on(type, from, to, types::by_walker);
}
Outcome pass_on_run(const types::TypeRef& type, const Message& from, const Wire& to) {
  return pass_on(type, from, to, marshal::by_program);
}

/// Without memory in between.
Outcome transcode(const types::TypeRef& type, const Message& from, const Wire& to) {
  const Result<Ref<const marshal::Program>> program = marshal::compile(type);
  if (!program) return {{}, described("compiling", program.error())};
  cdr::Reader in = reader(from);
  cdr::Writer out(to.format(), to.phase);
  marshal::transcode((*program)->unit(), (*program)->root(), in, out);
  return finished(in, out);
}

/// Through memory; every other thing that a program does with a value on the way.
Outcome run_program(const types::TypeRef& type, const Message& from, const Wire& to) {
  const Result<Ref<const marshal::Program>> program = marshal::compile(type);
  if (!program) return {{}, described("compiling", program.error())};
  const marshal::Program& compiled = **program;
  cdr::Reader skipped = reader(from);
  marshal::skip(compiled.unit(), compiled.root(), skipped);
  if (!skipped.good() || skipped.remaining() != 0) return {{}, "skip does not end where the value does"};

  marshal::Value value(*program);
  cdr::Reader in = reader(from);
  value.decode(in);
  if (!in.good()) return {{}, described("reading", in.error())};
  marshal::Value copy(value);
  if (!(copy == value)) return {{}, "a copy is not equal"};
  cdr::Reader again = reader(from);
  copy.decode(again);  // into what is there already
  if (!again.good()) return {{}, described("reading again", again.error())};
  if (!(copy == value)) return {{}, "what was read again is not equal"};
  value = marshal::Value(*program);
  cdr::Writer out(to.format(), to.phase);
  copy.encode(out);
  return finished(in, out);
}

constexpr Way all_ways[] = {{"walker", walk},
                            {"any", pass_on_walked},
                            {"any by program", pass_on_run},
                            {"transcode", transcode},
                            {"program", run_program}};

}  // namespace

std::span<const Way> ways() { return all_ways; }

}  // namespace tenon::equality
