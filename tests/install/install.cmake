# SPDX-License-Identifier: Apache-2.0
# See CMakeLists.txt: the installed tree.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

# README.md promises that this is a whole server: here it is compiled, and found in the README letter by letter.
file(READ ${CONSUMER}/server.cpp server)
string(FIND "${server}" "#include" start)
string(SUBSTRING "${server}" ${start} -1 server)
file(READ ${SOURCE}/README.md readme)
string(FIND "${readme}" "${server}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README.md does not show ${CONSUMER}/server.cpp")
endif()

# Installed in one place, moved to another.
set(work ${WORK}/install)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})
run_script("install_tree '${BUILD}' '${work}/first'")
file(RENAME ${work}/first ${prefix})

message(STATUS "--- what ./dev install refuses")
foreach(arguments "--prefix" "--prefix=" "/usr/local")
  execute_process(COMMAND ${SOURCE}/dev install ${arguments} RESULT_VARIABLE status ERROR_VARIABLE words OUTPUT_QUIET)
  if(NOT status EQUAL 2 OR NOT words MATCHES "--prefix wants a folder|install does not know '/usr/local'")
    message(FATAL_ERROR "./dev install ${arguments} ended with ${status}: ${words}")
  endif()
endforeach()

message(STATUS "--- what is there")
file(GLOB pages RELATIVE ${SOURCE}/man ${SOURCE}/man/*.1)
foreach(page IN LISTS pages)
  if(NOT EXISTS ${prefix}/share/man/man1/${page})
    message(FATAL_ERROR "man/${page} is not installed")
  endif()
  get_filename_component(program ${page} NAME_WLE)
  execute_process(COMMAND ${prefix}/bin/${program} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE texts ${prefix}/${LIBDIR}/cmake/* ${prefix}/${LIBDIR}/pkgconfig/*)
foreach(text IN LISTS texts)
  file(READ ${text} content)
  foreach(folder ${SOURCE} ${BUILD} ${work})
    string(FIND "${content}" "${folder}" found)
    if(NOT found EQUAL -1)
      message(FATAL_ERROR "${text} names ${folder}, which a user does not have")
    endif()
  endforeach()
endforeach()
if(SHARED)
  run(${PYTHON} ${SOURCE}/tests/install/exports.py ${prefix}/${LIBDIR}/libtenon.a ${prefix}/${LIBDIR}/libtenon.so.${NUMBER})
endif()

with_cmake(${work}/static ${prefix} static)
needs_shared(${work}/static/hello no)
if(SHARED)
  with_cmake(${work}/default ${prefix} "")
  needs_shared(${work}/default/hello yes)
endif()

if(pkg_config)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  with_pkg_config(${work}/pkg-config ${prefix}/${LIBDIR} ${COMPILER})
  find_program(clang NAMES clang++-19 clang++)
  if(clang)
    with_pkg_config(${work}/clang ${prefix}/${LIBDIR} ${clang})
  endif()
else()
  message(STATUS "--- pkg-config is not installed: its files are not tried")
endif()

# refused(<what CMake must say> <option>...): what is not there is told in words
function(refused words)
  message(STATUS "--- wanted: ${words}")
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${work}/none -D CMAKE_PREFIX_PATH=${prefix}
                          -D CMAKE_CXX_COMPILER=${COMPILER} ${ARGN}
                  RESULT_VARIABLE status ERROR_VARIABLE found OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " found "${found}")
  if(status EQUAL 0 OR NOT found MATCHES "${words}")
    message(FATAL_ERROR "CMake ended with ${status}:\n${found}")
  endif()
endfunction()
file(REMOVE ${prefix}/${LIBDIR}/cmake/tenon/TenonSharedTarget.cmake)
refused("installed without its shared library" -DLIBRARY=shared)

# As in a cross build: the libraries of a prefix that has no compiler, and a compiler from elsewhere.
message(STATUS "--- TENON_IDL_EXECUTABLE")
file(RENAME ${prefix}/bin/tenon-idl ${work}/tenon-idl)
file(REMOVE ${prefix}/${LIBDIR}/cmake/tenon/TenonIdlTarget.cmake)
refused("installed without its IDL compiler" -DLIBRARY=static)
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${work}/cross -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D TENON_IDL_EXECUTABLE=${work}/tenon-idl
    -D LIBRARY=static)
run(${CMAKE_COMMAND} --build ${work}/cross --target greeting)
