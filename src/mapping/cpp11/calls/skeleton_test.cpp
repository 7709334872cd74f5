// SPDX-License-Identifier: Apache-2.0
//
// One upcall of a C++ servant: what the reply says for everything that a servant may do or throw. No ORB, no network.
#include "mapping/cpp11/calls/skeleton.hpp"

#include <gtest/gtest.h>

#include <new>

#include "base/minor_codes.hpp"
#include "mapping/cpp11/calls/bell_test_support.hpp"
#include "poa/poa_test_support.hpp"
#include "tenon/portable_server/poa.hpp"

namespace {

using tenon::Completion;
using tenon::Error;
using tenon::SystemException;
using tenon::poa::test::FakeCall;
using tenon::protocol::ReplyStatus;
namespace errors = tenon::errors;

/// The reply to ring(3) by a servant that does `on_ring`.
std::unique_ptr<FakeCall> ring(std::function<void()> on_ring) {
  auto call = std::make_unique<FakeCall>("ring", tenon::poa::Octets());
  call->request.put(std::int32_t{3});
  call->with_arguments();
  CORBA::make_reference<Tower::Bell_impl>(std::move(on_ring))->upcall(*call);
  return call;
}

std::unique_ptr<FakeCall> ask(const char* operation,
                              const std::function<void(tenon::cdr::Writer&)>& arguments = {}) {
  auto call = std::make_unique<FakeCall>(operation, tenon::poa::Octets());
  if (arguments) arguments(call->request);
  call->with_arguments();
  CORBA::make_reference<Tower::Bell_impl>()->upcall(*call);
  return call;
}

tenon::cdr::Reader results(const FakeCall& call) { return {call.reply.bytes(), call.reply.format()}; }

TEST(Skeleton, Results) {
  const auto call = ring({});
  ASSERT_TRUE(call->succeeded());
  EXPECT_EQ(results(*call).get<std::int32_t>(), 3);
}

TEST(Skeleton, DeclaredException) {
  const auto call = ring([] { throw Tower::Cracked(7); });
  EXPECT_EQ(call->replies, 1);
  EXPECT_EQ(call->status, ReplyStatus::user_exception);
  auto in = results(*call);
  EXPECT_EQ(in.get_raw_string(), "IDL:Tower/Cracked:1.0");
  EXPECT_EQ(in.get<std::int32_t>(), 7);
  EXPECT_TRUE(in.good());
  EXPECT_EQ(in.remaining(), 0u);
}

TEST(Skeleton, WhatAServantThrows) {
  const auto error = [](std::function<void()> on_ring) {
    const auto call = ring(std::move(on_ring));
    EXPECT_EQ(call->replies, 1);
    return call->error();
  };
  EXPECT_EQ(error([] { throw Tower::Stolen(); }), errors::unlisted_user_exception.with(Completion::maybe));
  EXPECT_EQ(error([] { throw CORBA::NO_PERMISSION(5, CORBA::CompletionStatus::COMPLETED_YES); }),
            (Error{SystemException::no_permission, Completion::yes, 5}));
  EXPECT_EQ(error([] { throw std::bad_alloc(); }), errors::out_of_memory.with(Completion::maybe));
  EXPECT_EQ(error([] { throw std::runtime_error("rope"); }),
            errors::foreign_exception.with(Completion::maybe));
  EXPECT_EQ(error([] { throw 42; }), errors::foreign_exception.with(Completion::maybe));
}

/// A declared exception one of whose members is of a type that the program writes itself.
class OfTheProgram final : public CORBA::UserException {
 public:
  explicit OfTheProgram(std::function<void()> put) : put_(std::move(put)) {}
  std::string_view _rep_id() const noexcept override { return Tower::Cracked::_static_id; }
  std::string_view _name() const noexcept override { return "Cracked"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer&) const override { put_(); }

 private:
  std::function<void()> put_;
};

/// An exception of the program that is of CORBA and of another kind, so that it has std::exception twice.
class OfBothKinds final : public std::runtime_error, public tenon::gen::PlainException {
 public:
  OfBothKinds() : std::runtime_error("rope"), PlainException(tenon::gen::class_with_members<OfBothKinds>) {}
  static constexpr std::string_view _static_id = "IDL:Tower/Cracked:1.0";
  const char* what() const noexcept override { return "rope"; }
  [[noreturn]] void _raise() const override { throw *this; }
};

TEST(Skeleton, AnExceptionOfTwoKindsIsOneOfCORBA) {
  const auto call = ring([] { throw OfBothKinds(); });
  EXPECT_EQ(call->replies, 1);
  EXPECT_EQ(call->status, ReplyStatus::user_exception);
  EXPECT_EQ(results(*call).get_raw_string(), "IDL:Tower/Cracked:1.0");
}

TEST(Skeleton, WhatTheMembersOfAnExceptionThrow) {
  const auto error = [](std::function<void()> put) {
    const auto call = ring([&] { throw OfTheProgram(put); });
    EXPECT_EQ(call->replies, 1);
    return call->error();
  };
  EXPECT_EQ(error([] { throw 42; }), errors::foreign_exception.with(Completion::maybe));
  EXPECT_EQ(error([] { throw std::bad_alloc(); }), errors::out_of_memory.with(Completion::maybe));
  EXPECT_EQ(error([] { throw CORBA::NO_PERMISSION(5, CORBA::CompletionStatus::COMPLETED_YES); }),
            (Error{SystemException::no_permission, Completion::yes, 5}));
}

TEST(Skeleton, WhatIsThrownBeforeTheServantRuns) {
  struct Unready final : Tower::Bell_skeleton {
    std::int32_t ring(std::int32_t) override { return 1; }
    std::string echo(const std::string& text) override { return text; }
    std::int32_t rung() override { return 0; }
    bool _non_existent() override { throw 42; }
  };
  FakeCall call("_non_existent", {});
  CORBA::make_reference<Unready>()->upcall(call);
  EXPECT_EQ(call.error(), errors::foreign_exception.with(Completion::no));
}

TEST(Skeleton, ForwardToNobodyIsWellFormed) {
  const auto call = ring([] { throw PortableServer::ForwardRequest(nullptr); });
  EXPECT_EQ(call->status, ReplyStatus::location_forward);
  tenon::ior::Ior to;
  auto in = results(*call);
  tenon::ior::read_ior(in, to);
  EXPECT_TRUE(in.good());
  EXPECT_TRUE(to.nil());
}

TEST(Skeleton, BadArgumentsAreMarshalCompletedNo) {
  const auto call = ask("ring");  // a long is missing
  EXPECT_EQ(call->error(), errors::out_of_data);
}

TEST(Skeleton, BadResultsAreCompletedYes) {
  struct Nul final : Tower::Bell_skeleton {
    std::int32_t ring(std::int32_t) override { return 1; }
    std::string echo(const std::string&) override { return std::string("ding\0dong", 9); }
    std::int32_t rung() override { return 0; }
  };
  FakeCall call("echo", {});
  call.request.put_string("ding dong");
  call.with_arguments();
  CORBA::make_reference<Nul>()->upcall(call);
  EXPECT_EQ(call.error(), errors::nul_in_argument.with(Completion::yes));
}

TEST(Skeleton, UnknownOperation) {
  EXPECT_EQ(ask("rung")->error(), errors::unknown_operation);
  EXPECT_EQ(ask("")->error(), errors::unknown_operation);
  EXPECT_EQ(ask("_")->error(), errors::unknown_operation);
  EXPECT_EQ(ask("_get_weight")->error(), errors::unknown_operation);
  EXPECT_EQ(ask("_is_b")->error(), errors::unknown_operation);
}

TEST(Skeleton, AttributesAreFound) { EXPECT_TRUE(ask("_get_rung")->succeeded()); }

TEST(Skeleton, OperationsOfEveryObject) {
  const auto is_a = [](const char* id) {
    const auto call = ask("_is_a", [id](tenon::cdr::Writer& out) { out.put_raw_string(id); });
    EXPECT_TRUE(call->succeeded());
    return results(*call).get<bool>();
  };
  EXPECT_TRUE(is_a("IDL:Tower/Bell:1.0"));
  EXPECT_TRUE(is_a("IDL:omg.org/CORBA/Object:1.0"));
  EXPECT_FALSE(is_a("IDL:Tower/Clock:1.0"));
  EXPECT_EQ(ask("_is_a")->error().id, SystemException::marshal);

  for (const char* name : {"_non_existent", "_not_existent"}) {
    const auto call = ask(name);
    ASSERT_TRUE(call->succeeded());
    EXPECT_FALSE(results(*call).get<bool>());
  }
  EXPECT_EQ(results(*ask("_repository_id")).get_raw_string(), "IDL:Tower/Bell:1.0");
  tenon::ior::Ior component;
  const auto component_call = ask("_component");
  auto in = results(*component_call);
  tenon::ior::read_ior(in, component);
  EXPECT_TRUE(in.good() && component.nil());
  EXPECT_EQ(ask("_interface")->error(), errors::no_interface_repository);
  EXPECT_EQ(ask("_domain_managers")->error(), errors::no_domain_managers);
}

TEST(Skeleton, ExceptionAfterTheReplyChangesNothing) {
  struct Late final : Tower::Bell_skeleton {
    Late() {
      static const tenon::gen::Skeleton late{_skeleton.ids, nullptr, nullptr, &dispatch};
      _serve(late, this);
    }
    std::int32_t ring(std::int32_t) override { return 1; }
    std::string echo(const std::string&) override { return {}; }
    std::int32_t rung() override { return 0; }
    static bool dispatch(void*, tenon::gen::Upcall& call, const tenon::gen::Skeleton&) {
      call.reply();
      throw std::runtime_error("too late");
    }
  };
  FakeCall call("ring", {});
  CORBA::make_reference<Late>()->upcall(call);
  EXPECT_TRUE(call.succeeded());
}

TEST(Skeleton, PlainExceptionsKeepTheirClassAndText) {
  const PortableServer::POA::WrongPolicy thrown("not that one");
  try {
    thrown._raise();
  } catch (const CORBA::UserException& caught) {
    EXPECT_TRUE(typeid(caught) == typeid(thrown));
    EXPECT_STREQ(caught.what(), "IDL:omg.org/PortableServer/POA/WrongPolicy:2.3: not that one");
    EXPECT_EQ(caught._rep_id(), PortableServer::POA::WrongPolicy::_static_id);
  }
  PortableServer::POA::WrongPolicy other;
  EXPECT_STREQ(other.what(), "IDL:omg.org/PortableServer/POA/WrongPolicy:2.3");
  other = thrown;
  EXPECT_STREQ(other.what(), thrown.what());
  try {
    PortableServer::POA::InvalidPolicy(3, "of another ORB")._raise();
  } catch (const PortableServer::POA::InvalidPolicy& caught) {
    EXPECT_EQ(caught.index(), 3);
    EXPECT_STREQ(caught.what(), "IDL:omg.org/PortableServer/POA/InvalidPolicy:2.3: of another ORB");
  }
}

TEST(Skeleton, NamesOfExceptions) {
  EXPECT_EQ(PortableServer::POA::NoServant()._name(), "NoServant");
  EXPECT_EQ(PortableServer::ForwardRequest()._name(), "ForwardRequest");
  EXPECT_THROW(PortableServer::POAManager::AdapterInactive()._raise(),
               PortableServer::POAManager::AdapterInactive);
}

}  // namespace
