# SPDX-License-Identifier: Apache-2.0
# tenon::tenon - what a program with compiled stubs links: the mapping and the protocols it can name.
# tenon::interpreted (src/interpreted) - what programs with interpreted stubs link beside it; tenon_idl() sees to that.
# tenon::any   - the typed wing on top, for programs that use Any or TypeCode.
# All are static libraries: a program carries only the objects that it refers to.
add_library(tenon_tenon INTERFACE)
# The mapping calls default_protocols(), which a program may define itself: so the archive stands behind it, never before.
target_link_libraries(tenon_mapping_cpp11 INTERFACE tenon_plugin_defaults)
add_library(tenon::tenon ALIAS tenon_tenon)
set_target_properties(tenon_tenon PROPERTIES EXPORT_NAME tenon)
target_link_libraries(tenon_tenon INTERFACE tenon_mapping_cpp11 tenon_plugin_defaults)
set_property(GLOBAL APPEND PROPERTY TENON_INSTALLED_TARGETS tenon_tenon)

if(TENON_TYPES)
  add_library(tenon_any INTERFACE)
  add_library(tenon::any ALIAS tenon_any)
  set_target_properties(tenon_any PROPERTIES EXPORT_NAME any)
  target_link_libraries(tenon_any INTERFACE tenon_tenon tenon_dynamic)
  set_property(GLOBAL APPEND PROPERTY TENON_INSTALLED_TARGETS tenon_any)
endif()
