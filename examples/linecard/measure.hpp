// SPDX-License-Identifier: Apache-2.0
//
// The part of the client that the demo measures; not needed to understand the example.
#pragma once

#include "linecard.hpp"

/// Reads commands from standard input and answers each with a line (bench/raw/blocks.hpp); the exit status.
///   get LINES COUNT    two-way calls -> "P50 P99" nanoseconds
///   values LINES COUNT the values of such a call, without one -> "P50 P99" nanoseconds
///   push LINES COUNT   a flood, proved received -> lines a second
int measure(LineCard::Monitor& monitor);
