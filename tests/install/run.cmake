# SPDX-License-Identifier: Apache-2.0
# See CMakeLists.txt. Wants BUILD, README, CONSUMER, WORK, COMPILER and LIBDIR.
function(run)
  list(JOIN ARGN " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# README.md promises that this is a whole server: here it is compiled, and found in the README letter by letter.
file(READ ${CONSUMER}/server.cpp server)
string(FIND "${server}" "#include" start)
string(SUBSTRING "${server}" ${start} -1 server)
file(READ ${README} readme)
string(FIND "${readme}" "${server}" found)
if(found EQUAL -1)
  message(FATAL_ERROR "README.md does not show ${CONSUMER}/server.cpp")
endif()

file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})

message(STATUS "--- find_package(tenon)")
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${WORK}/cmake -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${WORK}/cmake)
run(${WORK}/cmake/hello)

# As in a cross build: the libraries of a prefix that has no compiler, and a compiler from elsewhere.
message(STATUS "--- TENON_IDL_EXECUTABLE")
file(RENAME ${prefix}/bin/tenon-idl ${WORK}/tenon-idl)
file(REMOVE ${prefix}/${LIBDIR}/cmake/tenon/TenonIdlTarget.cmake)
run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${WORK}/cross -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D TENON_IDL_EXECUTABLE=${WORK}/tenon-idl)
run(${CMAKE_COMMAND} --build ${WORK}/cross --target greeting)

find_program(pkg_config pkg-config)
if(NOT pkg_config)
  message(STATUS "--- pkg-config is not installed: its file is not tried")
  return()
endif()
message(STATUS "--- pkg-config")
set(ENV{PKG_CONFIG_PATH} ${prefix}/${LIBDIR}/pkgconfig)
execute_process(COMMAND ${pkg_config} --define-variable=prefix=${prefix} --cflags --libs tenon
  OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(flags UNIX_COMMAND "${flags}")
set(generated ${WORK}/cmake/greeting_idl)
run(${COMPILER} -std=c++20 -I${generated} ${CONSUMER}/hello.cpp ${generated}/hello.cpp ${generated}/hello_skel.cpp
    -o ${WORK}/hello ${flags})
run(${WORK}/hello)
