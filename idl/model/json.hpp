// SPDX-License-Identifier: Apache-2.0
//
// The model as JSON, for people and for tools that are not written in C++ (--dump=json).
//
// The form is for reading back by meaning, one object per declaration; docs/idl.md describes it.
#pragma once

#include <string>

#include "idl/model/model.hpp"

namespace tenon::idl::model {

std::string to_json(const Model& program);

}  // namespace tenon::idl::model
