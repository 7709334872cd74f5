// SPDX-License-Identifier: Apache-2.0
//
// Files that change while they are in use.
#include "plugins/ssliop/reload.hpp"

#include <atomic>
#include <filesystem>

#include "base/log.hpp"
#include "plugins/ssliop/meeting_test_support.hpp"
#include "protocol/identity.hpp"

namespace tenon::ssliop {
namespace {

/// What is logged while it lives.
class Said {
 public:
  Said() {
    set_log_sink(
        [](void* mine, LogLevel level, std::string_view, std::string_view text) {
          if (level == LogLevel::warning) static_cast<Said*>(mine)->warnings.emplace_back(text);
        },
        this);
    set_log_level(LogLevel::warning);
  }
  ~Said() {
    set_log_level(LogLevel::off);
    set_log_sink(nullptr, nullptr);
  }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;

  std::vector<std::string> warnings;
};

std::string subject_in(const Context& context) {
  char text[256] = {};
  ::X509_NAME_oneline(::X509_get_subject_name(::SSL_CTX_get0_certificate(context.tls.get())), text,
                      sizeof text);
  return text;
}

/// The files of one who is renewed.
struct Renewed {
  Renewed() {
    write("first");
    for (const auto& [name, value] : own("renewed")) EXPECT_TRUE(settings.set(name, value, why)) << why;
  }
  static void write(std::string_view name) {
    world().folder.write("renewed", make_certificate({.name = name}, &world().ca));
  }
  static void replace(std::string_view ending) {
    const std::string to = world().folder.path("renewed");
    std::filesystem::rename(world().folder.path("next") + std::string(ending), to + std::string(ending));
  }
  Settings settings;
  std::string why;
};

TEST(SsliopReload, WhatHasChangedIsReadAgain) {
  Renewed files;
  Contexts contexts(files.settings);
  const auto first = contexts.current(files.why);
  ASSERT_TRUE(first) << files.why;
  EXPECT_EQ(subject_in(*first), "/CN=first");
  contexts.look();
  EXPECT_EQ(contexts.current(files.why), first) << "nothing has changed";
  Renewed::write("second");
  contexts.look();
  EXPECT_EQ(subject_in(*contexts.current(files.why)), "/CN=second");
  EXPECT_EQ(subject_in(*first), "/CN=first") << "connections keep theirs";
}

TEST(SsliopReload, ACertificateWaitsForItsKey) {
  const Said said;
  Renewed files;
  Contexts contexts(files.settings);
  const auto first = contexts.current(files.why);
  world().folder.write("next", make_certificate({.name = "second"}, &world().ca));
  Renewed::replace(".pem");
  for (int i = 0; i < 3; ++i) contexts.look();
  EXPECT_EQ(contexts.current(files.why), first);
  ASSERT_EQ(said.warnings.size(), 1U) << "once for each change";
  expect_in(said.warnings[0], "what was read before stays in use: option ssliop.key=");
  expect_in(said.warnings[0], "renewed.key: this is not the key of the certificate");
  Renewed::replace(".key");
  contexts.look();
  EXPECT_EQ(subject_in(*contexts.current(files.why)), "/CN=second");
  EXPECT_EQ(said.warnings.size(), 1U);
}

TEST(SsliopReload, WhatCannotBeUsedIsNot) {
  const Said said;
  Renewed files;
  files.settings.authorities = world().folder.path("changing.pem");
  std::filesystem::copy_file(world().ca_file(), files.settings.authorities);
  Contexts contexts(files.settings);
  const auto first = contexts.current(files.why);
  ASSERT_TRUE(first) << files.why;
  world().folder.write_text("changing.pem", "no certificates\n");
  contexts.look();
  EXPECT_EQ(contexts.current(files.why), first);
  std::filesystem::remove(files.settings.authorities);
  contexts.look();
  EXPECT_EQ(contexts.current(files.why), first);
  ASSERT_EQ(said.warnings.size(), 2U);
  for (const std::string& each : said.warnings) expect_in(each, "option ssliop.authorities=");
}

TEST(SsliopReload, WhatIsMendedCounts) {
  Renewed files;
  world().folder.write_text("renewed.key", "no key\n");
  Contexts contexts(files.settings);
  EXPECT_FALSE(contexts.current(files.why));
  expect_in(files.why, "renewed.key: no key in PEM can be read from it");
  Renewed::write("mended");
  contexts.look();
  EXPECT_TRUE(contexts.current(files.why)) << files.why;
}

std::string server_seen_by(protocol::TransportPlugin& plugin, const protocol::Acceptor& acceptor) {
  const auto made = plugin.connect(acceptor.published().front(), Deadline::after_ms(patience_ms));
  protocol::Identity server;
  EXPECT_TRUE(made && (*made)->identify(server));
  return std::string(server["subject"]);
}

// A server that goes on, and a client that connects to it again and again.
TEST(SsliopReload, NewConnectionsOfAServerSeeTheNewCertificate) {
  const Renewed files;
  const auto plugin = plugin_with(own("renewed"));
  std::string why;
  const auto acceptor = plugin->listen("ssliop://127.0.0.1", why);
  ASSERT_TRUE(acceptor) << why;
  std::atomic<bool> over{false};
  std::thread serving([&] {
    while (!over) {
      auto accepted = acceptor->accept();
      std::string says;
      if (accepted && *accepted)
        static_cast<void>((*accepted)->handshake(Deadline::after_ms(patience_ms), says));
    }
  });
  const auto client = plugin_with(trusting());
  EXPECT_EQ(server_seen_by(*client, *acceptor), "CN=first");
  Renewed::write("second");
  const Deadline until = Deadline::after_ms(patience_ms);
  std::string seen;
  while (seen != "CN=second" && !until.expired()) seen = server_seen_by(*client, *acceptor);
  EXPECT_EQ(seen, "CN=second");
  over = true;
  acceptor->shut_down();
  serving.join();
}

TEST(SsliopReload, ThreadsThatBeginMeanwhileGetOne) {
  Renewed files;
  Contexts contexts(files.settings);
  ASSERT_TRUE(contexts.current(files.why)) << files.why;
  std::atomic<bool> over{false};
  std::vector<std::thread> beginning;
  for (int i = 0; i < 3; ++i) {
    beginning.emplace_back([&] {
      std::string why;
      while (!over) EXPECT_TRUE(contexts.current(why)) << why;
    });
  }
  for (int i = 0; i < 20; ++i) {
    Renewed::write(i % 2 == 0 ? "even" : "odd");
    contexts.look();
  }
  over = true;
  for (std::thread& each : beginning) each.join();
}

}  // namespace
}  // namespace tenon::ssliop
