// SPDX-License-Identifier: Apache-2.0
//
// The client's direction; a source of its own, so that a client links no server.
#include <alloca.h>

#include <new>

#include "interpreted/interpreted.hpp"
#include "interpreted/signature.hpp"

namespace tenon::gen {

void interpret(CORBA::Object& self, const Interpreted& file, marshal::Word place, const void* const* values) {
  const Signature signature(file, place);
  const marshal::Parameters parameters = signature.parameters();

  const unsigned exceptions = signature.exceptions();
  Raises* raises = nullptr;
  if (exceptions != 0) {
    raises = static_cast<Raises*>(alloca(exceptions * sizeof(Raises)));
    for (unsigned i = 0; i < exceptions; ++i)
      ::new (raises + i) Raises(file.exceptions[signature.exception_numbers()[i]]);
  }
  const Operation operation{
      .name = signature.name(),
      .kind = signature.has(operation_oneway) ? Kind::oneway : Kind::two_way,
      .has_arguments = signature.has(operation_has_arguments),
      .raises = {raises, exceptions},
  };
  marshal::by_plan(signature.plan(), [&](auto kind) {
    call(
        self, operation,
        [&](cdr::Writer& out) { kind.template encode<marshal::in_request>(parameters, out, values); },
        [&](cdr::Reader& in) {
          kind.template decode<marshal::in_reply>(parameters, in, const_cast<void* const*>(values));
        });
  });
}

}  // namespace tenon::gen
