// SPDX-License-Identifier: Apache-2.0
//
// The pieces of generated source, one .cpp per kind of IDL declaration. Each function appends to a Text what its comment shows.
// Declarations have passed refuse() before: every type has a C++ form.
#pragma once

#include <algorithm>

#include "idl/backends/backend.hpp"
#include "idl/backends/cpp/blocks.hpp"
#include "idl/backends/cpp/names.hpp"
#include "idl/backends/cpp/text.hpp"
#include "idl/backends/cpp/types.hpp"
#include "idl/model/model.hpp"

namespace tenon::idl::cpp {

struct Call;
class StubKinds;
class Tables;

struct Context {
  const model::Model& program;
  const BackendOptions& options;
  SupportNames names;  // in .cpp files; headers write ::tenon::gen
  const StubKinds& kinds;
  const Tables* tables = nullptr;  // what is interpreted; null while they are made
  // What remembers its answers:
  mutable Blocks blocks{};
  mutable model::MinimumSizes sizes{};

  // The least octets of a type, a declaration or members on the wire, as far as a message can hold them.
  template <class T>
  std::uint64_t smallest(const T& what) const {
    return std::min(sizes.of(what), model::largest_message);
  }
};

// Reports what this back end does not map; true if there is anything.
bool refuse(const model::Model& program, BackendDiagnostics& diagnostics);

// --- a.hpp: declarations, in the namespace or class where they belong ---
void declare(Text& out, const Context& context,
             const model::Decl& decl);  // any kind, with its place above it
void declare_constant(Text& out, const model::Constant& decl);
void declare_typedef(Text& out, const model::Typedef& decl);
void declare_enum(Text& out, const model::Enum& decl);
void declare_bitmask(Text& out, const model::Bitmask& decl);
void declare_bitset(Text& out, const model::Bitset& decl);
void declare_struct(Text& out, const Context& context, const model::Struct& decl);
void declare_union(Text& out, const Context& context, const model::Union& decl);
void declare_exception(Text& out, const Context& context, const model::Exception& decl);
void declare_member_text(Text& out, const std::vector<model::Member>& members);  // of an exception
void declare_interface(Text& out, const Context& context, const model::Interface& decl);
void declare_value(Text& out, const Context& context, const model::ValueType& decl);
void declare_value_box(Text& out, const model::ValueBox& decl);

// --- a.hpp: specialisations, in the global namespace and in tenon::gen ---
void declare_traits(Text& out, const model::Interface& decl);
void declare_value_traits(Text& out, const model::Decl& decl);  // of a value type or box
void declare_value_traits(Text& out, const std::string& type, const std::string& obv,
                          const std::string& factory);
void declare_enum_codec(Text& out, const model::Enum& decl);
void declare_bitmask_codec(Text& out, const model::Bitmask& decl);
void declare_bitset_codec(Text& out, const model::Bitset& decl);
void declare_struct_codec(Text& out, const Context& context, const model::Struct& decl);
void declare_union_codec(Text& out, const Context& context, const model::Union& decl);
void declare_exception_codec(Text& out, const Context& context, const model::Exception& decl);

// --- a.cpp ---
void define_struct_codec(Text& out, const Context& context, const model::Struct& decl);
void define_union_codec(Text& out, const Context& context, const model::Union& decl);
void define_exception_codec(Text& out, const Context& context, const model::Exception& decl);
void define_exception(Text& out, const Context& context, const model::Exception& decl);
void define_value(Text& out, const Context& context, const model::ValueType& decl);
void define_value_box(Text& out, const Context& context, const model::ValueBox& decl);
void define_stub(Text& out, const Context& context, const model::Interface& decl);

// --- a_skel.hpp, a_skel.cpp ---
void declare_skeleton(Text& out, const Context& context, const model::Interface& decl);
void declare_servant_traits(Text& out, const model::Interface& decl);
void define_skeleton(Text& out, const Context& context, const model::Interface& decl);

// --- asynchronous calls: in a.hpp around and in an interface, after its stub in a.cpp, in a skeleton's upcalls ---
void declare_implied_names(Text& out, const model::Interface& decl);
void declare_senders(Text& out, const model::Interface& decl);
void declare_poller(Text& out, const Context& context, const model::Interface& decl);
std::string poller_class(const model::Interface& decl);
void define_async_operations(Text& out, const Context& context, const model::Interface& decl);
// False: the interface has only oneways, so there is nothing to tell a handler.
bool has_async_operations(const model::Interface& decl);
// Defines the function that runs a servant which is a handler of this interface.
void define_reply_run(Text& out, const Context& context, const model::Interface& decl);

// --- a_async.hpp ---
void declare_async(Text& out, const Context& context, const model::Interface& decl);
void declare_async_traits(Text& out, const model::Interface& decl);

// --- --report=size ---
std::string size_report(const model::Model& program, const BackendOptions& options);

// --- shared by several kinds ---

// The private data member behind each accessor: "title_".
std::vector<std::string> data_names(const std::string& class_name, const std::vector<model::Member>& members);
// The void x(T) / T x() const / T& x() of a struct or exception member.
void declare_accessors(Text& out, const model::Member& member, const std::string& data);
// "bool operator==(const Report&) const = default;"; if it `has` none, the operator is deleted, with a comment that says why.
void declare_equality(Text& out, const std::string& name, bool has);
// "explicit Report(std::string title, ...) : title_(std::move(title)) {}"; nothing without members.
void declare_constructor(Text& out, const std::string& name, const std::vector<model::Member>& inherited,
                         const std::string& base, const std::vector<model::Member>& members,
                         const std::vector<std::string>& data);
// The codec of a class without a block: smallest, put, get.
void declare_plain_codec(Text& out, const model::Decl& decl, std::uint64_t smallest);
// The codec of an interpreted type; `inside`: the text between its braces.
void declare_program_codec(Text& out, const Context& context, const model::Decl& decl, std::uint64_t smallest,
                           const char* inside = "");
// "friend struct ...": lets the tables of programs see where the data of a class lie.
void befriend_tables(Text& out, const Context& context);
void put_members(Text& out, const Context& context, const std::vector<model::Member>& members);
void get_members(Text& out, const Context& context, const std::vector<model::Member>& members);

// An operation or attribute accessor, in C++ and on the wire.
struct Call {
  std::string name;                     // C++ name
  std::string wire;                     // "add", "_get_model"
  std::string upcall;                   // "_upcall_add", "_getter_model", "_setter_mode"
  const model::Type* result = nullptr;  // null: void
  std::vector<model::Parameter> parameters;
  const std::vector<const model::Exception*>* raises = nullptr;
  bool oneway = false;
  bool joins = false;  // several bases have it: declared again, it overrides theirs
  const model::Interface* owner = nullptr;
  const model::Decl* decl = nullptr;  // the operation or attribute

  std::vector<std::string> cpp_parameters() const;      // "std::int32_t a"
  std::vector<std::string> servant_parameters() const;  // as a servant has them
  std::vector<std::string> arguments() const;           // "a"
  bool has_views() const;
  std::string result_type() const;
};
// "static constexpr ... Operation operation{...};", with its exceptions before it, and its number if it has one.
void write_operation(Text& out, const Call& call, bool has_arguments, const std::string& gen,
                     const std::string& number = "");
// The bases of its C++ classes. Those in the ORB's own headers (CORBA::Policy, CORBA::Current) are local there: a remote interface
// does not derive from them but repeats what they declare.
std::vector<const model::Interface*> class_bases(const model::Interface& decl);
// The calls that its C++ classes declare: first those repeated from bases, then own ones in source order.
std::vector<Call> own_calls(const model::Interface& decl);
// The calls of the operations and attributes among declarations, such as those of a value type; `owner` may be null.
std::vector<Call> calls_in(const std::vector<const model::Decl*>& decls,
                           const model::Interface* owner = nullptr);
// The interface's calls with those of every base, bases first.
std::vector<Call> all_calls(const model::Interface& decl);

}  // namespace tenon::idl::cpp
