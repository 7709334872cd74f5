# SPDX-License-Identifier: Apache-2.0
# cmake -D COMPILER=tenon-idl -D GOLDEN=directory -D OUT=directory [-D STUBS=interpreted] -P golden.cmake
# The compiler must print the golden files byte for byte. A difference is shown as diff does, when there is one.
file(MAKE_DIRECTORY ${OUT})
if(STUBS)
  set(option --stubs=${STUBS})
endif()
execute_process(COMMAND ${COMPILER} --no-any ${option} --out-dir ${OUT} calculator.idl WORKING_DIRECTORY ${GOLDEN}
                RESULT_VARIABLE result)
set(GOLDEN ${GOLDEN}/${STUBS})
if(NOT result EQUAL 0)
  message(FATAL_ERROR "tenon-idl failed: ${result}")
endif()
set(differ "")
foreach(name calculator.hpp calculator.cpp calculator_skel.hpp calculator_skel.cpp)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${GOLDEN}/${name} ${OUT}/${name} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    execute_process(COMMAND diff -u ${GOLDEN}/${name} ${OUT}/${name})
    list(APPEND differ ${name})
  endif()
endforeach()
if(differ)
  message(FATAL_ERROR "not what the golden files say: ${differ}")
endif()
