# SPDX-License-Identifier: Apache-2.0
# What a Tenon that was installed without tenon::any says of tenon_idl(... ANY): run by cmake -P.
set(tenon_FOUND TRUE)
set(TENON_IDL_EXECUTABLE tenon-idl)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/TenonIdl.cmake)
tenon_idl(shop_idl FILES shop.idl ANY)
