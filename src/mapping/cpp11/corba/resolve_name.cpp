// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/resolve_name.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/call.hpp"

namespace tenon::gen {

namespace {

/// What NamingContext::resolve raises (CosNaming 1.3 §2.3.1), as far as it is told.
struct NotResolved {
  std::string why;
};

/// Reads a name that came over the network, and gives it as text, cut where it is long.
std::string read_name(cdr::Reader& in) {
  constexpr std::size_t longest = 200;
  const std::size_t parts = in.get_length(8);
  std::string text;
  for (std::size_t i = 0; i < parts && in.good() && text.size() < longest; ++i) {
    ior::NameComponent part;
    in.get_string(part.id);
    in.get_string(part.kind);
    text.append(i == 0 ? "" : "/").append(ior::to_text({part}));
  }
  if (text.size() <= longest) return text;
  text.resize(beginning(text, longest).size());
  return text.append("...");
}

[[noreturn]] void raise_not_found(cdr::Reader& in) {
  static constexpr std::string_view reasons[] = {"nothing is bound to it", "this is no naming context",
                                                 "this is no object"};
  const auto why = in.get<std::uint32_t>();
  const std::string rest = read_name(in);
  if (!in.good() || why >= std::size(reasons)) throw NotResolved{"NotFound"};
  throw NotResolved{worded("NotFound, at '%': %", {rest, reasons[why]})};
}
[[noreturn]] void raise_cannot_proceed(cdr::Reader& in) {
  CORBA::object_reference<CORBA::Object> context;
  Reference<CORBA::Object>::get(in, context);
  const std::string rest = read_name(in);
  throw NotResolved{in.good() ? worded("CannotProceed, at '%'", {rest}) : "CannotProceed"};
}
[[noreturn]] void raise_invalid_name(cdr::Reader&) { throw NotResolved{"InvalidName"}; }

constexpr Raises resolve_raises[] = {
    {"IDL:omg.org/CosNaming/NamingContext/NotFound:1.0", &raise_not_found},
    {"IDL:omg.org/CosNaming/NamingContext/CannotProceed:1.0", &raise_cannot_proceed},
    {"IDL:omg.org/CosNaming/NamingContext/InvalidName:1.0", &raise_invalid_name},
};

}  // namespace

CORBA::object_reference<CORBA::Object> resolve_name(CORBA::Object& context,
                                                    const std::vector<ior::NameComponent>& name) {
  static constexpr Operation resolve{.name = "resolve", .raises = resolve_raises};
  CORBA::object_reference<CORBA::Object> found;
  std::string why;
  try {
    call(
        context, resolve,
        [&](cdr::Writer& out) {
          out.put_length(name.size());
          for (const auto& part : name) {
            out.put_string(part.id);
            out.put_string(part.kind);
          }
        },
        [&](cdr::Reader& in) { Reference<CORBA::Object>::get(in, found); });
    return found;
  } catch (const NotResolved& told) {
    why = told.why;
  } catch (const CORBA::UNKNOWN& exception) {
    // A user exception that resolve() does not raise.
    if (exception.minor() != errors::unlisted_user_exception.minor) throw;
    why = "a user exception that resolve() does not have";
  }
  why = worded("corbaname: the naming service knows no object of the name '%'; it answered %",
               {ior::to_text(name), why});
  log(LogLevel::error, "orb", why);
  raise_with_reason(errors::url_other, std::move(why));
}

}  // namespace tenon::gen
