// SPDX-License-Identifier: Apache-2.0
//
// Turns what the adapter returns into the exceptions of PortableServer.
#include "tenon/portable_server/poa_exceptions.hpp"

#include <algorithm>

#include "base/hex.hpp"
#include "base/minor_codes.hpp"
#include "poa/poa.hpp"

namespace tenon::gen {
namespace {

/// As much of the text as helps, in quotes and fit for a terminal.
void append_quoted(std::string& to, std::string_view text) {
  constexpr std::size_t longest = 100;
  to.append(1, '\'').append(printable(text.substr(0, longest))).append(text.size() > longest ? "...'" : "'");
}

/// "POA 'shop/till'", with the names below the root.
void append_name(std::string& to, const poa::Poa& poa) {
  const std::string_view below = poa.path();
  std::string path(below.empty() ? poa.name() : below.substr(0, below.size() - 1));
  std::ranges::replace(path, '\0', '/');
  append_quoted(to.append("POA "), path);
}

}  // namespace

void raise(const poa::Fault& fault, std::span<const PoaException* const> expected, const poa::Poa* poa,
           std::string_view subject) {
  for (const PoaException* each : expected) {
    if (each->kind != fault.kind) continue;
    std::string text;
    for (const char* at = each->text; *at != '\0'; ++at) {
      if (*at == '$') {
        append_quoted(text, subject);
      } else if (*at == '@' && poa != nullptr) {
        append_name(text, *poa);
      } else {
        text += *at;
      }
    }
    each->raise(text);
  }
  raise(fault.kind == poa::Exception::system ? fault.error : errors::foreign_exception);
}

}  // namespace tenon::gen
