// SPDX-License-Identifier: Apache-2.0
//
// Turns what the adapter returns into the exceptions of PortableServer.
#include "tenon/portable_server/poa_exceptions.hpp"

#include "base/minor_codes.hpp"
#include "mapping/cpp11/portable_server/poa_texts.hpp"

namespace tenon::gen {

constinit std::atomic<const PoaTexts*> poa_texts{nullptr};

void raise(const poa::Fault& fault, std::span<const PoaException* const> expected, const poa::Poa* poa,
           std::string_view subject) {
  for (const PoaException* each : expected) {
    if (each->kind != fault.kind) continue;
    std::string text;
    if (const PoaTexts* const texts = poa_texts.load(std::memory_order_acquire))
      text = texts->fault(*each, poa, subject);
    raise_plain(*each->of, text);
  }
  raise(fault.kind == poa::Exception::system ? fault.error : errors::foreign_exception);
}

}  // namespace tenon::gen
