// SPDX-License-Identifier: Apache-2.0
//
// The operation of exception holders that needs TypeCodes (CORBA 3.4 part 1 §17.8.3).
#include <algorithm>

#include "orb/server/serving.hpp"
#include "tenon/corba/orb.hpp"
#include "tenon/dynamic/request.hpp"
#include "tenon/messaging/reply_handler.hpp"

namespace Messaging {
inline namespace cpp11 {

namespace gen = tenon::gen;
namespace types = tenon::types;

void ExceptionHolder::raise_exception_with_list(const std::vector<CORBA::TypeCodeRef>& exc_list) {
  if (is_system_exception_) raise_exception();
  const std::string_view id = reader().get_raw_string();
  const bool known = std::ranges::any_of(listed_, [id](const gen::Raises& each) { return each.id == id; });
  const auto found = std::ranges::find_if(exc_list, [id](const CORBA::TypeCodeRef& each) {
    return each && each->kind() == CORBA::TCKind::tk_except && each->id() == id;
  });
  if (known || found == exc_list.end()) raise_exception();
  const tenon::orb::OrbScope scope(orb_ ? *orb_ : gen::current_orb());
  tenon::cdr::Reader in = reader();
  CORBA::Any exception;
  exception._value(types::read_value(in, found->_type(), gen::passing_on));
  if (!in.good()) gen::raise(in.error());
  throw CORBA::UnknownUserException(std::move(exception));
}

}  // namespace cpp11
}  // namespace Messaging
