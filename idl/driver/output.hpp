// SPDX-License-Identifier: Apache-2.0
//
// Writing what a back end made: whole files, by rename, only when their text changed.
#pragma once

#include <string>
#include <vector>

#include "idl/backends/backend.hpp"

namespace tenon::idl {

// Writes all files or, as far as the file system allows, none: every text is written beside its target before the
// first target is replaced. False: `problem` says why. `touch`: also unchanged files get a new time stamp.
bool write_outputs(const std::string& directory, const std::vector<OutputFile>& files, bool touch,
                   std::string& problem);
bool write_if_changed(const std::string& path, const std::string& text, bool touch, std::string& problem);

// A rule of make: "a.hpp a.cpp: a.idl b.idl", with names escaped as make and ninja read them.
std::string depfile_text(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace tenon::idl
