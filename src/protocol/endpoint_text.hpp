// SPDX-License-Identifier: Apache-2.0
//
// Splits the text of a listening endpoint, "scheme://address<delimiter>option=value,option=value", for the transport plug-ins, so
// that all of them report errors to its author in the same form. Only the plug-ins know what addresses and options mean.
// Views into the given text; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::protocol {

struct EndpointOption {
  std::string_view name;
  std::string_view value;  ///< empty when there is none
};

struct EndpointText {
  std::string_view address;
  std::vector<EndpointOption> options;
};

/// `prefixes` are what the text may begin with ("iiop://", "giop:tcp:"). Options follow the last `delimiter`, separated by ',' or '&'.
/// False: `why` names the endpoint and what would be right, with `example` as an example.
bool read_endpoint(std::string_view text, std::initializer_list<std::string_view> prefixes, char delimiter,
                   std::string_view example, EndpointText& into, std::string& why);

/// "endpoint 'x': option 'y' ..." for errors of the plug-ins themselves.
std::string endpoint_error(std::string_view text, std::string_view what);
std::string option_error(std::string_view text, const EndpointOption& option, std::string_view right);

/// "yes", "no" and similar words; an option without a value means yes.
std::optional<bool> read_switch(std::string_view value) noexcept;

/// The option "backlog": connections that may wait for accept. Null, or what would be right, for option_error().
const char* read_backlog(const EndpointOption& option, int& into) noexcept;

}  // namespace tenon::protocol
