# SPDX-License-Identifier: Apache-2.0
# The library as it ships: libtenon.a and, with TENON_SHARED, libtenon.so.<number>, of all folders that are not INTERNAL.
#
# Both are made of the same objects as the folders' own archives, so that nothing is compiled twice. Inside this
# build everything links the folders; an installed Tenon has these two and no other library.

# Rises with each release that breaks programs linked with the one before; it does not depend on the project's version.
set(TENON_SHARED_NUMBER 1)

# The folders' libraries, those of the mapping before those of the engine. Of a template's instances the linker takes the first that it
# meets, and those of the engine may be without tables for unwinding (docs/decisions/0044-no-exceptions-in-the-engine.md).
get_property(folders GLOBAL PROPERTY TENON_LIBRARY_FOLDERS)
list(REVERSE folders)
set(tenon_library_folders "")
set(tenon_library_files "")
foreach(folder IN LISTS folders)
  get_target_property(type ${folder} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    list(APPEND tenon_library_folders ${folder})
    string(APPEND tenon_library_files "$<TARGET_FILE:${folder}>\n")
  endif()
endforeach()
# For ./dev footprint, which links them one by one.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/library_folders.txt CONTENT "${tenon_library_files}")

# Makes a library of that kind from the objects of all folders.
function(tenon_library target kind)
  list(TRANSFORM tenon_library_folders REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
  add_library(${target} ${kind} ${objects})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME tenon LINKER_LANGUAGE CXX)
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_libraries(${target} PUBLIC Threads::Threads)
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# The symbols that the shared library exports: the patterns in libtenon.namespaces, after each way a mangled name can begin.
function(tenon_version_script file)
  set(source ${PROJECT_SOURCE_DIR}/cmake/libtenon.namespaces)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(STRINGS ${source} namespaces REGEX "^[^#]")
  # Functions; virtual tables, type information and related tables; thunks; static variables of inline functions, and their
  # guards; thread-local variables.
  set(beginnings _ZN _ZNK _ZNR _ZNO _ZNKR _ZNKO _ZTIN _ZTSN _ZTVN _ZTTN _ZThn*_N _ZThn*_NK _ZTv*_N _ZTv*_NK _ZTch*_N
                 _ZTch*_NK _ZZN _ZZNK _ZGVN _ZGVZN _ZGVZNK _ZGRN _ZTWN _ZTHN)
  set(text "TENON_${TENON_SHARED_NUMBER} {\n  global:\n")
  foreach(namespace IN LISTS namespaces)
    foreach(beginning IN LISTS beginnings)
      string(APPEND text "    ${beginning}${namespace}*;\n")
    endforeach()
  endforeach()
  string(APPEND text "  local:\n    *;\n};\n")
  file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
endfunction()

tenon_library(tenon_static STATIC)
set_target_properties(tenon_static PROPERTIES EXPORT_NAME static)

if(TENON_SHARED AND NOT TENON_SANITIZE)
  tenon_library(tenon_shared SHARED)
  set(version_script ${CMAKE_CURRENT_BINARY_DIR}/libtenon.map)
  tenon_version_script(${version_script})
  set_target_properties(tenon_shared PROPERTIES EXPORT_NAME shared SOVERSION ${TENON_SHARED_NUMBER}
                        LINK_DEPENDS "${version_script}")
  # The library calls its own functions directly. Library and program still share data: virtual tables, type information,
  # variables of templates.
  target_link_options(tenon_shared PRIVATE
    LINKER:--version-script=${version_script} LINKER:-z,defs LINKER:-Bsymbolic-functions)
endif()
