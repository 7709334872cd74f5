// SPDX-License-Identifier: Apache-2.0
//
// The functions of CORBA::ORB for requests: making lists, and sending several at a time (CORBA 3.4 part 1 §11.2, §11.3). Requests that
// send_multiple_requests_deferred() sent are kept with the ORB until get_next_response() returns them.
#include <algorithm>

#include "base/minor_codes.hpp"
#include "dynamic/dii/deferred.hpp"
#include "mapping/cpp11/corba/attached.hpp"
#include "tenon/dynamic/request.hpp"

namespace CORBA {
inline namespace cpp11 {

namespace dynamic = tenon::dynamic;
namespace errors = tenon::errors;

namespace {

struct Outstanding {
  std::mutex mutex;  // guards requests
  std::vector<object_reference<Request>> requests;

  static std::shared_ptr<Outstanding> of(tenon::orb::Orb& orb) {
    static constexpr char key = 0;
    auto found = tenon::gen::attached<Outstanding>(orb, &key);
    if (!found) tenon::gen::raise(errors::orb_destroyed);
    return found;
  }

  /// The requests that are still waited for, without those whose response the program has asked for by get_response().
  std::vector<object_reference<Request>> awaited() {
    std::lock_guard lock(mutex);
    std::erase_if(requests, [](const auto& each) { return !each->_awaited(); });
    if (requests.empty()) tenon::gen::raise(errors::request_not_sent);
    return requests;
  }

  /// False: another thread has taken it.
  bool take(const object_reference<Request>& request) {
    std::lock_guard lock(mutex);
    return std::erase(requests, request) != 0;
  }
};

}  // namespace

void ORB::create_list(std::int32_t, object_reference<NVList>& new_list) {
  new_list = make_reference<NVList>();
}

void ORB::create_named_value(object_reference<NamedValue>& value) {
  value = make_reference<NamedValue>("", Any(), ARG_OUT);
}

void ORB::create_exception_list(object_reference<ExceptionList>& list) {
  list = make_reference<ExceptionList>();
}

namespace {

/// Reads CORBA::ParDescriptionSeq (CORBA 3.4 part 1 §14.5.13): name, TypeCode, IDLType, mode of each.
void read_parameters(tenon::cdr::Reader& in, NVList& into) {
  static constexpr Flags directions[] = {ARG_IN, ARG_OUT, ARG_INOUT};
  constexpr std::size_t smallest = 20;
  for (std::size_t left = in.get_length(smallest); left != 0 && in.good(); --left) {
    const Identifier name(in.get_raw_string());
    TypeCodeRef type;
    tenon::gen::Codec<TypeCodeRef>::get(in, type);
    object_reference<Object> type_def;
    tenon::gen::Reference<Object>::get(in, type_def);
    const auto mode = in.get<std::uint32_t>();
    if (!in.good()) return;
    if (mode >= std::size(directions)) return in.fail(errors::value_out_of_range);
    into.add_type(name, type, directions[mode]);
  }
}

}  // namespace

void ORB::create_operation_list(const object_reference<Object>& oper, object_reference<NVList>& new_list) {
  static constexpr tenon::gen::Operation params{.name = "_get_params", .has_arguments = false};
  if (!oper) tenon::gen::raise(errors::nil_object);
  const auto made = make_reference<NVList>();
  tenon::gen::call(*oper, params, tenon::gen::put_nothing,
                   [&](tenon::cdr::Reader& in) { read_parameters(in, *made); });
  new_list = made;
}

void ORB::send_multiple_requests_oneway(const std::vector<object_reference<Request>>& requests) {
  for (const auto& request : requests) request->send_oneway();
}

void ORB::send_multiple_requests_deferred(const std::vector<object_reference<Request>>& requests) {
  const auto outstanding = Outstanding::of(*core_);
  for (const auto& request : requests) {
    request->_send_deferred(dynamic::Deferred::of(*core_));
    std::lock_guard lock(outstanding->mutex);
    outstanding->requests.push_back(request);
  }
}

bool ORB::poll_next_response() {
  const auto awaited = Outstanding::of(*core_)->awaited();
  return std::ranges::any_of(awaited, [](const auto& request) { return request->poll_response(); });
}

void ORB::get_next_response(object_reference<Request>& request) {
  const auto outstanding = Outstanding::of(*core_);
  const auto deferred = dynamic::Deferred::of(*core_);
  while (true) {
    const auto awaited = outstanding->awaited();
    std::vector<const dynamic::DynamicCall*> calls;
    for (const auto& each : awaited) calls.push_back(each->_call().get());
    const auto& done = awaited[deferred->wait_for_one(calls)];
    if (!outstanding->take(done)) continue;
    done->_collect();
    request = done;
    return;
  }
}

}  // namespace cpp11
}  // namespace CORBA
