// SPDX-License-Identifier: Apache-2.0
//
// The types of operations and exceptions that a program has made known to the interceptors of an ORB. Private to src/dynamic. Any thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <shared_mutex>
#include <string>
#include <typeindex>
#include <vector>

#include "dynamic/dii/dynamic_call.hpp"
#include "tenon/interceptors/operation_signature.hpp"

namespace tenon::dynamic {

struct Signature {
  struct Parameter {
    Direction direction;
    types::TypeRef type;
  };
  types::TypeRef result;  ///< null: void
  std::vector<Parameter> parameters;
  std::vector<types::TypeRef> exceptions;

  /// What an interceptor sees. `in`: the arguments of a request; `out`: null, or the results, which begin with the return value. NO_RESOURCES
  /// (OMG minor 1) if the arguments are not of these types.
  Dynamic::ParameterList shown(cdr::Reader in, const cdr::Reader* out) const;
  /// The return value at the beginning of the results.
  CORBA::Any returned(cdr::Reader out) const;
};

class KnownTypes {
 public:
  using Found = std::shared_ptr<const Signature>;

  /// BAD_PARAM (OMG minor 21): it is no exception's.
  void add_exception(const CORBA::TypeCodeRef& type);
  void add_operations(const std::type_info& interface, std::string_view id,
                      const std::vector<OperationSignature>& operations);

  /// Null: not known.
  types::TypeRef exception(std::string_view id) const;
  Found operation(const std::type_info& interface, std::string_view name) const;
  Found operation(std::string_view interface_id, std::string_view name) const;
  bool has_operations() const noexcept { return has_operations_.load(std::memory_order_acquire); }

 private:
  using Operations = std::map<std::string, Found, std::less<>>;

  std::atomic<bool> has_operations_{false};
  mutable std::shared_mutex mutex_;  // guards what follows
  std::map<std::string, types::TypeRef, std::less<>> exceptions_;
  std::map<std::type_index, Operations> by_class_;
  std::map<std::string, Operations, std::less<>> by_id_;
};

}  // namespace tenon::dynamic
