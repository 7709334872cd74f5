// SPDX-License-Identifier: Apache-2.0
//
// Values from one message into another by a program, with no value in memory in between. No state; safe from any thread.
#pragma once

#include "marshal/program.hpp"

namespace tenon::marshal {

/// Reads a value and writes it into another message: for its phase, byte order, GIOP version and code sets. Numbers keep every bit.
/// After an error of the reader the writer has that error, too.
void transcode(const Unit& unit, TypeIndex type, cdr::Reader& in, cdr::Writer& out);

}  // namespace tenon::marshal
