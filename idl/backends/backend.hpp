// SPDX-License-Identifier: Apache-2.0
//
// The interface between the driver and a back end: a model and options go in, texts of files come out.
//
// A back end writes nothing itself: the driver writes all files or, after an error, none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "idl/model/model.hpp"

namespace tenon::idl {

// Problems that a back end may find in a legal program, such as a construct that it does not map.
class BackendDiagnostics {
 public:
  virtual ~BackendDiagnostics() = default;
  virtual void error(model::Location where, std::string message) = 0;
  virtual void warning(model::Location where, std::string message) = 0;
  virtual void note(model::Location where, std::string message) = 0;  // belongs to the one before
};

// How operations and types are marshalled where no annotation says so (docs/stubs.md).
enum class Stubs : std::uint8_t { compiled, interpreted, automatic };

// How a compiled skeleton finds the operation of a request (docs/poa.md).
enum class Operations : std::uint8_t { hash, binary, linear, index };

// Which operations of Java cross the border to C++ over a wrapper where no annotation says so (docs/java.md).
enum class JavaWrappers : std::uint8_t { automatic, always, never };

// What runs of a program did (TENON_USAGE): one row per interface and operation.
struct UsageRow {
  std::string interface;  // repository id as far as it was known
  std::string operation;  // as on the wire
  std::uint64_t calls = 0;
  std::uint64_t octets = 0;
};
struct Usage {
  std::vector<UsageRow> rows;
};

struct BackendOptions {
  std::string base_name;     // of the main file without directories and ".idl"
  std::string java_package;  // put before the packages that modules are in Java, e.g. "com.example"
  JavaWrappers java_wrappers = JavaWrappers::automatic;
  std::string include_prefix;  // put before names of generated headers in #include lines, e.g. "my/idl"
  bool any = false;            // also emit Any and TypeCode support (*_any files)
  bool signatures =
      false;         // with any: also emit what interceptors are shown of operations (operation_signatures)
  bool ami = false;  // also emit asynchronous calls
  Stubs stubs = Stubs::compiled;
  Operations operations = Operations::hash;
  std::optional<Usage> usage;   // with Stubs::automatic
  bool annotated_stubs = true;  // @tenon::compiled and @tenon::interpreted count
};

struct OutputFile {
  std::string name;  // relative to the output directory
  std::string text;
};

class Backend {
 public:
  virtual ~Backend() = default;
  // Whether the names of files come from what the program declares; then file_names() knows none.
  virtual bool names_want_model() const { return false; }
  // Whether its asynchronous calls are made of the implied IDL (sema/implied.hpp).
  virtual bool wants_implied_idl() const { return true; }
  // The names of the files that emit() would make; build systems ask for them without a model.
  virtual std::vector<std::string> file_names(const BackendOptions& options) const = 0;
  // On an error (reported through diagnostics) the result is ignored.
  virtual std::vector<OutputFile> emit(const model::Model& program, const BackendOptions& options,
                                       BackendDiagnostics& diagnostics) = 0;
  // What each operation and type costs in object code, as text for a terminal.
  virtual std::string size_report(const model::Model& program, const BackendOptions& options,
                                  BackendDiagnostics& diagnostics) = 0;
};

// The C++11 mapping (idl/backends/cpp).
std::unique_ptr<Backend> make_cpp11_backend();
// Java 17 (idl/backends/java).
std::unique_ptr<Backend> make_java_backend();

}  // namespace tenon::idl
