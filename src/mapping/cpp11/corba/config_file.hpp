// SPDX-License-Identifier: Apache-2.0
//
// Files of settings in the form of omniORB.cfg: what their lines say, not what the keys mean (orb_options.cpp).
//
//   # a comment, which has a line of its own, since values may contain '#'
//   traceLevel = 10
//   InitRef    = NameService=corbaname::host        the value begins behind the first '='
//              = Log=corbaloc::host:3000/Log        another value of the key above
//   endPoint   = giop:tcp::2809;\                   the line goes on in the next one, without its leading blanks
//                giop:unix:/run/app.sock
//
// Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::gen {

struct ConfigLine {
  unsigned number = 0;  ///< of the first line of the setting, from 1
  std::string key;
  std::optional<std::string> value;  ///< without blanks around it; nullopt: the line has no '='
};

/// A file may have so many bytes.
inline constexpr std::size_t config_bytes_most = std::size_t{1} << 20;

/// The settings of a text, in order. False: `why` begins with the number of the wrong line.
bool parse_config(std::string_view text, std::vector<ConfigLine>& into, std::string& why);

/// The settings of a file. False: `why` begins with the path, and with the number of the line if one is wrong.
bool read_config_file(const std::string& path, std::vector<ConfigLine>& into, std::string& why);

}  // namespace tenon::gen
