// SPDX-License-Identifier: Apache-2.0
//
// Settings in code: that wrong ones are refused by name, that options in text become one, and that configuration.hpp tells of each.
#include "tenon/configuration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "mapping/cpp11/corba/configuration_check.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "tenon/parts.hpp"

namespace tenon {
namespace {

/// What init_orb says of the Configuration; empty: it takes it.
std::string refused(const Configuration& configuration, Part part = tenon::client) {
  try {
    init_orb(configuration, {part})->destroy();
  } catch (const CORBA::BAD_PARAM& exception) {
    EXPECT_EQ(exception.minor(), errors::bad_option.minor);
    return std::string(exception._reason());
  }
  return "";
}

struct Wrong {
  const char* member;
  std::function<void(Configuration&)> set;
};

TEST(Configuration, AWrongMemberIsRefusedByName) {
  EXPECT_EQ(refused({}), "");
  const Wrong all[] = {
      {"pool_threads", [](auto& c) { c.pool_threads = 0; }},
      {"pool_threads", [](auto& c) { c.pool_threads = 4097; }},
      {"pool_threads_most", [](auto& c) { c.pool_threads_most = 65537; }},
      {"completion_threads", [](auto& c) { c.completion_threads = 0; }},
      {"connections_most", [](auto& c) { c.connections_most = 0; }},
      {"connections_per_endpoint", [](auto& c) { c.connections_per_endpoint = 0; }},
      {"client_connections_most", [](auto& c) { c.client_connections_most = 1000001; }},
      {"forwards_most", [](auto& c) { c.forwards_most = 1001; }},
      {"serving", [](auto& c) { c.serving = static_cast<Serving>(4); }},
      {"exception_detail", [](auto& c) { c.exception_detail = static_cast<ExceptionDetail>(9); }},
      {"transports.spin_us", [](auto& c) { c.transports.spin_us = 1000001; }},
      {"transports.keep_alive.probes", [](auto& c) { c.transports.keep_alive.probes = 128; }},
      {"transports.socket_buffers.send", [](auto& c) { c.transports.socket_buffers.send = (1u << 30) + 1; }},
      {"transports.socket_buffers.receive",
       [](auto& c) { c.transports.socket_buffers.receive = UINT32_MAX; }},
      {"messaging.highest_minor", [](auto& c) { c.messaging.highest_minor = 3; }},
      {"messaging.limits.largest_message", [](auto& c) { c.messaging.limits.largest_message = 1023; }},
      {"messaging.buffering.time_ns", [](auto& c) { c.messaging.buffering.time_ns = -1; }},
      {"messaging.native.chars", [](auto& c) { c.messaging.native.chars = CodeSet::none; }},
      {"messaging.native.wchars", [](auto& c) { c.messaging.native.wchars = CodeSet::utf8; }},
      {"messaging.unstated_chars", [](auto& c) { c.messaging.unstated_chars = CodeSet::none; }},
      {"messaging.unstated_wchars", [](auto& c) { c.messaging.unstated_wchars = CodeSet::utf8; }},
  };
  for (const Wrong& each : all) {
    Configuration configuration;
    each.set(configuration);
    const std::string why = refused(configuration);
    EXPECT_NE(why.find("Configuration::" + std::string(each.member) + " "), std::string::npos)
        << each.member << ": " << why;
    // No part makes it right.
    EXPECT_EQ(refused(configuration, tenon::full), why);
  }
  Configuration configuration;
  configuration.pool_threads = 0;
  EXPECT_EQ(refused(configuration), "Configuration::pool_threads is 0; it may be 1 to 4096");
}

TEST(Configuration, WhatWantsAPartNamesIt) {
  Configuration reference;
  reference.initial_references = {{"Bell", "corbaloc::localhost/Bell"}};
  Configuration base;
  base.default_initial_reference = "corbaloc::localhost";
  Configuration urls;
  urls.references_as_urls = true;
  EXPECT_EQ(refused(reference),
            "Configuration::initial_references: this program's start-up does not name tenon::parts::naming");
  Configuration loading;
  loading.protocol_libraries = {"libother.so"};
  EXPECT_EQ(
      refused(loading),
      "protocols of shared objects: this program's start-up does not name tenon::parts::protocol_libraries");
  EXPECT_EQ(refused(base),
            "Configuration::default_initial_reference: this program's start-up does not name "
            "tenon::parts::naming");
  EXPECT_EQ(
      refused(urls),
      "Configuration::references_as_urls: this program's start-up does not name tenon::parts::corbaloc");
  Configuration cut;
  cut.messaging.limits.fragment_above = 65536;
  EXPECT_EQ(refused(cut),
            "sending messages in fragments: this program's start-up does not name tenon::parts::fragments");
  for (const Configuration& each : {reference, base, urls, cut}) EXPECT_EQ(refused(each, tenon::full), "");
}

TEST(Configuration, TextAndCodeHaveTheSameBounds) {
  for (const auto& [option, bounds] : std::vector<std::pair<std::string, gen::Bounds>>{
           {"-ORBPoolThreads", gen::bounds::pool_threads},
           {"-ORBCompletionThreads", gen::bounds::completion_threads},
           {"-ORBMaxServerConnections", gen::bounds::connections_most},
           {"-ORBConnectionsPerEndpoint", gen::bounds::connections_per_endpoint},
           {"-ORBMaxClientConnections", gen::bounds::client_connections_most},
           {"-ORBForwardsMost", gen::bounds::forwards_most},
           {"-ORBSpin", gen::bounds::spin_us},
           {"-ORBKeepAliveCount", gen::bounds::probes},
           {"-ORBMaxMessageSize", gen::bounds::largest_message},
           {"-ORBSndSock", gen::bounds::send_buffer}}) {
    for (const std::uint32_t value : {bounds.least, bounds.most}) {
      std::vector<std::string> arguments{option, std::to_string(value)};
      EXPECT_EQ(gen::wrong_setting(read_options(arguments)), "") << option;
    }
    std::vector<std::string> arguments{option, std::to_string(std::uint64_t{bounds.most} + 1)};
    if (bounds.most == UINT32_MAX) continue;
    EXPECT_THROW(static_cast<void>(read_options(arguments)), CORBA::BAD_PARAM) << option;
  }
}

TEST(Configuration, OptionsInTextBecomeOne) {
  std::string words[] = {"program", "-ORBPoolThreads", "7",  "left", "-ORBid",
                         "mine",    "-ORBCallTimeout", "250"};
  char* argv[9] = {};
  for (std::size_t i = 0; i < 8; ++i) argv[i] = words[i].data();
  int argc = 8;
  const Configuration configuration = read_options(argc, argv);
  EXPECT_EQ(argc, 2);
  EXPECT_EQ(argv[0], words[0].data());
  EXPECT_EQ(argv[1], words[3].data());
  EXPECT_EQ(argv[2], nullptr);
  EXPECT_EQ(configuration.id, "mine");
  EXPECT_EQ(configuration.pool_threads, 7u);
  EXPECT_EQ(configuration.messaging.limits.receive_timeout_ms, 250u);
  const auto orb = init_orb(configuration, {tenon::client});
  EXPECT_EQ(orb->id(), "mine");
  EXPECT_EQ(orb->_core().options().pool_threads, 7u);
  orb->destroy();

  std::vector<std::string> arguments{"left", "-ORBServing", "pool"};
  EXPECT_EQ(read_options(arguments, "other").id, "other");
  EXPECT_EQ(arguments, (std::vector<std::string>{"left"}));
  for (const char* wrong : {"-ORBPoolThreads", "-ORBNoSuchOption"}) {
    arguments = {"left", wrong, "0"};
    const std::vector<std::string> before = arguments;
    EXPECT_THROW(static_cast<void>(read_options(arguments)), CORBA::BAD_PARAM);
    EXPECT_EQ(arguments, before);
  }
}

/// The lines of the table in configuration.hpp: member, option, default.
std::vector<std::vector<std::string>> table() {
  std::ifstream header("../../include/tenon/configuration.hpp");
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(header, line);) {
    std::istringstream words(line);
    std::string slashes;
    std::string member;
    std::string option;
    std::string value;
    if (!(words >> slashes >> member >> option >> value) || slashes != "//" || !option.starts_with("-ORB"))
      continue;
    rows.push_back({member, option, value.substr(0, value.find_first_of(",:;"))});
  }
  return rows;
}

TEST(Configuration, TheHeaderTellsOfEachOptionOfAnOrb) {
  const auto rows = table();
  for (const gen::OptionRow& option : gen::own_options()) {
    if (option.of_process || option.name == "-ORBConfigFile") continue;
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each[1] == option.name; });
    EXPECT_NE(row, rows.end()) << option.name;
  }
  for (const auto& row : rows) {
    const auto options = gen::own_options();
    EXPECT_TRUE(std::any_of(options.begin(), options.end(), [&](const auto& each) {
      return each.name == row[1];
    })) << row[1];
  }
}

TEST(Configuration, TheHeaderHasTheDefaults) {
  const Configuration c;
  std::vector<std::pair<std::string, std::uint64_t>> defaults;
// Twice the same word, so that the table's member is one that there is.
#define NUMBER(member) defaults.emplace_back(#member, static_cast<std::uint64_t>(c.member))
  NUMBER(pool_threads);
  NUMBER(pool_threads_most);
  NUMBER(completion_threads);
  NUMBER(connections_most);
  NUMBER(connections_per_endpoint);
  NUMBER(client_connections_most);
  NUMBER(client_idle_ms);
  NUMBER(server_idle_ms);
  NUMBER(memory_most);
  NUMBER(connect_timeout_ms);
  NUMBER(forwards_most);
  NUMBER(messaging.highest_minor);
  NUMBER(messaging.buffering.messages);
  NUMBER(messaging.buffering.octets);
  NUMBER(messaging.buffering.time_ns);
  NUMBER(messaging.limits.largest_message);
  NUMBER(messaging.limits.memory);
  NUMBER(messaging.limits.fragment_above);
  NUMBER(messaging.limits.copy_below);
  NUMBER(messaging.limits.receive_timeout_ms);
  NUMBER(messaging.limits.send_timeout_ms);
  NUMBER(messaging.limits.message_timeout_ms);
  NUMBER(transports.host_names_fresh_ms);
  NUMBER(transports.keep_alive.idle_ms);
  NUMBER(transports.keep_alive.interval_ms);
  NUMBER(transports.keep_alive.probes);
  NUMBER(transports.socket_buffers.send);
  NUMBER(transports.socket_buffers.receive);
#undef NUMBER
  std::vector<std::pair<std::string, bool>> switches;
#define SWITCH(member) switches.emplace_back(#member, c.member)
  SWITCH(references_as_urls);
  SWITCH(pool_stay);
  SWITCH(call_own_objects_directly);
  SWITCH(offer_bidirectional);
  SWITCH(accept_bidirectional);
  SWITCH(messaging.prefer_utf8);
  SWITCH(messaging.order_after_oneway);
  SWITCH(messaging.cancel_requests);
  SWITCH(transports.keep_alive.on);
  SWITCH(transports.no_delay);
  SWITCH(transports.publish_numbers);
#undef SWITCH
  std::size_t found = 0;
  for (const auto& row : table()) {
    for (const auto& [member, value] : defaults) {
      if (row[0] != member) continue;
      ++found;
      EXPECT_EQ(row[2], std::to_string(value)) << member;
    }
    for (const auto& [member, value] : switches) {
      if (row[0] != member) continue;
      ++found;
      EXPECT_EQ(row[2], value ? "true" : "false") << member;
    }
  }
  EXPECT_EQ(found, defaults.size() + switches.size());
  EXPECT_EQ(c.serving, Serving::unsaid);
  EXPECT_EQ(c.exception_detail, ExceptionDetail::meaning);
  EXPECT_EQ(c.messaging.native, (cdr::NativeCodeSets{CodeSet::utf8, CodeSet::utf16}));
  EXPECT_EQ(c.messaging.unstated_chars, CodeSet::iso8859_1);
  EXPECT_EQ(c.messaging.unstated_wchars, CodeSet::none);
  EXPECT_FALSE(c.transports.spin_us);
}

}  // namespace
}  // namespace tenon
