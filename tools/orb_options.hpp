// SPDX-License-Identifier: Apache-2.0
//
// The ORB's options on the command lines of the tools.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::tools {

/// What is left of a command line when the ORB's options ("-ORBNAME VALUE") are taken out, last word first, as CLI11 takes a vector.
/// `kept` gets the values of -ORBProtocolOption that start with `prefix` ("ssliop.", or "" for all);
/// the ORB's other options are passed over.
inline std::vector<std::string> without_orb_options(int argc, char** argv, std::string_view prefix,
                                                    std::vector<std::string>& kept) {
  std::vector<std::string> rest;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("-ORB")) {
      rest.push_back(word);
      continue;
    }
    ++i;  // its value, if there is one
    if (i < argc && word == "-ORBProtocolOption" && std::string_view(argv[i]).starts_with(prefix))
      kept.emplace_back(argv[i]);
  }
  return {rest.rbegin(), rest.rend()};
}

}  // namespace tenon::tools
