# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: libraries, headers, the compiler, a CMake package and a pkg-config file.
# Public headers go to include/tenon; the engine's own headers, which those include, below include/tenon/engine.
include(CMakePackageConfigHelpers)

get_property(installed GLOBAL PROPERTY TENON_INSTALLED_TARGETS)
if(TENON_COMPILER AND TARGET tenon-idl)
  # A separate export: a cross build takes the libraries of one prefix and the compiler of another.
  install(TARGETS tenon-idl EXPORT tenon-idl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(EXPORT tenon-idl NAMESPACE tenon:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon FILE TenonIdlTarget.cmake)
endif()
install(TARGETS ${installed} EXPORT tenon ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT tenon NAMESPACE tenon:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon FILE TenonTargets.cmake)

set(header_rules FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc" PATTERN "*_test_*" EXCLUDE)
if(EXISTS ${PROJECT_SOURCE_DIR}/include)
  install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${header_rules})
endif()
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon/engine ${header_rules})
install(DIRECTORY plugins DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tenon/engine ${header_rules})

configure_package_config_file(cmake/TenonConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/tenon-config-version.cmake
              cmake/TenonIdl.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/tenon)

# Static archives in the order that a linker wants: users before what they use.
set(archives "")
foreach(target IN LISTS installed)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND NOT target MATCHES "^tenon_(types|dynamic)$")
    list(PREPEND archives -l${target})
  endif()
endforeach()
list(JOIN archives " " TENON_PC_LIBS)
configure_file(cmake/tenon.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tenon.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tenon.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(EXISTS ${PROJECT_SOURCE_DIR}/man/tenon-idl.1)
  install(FILES man/tenon-idl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
