# SPDX-License-Identifier: Apache-2.0
# libtenon-ssliop.so: TLS for programs with libtenon.so, by -ORBProtocolLibrary. An installation's component of its own, since only it needs
# OpenSSL.
if(TENON_WITH_TLS AND TARGET tenon_shared)
  add_library(tenon_ssliop MODULE plugins/ssliop/module/library.cpp $<TARGET_OBJECTS:tenon_plugin_ssliop>)
  tenon_own_target(tenon_ssliop)
  target_compile_features(tenon_ssliop PRIVATE cxx_std_20)
  target_compile_options(tenon_ssliop PRIVATE ${tenon_engine_flags})
  target_link_libraries(tenon_ssliop PRIVATE tenon_shared OpenSSL::SSL OpenSSL::Crypto)
  set_target_properties(tenon_ssliop PROPERTIES OUTPUT_NAME tenon-ssliop)
  install(TARGETS tenon_ssliop LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tenon COMPONENT tls)
  install(FILES man/tenon-ssliop.7 DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT tls)
endif()
