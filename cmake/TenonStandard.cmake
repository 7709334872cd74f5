# SPDX-License-Identifier: Apache-2.0
# libtenon-standard.a, tenon::standard: stubs and skeletons of the standard's IDL files, as far as the ORB's own headers do not have what
# they declare. Its headers are <tenon/standard/FILE.hpp>, FILE_skel.hpp and FILE_any.hpp; <tenon/cos_naming.hpp> is the one for CosNaming.
#
# It is a library of its own, and static, so that a program has of it what it uses, and libtenon does not depend on the IDL compiler.
if(NOT TENON_TYPES OR NOT TARGET tenon-idl)
  return()
endif()
set(files CONV_FRAME CSI CSIIOP CosNaming GIOP GSSUP IIOP IOP Messaging Pollable ir orb)
list(TRANSFORM files PREPEND ${PROJECT_SOURCE_DIR}/idl/standard/tenon/)
list(TRANSFORM files APPEND .idl)
tenon_idl(tenon_standard FILES ${files} ANY BELOW tenon/standard INCLUDES ${PROJECT_SOURCE_DIR}/idl/standard)
add_library(tenon::standard ALIAS tenon_standard)
set_target_properties(tenon_standard PROPERTIES OUTPUT_NAME tenon-standard UNITY_BUILD OFF)
