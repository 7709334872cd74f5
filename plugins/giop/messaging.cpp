// SPDX-License-Identifier: Apache-2.0
//
// GIOP as the ORB core sees it: makes connections, and the components that references of this process carry.
#include <atomic>

#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "cdr/value_memory.hpp"
#include "giop.hpp"
#include "message_log.hpp"
#include "serving_connection.hpp"

namespace tenon::giop {

namespace {

/// "TNON", in the component that tells which ORB made a reference (CORBA 3.4 part 2 §7.6.6.1).
constexpr std::uint32_t orb_type = 0x544e4f4e;

using Make = Ref<protocol::Connection>(std::unique_ptr<protocol::Transport>, protocol::Role,
                                       const protocol::MessagingOptions&);
using Trace = std::unique_ptr<protocol::Transport>(std::unique_ptr<protocol::Transport>);

// What is enabled.
constinit std::atomic<Make*> calling{nullptr};
constinit std::atomic<Make*> accepted{nullptr};
constinit std::atomic<Make*> both_ways{nullptr};
constinit std::atomic<Trace*> traces{nullptr};

using Components = std::vector<ior::TaggedComponent>(const protocol::MessagingOptions&);
constinit std::atomic<Components*> components_of{nullptr};  // of references of this process

// One after the other, so that both are made in the same buffer.
std::vector<ior::TaggedComponent> make_components(const protocol::MessagingOptions& options) {
  std::vector<ior::TaggedComponent> made;
  if (!cdr::reserve(made, 2)) return made;
  const auto add = [&made](std::uint32_t tag, auto put) {
    cdr::Encapsulation part;
    put(part.content());
    cdr::emplace(made, ior::tagged(tag, part));
  };
  add(ior::tag_orb_type, [](cdr::Writer& out) { out.put(orb_type); });
  add(ior::tag_code_sets,
      [&options](cdr::Writer& out) { cdr::put(out, cdr::announced_code_sets(options.native)); });
  return made;
}

template <typename Kind>
Ref<protocol::Connection> make_connection(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                                          const protocol::MessagingOptions& options) {
  return make_ref<Kind>(std::move(transport), role, options);
}

class Giop final : public protocol::Messaging {
 public:
  std::string_view name() const noexcept override { return "giop"; }

  Result<Ref<protocol::Connection>> connect(std::unique_ptr<protocol::Transport> transport,
                                            protocol::Role role,
                                            const protocol::MessagingOptions& options) override {
    if (log_enabled(LogLevel::trace)) [[unlikely]] {
      transport = watched(std::move(transport));
      if (transport == nullptr) return memory::shortage();
    }
    const bool opened = role == protocol::Role::originator;
    Make* const both = both_ways.load();
    Make* make = both;
    if (both == nullptr || !(opened ? options.offers_bidirectional : options.bidirectional != nullptr))
      make = (opened ? calling : accepted).load();
    if (make == nullptr) make = both;
    if (make == nullptr) return errors::no_connecting_part;
    Ref<protocol::Connection> made = make(std::move(transport), role, options);
    if (!made) return memory::shortage();
    return made;
  }

  std::vector<ior::TaggedComponent> components(const protocol::MessagingOptions& options) const override {
    Components* const make = components_of.load();
    return make == nullptr ? std::vector<ior::TaggedComponent>() : make(options);
  }

 private:
  static std::unique_ptr<protocol::Transport> watched(std::unique_ptr<protocol::Transport> transport) {
    if (Trace* const trace = traces.load()) return trace(std::move(transport));
    log(LogLevel::trace, "giop",
        "no messages are shown: this program's start-up does not name tenon::parts::message_log");
    return transport;
  }
};

}  // namespace

std::shared_ptr<protocol::Messaging> make_bare_messaging() { return std::make_shared<Giop>(); }

void enable_calls() noexcept {
  Make* none = nullptr;
  calling.compare_exchange_strong(none, make_connection<CallingConnection>);
}

void enable_attended_calls() noexcept { calling.store(make_connection<AttendedConnection>); }

void enable_requests() noexcept {
  accepted.store(make_connection<AcceptedConnection>);
  components_of.store(make_components);
}

void enable_bidirectional() noexcept {
  both_ways.store(make_connection<BidirectionalConnection>);
  components_of.store(make_components);
}

void enable_message_log() noexcept { traces.store(traced); }

std::shared_ptr<protocol::Messaging> make_messaging() {
  enable_attended_calls();
  enable_bidirectional();
  enable_kept_requests();
  enable_complaints();
  enable_fragments();
  enable_message_log();
  return make_bare_messaging();
}

}  // namespace tenon::giop
