# SPDX-License-Identifier: Apache-2.0
# See CMakeLists.txt: the installed tree.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

# README.md promises that these are a whole server and client: here they are compiled, and found in the README letter by letter.
file(READ ${SOURCE}/README.md readme)
foreach(name server client)
  file(READ ${CONSUMER}/${name}.cpp program)
  string(FIND "${program}" "#include" start)
  string(SUBSTRING "${program}" ${start} -1 program)
  string(FIND "${readme}" "${program}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "README.md does not show ${CONSUMER}/${name}.cpp")
  endif()
endforeach()

# Installed in one place, moved to another.
set(work ${WORK}/install)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})
run_script("install_tree '${BUILD}' '${work}/first'")
file(RENAME ${work}/first ${prefix})

message(STATUS "--- several installs of one build at the same time")
file(MAKE_DIRECTORY ${work}/at-once)
run_script("
  cd '${work}/at-once'
  for each in 1 2 3 4; do
    cmake --install '${BUILD}' --prefix \"\$PWD/\$each\" --component development > \$each.log 2>&1 &
    started[each]=\$!
    sleep 0.2
  done
  for each in 1 2 3 4; do
    wait \${started[each]} || { cat \$each.log; exit 1; }
    diff -r '${prefix}/include' \$each/include
  done")
file(REMOVE_RECURSE ${work}/at-once)

message(STATUS "--- what ./dev install refuses")
foreach(arguments "--prefix" "--prefix=" "/usr/local")
  execute_process(COMMAND ${SOURCE}/dev install ${arguments} RESULT_VARIABLE status ERROR_VARIABLE words OUTPUT_QUIET)
  if(NOT status EQUAL 2 OR NOT words MATCHES "--prefix wants a folder|install does not know '/usr/local'")
    message(FATAL_ERROR "./dev install ${arguments} ended with ${status}: ${words}")
  endif()
endforeach()

message(STATUS "--- what is there")
if(NOT EXISTS ${prefix}/share/doc/tenon/docs/protocols.md)
  message(FATAL_ERROR "the pages that -ORBHelp names are not installed")
endif()
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

small_with_cmake(${work}/small ${prefix})

if(SHARED)
  message(STATUS "--- a protocol of one's own as a shared object")
  set(consumer ${CONSUMER})
  set(CONSUMER ${SOURCE}/tests/install/protocol)
  set(all_programs ${programs})
  set(programs)
  with_cmake(${work}/protocol-shared ${prefix} shared)
  with_cmake(${work}/protocol-static ${prefix} static -DSUITE=${SOURCE})
  run(${work}/protocol-static/conformance --gtest_brief=1)
  run(sh ${CONSUMER}/try.sh ${work}/protocol-shared ${work}/protocol-static ${prefix}/bin/tenon-call)
  set(CONSUMER ${consumer})
  set(programs ${all_programs})
endif()

message(STATUS "--- a program's own headers may be called as those of the engine are")
set(engine ${prefix}/include/tenon/engine)
file(GLOB_RECURSE names RELATIVE ${engine} ${engine}/*)
foreach(name IN LISTS names)
  file(WRITE ${work}/decoys/${name} "#error \"Tenon took a header of the program: ${name}\"\n")
endforeach()
file(GLOB_RECURSE names RELATIVE ${prefix}/include ${prefix}/include/tenon/*.hpp)
list(FILTER names EXCLUDE REGEX "^tenon/engine/")
list(TRANSFORM names REPLACE "(.+)" "#include <\\1>\n")
list(JOIN names "" text)
file(WRITE ${work}/all_public_headers.cpp "${text}")
run(${COMPILER} -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I${work}/decoys -I${prefix}/include ${work}/all_public_headers.cpp)

if(pkg_config)
  set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
  if(SHARED)
    c_program(${work}/c ${prefix}/${LIBDIR})
  endif()
  with_pkg_config(${work}/pkg-config ${prefix}/${LIBDIR} ${COMPILER})
  small_with_pkg_config(${work}/small-pkg-config ${COMPILER})
  find_program(clang NAMES clang++-19 clang++)
  if(NOT clang)
    missing("clang is not installed: it does not compile the consumer")
  elseif(OTHER_COMPILER)
    with_pkg_config(${work}/clang ${prefix}/${LIBDIR} ${clang})
  else()
    execute_process(COMMAND ${pkg_config} --cflags tenon OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    run(${clang} -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I${work}/pkg-config ${flags} ${CONSUMER}/hello.cpp)
  endif()
else()
  missing("pkg-config is not installed: its files are not tried")
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
refused("no component 'clients'. There are static and shared.*client, server, micro and full" -DLIBRARY=clients)
set(consumer ${CONSUMER})
set(CONSUMER ${SOURCE}/tests/install/small)
file(REMOVE_RECURSE ${work}/none)
refused("component full is linked with the static library, so shared cannot be" -DMORE=shared)
set(CONSUMER ${consumer})
file(REMOVE_RECURSE ${work}/none)
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

message(STATUS "--- what tenon_idl() is asked for changes")
foreach(more AMI "")
  run(${CMAKE_COMMAND} -D MORE=${more} ${work}/cross)
  run(${CMAKE_COMMAND} --build ${work}/cross --target greeting_idl/hello.hpp)
endforeach()
