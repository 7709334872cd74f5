// SPDX-License-Identifier: Apache-2.0
//
// What every generated file needs: walks over the declarations of the main file, namespaces around them, names of files.
// Pure functions of the model.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "idl/backends/cpp/emit.hpp"

namespace tenon::idl::cpp {

// Whether the declaration is of the main file, and not in the ORB's own headers.
bool is_ours(const model::Decl& decl);

// Every declaration of this file, each after the declarations nested in it.
void each_decl(const std::vector<const model::Decl*>& decls,
               const std::function<void(const model::Decl&)>& visit);

// The namespaces of modules around what `each` appends for the declarations directly in them.
using Visit = std::function<void(Text& out, const model::Decl& decl)>;
void in_modules(Text& out, const std::vector<const model::Decl*>& decls, const Visit& each);

// False if the type contains a local interface or a native, and so is never sent.
bool has_codec(const model::Decl& decl);

// The texts that @verbatim has for C++ at a declaration (IDL 4.2 §8.3.5.1): those for the begin of the file, or the others.
std::vector<std::string> verbatim(const model::Decl& decl, bool begin_of_file);

// The first line of every file.
void begin(Text& out, const Context& context);
void include(Text& out, const std::string& header);
// "prefix/base_skel.hpp" or <tenon/standard/base_skel.hpp> for an IDL file, as an #include names it, with its quotes.
std::string header_of(const Context& context, std::uint32_t file, const char* suffix);
std::string own_header(const BackendOptions& options, const char* suffix);

}  // namespace tenon::idl::cpp
