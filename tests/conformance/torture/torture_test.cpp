// SPDX-License-Identifier: Apache-2.0
//
// That the torture transport tortures: a test transport that has gone soft would prove nothing.
#include "tests/conformance/torture/torture.hpp"

#include <gtest/gtest.h>

#include "base/minor_codes.hpp"

namespace tenon::torture {
namespace {

using protocol::Io;

class TortureTest : public testing::Test {
 protected:
  void SetUp() override { open("torture://"); }
  void open(const std::string& endpoint) {
    std::string why;
    acceptor_ = plugin_->listen(endpoint, why);
    ASSERT_TRUE(acceptor_) << why;
    auto client = plugin_->connect({acceptor_->published().front()}, Deadline{});
    ASSERT_TRUE(client);
    client_ = std::move(*client);
    auto server = acceptor_->accept();
    ASSERT_TRUE(server);
    server_ = std::move(*server);
  }
  protocol::Transfer send(protocol::Transport& from, std::size_t size) {
    const std::vector<std::uint8_t> bytes(size, 'x');
    const cdr::Piece piece{bytes.data(), bytes.size()};
    return from.send({&piece, 1}, Deadline{});
  }
  /// Bytes that go until something else than success happens.
  std::size_t send_until(protocol::Transport& from, protocol::Transfer& last) {
    std::size_t sent = 0;
    do {
      last = send(from, 50);
      sent += last.bytes;
    } while (last.result == Io::ok && sent < 10000);
    return sent;
  }

  std::unique_ptr<Plugin> plugin_ = make_plugin();
  std::unique_ptr<protocol::Acceptor> acceptor_;
  std::unique_ptr<protocol::Transport> client_;
  std::unique_ptr<protocol::Transport> server_;
};

TEST_F(TortureTest, SendsAreShortAndOfManySizes) {
  std::vector<int> seen(9, 0);
  for (int i = 0; i < 1000; ++i) {
    const protocol::Transfer sent = send(*client_, 50);
    ASSERT_EQ(sent.result, Io::ok);
    ASSERT_LE(sent.bytes, 7U);
    ++seen[sent.bytes];
  }
  EXPECT_EQ(seen[0], 0);
  for (std::size_t size = 1; size <= 7; ++size) EXPECT_GT(seen[size], 0) << size;
}

TEST_F(TortureTest, SameSeedSameSizes) {
  std::vector<std::size_t> sizes[2];
  for (std::vector<std::size_t>& run : sizes) {
    open("torture:///seed=99,write=1000");
    for (int i = 0; i < 20; ++i) run.push_back(send(*server_, 2000).bytes);
  }
  EXPECT_EQ(sizes[0], sizes[1]);
}

TEST_F(TortureTest, LentBytesAreOneAndSpoiledAfterwards) {
  ASSERT_EQ(send(*client_, 50).result, Io::ok);
  ASSERT_TRUE(server_->lends());
  ByteView view;
  ASSERT_EQ(server_->lend(view, Deadline{}).result, Io::ok);
  ASSERT_EQ(view.size(), 1U);
  EXPECT_EQ(view[0], 'x');
  EXPECT_FALSE(server_->release(1));
  EXPECT_FALSE(server_->poll_descriptor());
}

TEST_F(TortureTest, TimesOutInMidWriteAndHeals) {
  plugin_->set_fault(Side::connector, Fault::time_out, 33);
  protocol::Transfer last;
  EXPECT_EQ(send_until(*client_, last), 33U);
  EXPECT_EQ(last.result, Io::timed_out);
  EXPECT_EQ(send(*client_, 5).result, Io::timed_out);
  EXPECT_EQ(send(*server_, 5).result, Io::ok) << "the other side is well";
  plugin_->set_fault(Side::connector, Fault::none, 0);
  EXPECT_EQ(send(*client_, 5).result, Io::ok);
}

TEST_F(TortureTest, BreaksOff) {
  ASSERT_EQ(send(*client_, 50).result, Io::ok);
  plugin_->set_fault(Side::acceptor, Fault::break_off, 12);
  protocol::Transfer last;
  EXPECT_EQ(send_until(*server_, last), 12U);
  EXPECT_EQ(last.result, Io::failed);
  plugin_->set_fault(Side::acceptor, Fault::none, 0);
  std::uint8_t byte = 0;
  EXPECT_EQ(client_->receive({&byte, 1}, Deadline{}).result, Io::failed);
  EXPECT_EQ(server_->receive({&byte, 1}, Deadline{}).result, Io::failed) << "what was under way is lost";
  EXPECT_EQ(send(*client_, 5).result, Io::failed);
}

TEST_F(TortureTest, NamesAreUnique) {
  std::string why;
  const auto first = plugin_->listen("torture://name", why);
  ASSERT_TRUE(first) << why;
  EXPECT_FALSE(plugin_->listen("torture://name", why));
  EXPECT_NE(why.find("taken"), std::string::npos) << why;
  // Another plug-in of this process finds it.
  EXPECT_TRUE(make_plugin()->connect({"name"}, Deadline{}));
  first->shut_down();
  EXPECT_EQ(plugin_->connect({"name"}, Deadline{}).error(), errors::cannot_connect);
  EXPECT_TRUE(plugin_->listen("torture://name", why)) << why;
}

TEST_F(TortureTest, OptionsAreChecked) {
  for (const char* text :
       {"torture:///read=0", "torture:///write=x", "torture:///lend=maybe", "torture:///colour=1"}) {
    std::string why;
    EXPECT_FALSE(plugin_->listen(text, why)) << text;
    EXPECT_NE(why.find(text), std::string::npos) << why;
  }
}

}  // namespace
}  // namespace tenon::torture
