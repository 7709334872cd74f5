# SPDX-License-Identifier: Apache-2.0
# cmake -D COMPILER=tenon-idl -D IDL=list -D JAVAC=command -D JAR=tenon.jar -D SOURCES=list -D WORK=directory
#       [-D OPTIONS=list] -P test_classes.cmake
# Generates Java for the IDL files, and compiles it as strictly as the run time, then the tests.
file(REMOVE_RECURSE ${WORK})
execute_process(COMMAND ${COMPILER} --backend=java --ami --any ${OPTIONS} --out-dir ${WORK}/generated ${IDL} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "tenon-idl failed: ${result}")
endif()
file(GLOB_RECURSE generated ${WORK}/generated/*.java)
execute_process(COMMAND ${JAVAC} -cp ${JAR} -d ${WORK}/classes ${generated} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "what tenon-idl generated does not compile")
endif()
execute_process(COMMAND ${JAVAC} -cp ${JAR}:${WORK}/classes -d ${WORK}/classes ${SOURCES} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the tests do not compile")
endif()
