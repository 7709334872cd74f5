# SPDX-License-Identifier: Apache-2.0
# JacORB as a peer: for interoperability tests, never for Tenon itself. tools/repo/from_maven fetches it, once for all builds.
#
# Sets JACORB_FOUND and JACORB_DIR, the folder of its archives; find_package(Java) sets the programs. If CI is true and it is missing,
# configuring fails: without it its tests would be left out, and could not fail.

execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/repo/from_maven --where jacorb OUTPUT_VARIABLE JACORB_DIR
                OUTPUT_STRIP_TRAILING_WHITESPACE)
find_package(Java 17 QUIET COMPONENTS Runtime Development)

set(JACORB_FOUND OFF)
if(Java_FOUND AND EXISTS ${JACORB_DIR}/jacorb-3.9.jar)
  set(JACORB_FOUND ON)
  unset(JACORB_ABSENCE_SAID CACHE)
elseif("$ENV{CI}" STREQUAL "true")
  message(FATAL_ERROR "JacORB or a JDK 17 is missing, and CI wants it as a peer: ./dev setup installs both "
                      "(Debian: openjdk-17-jdk-headless maven; JacORB goes to ${JACORB_DIR}).")
elseif(NOT DEFINED CACHE{JACORB_ABSENCE_SAID})
  set(JACORB_ABSENCE_SAID ON CACHE INTERNAL "One warning is enough")
  message(WARNING "JacORB or a JDK 17 is missing: NO test against JacORB is built. ./dev setup installs both.")
endif()
