// SPDX-License-Identifier: Apache-2.0
//
// Object references as text (CORBA 3.4 part 2 §7.6.9, §7.6.10): IOR:, corbaloc:, corbaname:. Schemes and protocol names are read
// without regard to capitals. Nothing is looked up or resolved here. Pure functions.
//
//   corbaloc:[iiop]:[1.2@]host[:port][,...][/key]     port 2809 and version 1.0 unless stated
//   corbaloc:rir:[/name]                              an initial reference, NameService unless stated
//   corbaloc:uiop:[1.2@]/path/of/socket[|key]         extension, as TAO has it: '|' because a path contains '/'; also unix:
//   corbaname:<as corbaloc>[#name/of/object]          a name below that naming context
//
// Version 1.0 by default is the standard's rule; omniORB follows it, TAO takes 1.2. A client that wants wide text or code sets over
// a corbaloc must write the version. Addresses of other protocols are kept as text for the plug-in that knows them.
#pragma once

#include "ior/iiop_profile.hpp"
#include "ior/name_string.hpp"

namespace tenon::ior {

inline constexpr std::uint16_t default_corbaloc_port = 2809;

/// One address of a corbaloc.
struct UrlAddress {
  std::string protocol;      ///< in lower case; "iiop" also when it was left out
  std::string text;          ///< what follows the colon: "1.2@host:port"
  std::size_t position = 0;  ///< of `text` in the URL, for messages
  bool operator==(const UrlAddress& other) const noexcept {
    return protocol == other.protocol && text == other.text;
  }
};

enum class UrlKind : std::uint8_t { ior, corbaloc, corbaname };

struct ObjectUrl {
  UrlKind kind = UrlKind::corbaloc;
  Ior reference;                      ///< ior
  std::vector<UrlAddress> addresses;  ///< corbaloc, corbaname: at least one
  std::vector<std::uint8_t>
      key;           ///< corbaloc, corbaname: without escapes; for rir: the name of the initial reference
  std::string name;  ///< corbaname: stringified name without URL escapes, for parse_name()

  /// The only address is rir.
  bool initial_reference() const noexcept {
    return !addresses.empty() && addresses.front().protocol == "rir";
  }
};

/// Whether the text, white space before it apart, is of that scheme ("corbaloc:"), in any capitals.
bool has_scheme(std::string_view text, std::string_view scheme) noexcept;

/// Reads a URL of any kind. Leading and trailing white space (of an IOR from a file) is ignored.
Parsed<ObjectUrl> parse_object_url(std::string_view text);

/// The same for corbaloc: alone.
Parsed<ObjectUrl> parse_corbaloc(std::string_view text);

/// The same for IOR: alone.
Parsed<Ior> parse_ior(std::string_view text);

/// "IOR:" alone, and the hexadecimal part of it.
Parsed<Ior> parse_ior_text(std::string_view text);

/// Addresses of the protocols that are known here.
struct ParsedIiopAddress {
  std::uint8_t minor = 0;
  IiopAddress address;
};
struct ParsedUiopAddress {
  std::uint8_t minor = 0;
  std::string path;
};
/// "[1.2@]host[:port]"; error positions count from the start of `text`.
Parsed<ParsedIiopAddress> parse_iiop_address(std::string_view text);
/// "[1.2@]/path". %XX escapes are undone, so that a path may contain ',' and '|'.
Parsed<ParsedUiopAddress> parse_uiop_address(std::string_view text);

/// The reference that a corbaloc stands for: one profile per address, in order, with no type id. Only iiop and uiop addresses; an
/// initial reference, or a protocol of another plug-in, is refused.
Parsed<Ior> to_reference(const ObjectUrl& url);

/// A key for the end of a URL: all characters are escaped but those that §7.6.10.2 allows. parse_object_url() is the inverse. Empty: the
/// key is, or there is no memory.
std::string escape_key(ByteView key) noexcept;
/// Undoes %XX; refuses white space, control characters and a lone '%'.
Parsed<std::vector<std::uint8_t>> unescape_key(std::string_view text);

/// The text of a URL; of kind ior: to_ior_text(). Empty: there is no memory.
std::string to_text(const ObjectUrl& url);

}  // namespace tenon::ior
