# SPDX-License-Identifier: Apache-2.0
# Debian packages, by `cpack -G DEB` (./dev package): one for each component of the install.
set(CPACK_PACKAGE_NAME tenon)
set(CPACK_PACKAGE_VENDOR Tenon)
set(CPACK_PACKAGE_CONTACT "The Tenon developers <tenon@tenon.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/TenonPackageFiles.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(library libtenon${TENON_SHARED_NUMBER})
set(CPACK_COMPONENTS_ALL "")
# debian_package(<component> <package> <section> <depends> <description>)
macro(debian_package component package section depends description)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${depends}")
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}")
endmacro()

set(needs_library "")
if(TARGET tenon_shared)
  debian_package(runtime ${library} libs "" "The shared library: what programs need that are linked with it.")
  # Debian packages of programs that use the library find their dependency in it.
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(needs_library "${library} (= ${version}), ")
endif()
debian_package(development libtenon-dev libdevel "${needs_library}libstdc++-12-dev | libstdc++-dev"
  "Headers, the static library, the CMake package (find_package(tenon)) and the files for pkg-config.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "tenon-idl, pkg-config")
if(TENON_COMPILER AND TARGET tenon-idl)
  debian_package(compiler tenon-idl devel mcpp
    "The IDL compiler: makes C++11 stubs and skeletons from IDL. With the standard's IDL files.")
  debian_package(tools tenon-tools net "${needs_library}mcpp, tenon-idl"
    "Tools: tenon-ior explains object references and tries them; tenon-call calls any operation of any object.")
endif()
if(TARGET tenon-cert)
  string(REGEX REPLACE ", $" "" needs_only_library "${needs_library}")
  debian_package(tls tenon-tls net "${needs_only_library}"
    "TLS: the plug-in libtenon-ssliop.so for programs that use the shared library, and tenon-cert, which makes certificates.")
endif()
# Where the library is found that the plug-in and tenon-call are linked with.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
include(CPack)
