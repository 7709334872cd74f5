# SPDX-License-Identifier: Apache-2.0
# libtenon-c.so.<number>: the C ABI (include/tenon/c.h) for programs and language bindings, over libtenon.so, with which a program's C++ code
# has the same ORBs. An installation's component of its own.
set(TENON_C_NUMBER 1)  # TENON_C_ABI of the header
if(TARGET tenon_shared)
  set(map ${PROJECT_SOURCE_DIR}/bindings/c/libtenon-c.map)
  add_library(tenon_c SHARED $<TARGET_OBJECTS:tenon_binding_c>)
  set_target_properties(tenon_c PROPERTIES OUTPUT_NAME tenon-c SOVERSION ${TENON_C_NUMBER} LINKER_LANGUAGE CXX LINK_DEPENDS ${map}
                        BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  target_link_libraries(tenon_c PRIVATE tenon_shared)
  target_link_options(tenon_c PRIVATE LINKER:--version-script=${map} LINKER:-z,defs LINKER:--gc-sections)
endif()
