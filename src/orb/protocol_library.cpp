// SPDX-License-Identifier: Apache-2.0
#include "orb/protocol_library.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include "base/joined.hpp"

namespace tenon::orb {

const char library_mark = 0;

namespace {

/// Where Tenon's own plug-ins are installed: in the folder "tenon" beside the library. Empty: the system does not say where that is.
std::string folder_of_plugins() {
  Dl_info own{};
  if (::dladdr(&library_mark, &own) == 0 || own.dli_fname == nullptr) return {};
  const std::string_view path = own.dli_fname;
  const std::size_t slash = path.rfind('/');
  return joined({slash == path.npos ? std::string_view("./") : path.substr(0, slash + 1), "tenon"});
}

std::string last_error() {
  const char* const reason = ::dlerror();
  return reason != nullptr ? reason : "cannot be loaded";
}

/// A name without a folder is looked for where the system looks for libraries, then among Tenon's plug-ins. Null: `why` says what was looked at.
void* open_library(const std::string& file, std::string& why) {
  constexpr int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  void* loaded = ::dlopen(file.c_str(), how);
  if (loaded == nullptr) why = last_error();
  if (loaded != nullptr || file.find('/') != file.npos) return loaded;
  const std::string folder = folder_of_plugins();
  const std::string there = joined({folder, "/", file});
  if (!folder.empty() && ::access(there.c_str(), F_OK) == 0) {
    loaded = ::dlopen(there.c_str(), how);
    if (loaded == nullptr) why = last_error();
    return loaded;
  }
  why = joined({why, "; looked for where the system has its libraries, and in ", folder,
                "; a file of the current folder is ./", file});
  return nullptr;
}

/// Whether the shared object has a copy of Tenon in itself. The program's comes first where names are bound, so that the object's own
/// description names the program's mark even then; a look-up that begins with the object finds what it brought.
bool brings_a_copy(void* loaded) noexcept {
  const void* const mark = ::dlsym(loaded, "_ZN5tenon3orb12library_markE");
  return mark != nullptr && mark != &library_mark;
}

}  // namespace

bool load_protocols(const std::string& file, Protocols& into, std::string& why) {
  const auto refuse = [&](std::string_view what) {
    why = joined({"protocol library ", file, ": ", what});
    return false;
  };
  std::string not_loaded;
  void* const loaded = open_library(file, not_loaded);
  if (loaded == nullptr) return refuse(not_loaded);
  const auto* const library = static_cast<const ProtocolLibrary*>(::dlsym(loaded, "tenon_protocol_library"));
  if (library == nullptr)
    return refuse("has no tenon_protocol_library, which TENON_PROTOCOL_LIBRARY() would define");
  if (library->contract != protocol_contract)
    return refuse(joined({"was built for contract ", decimal(library->contract),
                          " of plug-ins, and this program has contract ", decimal(protocol_contract),
                          "; build it with the headers of this version of Tenon"}));
  if (library->layout != protocol_layout())
    return refuse("was built with headers of another version of Tenon; build it with those of this one");
  if (library->copy != &library_mark || brings_a_copy(loaded))
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
