// SPDX-License-Identifier: Apache-2.0
//
// What a program that is compiled for an older language than C++20 sees first. Public headers begin with it.
#pragma once

#if __cplusplus < 202002L
#error "Tenon's headers need C++20: compile with -std=c++20"
#endif
