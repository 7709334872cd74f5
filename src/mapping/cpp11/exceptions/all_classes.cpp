// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/exceptions/define.hpp"

namespace tenon::gen {

namespace blank {
#define TENON_SYSTEM_EXCEPTION(Name, id) extern MakeBlank Name;
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
}  // namespace blank

namespace {

/// Nothing reads it: these references bring the classes into the program, and those of raise(), which are weak, then find them.
[[gnu::used]] constexpr MakeBlank* all_classes[] = {
#define TENON_SYSTEM_EXCEPTION(Name, id) &blank::Name,
#include "mapping/cpp11/corba/system_exceptions.inc"
#undef TENON_SYSTEM_EXCEPTION
};

}  // namespace

void link_all_classes() noexcept {}

}  // namespace tenon::gen
