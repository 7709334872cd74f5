// SPDX-License-Identifier: Apache-2.0
//
// GIOP as the ORB core sees it: makes connections, and the components that references of this process carry.
#include "base/log.hpp"
#include "connection.hpp"
#include "giop.hpp"
#include "message_log.hpp"

namespace tenon::giop {

namespace {

/// "TNON", in the component that tells which ORB made a reference (CORBA 3.4 part 2 §7.6.6.1).
constexpr std::uint32_t orb_type = 0x544e4f4e;

class Giop final : public protocol::Messaging {
 public:
  std::string_view name() const noexcept override { return "giop"; }

  Ref<protocol::Connection> connect(std::unique_ptr<protocol::Transport> transport, protocol::Role role,
                                    const protocol::MessagingOptions& options) override {
    const auto logged = message_log.load(std::memory_order_relaxed);
    if (logged != nullptr && log_enabled(LogLevel::trace)) [[unlikely]]
      transport = logged(std::move(transport));
    return make_ref<Connection>(std::move(transport), role, options);
  }

  std::vector<ior::TaggedComponent> components(const protocol::MessagingOptions& options) const override {
    cdr::Encapsulation type;
    type.content().put(orb_type);
    cdr::Encapsulation code_sets;
    cdr::put(code_sets.content(), cdr::announced_code_sets(options.native));
    return {{ior::tag_orb_type, bytes_of(type)}, {ior::tag_code_sets, bytes_of(code_sets)}};
  }

 private:
  static std::vector<std::uint8_t> bytes_of(cdr::Encapsulation& part) {
    const ByteView bytes = part.bytes();
    return {bytes.begin(), bytes.end()};
  }
};

}  // namespace

constinit std::atomic<std::unique_ptr<protocol::Transport> (*)(std::unique_ptr<protocol::Transport>)>
    message_log{nullptr};

std::shared_ptr<protocol::Messaging> make_messaging() { return std::make_shared<Giop>(); }

}  // namespace tenon::giop
