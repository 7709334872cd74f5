// SPDX-License-Identifier: Apache-2.0
// Owner of the tests' precompiled header: CMake wants a program with the tests' own flags to make it for.
int main() { return 0; }
