// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamic/store.hpp"

#include <algorithm>

#include "base/minor_codes.hpp"

namespace tenon::shop {

Shop::Items Stock::sorted(Shop::Items items) {
  std::ranges::sort(items, std::ranges::greater(), [](const Shop::Item& each) { return each.price(); });
  return items;
}

// --- compiled ---

std::string CompiledStore::motto() {
  const std::lock_guard lock(stock_.mutex);
  return stock_.motto;
}

void CompiledStore::motto(const std::string& value) {
  const std::lock_guard lock(stock_.mutex);
  stock_.motto = value;
}

Shop::Items CompiledStore::sort(const Shop::Items& given, std::string& label, std::int32_t& count) {
  if (given.empty()) throw Shop::SoldOut("everything", 0);
  label = "[" + label + "]";
  count = static_cast<std::int32_t>(given.size());
  return Stock::sorted(given);
}

void CompiledStore::fail(std::int32_t which) {
  if (which == 1) throw Shop::SoldOut("pears", 3);
  if (which == 2) throw Shop::Closed();
  if (which == 3) throw CORBA::NO_PERMISSION(7, CORBA::CompletionStatus::COMPLETED_YES);
  if (which == 4) throw Shop::Undeclared();
}

void CompiledStore::tell(const std::string& text) {
  const std::lock_guard lock(stock_.mutex);
  stock_.told += text;
}

std::string CompiledStore::told() {
  const std::lock_guard lock(stock_.mutex);
  return stock_.told;
}

std::int32_t CompiledStore::hold(std::int32_t number) {
  stock_.gate.acquire();
  return number;
}

// --- dynamic ---

namespace {

/// The parameters of one operation.
struct Parameters {
  CORBA::object_reference<CORBA::NVList> list = CORBA::make_reference<CORBA::NVList>();
  template <typename T>
  Parameters& add(CORBA::Flags flags) {
    list->add_type("", any_of(T{}).type(), flags);
    return *this;
  }
  Any& operator[](std::uint32_t index) const { return list->item(index)->value(); }
};

}  // namespace

void DynamicStore::invoke(CORBA::object_reference<CORBA::ServerRequest> request) {
  using CORBA::ARG_IN;
  Parameters parameters;
  const std::string& operation = request->operation();
  if (operation == "sort") return sort(*request);
  if (operation == "fail") return fail(*request);
  if (operation == "add") {
    request->arguments(parameters.add<std::int32_t>(ARG_IN).add<std::int32_t>(ARG_IN).list);
    request->set_result(
        any_of(value_of<std::int32_t>(parameters[0]) + value_of<std::int32_t>(parameters[1])));
  } else if (operation == "hold") {
    request->arguments(parameters.add<std::int32_t>(ARG_IN).list);
    stock_.gate.acquire();
    request->set_result(parameters[0]);
  } else if (operation == "echo") {
    request->arguments(parameters.add<Any>(ARG_IN).list);
    request->set_result(parameters[0]);
  } else if (operation == "tell" || operation == "_set_motto") {
    request->arguments(parameters.add<std::string>(ARG_IN).list);
    const std::lock_guard lock(stock_.mutex);
    const auto text = value_of<std::string>(parameters[0]);
    if (operation == "tell") {
      stock_.told += text;
    } else {
      stock_.motto = text;
    }
  } else if (operation == "told" || operation == "_get_motto") {
    request->arguments(parameters.list);
    const std::lock_guard lock(stock_.mutex);
    request->set_result(any_of(operation == "told" ? stock_.told : stock_.motto));
  } else {
    throw CORBA::BAD_OPERATION();
  }
}

void DynamicStore::sort(CORBA::ServerRequest& request) {
  Parameters parameters;
  parameters.add<Shop::Items>(CORBA::ARG_IN)
      .add<std::string>(CORBA::ARG_INOUT)
      .add<std::int32_t>(CORBA::ARG_OUT);
  request.arguments(parameters.list);
  const auto given = value_of<Shop::Items>(parameters[0]);
  if (given.empty()) return request.set_exception(any_of(Shop::SoldOut("everything", 0)));
  parameters[1] <<= "[" + value_of<std::string>(parameters[1]) + "]";
  parameters[2] <<= static_cast<std::int32_t>(given.size());
  request.set_result(any_of(Stock::sorted(given)));
}

void DynamicStore::fail(CORBA::ServerRequest& request) {
  Parameters parameters;
  request.arguments(parameters.add<std::int32_t>(CORBA::ARG_IN).list);
  const auto which = value_of<std::int32_t>(parameters[0]);
  if (which == 1) return request.set_exception(any_of(Shop::SoldOut("pears", 3)));
  if (which == 2) throw Shop::Closed();
  if (which == 3) throw CORBA::NO_PERMISSION(7, CORBA::CompletionStatus::COMPLETED_YES);
  if (which == 4) throw Shop::Undeclared();
}

// --- the world ---

void Shops::SetUp() {
  static int number = 0;
  ++number;
  const std::string id = std::to_string(number);
  server = CORBA::ORB_init({"-ORBListenEndpoints", "iiop://127.0.0.1"}, "store " + id);
  const bool single = std::string(GetParam()) == "single";
  client = CORBA::ORB_init(
      single ? std::vector<std::string>{"-ORBServing", "single-thread"} : std::vector<std::string>{},
      "customer " + id);
  const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  CORBA::servant_reference<PortableServer::Servant> servant;
  if (std::string(GetParam()) == "dynamic") {
    servant = CORBA::make_reference<DynamicStore>(stock);
  } else {
    servant = CORBA::make_reference<CompiledStore>(stock);
  }
  store = poa->id_to_reference(poa->activate_object(servant));
  if (std::string(GetParam()) != "collocated") store = at_client(store);
}

void Shops::TearDown() {
  stock.gate.release(1000);
  store = nullptr;
  client->destroy();
  server->destroy();
}

std::string outcome_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const CORBA::SystemException& exception) {
    return text_of(exception._error());
  }
  return {};
}

std::string text_of(Error error) {
  const char* completed[] = {"YES", "NO", "MAYBE"};
  return std::string(name(error.id)) + " " + std::to_string(error.minor) + " " +
         completed[static_cast<unsigned>(error.completed)];
}

}  // namespace tenon::shop
