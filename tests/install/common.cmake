# SPDX-License-Identifier: Apache-2.0
# What install.cmake and packages.cmake share. Both want the variables that CMakeLists.txt gives them.
cmake_minimum_required(VERSION 3.25)
set(CONSUMER ${SOURCE}/tests/install/consumer)
find_program(pkg_config pkg-config)
set(programs hello any own_protocols naming)

# missing(<what>): ends the script where CI is true, else only says it
function(missing what)
  if("$ENV{CI}" STREQUAL "true")
    message(FATAL_ERROR "missing under CI: ${what}")
  endif()
  message(STATUS "not run: ${what}")
endfunction()

function(run)
  list(JOIN ARGN " " line)
  message(STATUS "${line}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_script(<line>): with the functions of ./dev install and ./dev package at hand
function(run_script line)
  message(STATUS "${line}")
  execute_process(COMMAND bash -euo pipefail -c "source tools/repo/common.sh; source tools/repo/install.sh; ${line}"
                  WORKING_DIRECTORY ${SOURCE} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# run_all(<folder> <libraries>): the programs of the consumer, with the library's folder at hand or not
function(run_all folder libraries)
  foreach(program IN LISTS programs)
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${folder}/${program})
  endforeach()
endfunction()

# needs_shared(<program> <yes or no>): whether it is linked with libtenon.so
function(needs_shared program wanted)
  execute_process(COMMAND readelf -d ${program} OUTPUT_VARIABLE entries COMMAND_ERROR_IS_FATAL ANY)
  set(found no)
  if(entries MATCHES "NEEDED[^\n]*libtenon\\.so\\.${NUMBER}\\]")
    set(found yes)
  endif()
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "${program}: linked with the shared library: ${found}; wanted: ${wanted}")
  endif()
endfunction()

# with_cmake(<folder> <prefix> <library> [<option>...]): the consumer's project, with static, shared or the library taken by default
function(with_cmake folder prefix library)
  message(STATUS "--- find_package(tenon ${library})")
  run(${CMAKE_COMMAND} -G Ninja -S ${CONSUMER} -B ${folder} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_CXX_COMPILER=${COMPILER}
      -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D LIBRARY=${library} ${ARGN})
  run(${CMAKE_COMMAND} --build ${folder})
  run_all(${folder} "")
endfunction()

# with_pkg_config(<folder> <libraries> <compiler>): the same programs from one command each, with what PKG_CONFIG_PATH leads to;
# `libraries` is where the shared library lies.
function(with_pkg_config folder libraries compiler)
  message(STATUS "--- pkg-config, ${compiler}")
  foreach(what "cflags;tenon" "libs;tenon" "libs;tenon-static" "libs;tenon-standard" "libs;tenon-standard-static"
               "variable=tenon_idl;tenon")
    list(POP_FRONT what option)
    execute_process(COMMAND ${pkg_config} --${option} ${what} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(text UNIX_COMMAND "${text}")
    string(MAKE_C_IDENTIFIER "${option} ${what}" name)
    set(${name} ${text})
  endforeach()
  file(MAKE_DIRECTORY ${folder}/static ${folder}/shared)
  run(${variable_tenon_idl_tenon} --no-any --out-dir ${folder} ${CONSUMER}/hello.idl ${CONSUMER}/naming.idl)
  execute_process(COMMAND ${compiler} -std=c++17 -I${folder} ${cflags_tenon} -fsyntax-only ${CONSUMER}/hello.cpp
                  RESULT_VARIABLE status ERROR_VARIABLE words OUTPUT_QUIET)
  string(REGEX MATCH "[^\n]*error:[^\n]*" first "${words}")
  if(status EQUAL 0 OR NOT first MATCHES "compile with -std=c\\+\\+20")
    message(FATAL_ERROR "compiled as C++17, the first error is: ${first}")
  endif()
  set(sources ${folder}/hello.cpp ${folder}/hello_skel.cpp ${folder}/naming.cpp ${folder}/naming_skel.cpp)
  foreach(program IN LISTS programs)
    list(APPEND sources ${CONSUMER}/${program}.cpp)
  endforeach()
  foreach(source IN LISTS sources)
    string(MAKE_C_IDENTIFIER ${source} object)
    set(object ${folder}/${object}.o)
    run(${LAUNCHER} ${compiler} -std=c++20 -I${folder} ${cflags_tenon} -c ${source} -o ${object})
    list(APPEND objects ${object})
  endforeach()
  list(POP_FRONT objects stubs skeletons naming_stubs naming_skeletons ${programs})
  foreach(kind static shared)
    if(kind STREQUAL "shared" AND NOT SHARED)
      continue()
    endif()
    set(libs ${libs_tenon})
    set(standard_libs ${libs_tenon_standard})
    set(has_shared yes)
    if(kind STREQUAL "static")
      set(libs ${libs_tenon_static})
      set(standard_libs ${libs_tenon_standard_static})
      set(has_shared no)
    endif()
    foreach(program IN LISTS programs)
      set(more "")
      set(its_libs ${libs})
      if(program STREQUAL "hello")
        set(more ${stubs} ${skeletons})
      elseif(program STREQUAL "naming")
        set(more ${naming_stubs} ${naming_skeletons})
        set(its_libs ${standard_libs})
      endif()
      run(${compiler} ${${program}} ${more} -o ${folder}/${kind}/${program} ${its_libs})
    endforeach()
    needs_shared(${folder}/${kind}/hello ${has_shared})
    set(at_hand "")
    if(kind STREQUAL "shared")
      set(at_hand ${libraries})
    endif()
    run_all(${folder}/${kind} "${at_hand}")
  endforeach()
endfunction()

# small_programs(<folder>): runs the server and the client of tests/install/small as a pair, and compares what the three programs weigh
function(small_programs folder)
  file(WRITE ${folder}/pair.sh [[
set -eu
cd "$1"
./device > reference &
trap "kill $!" EXIT
tries=0
until [ -s reference ]; do
  sleep 0.1
  tries=$((tries + 1))
  [ $tries -lt 300 ]
done
[ "$(./caller "$(cat reference)")" = "hello, device" ]
[ "$(./everything)" = "hello, device" ]
]])
  run(sh ${folder}/pair.sh ${folder})
  foreach(program caller device everything)
    run(strip -o ${folder}/${program}.stripped ${folder}/${program})
    file(SIZE ${folder}/${program}.stripped ${program}_size)
    needs_shared(${folder}/${program} no)
  endforeach()
  message(STATUS "octets: client ${caller_size}, server ${device_size}, all of it ${everything_size}")
  if(TOGETHER)
    message(STATUS "not compared: several sources of this build are compiled as one, so they are linked together")
    return()
  endif()
  foreach(program caller device)
    math(EXPR most "${everything_size} * 85 / 100")
    if(${program}_size GREATER most)
      message(FATAL_ERROR "${program} has ${${program}_size} octets, and everything ${everything_size}")
    endif()
  endforeach()
endfunction()

# small_with_cmake(<folder> <prefix>)
function(small_with_cmake folder prefix)
  message(STATUS "--- find_package(tenon COMPONENTS client micro full)")
  run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/install/small -B ${folder} -D CMAKE_PREFIX_PATH=${prefix}
      -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -D CMAKE_BUILD_TYPE=MinSizeRel)
  run(${CMAKE_COMMAND} --build ${folder})
  small_programs(${folder})
endfunction()

# small_with_pkg_config(<folder> <compiler>): with what PKG_CONFIG_PATH leads to
function(small_with_pkg_config folder compiler)
  message(STATUS "--- pkg-config tenon-client, tenon-micro, tenon-full; ${compiler}")
  execute_process(COMMAND ${pkg_config} --variable=tenon_idl tenon-client OUTPUT_VARIABLE idl OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(small ${SOURCE}/tests/install/small)
  file(MAKE_DIRECTORY ${folder})
  run(${idl} --no-any --out-dir ${folder} ${small}/hello.idl)
  foreach(each "caller;client;hello.cpp" "device;micro;hello.cpp;hello_skel.cpp" "everything;full;hello.cpp;hello_skel.cpp")
    list(POP_FRONT each program choice)
    execute_process(COMMAND ${pkg_config} --cflags tenon-${choice} OUTPUT_VARIABLE cflags COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${pkg_config} --libs tenon-${choice} OUTPUT_VARIABLE libs COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(cflags UNIX_COMMAND "${cflags}")
    separate_arguments(libs UNIX_COMMAND "${libs}")
    list(TRANSFORM each PREPEND ${folder}/)
    run(${compiler} -std=c++20 -Os -I${folder} ${cflags} ${small}/${program}.cpp ${each} -o ${folder}/${program} ${libs})
  endforeach()
  small_programs(${folder})
endfunction()

# c_program(<folder> <libraries>): the example of the C ABI, compiled as C11 with what PKG_CONFIG_PATH leads to, as server and client
function(c_program folder libraries)
  message(STATUS "--- pkg-config tenon-c")
  find_program(cc NAMES cc gcc clang)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${pkg_config} --cflags --libs tenon-c OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${cc} -std=c11 -Wall -Wextra -Werror ${SOURCE}/examples/c/greeter.c -o ${folder}/greeter ${flags})
  file(WRITE ${folder}/pair.sh [[
set -eu
cd "$1"
./greeter server greeter.ior -ORBListenEndpoints iiop://127.0.0.1:0 &
trap "kill $!" EXIT
tries=0
until [ -s greeter.ior ]; do
  sleep 0.1
  tries=$((tries + 1))
  [ $tries -lt 300 ]
done
[ "$(./greeter client greeter.ior Ada)" = "Hello, Ada!" ]
if ./greeter client none.ior Ada 2> words; then exit 1; fi
grep -q BAD_PARAM words
]])
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} sh ${folder}/pair.sh ${folder})
endfunction()
