// SPDX-License-Identifier: Apache-2.0
//
// Sockets at paths that servers chose by themselves (fresh_path()): a process that is killed, by SIGTERM too, leaves its file behind. Any thread.
#pragma once

#include <string>

namespace tenon::uiop {

/// A path in TMPDIR, else /tmp, that no other endpoint of this machine has now: "FOLDER/tenon-uiop-PID-N".
std::string fresh_path();

/// Removes the sockets of this user in that folder whose names are of processes that have ended, and on which nobody listens: also none in
/// another container that shares the folder.
void remove_abandoned_paths() noexcept;

}  // namespace tenon::uiop
