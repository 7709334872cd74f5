// SPDX-License-Identifier: Apache-2.0
//
// Counts what the process that it is linked into takes from the heap, or has one allocation fail: malloc and its like, and mmap where a program calls it, are
// defined here and hand on to the system's. Each allocation is counted by its call stack and by the phase that the program is in.
// operator new ends in malloc, so it is counted once, with its caller above it.
//
// Threads: any. The tables are of fixed size; what has no place in them is counted as lost, and report() says so.
#pragma once

namespace counting {

/// Counts from now on, in this phase (0 to 63).
void begin(int phase) noexcept;
void end() noexcept;

/// Of the allocations from now on, on all threads, the one of that number fails, as if there were no memory left; 0: none does.
void fail(long number) noexcept;
/// Whether it has failed since the last call of fail().
bool has_failed() noexcept;

/// To standard output, one line for each phase and stack, innermost frame first; an address of the program itself as hexadecimal
/// digits, of a library as name!function:
///   A phase count octets frame frame ...
/// and at last "L count" if anything was lost.
void report();

}  // namespace counting
