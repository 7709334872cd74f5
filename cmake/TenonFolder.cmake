# SPDX-License-Identifier: Apache-2.0
# One line of CMake for one folder. A file's name decides what is built from it, so adding a file needs no change here:
#
#   x.cpp          the static library tenon_<name> (an interface library while there is none)
#   x_test.cpp     the GoogleTest executable <name>_tests, one ctest test of the same name
#   x_bench.cpp    the Google Benchmark executable <name>_bench
#   x_fuzz.cpp     the libFuzzer executable <name>_x_fuzz, where the preset has the fuzzer's counters
#
# tenon_folder(<name> [PARTS <subfolder>...] [DEPENDS <folder>...] [LIBS <target>...] [TEST_DEPENDS <folder>...]
#              [TEST_LIBS <target>...] [LABELS <label>...] [TEST_TIMEOUT <seconds>] [INTERNAL]
#              [ENGINE [THROWS <source>...] | NO_EXCEPTIONS <source>...])
#
# TEST_TIMEOUT is for tests that take long: ctest gives them so many seconds (120 otherwise), and starts them first.
# PARTS are subfolders whose files count as the folder's own. DEPENDS names folders (base, cdr, plugin_iiop ...), not targets.
# ENGINE: the library is compiled without exceptions and type information (docs/decisions/0044-no-exceptions-in-the-engine.md), but
# for the sources that THROWS names: what allocates values of any size.
# NO_EXCEPTIONS: of a library that has exceptions, the sources that are compiled as the engine is.
# INTERNAL keeps the folder out of the library that is installed (cmake/TenonLibrary.cmake).

set_property(GLOBAL PROPERTY TENON_LIBRARY_FOLDERS "")
set_property(GLOBAL PROPERTY TENON_FUZZ_TARGETS "")

# Targets that scripts build by name: every fuzz target; every generated header (before clang-tidy); everything below bench/
# and examples/; the tests labelled `threads`.
foreach(target fuzzers generated benchmarks examples threaded)
  add_custom_target(${target})
endforeach()

# Warnings, include roots: for every target that is compiled from our own sources.
function(tenon_own_target target)
  target_compile_options(${target} PRIVATE ${TENON_WARNINGS})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR})
  if(TENON_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${TENON_UNITY})
  endif()
endfunction()

# GCC 12 treats inlined code that comes from precompiled headers as if it were the source's own, and gives false warnings
# about it.
set(tenon_pch_false_alarms)
foreach(alarm array-bounds restrict stringop-overflow stringop-overread)
  list(APPEND tenon_pch_false_alarms $<$<CXX_COMPILER_ID:GNU>:-Wno-${alarm}>)
endforeach()

# For ccache GCC must keep the #pragma of the header, and Clang must not compare its time.
set(tenon_pch_for_ccache $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                         "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# Compiles a library of the engine without exceptions, and without type information unless a sanitizer wants it. Tables for unwinding
# stay for debuggers and profilers unless TENON_UNWIND_TABLES is off.
set(tenon_engine_flags -fno-exceptions)
set(tenon_throwing_flags -fexceptions)
if(NOT TENON_SANITIZE)
  list(APPEND tenon_engine_flags -fno-rtti)
  list(APPEND tenon_throwing_flags -frtti)
endif()
if(NOT TENON_UNWIND_TABLES)
  list(APPEND tenon_engine_flags -fno-unwind-tables -fno-asynchronous-unwind-tables)
  list(APPEND tenon_throwing_flags -funwind-tables)
endif()

# Sources of a folder that are compiled with other flags than the rest, each by itself. `word` is what named them.
function(tenon_sources_apart word sources flags)
  foreach(source IN LISTS sources)
    if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${source})
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}: ${word} names ${source}, which is not there")
    endif()
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${flags}"
                                SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  endforeach()
endfunction()

function(tenon_engine target throwing)
  target_compile_options(${target} PRIVATE ${tenon_engine_flags})
  set_property(GLOBAL APPEND PROPERTY TENON_ENGINE_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY TENON_ENGINE_THROWS ${throwing})
  tenon_sources_apart(THROWS "${throwing}" "${tenon_throwing_flags}")
endfunction()

function(tenon_sources_without_exceptions target sources)
  set_property(GLOBAL APPEND PROPERTY TENON_NO_EXCEPTIONS_TARGETS ${target})
  set_property(GLOBAL APPEND PROPERTY TENON_NO_EXCEPTIONS_SOURCES ${sources})
  tenon_sources_apart(NO_EXCEPTIONS "${sources}" "${tenon_engine_flags}")
endfunction()

# The standard library's headers are half of what is compiled for a small source. If TENON_PCH is on, they are precompiled
# once, by a library, because the result fits only targets with the same flags. Other presets leave it off and so show
# that each source includes what it uses.
function(tenon_precompile target)
  if(NOT TENON_PCH)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "PCH" "FLAGS")
  set(options ${tenon_pch_for_ccache} ${tenon_pch_false_alarms})
  if(NOT TARGET ${arg_PCH})
    add_library(${arg_PCH} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/std_pch.cpp)
    tenon_own_target(${arg_PCH})
    target_compile_features(${arg_PCH} PRIVATE cxx_std_20)
    target_compile_options(${arg_PCH} PRIVATE ${arg_FLAGS} ${options})
    target_precompile_headers(${arg_PCH} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/std_pch.hpp)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${arg_PCH})
  target_compile_options(${target} PRIVATE ${options})
endfunction()

function(tenon_folder name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "INTERNAL;ENGINE" "TEST_TIMEOUT"
                        "PARTS;DEPENDS;LIBS;TEST_DEPENDS;TEST_LIBS;LABELS;THROWS;NO_EXCEPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_folder(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  list(TRANSFORM arg_DEPENDS PREPEND tenon_)
  list(TRANSFORM arg_TEST_DEPENDS PREPEND tenon_)

  list(TRANSFORM arg_PARTS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${arg_PARTS})
  set(tests ${sources})
  set(benches ${sources})
  set(fuzzers ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER benches INCLUDE REGEX "_bench\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cpp$")

  set(library tenon_${name})
  if(sources)
    add_library(${library} STATIC ${sources})
    tenon_own_target(${library})
    if(arg_ENGINE)
      tenon_engine(${library} "${arg_THROWS}")
      tenon_precompile(${library} PCH tenon_engine_pch FLAGS ${tenon_engine_flags})
    else()
      tenon_precompile(${library} PCH tenon_std_pch)
      if(arg_NO_EXCEPTIONS)
        tenon_sources_without_exceptions(${library} "${arg_NO_EXCEPTIONS}")
      endif()
    endif()
    set(scope PUBLIC)
  else()
    add_library(${library} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(tenon::${name} ALIAS ${library})
  target_compile_features(${library} ${scope} cxx_std_20)
  target_link_libraries(${library} ${scope} ${arg_DEPENDS} ${arg_LIBS})
  target_include_directories(${library} ${scope} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
                                                 ${PROJECT_SOURCE_DIR})
  if(NOT arg_INTERNAL)
    set_property(GLOBAL APPEND PROPERTY TENON_LIBRARY_FOLDERS ${library})
  endif()

  if(TENON_TESTS)
    tenon_folder_tests(${name} "${tests}" "${library};${arg_TEST_DEPENDS};${arg_TEST_LIBS}" "${arg_LABELS}"
                       "${arg_TEST_TIMEOUT}")
    tenon_folder_benches(${name} "${benches}" "${library};${arg_TEST_DEPENDS};${arg_TEST_LIBS}")
    tenon_folder_fuzzers(${name} "${fuzzers}" "${library};${arg_TEST_DEPENDS}")
  endif()
endfunction()

# GoogleTest's header is most of what is compiled for a small test. It is precompiled once, for a program, because a
# precompiled header fits only targets with the same flags (such as -fPIE).
function(tenon_test_pch)
  if(NOT TARGET tenon_test_pch)
    add_executable(tenon_test_pch EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/test_pch.cpp)
    tenon_own_target(tenon_test_pch)
    target_compile_features(tenon_test_pch PRIVATE cxx_std_20)
    target_compile_options(tenon_test_pch PRIVATE ${TENON_TEST_FLAGS} ${tenon_pch_for_ccache})
    target_link_libraries(tenon_test_pch PRIVATE GTest::gtest_main)
    target_precompile_headers(tenon_test_pch PRIVATE <gtest/gtest.h>)
    # Clang's tests took longer with them. Another list of headers also wants another target: CMake gives the file that includes them an
    # old time, and a build folder would keep what was precompiled before.
    if(TENON_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_precompile_headers(tenon_test_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/std_pch.hpp)
    endif()
  endif()
endfunction()

# Their main().
function(tenon_test_main)
  if(NOT TARGET tenon_test_main)
    add_library(tenon_test_main STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/test_main.cpp)
    tenon_own_target(tenon_test_main)
    target_link_libraries(tenon_test_main PUBLIC tenon_cdr tenon_base GTest::gtest)
  endif()
endfunction()

function(tenon_folder_tests name files libraries labels timeout)
  if(NOT files)
    return()
  endif()
  tenon_test_pch()
  tenon_test_main()
  set(target ${name}_tests)
  add_executable(${target} ${files})
  tenon_own_target(${target})
  target_link_libraries(${target} PRIVATE ${libraries} tenon_test_main)
  target_precompile_headers(${target} REUSE_FROM tenon_test_pch)
  target_compile_options(${target} PRIVATE ${TENON_TEST_FLAGS} ${tenon_pch_for_ccache}
                                           "$<$<CONFIG:Release>:${tenon_pch_false_alarms}>")
  # A test finds its golden files relative to its own folder.
  add_test(NAME ${target} COMMAND ${target} --gtest_brief=1 WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  if(timeout)
    # Such a test is long. It starts before the others, because the processors that it leaves idle can then run these.
    set_tests_properties(${target} PROPERTIES COST ${timeout})
  else()
    set(timeout 120)
  endif()
  set_tests_properties(${target} PROPERTIES TIMEOUT ${timeout} LABELS "unit;${labels}")
  if(CMAKE_CROSSCOMPILING_EMULATOR)
    set_tests_properties(${target} PROPERTIES ENVIRONMENT TENON_EMULATED=1)
  endif()
  if("threads" IN_LIST labels)
    add_dependencies(threaded ${target})
  endif()
endfunction()

function(tenon_folder_benches name files libraries)
  if(NOT files OR NOT benchmark_FOUND)
    return()
  endif()
  set(target ${name}_bench)
  add_executable(${target} ${files})
  tenon_own_target(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD OFF)
  target_link_libraries(${target} PRIVATE ${libraries} benchmark::benchmark_main)
  if(NOT TENON_BENCH)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# Each target also is a ctest test that replays its checked-in corpus (tests/fuzz/corpus/<target>).
function(tenon_folder_fuzzers name files libraries)
  if(NOT TENON_SANITIZE MATCHES "fuzzer")
    return()
  endif()
  foreach(file IN LISTS files)
    get_filename_component(stem ${file} NAME_WE)
    set(target ${name}_${stem})
    add_executable(${target} ${file})
    tenon_own_target(${target})
    target_link_libraries(${target} PRIVATE ${libraries})
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${target})
    set_property(GLOBAL APPEND_STRING PROPERTY TENON_FUZZ_TARGETS "${CMAKE_CURRENT_BINARY_DIR}/${target}\n")
    set(corpus ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${target})
    if(EXISTS ${corpus})
      add_test(NAME ${target}_corpus COMMAND ${target} -runs=0 ${corpus})
      set_tests_properties(${target}_corpus PROPERTIES TIMEOUT 120 LABELS "fuzz")
    endif()
  endforeach()
endfunction()

# C for the few programs in it, by the compiler that belongs to the one for C++: both are given the same options.
macro(tenon_enable_c)
  if(NOT CMAKE_C_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    string(REPLACE "clang++" "clang" CMAKE_C_COMPILER "${CMAKE_CXX_COMPILER}")
  endif()
  enable_language(C)
endmacro()

# Adds a folder if it exists.
function(tenon_optional_subdirectory folder)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    add_subdirectory(${folder})
  endif()
endfunction()

# Adds every folder directly below `parent` that has a CMakeLists.txt. Further arguments go to add_subdirectory(); the targets
# of the folders also become part of the target after COLLECT.
function(tenon_subdirectories parent)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "COLLECT" "")
  file(GLOB lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${parent}/*/CMakeLists.txt)
  foreach(list IN LISTS lists)
    get_filename_component(folder ${list} DIRECTORY)
    add_subdirectory(${folder} ${arg_UNPARSED_ARGUMENTS})
    if(arg_COLLECT)
      get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
      if(targets)
        add_dependencies(${arg_COLLECT} ${targets})
      endif()
    endif()
  endforeach()
endfunction()
