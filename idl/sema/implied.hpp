// SPDX-License-Identifier: Apache-2.0
//
// The implied IDL of asynchronous calls (CORBA 3.4 part 1 §17.7 ff): for every interface that is not local a reply handler
// AMI_<name>Handler, an interface like any other right behind it; the names of sendc_ and sendp_ operations and of the poller.
//
// Runs while a model is made; afterwards the model is immutable. Interfaces of included files get handlers, too, so that handlers of
// the main file find their bases. No threads.
#pragma once

#include "idl/model/model.hpp"

namespace tenon::idl {

void add_implied(model::Model& program);

}  // namespace tenon::idl
