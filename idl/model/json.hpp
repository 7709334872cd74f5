// SPDX-License-Identifier: Apache-2.0
//
// The model as JSON, for people and for tools that are not written in C++ (--dump=json).
//
// There is one object per declaration, so that other programs can read it; docs/idl.md describes the form.
#pragma once

#include <string>

#include "idl/model/model.hpp"

namespace tenon::idl::model {

std::string to_json(const Model& program);

}  // namespace tenon::idl::model
