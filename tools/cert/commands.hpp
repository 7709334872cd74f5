// SPDX-License-Identifier: Apache-2.0
//
// What tenon-cert does, command by command. Each gives the text that the program prints, and throws a Problem if it could not be done;
// then no file has changed, or the one that was being written. One thread.
#pragma once

#include <string>
#include <vector>

#include "tools/cert/making.hpp"

namespace tenon::cert {

struct Place {
  std::string folder = ".";  ///< has authority.pem and authority.key
  bool replace = false;      ///< files that are there
  long days = 0;             ///< for how long what is made is valid
  KeyKind kind = KeyKind::ec;
  std::string password_file;            ///< of the key that is made; empty: it has none
  std::string authority_password_file;  ///< of the authority's key, which is there
};

/// The folder is made if it is not there.
std::string new_authority(const Place& place, const std::string& name);

/// `hosts` as they were typed; none: this machine. `name` and `file` (without an ending) may be empty: the first host.
std::string new_server(const Place& place, const std::vector<std::string>& hosts, const std::string& name,
                       const std::string& file);
/// `hosts`: what it is for when it serves, too.
std::string new_client(const Place& place, const std::string& name, const std::vector<std::string>& hosts,
                       const std::string& file);

/// Empty `path`: the list is made anew, with what it has.
std::string revoke(const Place& place, const std::string& path);

/// `good` becomes false if something that is shown cannot be used now.
std::string show(const std::string& path, const std::string& key_path, const std::string& password_file,
                 bool& good);

}  // namespace tenon::cert
