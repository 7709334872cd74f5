// SPDX-License-Identifier: Apache-2.0
#include "orb/memory_limits.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/buffer.hpp"
#include "base/joined.hpp"
#include "base/known_memory.hpp"
#include "base/minor_codes.hpp"

namespace tenon::orb {

namespace {

// What one of each takes at most, rounded up to the blocks of a pool (known_memory.hpp). tests/memory shows whether it is enough.
constexpr std::size_t connection_octets = 8192;
constexpr std::size_t request_octets = 2048;
constexpr std::size_t object_octets = 512;

unsigned lower(unsigned most, unsigned limit) noexcept { return most == 0 ? limit : std::min(most, limit); }

/// More than there can be where the product is no number of octets of this machine.
std::size_t octets_of(unsigned count, std::size_t each) noexcept {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return count > most / each ? most : count * each;
}

}  // namespace

Status take_memory(Options& options, std::string& why) {
  const MemoryLimits& limits = options.limits;
  if (!limits.any()) return {};
  if (!limits.all() || limits.buffers < 2 * Buffer::small) {
    why = "Configuration::limits: connections, requests and objects are at least 1 and buffers at least " +
          decimal(2 * Buffer::small) + " octets, or all are 0";
    return errors::bad_option;
  }
  constexpr std::size_t each = 2 * Buffer::small;  // one to read with, one to write with
  if (limits.buffers / each < limits.connections) {
    why = worded("Configuration::limits: buffers are % octets; % connections take % each",
                 {decimal(limits.buffers), decimal(limits.connections), decimal(each)});
    return errors::bad_option;
  }
  const std::array<std::size_t, memory::kinds> octets = {
      limits.buffers, octets_of(limits.connections, connection_octets),
      octets_of(limits.requests, request_octets), octets_of(limits.objects, object_octets)};
  const bool taken_before = memory::is_known();
  if (!memory::reserve(octets)) {
    why = taken_before ? "Configuration::limits: an earlier ORB of this process has lower limits; its memory "
                         "is that of all ORBs with limits"
                       : "Configuration::limits: the system has not so much memory";
    return errors::out_of_memory;
  }
  options.connections_most = lower(options.connections_most, limits.connections);
  options.client_connections_most = lower(options.client_connections_most, limits.connections);
  options.pool_threads_most = lower(options.pool_threads_most, limits.requests);
  options.memory_most =
      options.memory_most == 0 ? limits.buffers : std::min(options.memory_most, limits.buffers);
  // A request that is larger is refused, and its connection goes on. Half, so that it can be answered.
  options.messaging.limits.largest_message = static_cast<std::uint32_t>(
      std::min<std::size_t>(options.messaging.limits.largest_message, limits.buffers / 2));
  options.exception_detail = ExceptionDetail::none;
  return {};
}

}  // namespace tenon::orb
