// SPDX-License-Identifier: Apache-2.0
//
// Module CosNaming (Naming Service 1.3): the client's side of naming services, omniNames and others. A program that includes it links
// tenon::standard.
//
//   auto root = IDL::traits<CosNaming::NamingContextExt>::narrow(orb->resolve_initial_references("NameService"));
//   root->rebind({CosNaming::NameComponent("printer", "")}, reference);
//   auto printer = root->resolve_str("printer");
//
// Skeletons are in <tenon/standard/CosNaming_skel.hpp>, TypeCodes and Any in <tenon/standard/CosNaming_any.hpp>.
#pragma once

#include <tenon/standard/CosNaming.hpp>
