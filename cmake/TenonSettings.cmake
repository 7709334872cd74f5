# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers, ccache: what every target of this build shares.
# Nothing here reaches a user's own targets.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_SCAN_FOR_MODULES OFF)
if(TENON_SHARED OR NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
  # So that a shared library of ours, or of a user's, can be made of the objects. The preset minimal makes objects for programs only.
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

include(GNUInstallDirs)
find_package(Threads REQUIRED)

set(TENON_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers)
if(TENON_WERROR)
  list(APPEND TENON_WARNINGS -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  list(APPEND TENON_WARNINGS -Wthread-safety)
endif()

if(TENON_SANITIZE)
  # fuzzer-no-link puts the coverage counters into every object, so that the same libraries serve the
  # ordinary tests and the fuzz targets.
  add_compile_options(-fsanitize=${TENON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TENON_SANITIZE})
endif()

if(TENON_CCACHE)
  find_program(TENON_CCACHE_PROGRAM ccache)
  if(TENON_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Precompiled headers need the two sloppiness values (ccache manual, "Precompiled headers").
    # With CCACHE_BASEDIR, clones in different folders share what they compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TENON_CCACHE_PROGRAM})
  endif()
endif()

if(TENON_TESTS AND CMAKE_CROSSCOMPILING)
  # The installed GoogleTest is the build machine's.
  set(TENON_GTEST_SOURCE /usr/src/googletest CACHE PATH "GoogleTest's sources, for cross-compiling")
  if(NOT EXISTS ${TENON_GTEST_SOURCE}/CMakeLists.txt)
    message(FATAL_ERROR "${TENON_GTEST_SOURCE} holds no sources of GoogleTest (Debian: libgtest-dev). Name their folder by "
                        "-DTENON_GTEST_SOURCE=PATH, or turn the tests off with -DTENON_TESTS=OFF.")
  endif()
  enable_language(C)
  set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
  set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
  add_subdirectory(${TENON_GTEST_SOURCE} ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
elseif(TENON_TESTS)
  find_package(GTest)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "GoogleTest is missing (Debian: libgtest-dev). Run ./dev setup, or turn the tests "
                        "off with -DTENON_TESTS=OFF.")
  endif()
endif()
if((TENON_TESTS OR TENON_BENCH) AND NOT CMAKE_CROSSCOMPILING)
  find_package(benchmark QUIET)
  if(NOT benchmark_FOUND)
    message(WARNING "Google Benchmark is missing (Debian: libbenchmark-dev): *_bench.cpp are not built.")
  endif()
endif()
