// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes TAG_CSI_SEC_MECH_LIST and TAG_TLS_SEC_TRANS. Invariants checked: lists and texts are within their bounds; what was read is written
// and read again as the same.
#include <cstdlib>

#include "ior/security_mechanisms.hpp"

namespace {

using namespace tenon;
using namespace tenon::ior;

void require(bool condition) {
  if (!condition) std::abort();
}

void look(ByteView data) {
  const auto tls = read_tls_transport(data);
  if (!tls) return;
  require(tls->addresses.size() <= TlsTransport::most_addresses);
  for (const TlsTransport::At& each : tls->addresses) require(each.host.size() <= 255);
  require(read_tls_transport(tls_transport_component(*tls).data) == *tls);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  look({data, size});
  const auto all = read_security_mechanisms({data, size});
  if (!all) return 0;
  require(all->list.size() <= SecurityMechanisms::most);
  for (const SecurityMechanism& each : all->list) {
    require(each.authorities.size() <= SecurityMechanism::most_entries);
    require(each.naming_mechanisms.size() <= SecurityMechanism::most_entries);
    if (each.transport.tag == tag_tls_sec_trans) look(each.transport.data);
  }
  require(read_security_mechanisms(security_mechanisms_component(*all).data) == *all);
  return 0;
}
