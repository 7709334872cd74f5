# SPDX-License-Identifier: Apache-2.0
# omniORB as a peer: for interoperability tests, benchmarks and the demo, never for Tenon itself.
#
# Sets OMNIORB_FOUND. If CI is true, configuring a build with tests fails without it. omniorb_idl(<target> FILES <a.idl>...
# [ANY] [INCLUDES <directory>...]) makes a library of omniidl's C++ code ("a.hh"); omniorb_program(<target> SOURCES ... LIBS
# ...) an executable beside it. Neither is held to our warnings or to a sanitizer: the code is not ours. omniorb_with_tls(<target>)
# gives a program omniORB's transport for TLS, where OMNIORB_TLS_LIBRARY is found: nothing in the program names it.

find_program(OMNIIDL_EXECUTABLE omniidl)
find_library(OMNIORB_LIBRARY omniORB4)
find_library(OMNITHREAD_LIBRARY omnithread)
find_library(OMNIDYNAMIC_LIBRARY omniDynamic4)
find_library(OMNIORB_TLS_LIBRARY omnisslTP4)
find_path(OMNIORB_INCLUDE_DIR omniORB4/CORBA.h)
find_path(OMNIORB_IDL_DIR orb.idl PATHS /usr/share/idl/omniORB /usr/local/share/idl/omniORB)

set(OMNIORB_FOUND OFF)
if(OMNIIDL_EXECUTABLE AND OMNIORB_LIBRARY AND OMNITHREAD_LIBRARY AND OMNIDYNAMIC_LIBRARY AND OMNIORB_INCLUDE_DIR
   AND OMNIORB_IDL_DIR)
  set(OMNIORB_FOUND ON)
elseif("$ENV{CI}" STREQUAL "true" AND TENON_TESTS AND NOT CMAKE_CROSSCOMPILING)
  message(FATAL_ERROR "omniORB is missing, and CI wants it as a peer: ./dev setup installs it (Debian: omniidl libomniorb4-dev "
                      "omniorb-idl).")
elseif((TENON_TESTS OR TENON_BENCH OR TENON_EXAMPLES) AND NOT DEFINED CACHE{OMNIORB_ABSENCE_SAID})
  set(OMNIORB_ABSENCE_SAID ON CACHE INTERNAL "One warning is enough")
  message(WARNING "omniORB is missing (Debian: omniidl libomniorb4-dev omniorb-idl): NO test against another ORB is "
                  "built, and the demo and the benchmarks run without their peer. ./dev setup installs it.")
endif()

function(omniorb_foreign target)
  target_compile_options(${target} PRIVATE -w)
  if(TENON_SANITIZE)
    target_compile_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

function(omniorb_idl target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ANY" "" "FILES;INCLUDES")
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_idl)
  file(MAKE_DIRECTORY ${out})
  set(flags -bcxx)
  if(arg_ANY)
    list(APPEND flags -Wba)
  endif()
  list(APPEND flags -Wbuse_quotes -I${OMNIORB_IDL_DIR} -C${out})
  foreach(directory IN LISTS arg_INCLUDES)
    list(APPEND flags -I${directory})
  endforeach()
  set(generated "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${file} NAME_WLE)
    set(outputs ${out}/${stem}.hh ${out}/${stem}SK.cc)
    if(arg_ANY)
      list(APPEND outputs ${out}/${stem}DynSK.cc)
    endif()
    add_custom_command(OUTPUT ${outputs} COMMAND ${OMNIIDL_EXECUTABLE} ${flags} ${path} DEPENDS ${path}
                       COMMENT "omniidl ${stem}.idl" VERBATIM)
    list(APPEND generated ${outputs})
  endforeach()
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${generated})
  omniorb_foreign(${target})
  target_include_directories(${target} PUBLIC ${out})
  target_include_directories(${target} SYSTEM PUBLIC ${OMNIORB_INCLUDE_DIR})
  target_link_libraries(${target} PUBLIC ${OMNIDYNAMIC_LIBRARY} ${OMNIORB_LIBRARY} ${OMNITHREAD_LIBRARY}
                                         Threads::Threads)
endfunction()

function(omniorb_program target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  add_executable(${target} ${arg_SOURCES})
  omniorb_foreign(${target})
  target_link_libraries(${target} PRIVATE ${arg_LIBS})
  if(TENON_SANITIZE)
    target_link_options(${target} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

function(omniorb_with_tls target)
  if(OMNIORB_TLS_LIBRARY)
    target_link_options(${target} PRIVATE -Wl,--no-as-needed)
    target_link_libraries(${target} PRIVATE ${OMNIORB_TLS_LIBRARY})
  endif()
endfunction()
