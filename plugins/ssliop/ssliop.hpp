// SPDX-License-Identifier: Apache-2.0
//
// ssliop: GIOP over TLS over TCP, as a transport plug-in over OpenSSL 3. It is no part of libtenon: a program links it beside, or loads it
// as a shared object. How its addresses stand in references is the Security Service's (component TAG_SSL_SEC_TRANS of IIOP profiles).
//
// Endpoints: "ssliop://[host][:port][/option=value,...]", with the options of iiop. URLs: "corbaloc:ssliop:[1.2@]host[:port]/Key".
// Its own options, such as the certificate, are in context.hpp.
#pragma once

#include <memory>

#include "protocol/transport.hpp"

namespace tenon::ssliop {

std::unique_ptr<protocol::TransportPlugin> make_plugin();

}  // namespace tenon::ssliop
