// SPDX-License-Identifier: Apache-2.0
//
// ORBs and their lives.
#include <algorithm>

#include "bindings/c/handles.hpp"
#include "tenon/parts.hpp"

namespace {

using namespace tenon::c;

/// Every member of `left` is one of `all`, in the same order: the options among them are gone.
std::uint32_t put_first(const std::vector<std::string>& left, const char** all, std::uint32_t count) {
  std::uint32_t first = 0;
  for (std::uint32_t at = 0; at < count && first < left.size(); ++at) {
    if (left[first] == all[at]) std::swap(all[first++], all[at]);
  }
  return first;
}

}  // namespace

tenon_status tenon_orb_init(uint32_t count, const char** arguments, uint32_t* left, const char* id,
                            tenon_orb** orb, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(orb, "where the ORB is to be put") = nullptr;
    std::vector<std::string> all{""};  // the program's name
    if (count != 0) given(arguments, "the list of arguments");
    for (std::uint32_t i = 0; i < count; ++i) all.emplace_back(&given(arguments[i], "an argument"));
    std::vector<char*> pointers;
    for (std::string& each : all) pointers.push_back(each.data());
    pointers.push_back(nullptr);
    int argc = static_cast<int>(all.size());
    *orb = new tenon_orb(CORBA::ORB_init(argc, pointers.data(), id != nullptr ? id : ""));
    const std::vector<std::string> rest(pointers.begin() + 1, pointers.begin() + argc);
    const std::uint32_t others = put_first(rest, arguments, count);
    if (left != nullptr) *left = others;
    return TENON_OK;
  });
}

tenon_status tenon_orb_run(tenon_orb* orb, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(orb, "the ORB").orb->run();
    return TENON_OK;
  });
}

tenon_status tenon_orb_shutdown(tenon_orb* orb, int32_t wait, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(orb, "the ORB").orb->shutdown(wait != 0);
    return TENON_OK;
  });
}

tenon_status tenon_orb_destroy(tenon_orb* orb, tenon_error* error) {
  return guarded(error, [&]() -> tenon_status {
    given(orb, "the ORB").orb->destroy();
    return TENON_OK;
  });
}

tenon_orb* tenon_orb_dup(tenon_orb* orb) {
  if (orb != nullptr) orb->add_ref();
  return orb;
}

void tenon_orb_free(tenon_orb* orb) {
  if (orb != nullptr) orb->remove_ref();
}
