// SPDX-License-Identifier: Apache-2.0
//
// The tables of an IDL file for interpreted stubs: its types as marshal programs, its operations, and how an interface finds them
// (src/marshal/words.hpp, src/interpreted/interpreted.hpp). All are words of one array.
// Made before any text, because stubs and codecs name places in it. Immutable then.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "idl/backends/cpp/emit.hpp"
#include "marshal/builder.hpp"

namespace tenon::idl::cpp {

// The op of one value that needs no operand and no type of its own; nothing for others.
std::optional<marshal::Op> simple_op(const model::Type& type);
// Null for what is no enum whose enumerators count from 0.
const model::Enum* plain_enum(const model::Type& type);

class Tables {
 public:
  explicit Tables(const Context& context);

  bool empty() const { return runs_.empty(); }
  /// The class that holds them, in tenon::gen.
  const std::string& name() const { return name_; }
  /// The index at which the program of a struct, union or exception of this file begins.
  std::uint32_t type(const model::Decl& decl) const;
  std::uint32_t operation(const Call& call) const;
  /// Where the interface's own interpreted operations are found.
  std::uint32_t interface(const model::Interface& decl) const;

  void declare(Text& out) const;
  void define(Text& out) const;

  /// For reports: whether there is a run of it, and its words.
  bool has(const model::Decl& decl) const { return types_.contains("gen::Codec<" + qualified(decl) + ">"); }
  bool has(const Call& call) const;
  std::size_t words(const model::Decl& decl) const;
  std::size_t words(const Call& call) const;

 private:
  /// One word as it will be printed; with a `run`, the place of that run is printed, `text` before it ("in(Op::call, ") and `tail`
  /// behind it.
  struct Item {
    Item(std::string words) : text(std::move(words)) {}
    Item(int of) : run(of) {}
    std::string text;
    std::string tail;
    int run = -1;
  };
  using Line = std::vector<Item>;
  using Lines = std::vector<Line>;
  struct Run {
    std::string comment;
    Lines lines;
    std::uint32_t place = 0;
  };

  // programs.cpp: types
  int type_run(const model::Type& type);
  void finish_types();  // the instructions of all that type_run() was asked for
  Lines type_lines(int run, const model::Type& type);
  bool zero_is_initial(const model::Type& type);
  int exception_run(const model::Exception& decl);
  int add_cases(const model::Union& decl);
  Lines lines_of(const marshal::Words& program);
  Lines with_head(std::string head, marshal::Words& program);
  void add(marshal::Words& into, const model::Type& type, const marshal::Place& place);
  void add_named(marshal::Words& into, const model::Type& type, const marshal::Place& place);
  bool add_flat(marshal::Words& into, const model::Type& type, const marshal::Place& place);
  void add_codec(marshal::Words& into, const model::Type& type, const marshal::Place& place);
  void add_members(marshal::Words& into, const model::Decl& owner, const std::vector<model::Member>& members);
  void add_struct(marshal::Words& into, const model::Struct& decl);
  bool add_block(marshal::Words& into, const model::Struct& decl);
  std::size_t add_run_of_members(marshal::Words& into, std::span<const model::Member> members,
                                 const marshal::Place& place);
  marshal::Word foreign_codec(const model::Type& type);
  std::string offset_of(const model::Decl& owner, const std::string& data) const;

  // parameters.cpp: parameters of operations
  Item parameter(const std::string& direction, const model::Type& type);
  std::string plan(const Call& call) const;

  // tables.cpp: operations, and how all is printed
  void add_operation(const Call& call, std::size_t number);
  void add_interface(const model::Interface& decl, const std::vector<Call>& calls);
  int add_run(std::string comment, Lines lines);
  marshal::Word foreign(const std::string& expression);
  int exception(const model::Exception& decl);
  void place_all();
  static std::size_t length(const Lines& lines);

  const Context& context_;
  std::string name_;
  std::vector<Run> runs_;
  std::map<std::string, int> types_;                        // by codec
  std::set<int> blocks_;                                    // runs of structs that are one block
  std::deque<std::pair<int, const model::Type*>> waiting_;  // runs without their instructions
  // Answers, once for each struct:
  std::map<const model::Struct*, bool> zero_is_initial_;
  std::set<const model::Struct*> never_flat_;
  std::string within_;  // where a struct whose members are emitted lies in another one: "offsetof(A, b_) + "
  std::map<std::string, int> operations_;  // by interface and name on the wire
  std::map<std::string, int> interfaces_;
  std::set<marshal::Group> groups_;  // of ops that are in use and not common
  std::vector<std::string> foreign_;
  std::map<std::string, marshal::Word> foreign_places_;
  std::vector<const model::Exception*> exceptions_;
  std::map<const model::Exception*, int> exception_places_;
  std::vector<std::string> operation_names_;
  std::size_t names_size_ = 0;
};

}  // namespace tenon::idl::cpp
