// SPDX-License-Identifier: Apache-2.0
#include "base/texts.hpp"

#include "mapping/cpp11/corba/exception_text.hpp"
#include "mapping/cpp11/portable_server/poa_texts.hpp"
#include "orb/server/refuse.hpp"
#include "plugins/giop/giop.hpp"
#include "protocol/exception_detail.hpp"
#include "tenon/parts.hpp"

namespace tenon::parts {

void texts(orb::Parts&) {
  use_texts();
  protocol::use_exception_details();
  orb::explain_refusals();
  gen::use_texts_of_exceptions();
  giop::enable_complaints();
  gen::use_poa_texts();
}

}  // namespace tenon::parts
