// SPDX-License-Identifier: Apache-2.0
// Owner of the libraries' precompiled header: CMake wants a library with their own flags to make it for.
