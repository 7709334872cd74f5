# SPDX-License-Identifier: Apache-2.0
# A toolchain file for Debian's cross compilers, for Tenon itself and for programs that use it (docs/cross-building.md):
#
#   cmake --toolchain debian-cross.cmake -DCROSS_TARGET=armhf ...
#
# CROSS_TARGET is a row of the table; another row is another target. Debian's packages of a row are g++-TRIPLE, with - for _ in it,
# and qemu-user-static for the emulator, through which CMake and ctest run what was built.
set(cross_table
  # target, triple, CMAKE_SYSTEM_PROCESSOR, QEMU's name
  aarch64 aarch64-linux-gnu aarch64 aarch64
  armhf arm-linux-gnueabihf armv7l arm
  s390x s390x-linux-gnu s390x s390x)

# CMake reads this file again for each of its trial programs, which have to be told.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CROSS_TARGET)
list(FIND cross_table "${CROSS_TARGET}" cross_row)
math(EXPR cross_column "${cross_row} % 4")
if(NOT cross_column EQUAL 0)
  message(FATAL_ERROR "CROSS_TARGET is '${CROSS_TARGET}'; right is -DCROSS_TARGET=aarch64, armhf or s390x")
endif()
list(SUBLIST cross_table ${cross_row} 4 cross_row)
list(POP_FRONT cross_row cross_target cross_triple CMAKE_SYSTEM_PROCESSOR cross_qemu)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER ${cross_triple}-gcc)
set(CMAKE_CXX_COMPILER ${cross_triple}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${cross_qemu}-static -L /usr/${cross_triple})
# Programs are the build machine's. The target's C library is where its compiler looks; more libraries of the target, Tenon among
# them, are found below what CMAKE_PREFIX_PATH and CMAKE_FIND_ROOT_PATH name.
set(CMAKE_LIBRARY_ARCHITECTURE ${cross_triple})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
# GCC for 32-bit ARM notes at each use of some of the C++ library's iterators that GCC 6 passed them otherwise.
set(CMAKE_CXX_FLAGS_INIT -Wno-psabi)
