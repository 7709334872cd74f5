// SPDX-License-Identifier: Apache-2.0
//
// What interceptors are told, what they may add, and what they may not ask where (CORBA 3.4 part 1 §16.4).
#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>

#include "base/minor_codes.hpp"
#include "tests/interceptors/world.hpp"

namespace tenon::spied {
namespace {

std::uint32_t refused(const std::function<void()>& code) { return minor_of<CORBA::BAD_INV_ORDER>(code); }
const std::uint32_t wrong_point = errors::wrong_interception_point.minor;

TimeBase::TimeT roundtrip_of(ClientRequestInfo& info) {
  return IDL::traits<Messaging::RelativeRoundtripTimeoutPolicy>::narrow(
             info.get_request_policy(Messaging::RELATIVE_RT_TIMEOUT_POLICY_TYPE))
      ->relative_expiry();
}

/// A context of that many octets goes there and comes back with one more, around a call whose arguments need alignment.
class Contexts : public Spies, public ::testing::WithParamInterface<std::string> {
 protected:
  void round_trip(std::size_t size) {
    c1->code["send_request"] = [=](ClientRequestInfo& info) {
      info.add_request_service_context({there, CORBA::OctetSeq(size, 7)}, false);
    };
    s1->code["contexts"] = [=](ServerRequestInfo& info) {
      CORBA::OctetSeq data = info.get_request_service_context(there).context_data();
      EXPECT_EQ(data, CORBA::OctetSeq(size, 7));
      data.push_back(8);
      info.add_reply_service_context({back, data}, false);
    };
    CORBA::OctetSeq returned;
    const auto take = [&](ClientRequestInfo& info) {
      returned = info.get_reply_service_context(back).context_data();
    };
    c1->code["receive_reply"] = c1->code["receive_exception"] = take;
    CORBA::OctetSeq expected(size, 7);
    expected.push_back(8);
    EXPECT_EQ(target->scale(1.25), 2.5);
    EXPECT_EQ(returned, expected);
    EXPECT_THROW(target->fail(), CORBA::TRANSIENT);
    EXPECT_EQ(returned, expected);
    EXPECT_THROW(target->refuse(), Spied::Refused);
    EXPECT_EQ(returned, expected);
  }
};

TEST_P(Contexts, TravelThereAndBack) {
  server_options = {"-ORBGIOPVersion", GetParam()};
  client_options = server_options;
  start();
  for (std::size_t size = 0; size < 18; ++size) round_trip(size);
}

INSTANTIATE_TEST_SUITE_P(Versions, Contexts, ::testing::Values("1.0", "1.1", "1.2"),
                         [](const auto& version) { return "v" + std::string(1, version.param[2]); });

class Infos : public Spies {};

TEST_F(Infos, ContextsAreReplacedOnlyOnRequest) {
  start();
  c1->code["send_request"] = [](ClientRequestInfo& info) {
    info.add_request_service_context({there, {1}}, false);
    EXPECT_EQ(refused([&] { info.add_request_service_context({there, {2}}, false); }),
              errors::duplicate_service_context.minor);
    info.add_request_service_context({there, {3}}, true);
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.get_request_service_context(back); }),
              errors::no_such_service_context.minor);
  };
  c2->code["send_request"] = [](ClientRequestInfo& info) {
    EXPECT_EQ(info.get_request_service_context(there).context_data(), CORBA::OctetSeq{3});
  };
  s1->code["send_reply"] = [](ServerRequestInfo& info) {
    EXPECT_EQ(info.get_request_service_context(there).context_data(), CORBA::OctetSeq{3});
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.get_reply_service_context(back); }),
              errors::no_such_service_context.minor);
  };
  EXPECT_EQ(target->add(1, 1), 2);
}

TEST_F(Infos, OfTheClient) {
  start();
  std::uint32_t id = 0;
  c1->code["send_request"] = [&](ClientRequestInfo& info) {
    id = info.request_id();
    EXPECT_EQ(info.operation(), "add");
    EXPECT_TRUE(info.response_expected());
    EXPECT_EQ(info.sync_scope(), 3);
    EXPECT_TRUE(info.target()->_is_equivalent(target));
    EXPECT_TRUE(info.effective_target()->_is_equivalent(target));
    EXPECT_EQ(info.effective_profile().tag(), 0u);
    EXPECT_FALSE(info.effective_profile().profile_data().empty());
    EXPECT_EQ(info.get_effective_component(1).tag(), 1u);  // TAG_CODE_SETS
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.get_effective_component(0x54450003); }),
              errors::no_such_component.minor);
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.exceptions(); }), errors::not_in_this_binding.minor);
    EXPECT_EQ(refused([&] { info.result(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.reply_status(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.forward_reference(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.received_exception(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.get_reply_service_context(back); }), wrong_point);
    EXPECT_EQ(minor_of<CORBA::INV_POLICY>([&] { info.get_request_policy(0x54450004); }),
              errors::no_policy_factory.minor);
    EXPECT_EQ(roundtrip_of(info), 20'000'000u);
  };
  c1->code["receive_reply"] = [&](ClientRequestInfo& info) {
    EXPECT_EQ(info.request_id(), id);
    EXPECT_EQ(info.reply_status(), SUCCESSFUL);
    EXPECT_EQ(roundtrip_of(info), 20'000'000u);
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.result(); }), errors::not_in_this_binding.minor);
    EXPECT_EQ(refused([&] { info.add_request_service_context({there, {}}, false); }), wrong_point);
    EXPECT_EQ(refused([&] { info.received_exception_id(); }), wrong_point);
  };
  const TimeoutScope time(std::chrono::seconds(2));
  EXPECT_EQ(target->add(1, 1), 2);
  EXPECT_NE(id, 0u);
}

TEST_F(Infos, OfTheServer) {
  start();
  s1->code["contexts"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.operation(), "add");
    EXPECT_EQ(refused([&] { info.object_id(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.adapter_name(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.arguments(); }), wrong_point);
    EXPECT_EQ(refused([&] { info.target_is_a("IDL:Spied/Target:1.0"); }), wrong_point);
    EXPECT_EQ(refused([&] { info.reply_status(); }), wrong_point);
  };
  CORBA::OctetSeq object, adapter;
  s1->code["receive_request"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.adapter_name(), AdapterName{"RootPOA"});
    EXPECT_EQ(info.orb_id(), server->id());
    EXPECT_EQ(info.server_id(), "spied server");
    EXPECT_TRUE(info.operation_context().empty());
    EXPECT_EQ(info.target_most_derived_interface(), "IDL:Spied/Target:1.0");
    EXPECT_TRUE(info.target_is_a("IDL:Spied/Target:1.0"));
    EXPECT_FALSE(info.target_is_a("IDL:Spied/Nobody:1.0"));
    EXPECT_EQ(minor_of<CORBA::NO_RESOURCES>([&] { info.arguments(); }), errors::not_in_this_binding.minor);
    const auto lifespan = IDL::traits<PortableServer::LifespanPolicy>::narrow(
        info.get_server_policy(PortableServer::LIFESPAN_POLICY_ID));
    EXPECT_EQ(lifespan->value(), PortableServer::LifespanPolicyValue::TRANSIENT);
    object = info.object_id();
    adapter = info.adapter_id();
  };
  s1->code["send_reply"] = [&](ServerRequestInfo& info) {
    EXPECT_EQ(info.object_id(), object);
    EXPECT_EQ(info.adapter_id(), adapter);
    EXPECT_EQ(info.reply_status(), SUCCESSFUL);
    EXPECT_EQ(refused([&] { info.target_is_a("IDL:Spied/Target:1.0"); }), wrong_point);
    EXPECT_EQ(refused([&] { info.sending_exception(); }), wrong_point);
  };
  EXPECT_EQ(target->add(1, 1), 2);
  EXPECT_FALSE(object.empty());
}

TEST_F(Infos, ExceptionsAsValues) {
  start();
  std::string client_name, server_name;
  c1->code["receive_exception"] = [&](ClientRequestInfo& info) {
    client_name = info.received_exception().type()->name();
  };
  s1->code["send_exception"] = [&](ServerRequestInfo& info) {
    server_name = info.sending_exception().type()->name();
  };
  EXPECT_THROW(target->fail(), CORBA::TRANSIENT);
  EXPECT_EQ(client_name, "TRANSIENT");
  EXPECT_EQ(server_name, "TRANSIENT");
  // The type of a user exception is known to stubs only (§16.4.13).
  EXPECT_THROW(target->refuse(), Spied::Refused);
  EXPECT_EQ(client_name, "UNKNOWN");
  EXPECT_EQ(server_name, "UNKNOWN");
}

TEST_F(Infos, SayNothingAfterwards) {
  start();
  CORBA::object_reference<ClientRequestInfo> kept;
  c1->code["receive_reply"] = [&](ClientRequestInfo& info) {
    kept = CORBA::object_reference<ClientRequestInfo>(&info);
  };
  EXPECT_EQ(target->add(1, 1), 2);
  EXPECT_EQ(refused([&] { kept->operation(); }), wrong_point);
}

TEST(Initialisation, NamesAreUniqueAndTheInfoEnds) {
  Diary diary;
  CORBA::object_reference<ORBInitInfo> kept;
  const auto before = [&](ORBInitInfo& info) {
    kept = CORBA::object_reference<ORBInitInfo>(&info);
    info.add_client_request_interceptor(CORBA::make_reference<ClientSpy>(diary, "one"));
    info.add_client_request_interceptor(CORBA::make_reference<ClientSpy>(diary, ""));
    info.add_client_request_interceptor(CORBA::make_reference<ClientSpy>(diary, ""));
    EXPECT_THROW(info.add_client_request_interceptor(CORBA::make_reference<ClientSpy>(diary, "one")),
                 ORBInitInfo::DuplicateName);
    EXPECT_EQ(minor_of<CORBA::BAD_PARAM>([&] { info.add_client_request_interceptor(nullptr); }),
              errors::nil_interceptor.minor);
    EXPECT_EQ(refused([&] { info.resolve_initial_references("RootPOA"); }), wrong_point);
    EXPECT_EQ(info.arguments().back(), "word");
    EXPECT_EQ(info.allocate_slot_id(), 0u);
    EXPECT_EQ(info.allocate_slot_id(), 1u);
    info.register_initial_reference("Codecs", info.codec_factory());
  };
  const auto after = [&](ORBInitInfo& info) {
    EXPECT_TRUE(info.resolve_initial_references("Codecs"));
    EXPECT_THROW(info.resolve_initial_references("Nothing"), ORBInitInfo::InvalidName);
    const auto current = IDL::traits<Current>::narrow(info.resolve_initial_references("PICurrent"));
    EXPECT_EQ(refused([&] { current->get_slot(0); }), errors::slots_not_ready.minor);
  };
  const OrbRef orb = make_orb(before, {"word"}, after);
  EXPECT_EQ(minor_of<CORBA::OBJECT_NOT_EXIST>([&] { kept->orb_id(); }), errors::orb_is_initialised.minor);
  orb->destroy();
}

}  // namespace
}  // namespace tenon::spied
