// SPDX-License-Identifier: Apache-2.0
//
// docs/migrating-options.md: an ORB is started with each of its rows, and takes or refuses it as the page says.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/log.hpp"
#include "base/minor_codes.hpp"
#include "cdr/compatibility.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

struct Row {
  std::string option;  ///< "-ORBNodelay 0", "jacorb.logfile=app.log"
  bool accepted = false;
  std::string said;
};

std::string without_backticks(std::string text) {
  std::erase(text, '`');
  for (std::size_t at = 0; (at = text.find("\\|", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

/// The cells of "| a | b |". A '|' inside a cell is "\|".
Words cells(const std::string& line) {
  Words all;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      const std::size_t first = cell.find_first_not_of(' ');
      all.push_back(first == std::string::npos ? ""
                                               : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return all;
}

std::vector<Row> rows_of_the_page() {
  std::ifstream page("../../docs/migrating-options.md");
  EXPECT_TRUE(page);
  std::vector<Row> rows;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `")) continue;
    const Words parts = cells(line);
    EXPECT_EQ(parts.size(), 3u) << line;
    if (parts.size() != 3) continue;
    EXPECT_TRUE(parts[1] == "accepted" || parts[1] == "refused") << line;
    rows.push_back({without_backticks(parts[0]), parts[1] == "accepted", without_backticks(parts[2])});
  }
  return rows;
}

/// Cuts as a shell does.
Words shell_words(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (word.front() == '\'') {
      std::string rest;
      while (word.back() != '\'' && in >> rest) word += " " + rest;
      word = word.substr(1, word.size() - 2);
    }
    words.push_back(word);
  }
  return words;
}

/// In a folder of its own, with the settings of the process as they were.
class Migrating : public ::testing::Test {
 protected:
  Migrating() { std::filesystem::create_directories(folder_); }
  ~Migrating() override {
    back();
    std::filesystem::remove_all(folder_);
  }
  void enter() {
    std::filesystem::current_path(folder_);
    std::ofstream("app.cfg") << "poolThreads = 3\n";
  }
  void back() {
    std::filesystem::current_path(home_);
    set_log_sink(nullptr, nullptr);
    set_log_level(LogLevel::off);
    cdr::compatibility().typecodes_without_offsets = false;
    cdr::compatibility().typecodes_without_aliases = false;
  }
  /// What ORB_init or the first endpoint says against the row; "" where it is taken.
  static std::string told(const Row& row) {
    Words words = shell_words(row.option);
    if (!row.option.starts_with('-')) {
      std::ofstream("row.cfg") << row.option << '\n';
      words = {"-ORBConfigFile", "row.cfg"};
    }
    std::string what;
    try {
      const ScopedOrb orb(words);
      if (!orb->_core().options().endpoints.empty()) orb->_endpoints();
    } catch (const CORBA::BAD_PARAM& refusal) {
      EXPECT_EQ(refusal.minor(), errors::bad_option.minor) << row.option;
      what = refusal.what();
    } catch (const CORBA::INITIALIZE& refusal) {
      what = refusal.what();
    }
    return what;
  }

 private:
  const std::filesystem::path home_ = std::filesystem::current_path();
  const std::filesystem::path folder_ =
      ::testing::TempDir() + "tenon-migrating-" + std::to_string(::getpid());
};

TEST_F(Migrating, EachRowIsTakenOrRefusedAsThePageSays) {
  const std::vector<Row> rows = rows_of_the_page();
  EXPECT_GT(rows.size(), 100u);
  for (const Row& row : rows) {
    enter();
    const std::string what = told(row);
    back();
    if (row.accepted) {
      EXPECT_EQ(what, "") << row.option;
    } else {
      EXPECT_TRUE(has(what, row.said)) << row.option << "\nthe page:  " << row.said << "\nORB_init: " << what;
    }
  }
}

TEST_F(Migrating, RowsOfAcceptedValuesDoNotAdviseAgainstThem) {
  for (const Row& row : rows_of_the_page()) {
    if (!row.accepted) continue;
    const std::string name = row.option.substr(0, row.option.find_first_of(" ="));
    const bool only_some_values =
        std::ranges::any_of(gen::refused_options(), [&](const auto& each) { return each.name == name; });
    if (!only_some_values) continue;
    for (const char* advice : {"write ", "leave it out"}) EXPECT_FALSE(has(row.said, advice)) << row.option;
  }
}

TEST_F(Migrating, ThePageHasAllOptionsOfOtherOrbs) {
  Words named;
  for (const Row& row : rows_of_the_page())
    named.push_back(row.option.substr(0, row.option.find_first_of(" =")));
  const auto is_named = [&](std::string_view name) { return std::ranges::find(named, name) != named.end(); };
  for (const gen::OptionRow& row : gen::other_orbs_options()) EXPECT_TRUE(is_named(row.name)) << row.name;
  for (const gen::OptionRow& row : gen::properties()) EXPECT_TRUE(is_named(row.name)) << row.name;
  for (const gen::RefusedOption& each : gen::refused_options()) EXPECT_TRUE(is_named(each.name)) << each.name;
}

TEST_F(Migrating, NoOptionIsBothTakenAndRefused) {
  for (const gen::RefusedOption& each : gen::refused_options()) {
    for (const gen::OptionRow& row : gen::option_rows()) EXPECT_NE(row.name, each.name);
    for (const gen::OptionRow& row : gen::properties()) EXPECT_NE(row.name, each.name);
  }
  for (const gen::OptionRow& row : gen::other_orbs_options()) {
    EXPECT_NE(row.apply == nullptr, row.as.empty()) << row.name;
    const auto is_it = [&](const gen::OptionRow& own) { return own.name == row.as && own.apply != nullptr; };
    EXPECT_TRUE(row.as.empty() || std::ranges::any_of(gen::own_options(), is_it)) << row.name;
  }
}

// --- what the options under other names do ---

TEST_F(Migrating, TheyMeanWhatTheySay) {
  const ScopedOrb omni({"-ORBthreadPerConnectionPolicy",
                        "0",
                        "-ORBmaxServerThreadPoolSize",
                        "9",
                        "-ORBinConScanPeriod",
                        "3",
                        "-ORBoutConScanPeriod",
                        "4",
                        "-ORBscanGranularity",
                        "1",
                        "-ORBclientConnectTimeOutPeriod",
                        "5",
                        "-ORBgiopMaxMsgSize",
                        "64k",
                        "-ORBsocketSendBuffer",
                        "4096",
                        "-ORBdefaultWCharCodeSet",
                        "UCS-2",
                        "-ORBmaxGIOPVersion",
                        "1.1"});
  const orb::Options& of_omni = omni->_core().options();
  EXPECT_EQ(of_omni.serving, orb::Serving::pool);
  EXPECT_EQ(of_omni.pool_threads, 9u);
  EXPECT_EQ(of_omni.server_idle_ms, 3000u);
  EXPECT_EQ(of_omni.client_idle_ms, 4000u);
  EXPECT_EQ(of_omni.connect_timeout_ms, 5u);
  EXPECT_EQ(of_omni.messaging.limits.largest_message, 65536u);
  EXPECT_EQ(of_omni.transports.socket_buffers.send, 4096u);
  EXPECT_EQ(of_omni.messaging.unstated_wchars, cdr::CodeSet::ucs2);
  EXPECT_EQ(of_omni.messaging.highest_minor, 1);
  const ScopedOrb tao({"-ORBNodelay", "0", "-ORBSndSock", "8192", "-ORBRcvSock", "16k", "-ORBCollocation",
                       "no", "-ORBDottedDecimalAddresses", "1", "-ORBObjRefStyle", "URL", "-ORBKeepalive",
                       "0"});
  const orb::Options& of_tao = tao->_core().options();
  EXPECT_FALSE(of_tao.transports.no_delay);
  EXPECT_EQ(of_tao.transports.socket_buffers.send, 8192u);
  EXPECT_EQ(of_tao.transports.socket_buffers.receive, 16384u);
  EXPECT_FALSE(of_tao.call_own_objects_directly);
  EXPECT_TRUE(of_tao.transports.publish_numbers);
  EXPECT_TRUE(of_tao.references_as_urls);
  EXPECT_FALSE(of_tao.transports.keep_alive.on);
  const ScopedOrb offset({"-ORBuseTypeCodeIndirections", "0", "-ORBtcAliasExpand", "1"});
  EXPECT_TRUE(cdr::compatibility().typecodes_without_offsets);
  EXPECT_TRUE(cdr::compatibility().typecodes_without_aliases);
}

TEST_F(Migrating, TheLogGoesToTheFile) {
  enter();
  for (const char* const option : {"-ORBLogFile", "-ORBtraceFile"}) {
    {
      const ScopedOrb orb({option, "app.log", "-ORBLog", "warning"});
      log(LogLevel::warning, "test", std::string("to ") + option);
      log(LogLevel::info, "test", "not wanted");
    }
    set_log_sink(nullptr, nullptr);
    ::testing::internal::CaptureStderr();
    log(LogLevel::warning, "test", "to standard error");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "tenon warning [test] to standard error\n");
  }
  std::stringstream all;
  all << std::ifstream("app.log").rdbuf();
  EXPECT_EQ(all.str(), "tenon warning [test] to -ORBLogFile\ntenon warning [test] to -ORBtraceFile\n");
  { const ScopedOrb orb({"-ORBLogFile", "first.log", "-ORBLogFile", "second.log"}); }
  log(LogLevel::warning, "test", "to the second");
  EXPECT_EQ(std::filesystem::file_size("first.log"), 0u);
  EXPECT_GT(std::filesystem::file_size("second.log"), 0u);
  const Row nowhere{"-ORBLogFile /no/such/folder/app.log", false, ""};
  EXPECT_TRUE(has(told(nowhere), "cannot be opened for writing: No such file")) << told(nowhere);
}

}  // namespace
}  // namespace tenon::suite
