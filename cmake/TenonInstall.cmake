# SPDX-License-Identifier: Apache-2.0
# Where `cmake --install` puts the library, headers, the compiler, a CMake package and pkg-config files.
# Public headers go to include/tenon; the engine's own headers, which those include, below include/tenon/engine
# (cmake/TenonHeaders.cmake).
# A component is a Debian package (cmake/TenonPackage.cmake): runtime, development, compiler, tools.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

if(TENON_COMPILER AND TARGET tenon-idl)
  # A separate export: a cross build takes the libraries of one prefix and the compiler of another.
  install(TARGETS tenon-idl EXPORT tenon-idl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT compiler)
  install(EXPORT tenon-idl NAMESPACE tenon:: DESTINATION ${package_dir} FILE TenonIdlTarget.cmake COMPONENT compiler)
  install(FILES man/tenon-idl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT compiler)
endif()

# -ORBHelp and man pages name these pages.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/tenon COMPONENT development
        FILES_MATCHING PATTERN "*.md")
install(TARGETS tenon_static EXPORT tenon-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
if(TARGET tenon_c)
  install(TARGETS tenon_c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
endif()
install(EXPORT tenon-static NAMESPACE tenon:: DESTINATION ${package_dir} FILE TenonStaticTarget.cmake COMPONENT development)
if(TARGET tenon_shared)
  install(TARGETS tenon_shared EXPORT tenon-shared
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
  install(EXPORT tenon-shared NAMESPACE tenon:: DESTINATION ${package_dir} FILE TenonSharedTarget.cmake
          COMPONENT development)
endif()

# Each install writes them into a folder of its own: a second one of this build may run at the same time, and an earlier one
# may have been root's.
install(CODE "
  set(source [[${PROJECT_SOURCE_DIR}]])
  set(headers [[${CMAKE_CURRENT_BINARY_DIR}/headers]])
  string(RANDOM LENGTH 12 own)
  string(APPEND headers -\${own})
  include([[${CMAKE_CURRENT_LIST_DIR}/TenonHeaders.cmake]])
  set(include_folder [[${CMAKE_INSTALL_INCLUDEDIR}]])
  cmake_path(ABSOLUTE_PATH include_folder BASE_DIRECTORY \${CMAKE_INSTALL_PREFIX})
  file(INSTALL \${headers}/ DESTINATION \${include_folder})
  file(REMOVE_RECURSE \${headers})" COMPONENT development)

if(TARGET tenon_standard)
  # Not part of an export, because what it is linked with there, tenon::tenon, is made by the package file.
  install(FILES $<TARGET_FILE:tenon_standard> DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/tenon_standard_idl/tenon DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          COMPONENT development FILES_MATCHING PATTERN "*.hpp")
endif()
set(tenon_standard_library ${CMAKE_INSTALL_LIBDIR}/libtenon-standard.a)
configure_package_config_file(cmake/TenonConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS tenon_standard_library NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake
              cmake/TenonIdl.cmake cmake/debian-cross.cmake
        DESTINATION ${package_dir} COMPONENT development)

# pkg-config's files find the prefix from their own place, so that the tree can move. A folder that was given as an absolute
# path stays as it is.
cmake_path(IS_ABSOLUTE CMAKE_INSTALL_LIBDIR libdir_is_absolute)
if(libdir_is_absolute)
  set(TENON_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(TENON_PC_PREFIX "\${pcfiledir}/${up}")
endif()
foreach(kind LIBDIR INCLUDEDIR BINDIR DATADIR)
  set(folder ${CMAKE_INSTALL_${kind}})
  cmake_path(IS_ABSOLUTE folder is_absolute)
  if(is_absolute)
    set(TENON_PC_${kind} ${folder})
  else()
    set(TENON_PC_${kind} "\${prefix}/${folder}")
  endif()
endforeach()
set(TENON_PC_IDL "")
if(TENON_COMPILER AND TARGET tenon-idl)
  set(TENON_PC_IDL "tenon_idl=${TENON_PC_BINDIR}/tenon-idl\n")
endif()
foreach(kind "" -static)
  set(TENON_PC_NAME tenon${kind})
  if(kind)
    set(TENON_PC_DESCRIPTION "${PROJECT_DESCRIPTION} (static library)")
    set(TENON_PC_LIBS "\${libdir}/libtenon.a")
  else()
    set(TENON_PC_DESCRIPTION "${PROJECT_DESCRIPTION}")
    set(TENON_PC_LIBS "-L\${libdir} -ltenon")
  endif()
  set(TENON_PC_LIBS "${TENON_PC_LIBS} -pthread")
  set(TENON_PC_REQUIRES "")
  set(TENON_PC_CFLAGS "-I\${includedir}")
  configure_file(cmake/tenon.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tenon${kind}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon${kind}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
  if(TARGET tenon_standard)
    # In front of the library that it is linked with.
    set(TENON_PC_NAME tenon-standard${kind})
    set(TENON_PC_DESCRIPTION "C++ of the standard's IDL files, for ${PROJECT_NAME}${kind}")
    set(TENON_PC_LIBS "\${libdir}/libtenon-standard.a")
    set(TENON_PC_REQUIRES "Requires: tenon${kind}\n")
    configure_file(cmake/tenon.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-standard${kind}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-standard${kind}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
            COMPONENT development)
  endif()
endforeach()

if(TARGET tenon_c)
  set(TENON_PC_NAME tenon-c)
  set(TENON_PC_DESCRIPTION "${PROJECT_DESCRIPTION}: its C ABI, for other languages")
  set(TENON_PC_LIBS "-L\${libdir} -ltenon-c")
  set(TENON_PC_REQUIRES "")
  set(TENON_PC_CFLAGS "-I\${includedir}")
  configure_file(cmake/tenon.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-c.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endif()

# For programs that name the parts of their ORBs, as the components of the CMake package.
foreach(choice client server micro full)
  set(TENON_PC_NAME tenon-${choice})
  set(TENON_PC_DESCRIPTION "${PROJECT_DESCRIPTION} (static library, of which a program has what it refers to)")
  set(TENON_PC_LIBS "-Wl,--gc-sections \${libdir}/libtenon.a -pthread")
  set(TENON_PC_REQUIRES "")
  set(TENON_PC_CFLAGS "-I\${includedir} -ffunction-sections -fdata-sections")
  configure_file(cmake/tenon.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-${choice}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-${choice}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
endforeach()
