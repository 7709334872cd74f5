// SPDX-License-Identifier: Apache-2.0
//
// The compiler's front end in one call: preprocessed text to model.
#pragma once

#include <memory>
#include <string_view>

#include "idl/model/model.hpp"
#include "idl/support/diagnostics.hpp"
#include "idl/support/source_files.hpp"

namespace tenon::idl {

// `sources` must know the main file already, as number 0. The model is complete only if diagnostics has no
// errors; null never.
std::unique_ptr<model::Model> compile_text(std::string_view preprocessed, SourceFiles& sources,
                                           Diagnostics& diagnostics);

}  // namespace tenon::idl
