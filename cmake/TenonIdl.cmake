# SPDX-License-Identifier: Apache-2.0
# tenon_idl(<target> FILES <a.idl>... [OPTIONS <option>...] [INCLUDES <directory>...] [LIBS <target>...]
#           [ANY | NO_ANY] [AMI] [PRECOMPILE] [BELOW <folder>])
#
# Makes <target>, a static library of the stubs and skeletons that tenon-idl generates for the files; a target that links
# it includes "a.hpp" (types, stubs) and "a_skel.hpp" (skeletons). With ANY also "a_any.hpp", and tenon::any is
# linked. With AMI also "a_async.hpp", sendc_ and sendp_ operations (docs/messaging.md). INCLUDES are for IDL; LIBS names the
# tenon_idl() targets of IDL files that these include. With PRECOMPILE the support headers are compiled once for all of the target's
# sources, which pays from about three IDL files on. With BELOW generated headers are included as <folder>/a.hpp.
#
# The C++ of the standard's IDL files (CosNaming.idl, IOP.idl ...) is in tenon::standard, which an installed Tenon links by itself.
#
# The same file serves this build, an installed Tenon (find_package(tenon)) and cross-compiling: TENON_IDL_EXECUTABLE
# names a compiler of the build machine and wins over the target tenon-idl.

function(tenon_idl target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ANY;NO_ANY;AMI;PRECOMPILE" "BELOW" "FILES;OPTIONS;INCLUDES;LIBS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_FILES)
    message(FATAL_ERROR "tenon_idl(${target}): wants FILES a.idl..., and does not know '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(TENON_IDL_EXECUTABLE)
    set(compiler ${TENON_IDL_EXECUTABLE})
  elseif(TARGET tenon::tenon-idl)
    set(compiler tenon::tenon-idl)
  elseif(TARGET tenon-idl)
    set(compiler tenon-idl)
  else()
    message(FATAL_ERROR "tenon_idl(${target}): this Tenon was installed without its IDL compiler. Install it too (Debian: "
                        "tenon-idl), or name one by -DTENON_IDL_EXECUTABLE=PATH.")
  endif()
  if(arg_ANY AND tenon_FOUND AND NOT TARGET tenon::any)  # in Tenon's own build it may come later
    message(FATAL_ERROR "tenon_idl(${target}): ANY wants tenon::any, and this Tenon was installed without it (TENON_TYPES=OFF, as in "
                        "the preset minimal). Write NO_ANY, or take a Tenon that has it.")
  endif()

  set(root ${CMAKE_CURRENT_BINARY_DIR}/${target}_idl)
  set(out ${root})
  set(flags ${arg_OPTIONS})
  if(arg_BELOW)
    string(APPEND out /${arg_BELOW})
    list(APPEND flags --include-prefix ${arg_BELOW})
  endif()
  file(MAKE_DIRECTORY ${out})
  set(kinds "" _skel)
  # Ninja refuses a dependency file that names files which are no longer made, so each set of files has one of its own.
  set(depfile_end .d)
  if(arg_ANY)
    list(APPEND flags --any)
    list(APPEND kinds _any)
    string(PREPEND depfile_end _any)
  else()
    list(APPEND flags --no-any)
  endif()
  if(arg_AMI)
    list(APPEND flags --ami)
    string(PREPEND depfile_end _async)
  endif()
  foreach(directory IN LISTS arg_INCLUDES)
    get_filename_component(directory ${directory} ABSOLUTE)
    list(APPEND flags -I${directory})
  endforeach()

  set(generated "")
  foreach(file IN LISTS arg_FILES)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${file} NAME_WLE)
    set(outputs "")
    foreach(kind IN LISTS kinds)
      list(APPEND outputs ${out}/${stem}${kind}.hpp ${out}/${stem}${kind}.cpp)
    endforeach()
    if(arg_AMI)
      list(APPEND outputs ${out}/${stem}_async.hpp)
    endif()
    add_custom_command(
      OUTPUT ${outputs}
      COMMAND ${compiler} ${flags} --out-dir ${out} --depfile ${out}/${stem}${depfile_end} ${path}
      DEPENDS ${path} ${compiler}
      DEPFILE ${out}/${stem}${depfile_end}
      COMMENT "IDL ${stem}.idl"
      VERBATIM)
    set_source_files_properties(${outputs} PROPERTIES UNITY_GROUP ${stem})
    list(APPEND generated ${outputs})
  endforeach()

  add_library(${target} STATIC ${generated})
  target_include_directories(${target} PUBLIC ${root})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC tenon::tenon ${arg_LIBS})
  if(TARGET tenon::interpreted)
    # For stubs that are interpreted, by OPTIONS or annotations; a program links only the parts that it refers to.
    target_link_libraries(${target} PUBLIC tenon::interpreted)
  endif()
  if(arg_ANY)
    target_link_libraries(${target} PUBLIC tenon::any)
  endif()
  if(tenon_choice)
    # find_package(tenon COMPONENTS client ...): a program has the stubs and skeletons that it refers to
    target_compile_options(${target} PRIVATE -ffunction-sections -fdata-sections)
  endif()
  if(TARGET tenon::standard AND NOT TARGET tenon_standard)
    target_link_libraries(${target} PUBLIC tenon::standard)  # inside Tenon's own build LIBS names it where it is used
  endif()
  if(TARGET generated)
    # Inside Tenon's own build: clang-tidy needs the headers, not the library.
    add_custom_target(${target}_generated DEPENDS ${generated})
    add_dependencies(generated ${target}_generated)
    add_dependencies(${target} ${target}_generated)
  endif()
  if(TENON_UNITY)  # the sources of one IDL file together; those of several files have local names that would conflict
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
  if(arg_PRECOMPILE)
    set(headers <tenon/gen/support.hpp> <tenon/gen/skeleton.hpp>)
    if(arg_ANY)
      list(APPEND headers <tenon/gen/any.hpp>)
    endif()
    target_precompile_headers(${target} PRIVATE ${headers})
  elseif(COMMAND tenon_precompile)
    tenon_precompile(${target} PCH tenon_std_pch)
  endif()
  if(TENON_WARNINGS)
    # Generated code is held to our own warnings.
    target_compile_options(${target} PRIVATE ${TENON_WARNINGS})
  endif()
endfunction()
