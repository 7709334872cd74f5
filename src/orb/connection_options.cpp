// SPDX-License-Identifier: Apache-2.0
#include "orb/connection_options.hpp"

namespace tenon::orb {

protocol::MessagingOptions connection_options(const protocol::MessagingOptions& of_orb,
                                              const std::shared_ptr<protocol::Bidirectional>& bidirectional,
                                              bool offers, const std::shared_ptr<void>& place) {
  protocol::MessagingOptions options{{of_orb}, of_orb.memory, bidirectional, place};
  options.offers_bidirectional = offers;
  return options;
}

}  // namespace tenon::orb
