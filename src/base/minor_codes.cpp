// SPDX-License-Identifier: Apache-2.0
//
// The rows of minor_codes.hpp as one array. Read only; any thread.
#include "base/minor_codes.hpp"

#include <iterator>

namespace tenon {
namespace {

#define TENON_OMG_ROW(constant, exception, code, text, clause) \
  {SystemException::exception, omg_vmcid | (code), #constant, text, clause},
#define TENON_VENDOR_ROW(constant, exception, code, text, clause) \
  {SystemException::exception, tenon_vmcid | (code), #constant, text, clause},

constexpr MinorCode rows[] = {TENON_OMG_MINOR_CODES(TENON_OMG_ROW)
                                  TENON_VENDOR_MINOR_CODES(TENON_VENDOR_ROW)};

#undef TENON_OMG_ROW
#undef TENON_VENDOR_ROW

}  // namespace

const MinorCode* begin_minor_codes() noexcept { return std::begin(rows); }
const MinorCode* end_minor_codes() noexcept { return std::end(rows); }

const MinorCode* minor_code(const Error& error) noexcept {
  for (const MinorCode& row : rows) {
    if (row.id == error.id && row.code == error.minor) return &row;
  }
  return nullptr;
}

}  // namespace tenon
