// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of param.idl and echo.idl; commands on standard input (bench/raw/blocks.hpp), as those of the client beside it:
//   pingpong TYPE COUNT | calls TYPE COUNT
//
// Threads: one.

#include "bench/raw/blocks.hpp"
#include "echo.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

constexpr CORBA::ULong elements = 9;

CORBA::String_var text() { return CORBA::string_dup(std::string(128, 't').c_str()); }

Param::StrSeq str_seq() {
  Param::StrSeq values;
  values.length(elements);
  for (CORBA::ULong i = 0; i < elements; ++i) values[i] = text();
  return values;
}

Param::VarStruct var_struct() {
  Param::VarStruct value;
  value.dummy1 = text();
  value.dummy2 = text();
  value.seq = str_seq();
  return value;
}

Param::StructSeq struct_seq() {
  Param::StructSeq values;
  values.length(elements);
  for (CORBA::ULong i = 0; i < elements; ++i) values[i] = var_struct();
  return values;
}

template <class Call>
std::string run(const blocks::Words& words, const Call& call) {
  const std::size_t count = blocks::number(words, 2);
  if (words[0] == "pingpong") return blocks::time_calls(count, call);
  if (words[0] != "calls") return "";
  for (std::size_t i = 0; i < count; ++i) call();
  return "done";
}

// A type of variable size.
template <class Var, class T, class Operation>
std::string four_ways(const blocks::Words& words, const T& sample, const Operation& operation) {
  return run(words, [&] {
    T inout = sample;
    Var out;
    const Var result = operation(sample, inout, out);
  });
}

std::string answer(Param::ParamTest_ptr o, Param::Echo_ptr echo, const blocks::Words& words) {
  if (words.size() != 3) return "";
  const std::string& type = words[1];
  if (type == "short") {
    return run(words, [&] {
      CORBA::Short inout = 7;
      CORBA::Short out = 0;
      o->test_short(7, inout, out);
    });
  }
  if (type == "ubstring") {
    const CORBA::String_var sample = text();
    return run(words, [&] {
      CORBA::String_var inout = sample;
      CORBA::String_var out;
      const CORBA::String_var result = o->test_ubstring(sample, inout.inout(), out.out());
    });
  }
  if (type == "fixed_struct") {
    const Param::FixedStruct sample{1, 'c', 2, 3, 4.0F, true, 5.0};
    return run(words, [&] {
      Param::FixedStruct inout = sample;
      Param::FixedStruct out{};
      o->test_fixed_struct(sample, inout, out);
    });
  }
  if (type == "strseq") {
    return four_ways<Param::StrSeq_var>(
        words, str_seq(), [&](auto& in, auto& io, auto& out) { return o->test_strseq(in, io, out.out()); });
  }
  if (type == "var_struct") {
    return four_ways<Param::VarStruct_var>(words, var_struct(), [&](auto& in, auto& io, auto& out) {
      return o->test_var_struct(in, io, out.out());
    });
  }
  if (type == "nested_struct") {
    Param::NestedStruct sample;
    sample.vs = var_struct();
    return four_ways<Param::NestedStruct_var>(words, sample, [&](auto& in, auto& io, auto& out) {
      return o->test_nested_struct(in, io, out.out());
    });
  }
  const Param::StructSeq sample = struct_seq();
  if (type == "struct_seq") {
    return four_ways<Param::StructSeq_var>(
        words, sample, [&](auto& in, auto& io, auto& out) { return o->test_struct_seq(in, io, out.out()); });
  }
  if (type != "echo") return "";
  return run(words, [&] { const Param::StructSeq_var result = echo->echo_seq(sample); });
}

}  // namespace

int main(int argc, char** argv) {
  return peer::client_main(peer::parse(argc, argv), [](CORBA::ORB_ptr orb, const std::string& references) {
    const std::size_t line = references.find('\n');
    if (line == std::string::npos) return 2;
    Param::ParamTest_var param = peer::object_of<Param::ParamTest>(orb, references.substr(0, line));
    Param::Echo_var echo = peer::object_of<Param::Echo>(orb, references.substr(line + 1));
    return blocks::serve_commands([&](const blocks::Words& words) { return answer(param, echo, words); });
  });
}
