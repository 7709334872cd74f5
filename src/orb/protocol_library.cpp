// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_library.hpp"

#include <dlfcn.h>

#include "base/joined.hpp"

namespace tenon::orb {

const char library_mark = 0;

bool load_protocols(const std::string& file, Protocols& into, std::string& why) {
  const auto refuse = [&](std::string_view what) {
    why = joined({"protocol library ", file, ": ", what});
    return false;
  };
  void* const loaded = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (loaded == nullptr) {
    const char* const reason = ::dlerror();
    return refuse(reason != nullptr ? reason : "cannot be loaded");
  }
  const auto* const library = static_cast<const ProtocolLibrary*>(::dlsym(loaded, "tenon_protocol_library"));
  if (library == nullptr)
    return refuse("has no tenon_protocol_library, which TENON_PROTOCOL_LIBRARY() would define");
  if (library->contract != protocol_contract)
    return refuse(joined({"was built for contract ", decimal(library->contract),
                          " of plug-ins, and this program has contract ", decimal(protocol_contract),
                          "; build it with the headers of this version of Tenon"}));
  if (library->layout != protocol_layout())
    return refuse("was built with headers of another version of Tenon; build it with those of this one");
  if (library->copy != &library_mark)
    return refuse("is linked with another copy of Tenon than the program; link both with libtenon.so");
  if (library->add == nullptr) return refuse("has no function that adds its protocols");
  const std::size_t before = into.size();
  library->add(into);
  for (std::size_t i = before; i < into.size(); ++i) {
    if (!into[i].transport || !into[i].messaging) {
      into.resize(before);
      return refuse("has added a protocol without a transport or a messaging");
    }
  }
  return true;
}

}  // namespace tenon::orb
