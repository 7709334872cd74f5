# SPDX-License-Identifier: Apache-2.0
# A user's cross build, as docs/cross-building.md tells it: the library that was built for another machine is installed, and the consumer
# is built with the toolchain file that comes with it and with the build machine's compiler of IDL. Its programs run under the emulator,
# the server and the client as a pair.
#
# Wants SOURCE, BUILD (a cross build), CROSS_TARGET, IDL (a tenon-idl of the build machine).
cmake_minimum_required(VERSION 3.25)
get_filename_component(BUILD ${BUILD} ABSOLUTE)
set(WORK ${BUILD}/tests/install)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(GLOB package ${WORK}/prefix/*/cmake/tenon ${WORK}/prefix/*/*/cmake/tenon)

set(configure ${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} --toolchain ${package}/debian-cross.cmake -D CROSS_TARGET=${CROSS_TARGET}
              -D CMAKE_PREFIX_PATH=${WORK}/prefix -D LIBRARY=static)
message(STATUS "--- what a cross build is told when it lacks something")
# refused(<words> <option>...)
function(refused words)
  execute_process(COMMAND ${configure} -B ${WORK}/none ${ARGN} RESULT_VARIABLE status ERROR_VARIABLE found OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " found "${found}")
  if(status EQUAL 0 OR NOT found MATCHES "${words}")
    message(FATAL_ERROR "CMake ended with ${status}; wanted: ${words}\n${found}")
  endif()
  file(REMOVE_RECURSE ${WORK}/none)
endfunction()
refused("CROSS_TARGET is 'vax'; right is -DCROSS_TARGET=aarch64, armhf or s390x" -D CROSS_TARGET=vax)
file(WRITE ${WORK}/other-idl "#!/bin/sh\necho 'tenon-idl 9.9.9'\n")
file(CHMOD ${WORK}/other-idl PERMISSIONS OWNER_READ OWNER_EXECUTE)
refused("other-idl.*is of version 9.9.9.*library.* of version" -D TENON_IDL_EXECUTABLE=${WORK}/other-idl)
refused("none.* cannot be run" -D TENON_IDL_EXECUTABLE=${WORK}/none)

message(STATUS "--- the consumer for ${CROSS_TARGET}")
run(${configure} -B ${WORK}/consumer -D TENON_IDL_EXECUTABLE=${IDL})
run(${CMAKE_COMMAND} --build ${WORK}/consumer)
include(${package}/debian-cross.cmake)  # the emulator
foreach(program IN LISTS programs)
  run(${CMAKE_CROSSCOMPILING_EMULATOR} ${WORK}/consumer/${program})
endforeach()

if(EXISTS ${package}/TenonSharedTarget.cmake)
  message(STATUS "--- with the shared library")
  run(${configure} -B ${WORK}/shared -D TENON_IDL_EXECUTABLE=${IDL} -D LIBRARY=shared)
  run(${CMAKE_COMMAND} --build ${WORK}/shared --target hello)
  run(${CMAKE_CROSSCOMPILING_EMULATOR} ${WORK}/shared/hello)
endif()

message(STATUS "--- a server and a client")
list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
file(WRITE ${WORK}/pair.sh [[
set -eu
cd "$1"; shift
"$@" ./server > reference &
trap "kill $!" EXIT
tries=0
until [ -s reference ]; do
  sleep 0.1
  tries=$((tries + 1))
  [ $tries -lt 300 ]
done
[ "$("$@" ./client "$(cat reference)")" = "hello, world" ]
]])
run(sh ${WORK}/pair.sh ${WORK}/consumer ${CMAKE_CROSSCOMPILING_EMULATOR})
message(STATUS "hello, world")

message(STATUS "--- a tenon-idl on the search path is found")
get_filename_component(folder ${IDL} DIRECTORY)
run(${CMAKE_COMMAND} -E env PATH=${folder}:$ENV{PATH} ${configure} -B ${WORK}/found)
run(${CMAKE_COMMAND} --build ${WORK}/found --target greeting)
