// SPDX-License-Identifier: Apache-2.0
//
// Which protocols an ORB has, in which order, and that what does not fit together is refused in words.
#include "orb/protocol_choice.hpp"

#include <gtest/gtest.h>

#include "protocol/messaging.hpp"

namespace tenon::orb {
namespace {

class NamedTransport final : public protocol::TransportPlugin {
 public:
  NamedTransport(std::string_view name, std::uint32_t tag, protocol::Properties has = {})
      : name_(name), tag_(tag), has_(has) {}

  std::string_view name() const noexcept override { return name_; }
  std::uint32_t profile_tag() const noexcept override { return tag_; }
  protocol::Properties properties() const noexcept override { return has_; }
  std::span<const protocol::PluginOption> own_options() const noexcept override {
    static constexpr protocol::PluginOption all[] = {{"ring", "octets", "How large (default: 1)."},
                                                     {"pace", "ms", "How fast (default: 1)."}};
    return all;
  }
  bool set_option(std::string_view name, std::string_view value, std::string& why) override {
    if (value == "7") return told.append(name).append(" "), true;
    why = "wants 7";
    return false;
  }
  std::unique_ptr<protocol::Acceptor> listen(std::string_view, std::string&) override { return nullptr; }
  Result<std::unique_ptr<protocol::Transport>> connect(std::string_view, Deadline) override {
    return Error{};
  }
  Result<protocol::ProfileView> read_profile(ByteView) const override { return Error{}; }
  ior::TaggedProfile make_profile(const protocol::ProfileView&) const override { return {}; }
  bool read_url_address(std::string_view, protocol::ProfileView&, std::string&) const override {
    return false;
  }
  std::string url_address(const protocol::ProfileView&, std::size_t) const override { return {}; }

  std::string told;

 private:
  const std::string_view name_;
  const std::uint32_t tag_;
  const protocol::Properties has_;
};

class AnyMessaging final : public protocol::Messaging {
 public:
  explicit AnyMessaging(protocol::Properties needs = {}) : needs_(needs) {}
  std::string_view name() const noexcept override { return "talk"; }
  protocol::Properties needs() const noexcept override { return needs_; }
  Result<Ref<protocol::Connection>> connect(std::unique_ptr<protocol::Transport>, protocol::Role,
                                            const protocol::MessagingOptions&) override {
    return Error{};
  }
  std::vector<ior::TaggedComponent> components(const protocol::MessagingOptions&) const override {
    return {};
  }

 private:
  const protocol::Properties needs_;
};

Parts three() {
  Parts parts;
  std::uint32_t tag = 0;
  for (const char* name : {"one", "two", "three"})
    parts.protocols.push_back(
        {std::make_unique<NamedTransport>(name, tag++), std::make_shared<AnyMessaging>()});
  return parts;
}

std::string order(const Parts& parts) {
  std::string text;
  for (const Protocol& each : parts.protocols) text.append(each.transport->name()).append(" ");
  return text;
}

TEST(ProtocolChoice, WithoutWishesAllStay) {
  Parts parts = three();
  std::string why;
  EXPECT_TRUE(choose_protocols({}, parts, why)) << why;
  EXPECT_EQ(order(parts), "one two three ");
}

TEST(ProtocolChoice, NamedOnesAreKeptInTheirOrder) {
  Parts parts = three();
  Options options;
  options.protocols = {"three", "one"};
  std::string why;
  EXPECT_TRUE(choose_protocols(options, parts, why)) << why;
  EXPECT_EQ(order(parts), "three one ");
}

TEST(ProtocolChoice, OptionsOfTheChosenPluginsArePrintedOnWish) {
  Parts parts = three();
  Options options;
  options.protocols = {"two"};
  std::string why;
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(choose_protocols(options, parts, why)) << why;
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  options.print_protocol_options = true;
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(choose_protocols(options, parts, why)) << why;
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "  -ORBProtocolOption two.ring=octets\n      How large (default: 1).\n"
            "  -ORBProtocolOption two.pace=ms\n      How fast (default: 1).\n");
}

TEST(ProtocolChoice, CapitalsDoNotMatter) {
  Parts parts = three();
  Options options;
  options.protocols = {"TWO", "One"};
  options.protocol_options = {{"Two.RING", "7"}};
  std::string why;
  EXPECT_TRUE(choose_protocols(options, parts, why)) << why;
  ASSERT_EQ(parts.protocols.size(), 2u);
  EXPECT_EQ(parts.protocols[0].transport->name(), "two");
  EXPECT_EQ(parts.protocols[1].transport->name(), "one");
}

TEST(ProtocolChoice, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  Parts parts = three();
  Options options;
  options.protocols = {"two", "four"};
  std::string why;
  EXPECT_FALSE(choose_protocols(options, parts, why));
  EXPECT_EQ(why, "protocol four: there is no such protocol; this program has two, one, three");
  options.protocols = {"two", "one", "two"};
  EXPECT_FALSE(choose_protocols(options, parts, why));
  EXPECT_EQ(why, "protocol two is named twice");
}

TEST(ProtocolChoice, TwoOfOneNameOrTagAreRefused) {
  Parts parts = three();
  parts.protocols.push_back({std::make_unique<NamedTransport>("two", 9), std::make_shared<AnyMessaging>()});
  std::string why;
  EXPECT_FALSE(choose_protocols({}, parts, why));
  EXPECT_EQ(why, "two protocols are called two");
  parts = three();
  parts.protocols.push_back({std::make_unique<NamedTransport>("four", 1), std::make_shared<AnyMessaging>()});
  EXPECT_FALSE(choose_protocols({}, parts, why));
  EXPECT_EQ(why, "the protocols two and four have one profile tag, 1");
}

TEST(ProtocolChoice, AMessagingIsRefusedOverATransportThatLacksWhatItNeeds) {
  using protocol::Properties;
  struct Row {
    Properties has;
    const char* missing;
  };
  const Row rows[] = {{{.ordered = false}, "order"},
                      {{.reliable = false}, "reliable delivery"},
                      {{.both_ways = false}, "both directions"},
                      {{.byte_stream = false}, "a byte stream"}};
  for (const Row& row : rows) {
    Parts parts;
    parts.protocols.push_back(
        {std::make_unique<NamedTransport>("thin", 1, row.has), std::make_shared<AnyMessaging>()});
    std::string why;
    EXPECT_FALSE(choose_protocols({}, parts, why));
    EXPECT_EQ(why, std::string("protocol thin: talk needs ") + row.missing +
                       ", which this transport does not have");
    // A messaging that does not need it.
    parts.protocols[0].messaging = std::make_shared<AnyMessaging>(row.has);
    EXPECT_TRUE(choose_protocols({}, parts, why)) << why;
  }
}

TEST(ProtocolChoice, PluginsAreToldTheirOptions) {
  Parts parts = three();
  Options options;
  options.protocol_options = {{"two.ring", "7"}, {"two.pace", "7"}};
  std::string why;
  EXPECT_TRUE(choose_protocols(options, parts, why)) << why;
  EXPECT_EQ(static_cast<NamedTransport&>(*parts.protocols[1].transport).told, "ring pace ");
}

TEST(ProtocolChoice, WrongOptionsAreRefusedWithWhatWouldBeRight) {
  struct Row {
    std::pair<std::string, std::string> option;
    const char* why;
  };
  const Row rows[] = {
      {{"two.ring", "8"}, "option two.ring=8: wants 7"},
      {{"two.rung", "7"}, "option two.rung: two has no such option; it has ring, pace"},
      {{"ring", "7"}, "option ring: wants protocol.option; this ORB has one, two, three"},
      {{"four.ring", "7"},
       "option four.ring: this ORB has no protocol four, it has one, two, three; -ORBProtocol and "
       "-ORBProtocolLibrary choose"}};
  for (const Row& row : rows) {
    Parts parts = three();
    Options options;
    options.protocol_options = {row.option};
    std::string why;
    EXPECT_FALSE(choose_protocols(options, parts, why));
    EXPECT_EQ(why, row.why);
  }
}

}  // namespace
}  // namespace tenon::orb
