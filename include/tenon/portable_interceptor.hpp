// SPDX-License-Identifier: Apache-2.0
//
// PortableInterceptor, with IOP::Codec and PICurrent: code that runs around every call and request of an ORB. See
// docs/interceptors.md. A program that includes it links tenon::any.
#pragma once

#include <tenon/gen/any.hpp>

#include "tenon/interceptors/exposed_policy.hpp"
#include "tenon/interceptors/interceptors.hpp"
#include "tenon/interceptors/ior_interceptors.hpp"
#include "tenon/interceptors/operation_signature.hpp"
