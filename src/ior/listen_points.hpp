// SPDX-License-Identifier: Apache-2.0
//
// The listen points of a client in bidirectional IIOP, which are the addresses of its objects: IIOP::BiDirIIOPServiceContext
// (CORBA 3.4 part 2 §9.8.1). Values, no state.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ior/iiop_profile.hpp"

namespace tenon::ior {

/// The data of the service context. Empty: there is no memory.
std::vector<std::uint8_t> make_listen_points(std::span<const IiopAddress> points);

/// The first `most` points; errors: the data is no such context. A point whose host is too long is one, too.
Result<std::vector<IiopAddress>> parse_listen_points(ByteView data, std::size_t most);

}  // namespace tenon::ior
