// SPDX-License-Identifier: Apache-2.0
#include "tests/dynamic_protocols/world.hpp"

#include <unistd.h>

#include <algorithm>

#include "orb/client/endpoint.hpp"
#include "orb/orb.hpp"
#include "orb/reference.hpp"

namespace tenon::changing {
namespace {

std::string next_number() {
  static std::atomic<int> number{0};
  return std::to_string(::getpid()) + '-' + std::to_string(++number);
}

}  // namespace

ScopedOrb::ScopedOrb(const Words& options)
    : orb_(CORBA::ORB_init(
          [&] {
            Words all{"test"};
            all.insert(all.end(), options.begin(), options.end());
            return all;
          }(),
          "changing-" + next_number())) {
  if (orb_->_core().options().serving == orb::Serving::single_thread)
    runs_ = std::thread([orb = orb_] {
      try {
        orb->run();
      } catch (const CORBA::BAD_INV_ORDER&) {  // it was shut down first
      }
    });
}

ScopedOrb::~ScopedOrb() {
  orb_->shutdown(true);
  if (runs_.joinable()) runs_.join();
  orb_->destroy();
}

std::string new_uiop_endpoint() { return "uiop://@tenon-dynamic-protocols-" + next_number(); }

std::int32_t Worker::held(std::int32_t a) {
  std::unique_lock lock(mutex_);
  ++held_;
  changed_.notify_all();
  changed_.wait(lock, [this] { return gone_; });
  return a;
}

std::int32_t Worker::remove_in_upcall(const std::string& protocol) {
  tenon::remove_protocol(*orb_, protocol);
  return 7;
}

void Worker::wait_until_held(int count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return held_ >= count; });
}

void Worker::let_go() {
  const std::lock_guard lock(mutex_);
  gone_ = true;
  changed_.notify_all();
}

Served::Served(const Words& options)
    : orb(options),
      worker(CORBA::make_reference<Worker>(orb.ref())),
      root(IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"))),
      id(root->activate_object(worker)) {
  root->the_POAManager()->activate();
  object = new_reference();
}

WorkRef Served::new_reference() const {
  return IDL::traits<::Changing::Work>::unchecked_narrow(root->id_to_reference(id));
}

WorkRef Served::seen_by(const ScopedOrb& by, const WorkRef& reference) const {
  return IDL::traits<::Changing::Work>::unchecked_narrow(
      by->string_to_object(orb->object_to_string(reference)));
}

Callers::Callers(WorkRef object, int threads) : object_(std::move(object)) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, i] {
      while (!ends_) {
        try {
          if (object_->add(i, 40) != i + 40) throw CORBA::INTERNAL();
        } catch (const CORBA::SystemException& exception) {
          const std::lock_guard lock(mutex_);
          failure_ = exception.what();
        }
        ++calls_;
      }
    });
  }
}

void Callers::go_on(int calls) {
  const int wanted = calls_ + calls;
  while (calls_ < wanted) std::this_thread::yield();
}

std::string Callers::stop() {
  ends_ = true;
  for (std::thread& each : threads_) {
    if (each.joinable()) each.join();
  }
  return failure_;
}

std::vector<std::uint32_t> tags_of(const WorkRef& object) {
  std::vector<std::uint32_t> tags;
  for (const ior::TaggedProfile& each : object->_reference()->ior().profiles) tags.push_back(each.tag);
  return tags;
}

std::string connections(const ScopedOrb& orb) {
  orb::EndpointList endpoints;
  EXPECT_TRUE(orb->_core().all_endpoints(endpoints));
  Words names;
  for (const auto& each : endpoints) {
    if (each->connected()) names.emplace_back(each->key().transport);
  }
  std::ranges::sort(names);
  std::string text;
  for (const std::string& each : names) text.append(text.empty() ? "" : " ").append(each);
  return text;
}

WorkRef over(const WorkRef& object, std::initializer_list<IOP::ProfileId> tags) {
  RTCORBA::ProtocolList list;
  for (const IOP::ProfileId tag : tags) list.emplace_back(tag);
  return IDL::traits<::Changing::Work>::unchecked_narrow(object->_set_policy_overrides(
      {CORBA::make_reference<RTCORBA::ClientProtocolPolicy>(list)}, CORBA::SetOverrideType::SET_OVERRIDE));
}

Error error_of(const std::function<void()>& code, std::string* said) {
  try {
    code();
  } catch (const CORBA::SystemException& exception) {
    if (said != nullptr) *said = exception.what();
    return exception._error();
  }
  ADD_FAILURE() << "no exception";
  return {};
}

}  // namespace tenon::changing
