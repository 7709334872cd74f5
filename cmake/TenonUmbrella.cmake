# SPDX-License-Identifier: Apache-2.0
# tenon::tenon - for programs with compiled stubs: the mapping and CORBA::ORB_init with all protocols.
# tenon::interpreted (src/interpreted) - for programs with interpreted stubs, in addition; tenon_idl() links it.
# tenon::any   - the typed wing on top, for programs that use Any or TypeCode.
# All are static libraries here: a program carries only the objects that it refers to. An installed Tenon has targets of the
# same names, all of which stand for its one library (cmake/TenonConfig.cmake.in).
add_library(tenon_tenon INTERFACE)
add_library(tenon::tenon ALIAS tenon_tenon)
target_link_libraries(tenon_tenon INTERFACE tenon_parts)

# For programs that name the parts of their ORBs, as in an installed Tenon.
foreach(choice client server micro full)
  add_library(tenon_choice_${choice} INTERFACE)
  add_library(tenon::${choice} ALIAS tenon_choice_${choice})
  target_link_libraries(tenon_choice_${choice} INTERFACE tenon_parts)
  target_compile_options(tenon_choice_${choice} INTERFACE -ffunction-sections -fdata-sections)
  target_link_options(tenon_choice_${choice} INTERFACE LINKER:--gc-sections)
endforeach()

if(TENON_TYPES)
  add_library(tenon_any INTERFACE)
  add_library(tenon::any ALIAS tenon_any)
  target_link_libraries(tenon_any INTERFACE tenon_tenon tenon_dynamic tenon_csi)
endif()
