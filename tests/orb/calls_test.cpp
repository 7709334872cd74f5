// SPDX-License-Identifier: Apache-2.0
//
// What one call does, over every protocol, both ways of serving, and without a socket: values, exceptions, references, forwards.
#include <atomic>
#include <thread>

#include "base/minor_codes.hpp"
#include "tests/orb/world.hpp"

namespace tenon::suite {
namespace {

using Calls = World;
INSTANTIATE_TEST_SUITE_P(All, Calls, ::testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Calls, TwoWay) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(pair->test->add(i, 1000), i + 1000);
  pair->test->noop();
  pair->test->title("a title");
  EXPECT_EQ(pair->test->title(), "a title");
  EXPECT_EQ(pair->test->who(), "test");
}

TEST_P(Calls, InoutAndOut) {
  std::string text = "abc";
  Suite::Point copy;
  std::uint32_t count = 0;
  const Suite::Point given(1, 2.5, "four");
  const Suite::Point made = pair->test->mix(7, text, given, copy, count);
  EXPECT_EQ(made, Suite::Point(7, 3.5, "abc"));
  EXPECT_EQ(text, "cba");
  EXPECT_EQ(copy, given);
  EXPECT_EQ(count, 4u);
}

TEST_P(Calls, Oneways) {
  for (int i = 0; i < 100; ++i) pair->test->note(i);
  const auto notes = pair->test->notes();
  // One caller, one object: in order, and before the two-way call that came after them.
  ASSERT_EQ(notes.size(), 100u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(notes[static_cast<std::size_t>(i)], i);
}

TEST_P(Calls, BigMessagesBothWays) {
  const Suite::Blob made = pair->test->make(big());
  ASSERT_EQ(made.size(), big());
  EXPECT_EQ(made, pair->servant->make(big()));
  EXPECT_EQ(pair->test->sum(made), pair->servant->sum(made));
  EXPECT_EQ(pair->test->echo(made), made);
}

TEST_P(Calls, UserException) {
  try {
    pair->test->fail(Suite::Failure::listed_one);
    FAIL();
  } catch (const Suite::Refused& refused) {
    EXPECT_EQ(refused.why(), "on request");
    EXPECT_EQ(refused.code(), 42);
  }
  EXPECT_EQ(pair->test->add(1, 1), 2);
}

TEST_P(Calls, OtherExceptions) {
  const auto fail = [&](Suite::Failure kind) { return outcome_of([&] { pair->test->fail(kind); }); };
  EXPECT_EQ(fail(Suite::Failure::unlisted_one),
            text_of(errors::unlisted_user_exception.with(Completion::maybe)));
  EXPECT_EQ(fail(Suite::Failure::an_int), text_of(errors::foreign_exception.with(Completion::maybe)));
  EXPECT_EQ(fail(Suite::Failure::a_runtime_error),
            text_of(errors::foreign_exception.with(Completion::maybe)));
  EXPECT_EQ(fail(Suite::Failure::no_memory), text_of(errors::out_of_memory.with(Completion::maybe)));
  EXPECT_EQ(fail(Suite::Failure::transient_with_minor), "TRANSIENT 0x12345678 MAYBE");
  EXPECT_EQ(fail(Suite::Failure::completed_bad_param), "BAD_PARAM 0x00000063 YES");
  EXPECT_EQ(pair->test->add(1, 1), 2);
}

TEST_P(Calls, UnknownOperation) {
  const auto peer = CORBA::make_reference<PeerServant>("peer");
  const auto as_peer = pair->at_client(tenon::publish<Suite::Peer_skeleton>(pair->server_orb->ref(), peer));
  const TestRef wrong = IDL::traits<Suite::Test>::unchecked_narrow(as_peer);
  if (GetParam().protocol == "collocated") {
    EXPECT_EQ(wrong->who(), "peer");
  }
  EXPECT_EQ(outcome_of([&] { wrong->add(1, 2); }), text_of(errors::unknown_operation));
}

TEST_P(Calls, NoSuchObject) {
  const auto other = CORBA::make_reference<TestServant>(pair->server());
  const auto gone = pair->at_client(tenon::publish<Suite::Test_skeleton>(pair->server_orb->ref(), other));
  EXPECT_EQ(gone->add(1, 2), 3);
  EXPECT_FALSE(gone->_non_existent());
  auto poa = other->_default_POA();
  poa = IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(other));
  EXPECT_EQ(outcome_of([&] { gone->add(1, 2); }).substr(0, 16), "OBJECT_NOT_EXIST");
  EXPECT_TRUE(gone->_non_existent());
  EXPECT_EQ(pair->test->add(1, 2), 3);
}

TEST_P(Calls, References) {
  bool was_nil = false;
  EXPECT_FALSE(pair->test->pass(nullptr, was_nil));
  EXPECT_TRUE(was_nil);
  const ObjectRef back = pair->test->pass(pair->test, was_nil);
  EXPECT_FALSE(was_nil);
  ASSERT_TRUE(back);
  EXPECT_TRUE(back->_is_equivalent(pair->test));
  const TestRef again = IDL::traits<Suite::Test>::narrow(back);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->add(2, 2), 4);
  EXPECT_EQ(outcome_of([&] { pair->test->ask(nullptr); }), text_of(errors::nil_called));
}

TEST_P(Calls, LocalObjectIsNotSent) {
  bool was_nil = false;
  const ObjectRef local = pair->client().resolve_initial_references("POACurrent");
  EXPECT_EQ(outcome_of([&] { pair->test->pass(local, was_nil); }), text_of(errors::local_object));
  EXPECT_EQ(pair->test->add(1, 1), 2);
}

TEST_P(Calls, ObjectOperations) {
  EXPECT_TRUE(pair->test->_is_a("IDL:Suite/Test:1.0"));
  EXPECT_TRUE(pair->test->_is_a("IDL:Suite/Base:1.0"));
  EXPECT_TRUE(pair->test->_is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(pair->test->_is_a("IDL:Suite/Peer:1.0"));
  EXPECT_FALSE(pair->test->_non_existent());
  EXPECT_EQ(pair->test->_repository_id(), "IDL:Suite/Test:1.0");
  const std::string text = pair->client().object_to_string(pair->test);
  const ObjectRef again = pair->client().string_to_object(text);
  EXPECT_TRUE(again->_is_equivalent(pair->test));
  EXPECT_EQ(again->_hash(1000), pair->test->_hash(1000));
  EXPECT_LE(pair->test->_hash(10), 10u);
  EXPECT_FALSE(again->_is_equivalent(nullptr));
}

TEST_P(Calls, Narrowing) {
  const ObjectRef plain = pair->client().string_to_object(pair->client().object_to_string(pair->test));
  EXPECT_TRUE(IDL::traits<Suite::Base>::narrow(plain));
  EXPECT_TRUE(IDL::traits<Suite::Test>::narrow(plain));
  EXPECT_FALSE(IDL::traits<Suite::Peer>::narrow(plain));
  EXPECT_FALSE(IDL::traits<Suite::Peer>::narrow(nullptr));
}

TEST_P(Calls, Forwarded) {
  const auto forwarding = CORBA::make_reference<ForwardingServant>();
  forwarding->to = seen_by(pair->server(), pair->test);
  const BaseRef base =
      pair->at_client(tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), forwarding));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(base->who(), "test");
  // The place that it forwards to is remembered; when it has gone, the original is asked again.
  const auto second = CORBA::make_reference<PeerServant>("second");
  forwarding->to = tenon::publish<Suite::Peer_skeleton>(pair->server_orb->ref(), second);
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(pair->server().resolve_initial_references("RootPOA"));
  poa->deactivate_object(poa->servant_to_id(pair->servant));
  EXPECT_EQ(base->who(), "second");
  EXPECT_EQ(base->who(), "second");
}

TEST_P(Calls, ForwardLoopsEnd) {
  const auto a = CORBA::make_reference<ForwardingServant>();
  const auto b = CORBA::make_reference<ForwardingServant>();
  const auto to_a = tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), a);
  const auto to_b = tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), b);
  a->to = to_b;
  b->to = to_a;
  const BaseRef loop = pair->at_client(to_a);
  EXPECT_EQ(outcome_of([&] { loop->who(); }), text_of(errors::too_many_forwards));
  const auto self = CORBA::make_reference<ForwardingServant>();
  const auto to_self = tenon::publish<Suite::Base_skeleton>(pair->server_orb->ref(), self);
  self->to = to_self;
  const BaseRef short_loop = pair->at_client(to_self);
  EXPECT_EQ(outcome_of([&] { short_loop->who(); }), text_of(errors::too_many_forwards));
  a->to = nullptr;
  EXPECT_NE(outcome_of([&] { pair->at_client(to_a)->who(); }), "");
  a->to = b->to = self->to = nullptr;
}

TEST_P(Calls, ReplyAboveTheLimit) {
  const Pair small(GetParam(), {"-ORBMaxMessageSize", "64k"});
  EXPECT_EQ(outcome_of([&] { small.test->make(70000); }),
            text_of(errors::message_above_limit.with(Completion::yes)));
  EXPECT_EQ(small.test->make(50000).size(), 50000u);
}

TEST_P(Calls, RequestAboveTheLimit) {
  const Pair small(GetParam(), {}, {"-ORBMaxMessageSize", "64k"});
  EXPECT_EQ(outcome_of([&] { small.test->sum(Suite::Blob(70000)); }), text_of(errors::message_above_limit));
  EXPECT_EQ(small.test->sum(Suite::Blob(50000, 1)), 50000u);
}

TEST_P(Calls, ManyThreads) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  const int calls = GetParam().protocol == "torture" ? 100 : 500;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < calls; ++i) {
        if (pair->test->add(t, i) != t + i) ++wrong;
        if (i % 50 == 0 && pair->test->make(30000).size() != 30000) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// --- what needs a peer on the other side ---

using Remote = World;
INSTANTIATE_TEST_SUITE_P(All, Remote, ::testing::ValuesIn(remote_cases()),
                         [](const auto& each) { return name_of(each.param); });

TEST_P(Remote, RequestAboveTheServersLimit) {
  const Pair small(GetParam(), {"-ORBMaxMessageSize", "64k"});
  EXPECT_EQ(small.test->add(1, 2), 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome_of([&] { small.test->sum(Suite::Blob(3000000)); }),
              text_of(errors::giop_message_too_large));
    EXPECT_EQ(small.test->add(1, 2), 3);
  }
  try {
    small.test->sum(Suite::Blob(3000000));
    ADD_FAILURE();
  } catch (const CORBA::IMP_LIMIT& refusal) {
    EXPECT_TRUE(has(refusal.what(), "a GIOP message is larger than the limit")) << refusal.what();
    EXPECT_TRUE(has(refusal.what(), "the server answered IMP_LIMIT")) << refusal.what();
  }
}

// omniORB cuts its large requests.
TEST_P(Remote, RequestInFragmentsAboveTheServersLimit) {
  const Pair small(GetParam(), {"-ORBMaxMessageSize", "64k"}, {"-ORBFragmentAbove", "8k"});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome_of([&] { small.test->sum(Suite::Blob(3000000)); }),
              text_of(errors::giop_message_too_large));
    EXPECT_EQ(small.test->add(1, 2), 3);
  }
}

TEST_P(Remote, ReplyAboveTheClientsLimit) {
  const Pair small(GetParam(), {}, {"-ORBMaxMessageSize", "64k"});
  const std::string outcome = outcome_of([&] { small.test->make(3000000); });
  EXPECT_EQ(outcome.substr(0, 12), "COMM_FAILURE") << outcome;
  EXPECT_EQ(small.test->add(1, 2), 3);
}

TEST_P(Remote, OneConnectionManyCallsAndRepliesOutOfOrder) {
  const Pair one(GetParam(), {"-ORBPoolThreads", "20"}, {"-ORBConnectionsPerEndpoint", "1"});
  const bool pooled = GetParam().serving == "pool" && GetParam().protocol != "torture";
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  // With a pool the server runs them at the same time: the first one waits for the others to have been answered.
  std::thread first;
  if (pooled) {
    first = std::thread([&] { wrong += one.test->hold(77) == 77 ? 0 : 1; });
    ASSERT_TRUE(one.servant->gate.wait_for_waiters(1));
  }
  for (int t = 0; t < 16; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) wrong += one.test->add(t * 1000, i) == t * 1000 + i ? 0 : 1;
      wrong += one.test->echo(Suite::Blob(20000, static_cast<std::uint8_t>(t))) ==
                       Suite::Blob(20000, static_cast<std::uint8_t>(t))
                   ? 0
                   : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (pooled) {
    one.servant->gate.open();
    first.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_P(Remote, OlderGiop) {
  for (const char* version : {"1.0", "1.1"}) {
    const Pair old(GetParam(), {"-ORBGIOPVersion", version});
    EXPECT_EQ(old.test->add(1, 2), 3);
    EXPECT_EQ(old.test->echo(Suite::Blob(5000, 9)), Suite::Blob(5000, 9));
    EXPECT_THROW(old.test->fail(Suite::Failure::listed_one), Suite::Refused);
  }
}

TEST_P(Remote, CodeSetsOfTheCLibrary) {
  const struct {
    const char* name;
    const char* here;  // UTF-8, on this side
    const char* there;
  } sets[] = {{"windows-1252", "5 \u20ac gr\u00fc\u00df", "5 \x80 gr\xFC\xDF"},
              {"iso8859-15", "5 \u20ac", "5 \xA4"},
              {"KOI8-R", "\u0436\u0430", "\xD6\xC1"},
              {"EUC-JP", "\u65e5\u672c", "\xC6\xFC\xCB\xDC"},
              {"gb18030", "\u4e2d\U0001F600", "\xD6\xD0\x94\x39\xFC\x36"}};
  for (const auto& set : sets) {
    for (const bool prefer_utf8 : {false, true}) {
      Words options{"-ORBNativeCharCodeSet", set.name};
      if (prefer_utf8) options.insert(options.end(), {"-ORBPreferUTF8", "yes"});
      const Pair other(GetParam(), options);
      other.test->title(set.here);
      EXPECT_EQ(other.servant->title(), set.there) << set.name;
      EXPECT_EQ(other.test->title(), set.here) << set.name;
    }
  }
  const Pair windows(GetParam(), {"-ORBNativeCharCodeSet", "windows-1252"});
  EXPECT_EQ(outcome_of([&] { windows.test->title("\u65e5"); }).substr(0, 15), "DATA_CONVERSION");
  EXPECT_EQ(windows.test->add(1, 2), 3);
}

TEST_P(Remote, OtherCodeSets) {
  const Pair latin(GetParam(), {"-ORBNativeCharCodeSet", "ISO-8859-1"});
  latin.test->title("gr\xC3\xBC\xC3\x9F");  // UTF-8 on this side
  EXPECT_EQ(latin.servant->title(), "gr\xFC\xDF");
  EXPECT_EQ(latin.test->title(), "gr\xC3\xBC\xC3\x9F");
  EXPECT_EQ(outcome_of([&] { latin.test->title("\xE2\x82\xAC"); }).substr(0, 15), "DATA_CONVERSION");
  EXPECT_EQ(latin.test->add(1, 2), 3);
}

// The text says which code set lacks the character: that of the message, or the native one of the side that reads it.
TEST_P(Remote, TheCodeSetThatLacksACharacterIsNamed) {
  const auto said = [](const std::function<void()>& call) -> std::string {
    try {
      call();
      return "";
    } catch (const CORBA::DATA_CONVERSION& refusal) {
      return refusal.what();
    }
  };
  const Words latin{"-ORBNativeCharCodeSet", "ISO-8859-1"};
  const Pair of_message(GetParam(), latin);
  const std::string writes = said([&] { of_message.test->title("\u20AC"); });
  EXPECT_TRUE(has(writes, "a character has no place in the transmission code set")) << writes;
  EXPECT_TRUE(has(writes, "the transmission code set of char is ISO-8859-1")) << writes;
  EXPECT_FALSE(has(writes, "after")) << writes;
  const Pair of_server(GetParam(), latin, {"-ORBPreferUTF8", "yes"});
  const std::string answers = said([&] { of_server.test->title("\u20AC"); });
  EXPECT_TRUE(has(answers, "the server answered DATA_CONVERSION")) << answers;
  EXPECT_TRUE(has(answers,
                  "saying 'a character that came has no place in the receiver's native code set, ISO-8859-1 "
                  "(-ORBNativeCharCodeSet)'"))
      << answers;
  const Pair of_client(GetParam(), {}, latin);
  of_client.servant->title("\u20AC");
  const std::string reads = said([&] { static_cast<void>(of_client.test->title()); });
  EXPECT_TRUE(has(reads, "a character that came has no place in the receiver's native code set")) << reads;
  EXPECT_FALSE(has(reads, "the server answered")) << reads;
}

}  // namespace
}  // namespace tenon::suite
