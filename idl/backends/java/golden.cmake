# SPDX-License-Identifier: Apache-2.0
# cmake -D COMPILER=tenon-idl -D IDL=file -D GOLDEN=directory -D OUT=directory [-D "FLAGS=..."] -P golden.cmake
# The compiler must write the golden files byte for byte, and no others. A difference is shown as diff does, when there is one.
file(REMOVE_RECURSE ${OUT})
execute_process(COMMAND ${COMPILER} --backend=java --java-package com.example ${FLAGS} --depfile ${OUT}.d --out-dir ${OUT} ${IDL}
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "tenon-idl failed: ${result}")
endif()
execute_process(COMMAND diff -ru ${GOLDEN} ${OUT} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "not what the golden files say")
endif()
# The names are known without writing anything, and those of the dependency file are the same.
execute_process(COMMAND ${COMPILER} --backend=java --java-package com.example ${FLAGS} --list-outputs ${IDL} OUTPUT_VARIABLE listed)
file(READ ${OUT}.d rule)
file(GLOB_RECURSE files RELATIVE ${GOLDEN} ${GOLDEN}/*.java)
string(REGEX MATCHALL "[^\n]+" listed "${listed}")
list(SORT listed)
list(SORT files)
if(NOT listed STREQUAL files)
  message(FATAL_ERROR "--list-outputs says ${listed}")
endif()
foreach(file IN LISTS files)
  string(FIND "${rule}" "${OUT}/${file}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "the dependency file does not name ${file}")
  endif()
endforeach()
