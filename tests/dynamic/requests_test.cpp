// SPDX-License-Identifier: Apache-2.0
//
// Requests against a compiled servant, a dynamic one, and one in the same ORB: the same calls give the same results.
#include <tenon/messaging.hpp>
#include <tenon/timeout.hpp>
#include <thread>

#include "base/minor_codes.hpp"
#include "tests/dynamic/store.hpp"

namespace tenon::shop {
namespace {

using RequestRef = CORBA::object_reference<CORBA::Request>;

Shop::Items fruit() {
  return {Shop::Item("apple", 2, Shop::Colour::red), Shop::Item("melon", 9, Shop::Colour::green),
          Shop::Item("plum", 4, Shop::Colour::blue)};
}

class Requests : public Shops {
 protected:
  RequestRef adding(std::int32_t a, std::int32_t b) {
    RequestRef request = store->_request("add");
    request->add_in_arg("a") <<= a;
    request->add_in_arg("b") <<= b;
    request->set_return_type(CORBA::_tc_long);
    return request;
  }
  RequestRef holding(std::int32_t number) {
    RequestRef request = store->_request("hold");
    request->add_in_arg() <<= number;
    request->set_return_type(CORBA::_tc_long);
    return request;
  }
  RequestRef failing(std::int32_t which) {
    RequestRef request = store->_request("fail");
    request->add_in_arg() <<= which;
    request->exceptions()->add(Shop::_tc_SoldOut);
    request->exceptions()->add(Shop::_tc_Closed);
    return request;
  }
  std::string told() {
    RequestRef request = store->_request("told");
    request->set_return_type(CORBA::_tc_string);
    request->invoke();
    return value_of<std::string>(request->return_value());
  }
};

TEST_P(Requests, ReturnValue) {
  const RequestRef request = adding(2, 40);
  request->invoke();
  EXPECT_EQ(value_of<std::int32_t>(request->return_value()), 42);
  EXPECT_EQ(request->operation(), "add");
  EXPECT_EQ(request->arguments()->item(1)->name(), "b");
}

TEST_P(Requests, EveryDirection) {
  const RequestRef request = store->_request("sort");
  request->add_in_arg() <<= fruit();
  request->add_inout_arg() <<= "fruit";
  Any& count = request->add_out_arg("count", CORBA::_tc_long);
  request->set_return_type(Shop::_tc_Items);
  request->invoke();
  EXPECT_EQ(value_of<std::string>(request->arguments()->item(1)->value()), "[fruit]");
  EXPECT_EQ(value_of<std::int32_t>(count), 3);
  const auto items = value_of<Shop::Items>(request->return_value());
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0].name(), "melon");
  EXPECT_EQ(items[2].shade(), Shop::Colour::red);
  EXPECT_EQ(request->return_value().type()->name(), "Items");
}

TEST_P(Requests, Attribute) {
  const RequestRef set = store->_request("_set_motto");
  set->add_in_arg() <<= "cheap";
  set->invoke();
  const RequestRef get = store->_request("_get_motto");
  get->set_return_type(CORBA::_tc_string);
  get->invoke();
  EXPECT_EQ(value_of<std::string>(get->return_value()), "cheap");
}

TEST_P(Requests, CreateRequest) {
  CORBA::object_reference<CORBA::NVList> arguments;
  client->create_list(2, arguments);
  arguments->add_value("a", any_of(std::int32_t{7}), CORBA::ARG_IN);
  arguments->add(CORBA::ARG_IN)->value() <<= std::int32_t{8};
  CORBA::object_reference<CORBA::NamedValue> result;
  client->create_named_value(result);
  result->value() <<= std::int32_t{0};
  RequestRef request;
  store->_create_request("add", arguments, result, request, 0);
  request->invoke();
  EXPECT_EQ(value_of<std::int32_t>(result->value()), 15);
}

TEST_P(Requests, UserExceptions) {
  try {
    failing(1)->invoke();
    FAIL() << "nothing was raised";
  } catch (const CORBA::UnknownUserException& raised) {
    const auto exception = value_of<Shop::SoldOut>(raised.exception());
    EXPECT_EQ(exception.article(), "pears");
    EXPECT_EQ(exception.left(), 3);
    const std::string what = raised.what();
    EXPECT_TRUE(what.starts_with("IDL:omg.org/CORBA/UnknownUserException:1.0: IDL:") &&
                what.ends_with("article = \"pears\", left = 3}"))
        << what;
  }
  EXPECT_THROW(failing(2)->invoke(), CORBA::UnknownUserException);
  failing(0)->invoke();
  EXPECT_EQ(outcome_of([&] { failing(3)->invoke(); }), "NO_PERMISSION 7 YES");
}

TEST_P(Requests, ExceptionsThatTheListDoesNotName) {
  const RequestRef request = store->_request("fail");
  request->add_in_arg() <<= std::int32_t{1};
  EXPECT_EQ(outcome_of([&] { request->invoke(); }),
            text_of(errors::unlisted_user_exception.with(tenon::Completion::yes)));
}

TEST_P(Requests, WrongCalls) {
  const RequestRef unknown = store->_request("no_such_operation");
  EXPECT_EQ(outcome_of([&] { unknown->invoke(); }).substr(0, 13), "BAD_OPERATION");
  const RequestRef few = store->_request("add");
  few->add_in_arg() <<= std::int32_t{1};
  EXPECT_EQ(outcome_of([&] { few->invoke(); }).substr(0, 7), "MARSHAL");
  const RequestRef typeless = store->_request("add");
  typeless->add_out_arg();
  EXPECT_EQ(outcome_of([&] { typeless->invoke(); }), text_of(errors::incomplete_typecode_parameter));
  const RequestRef valueless = store->_request("add");
  valueless->arguments()->add_type("a", CORBA::_tc_long, CORBA::ARG_IN);
  EXPECT_EQ(outcome_of([&] { valueless->invoke(); }), text_of(errors::out_of_data));
  const RequestRef local = client->_request("shutdown");
  EXPECT_EQ(outcome_of([&] { local->invoke(); }), text_of(errors::dii_on_local_object));
}

TEST_P(Requests, OrderOfUse) {
  const RequestRef request = adding(1, 2);
  EXPECT_EQ(outcome_of([&] { request->get_response(); }), text_of(errors::request_not_sent));
  EXPECT_EQ(outcome_of([&] { request->poll_response(); }), text_of(errors::request_not_sent));
  request->invoke();
  EXPECT_EQ(outcome_of([&] { request->invoke(); }), text_of(errors::request_sent_before));
  EXPECT_EQ(outcome_of([&] { request->get_response(); }), text_of(errors::request_was_synchronous));
  const RequestRef deferred = adding(1, 2);
  deferred->send_deferred();
  deferred->get_response();
  EXPECT_EQ(outcome_of([&] { deferred->get_response(); }), text_of(errors::response_received));
}

TEST_P(Requests, Oneway) {
  for (const char* word : {"one ", "way"}) {
    const RequestRef request = store->_request("tell");
    request->add_in_arg() <<= word;
    request->send_oneway();
  }
  // a later call to the same object finds them done
  EXPECT_EQ(told(), "one way");
}

TEST_P(Requests, Deferred) {
  const RequestRef request = holding(5);
  request->send_deferred();
  EXPECT_FALSE(request->poll_response());
  stock.gate.release();
  request->get_response();
  EXPECT_EQ(value_of<std::int32_t>(request->return_value()), 5);
}

TEST_P(Requests, DeferredFailure) {
  const RequestRef request = failing(1);
  request->send_deferred();
  EXPECT_THROW(request->get_response(), CORBA::UnknownUserException);
}

TEST_P(Requests, DeferredCallOutlivesItsRequest) {
  RequestRef request = store->_request("tell");
  request->add_in_arg() <<= std::string(10000, 'x');
  request->send_deferred();
  request = nullptr;
  // whatever the call does, the ORB waits for it before it goes
  client->destroy();
}

TEST_P(Requests, SeveralDeferred) {
  CORBA::ORB::RequestSeq requests;
  for (std::int32_t i = 0; i < 5; ++i) requests.push_back(holding(i));
  requests.push_back(failing(2));
  EXPECT_EQ(outcome_of([&] { client->poll_next_response(); }), text_of(errors::request_not_sent));
  client->send_multiple_requests_deferred(requests);
  RequestRef first;
  client->get_next_response(first);
  EXPECT_EQ(first.get(), requests[5].get()) << "the others wait";
  EXPECT_THROW(first->get_response(), CORBA::UnknownUserException);
  EXPECT_FALSE(client->poll_next_response());
  stock.gate.release(5);
  std::int32_t sum = 0;
  for (int i = 0; i < 5; ++i) {
    RequestRef next;
    client->get_next_response(next);
    EXPECT_TRUE(next->poll_response());
    sum += value_of<std::int32_t>(next->return_value());
    next->get_response();
  }
  EXPECT_EQ(sum, 0 + 1 + 2 + 3 + 4);
  EXPECT_EQ(outcome_of([&] { client->get_next_response(first); }), text_of(errors::request_not_sent));
}

TEST_P(Requests, MoreDeferredThanThreads) {
  std::vector<RequestRef> requests;
  for (std::int32_t i = 0; i < 150; ++i) requests.push_back(adding(i, i));
  for (const RequestRef& request : requests) request->send_deferred();
  for (std::int32_t i = 0; i < 150; ++i) {
    const auto index = static_cast<std::size_t>(i);
    requests[index]->get_response();
    EXPECT_EQ(value_of<std::int32_t>(requests[index]->return_value()), 2 * i);
  }
}

TEST_P(Requests, SeveralOneways) {
  CORBA::ORB::RequestSeq requests;
  for (const char* word : {"a", "b", "c"}) {
    requests.push_back(store->_request("tell"));
    requests.back()->add_in_arg() <<= word;
  }
  client->send_multiple_requests_oneway(requests);
  EXPECT_EQ(told(), "abc");
}

TEST_P(Requests, Timeout) {
  const RequestRef request = holding(1);
  {
    const tenon::TimeoutScope scope(std::chrono::milliseconds(100));
    request->send_deferred();
  }
  EXPECT_EQ(outcome_of([&] { request->get_response(); }).substr(0, 7), "TIMEOUT");
  stock.gate.release();  // a servant is not interrupted
}

// As a stub's call would be, with all that is said for it.
TEST_P(Requests, Policies) {
  using CORBA::SetOverrideType;
  ObjectRef wanted = store->_set_policy_overrides(
      {create_request_end_time_policy(utc_after(std::chrono::seconds(-1)))}, SetOverrideType::ADD_OVERRIDE);
  const RequestRef late = wanted->_request("told");
  EXPECT_EQ(outcome_of([&] { late->invoke(); }), text_of(errors::send_timed_out));
  EXPECT_EQ(outcome_of([&] { late->send_deferred(); }), text_of(errors::send_timed_out));
  // A oneway that comes back when its servant has returned.
  wanted = store->_set_policy_overrides({create_sync_scope_policy(Messaging::SYNC_WITH_TARGET)},
                                        SetOverrideType::ADD_OVERRIDE);
  const RequestRef nothing = wanted->_request("no such operation");
  EXPECT_EQ(outcome_of([&] { nothing->send_oneway(); }).substr(0, 13), "BAD_OPERATION");
  const RequestRef tells = wanted->_request("tell");
  tells->add_in_arg() <<= "x";
  EXPECT_EQ(outcome_of([&] { tells->send_oneway(); }), "");
}

// Asking for a response often is enough, also where nobody else serves.
TEST_P(Requests, Polling) {
  const RequestRef request = adding(1, 2);
  request->send_deferred();
  while (!request->poll_response()) std::this_thread::yield();
  request->get_response();
  EXPECT_EQ(value_of<std::int32_t>(request->return_value()), 3);
}

// The other way round: compiled stubs do not notice what serves them.
TEST_P(Requests, CompiledStub) {
  const StoreRef stub = IDL::traits<Shop::Store>::narrow(store);
  ASSERT_TRUE(stub);
  EXPECT_EQ(stub->add(2, 3), 5);
  std::string label = "x";
  std::int32_t count = 0;
  EXPECT_EQ(stub->sort(fruit(), label, count).size(), 3u);
  EXPECT_EQ(label, "[x]");
  EXPECT_EQ(count, 3);
  EXPECT_THROW(stub->sort({}, label, count), Shop::SoldOut);
  EXPECT_THROW(stub->fail(2), Shop::Closed);
  EXPECT_EQ(outcome_of([&] { stub->fail(3); }), "NO_PERMISSION 7 YES");
  EXPECT_EQ(outcome_of([&] { stub->fail(4); }).substr(0, 7), "UNKNOWN");
  stub->motto("good");
  EXPECT_EQ(stub->motto(), "good");
  EXPECT_EQ(value_of<Shop::Items>(stub->echo(any_of(fruit()))).size(), 3u);
  EXPECT_TRUE(stub->_is_a(std::string(Shop::Store::_static_id)));
  EXPECT_FALSE(stub->_is_a("IDL:Shop/Other:1.0"));
  EXPECT_FALSE(stub->_non_existent());
  EXPECT_EQ(stub->_repository_id(), Shop::Store::_static_id);
}

INSTANTIATE_TEST_SUITE_P(Stores, Requests, ::testing::Values("compiled", "dynamic", "collocated", "single"),
                         [](const auto& which) { return std::string(which.param); });

}  // namespace
}  // namespace tenon::shop
