# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it packs: adds files that Debian wants in each package and an ordinary install does not have.
get_filename_component(source ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_program(gzip gzip REQUIRED)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
  file(GLOB_RECURSE pages ${root}/share/man/*.[0-9])
  foreach(page IN LISTS pages)
    execute_process(COMMAND ${gzip} -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  string(TOUPPER ${component} upper)
  set(doc ${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${doc}/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    "Upstream-Name: tenon\n\n"
    "Files: *\n"
    "Copyright: The Tenon developers\n"
    "License: Apache-2.0\n"
    " On Debian systems the text of the licence is in /usr/share/common-licenses/Apache-2.0.\n")
endforeach()
