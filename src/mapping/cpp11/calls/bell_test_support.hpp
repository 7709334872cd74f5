// SPDX-License-Identifier: Apache-2.0
//
// For tests: an interface with its stub and skeleton as tenon-idl would write them,
//
//   exception Cracked { long times; };
//   exception Stolen {};
//   interface Bell {
//     long ring(in long times) raises (Cracked);   // and throws whatever the test asks for
//     string echo(in string text);
//     readonly attribute long rung;
//   };
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "mapping/cpp11/calls/call.hpp"
#include "mapping/cpp11/calls/skeleton.hpp"
#include "mapping/cpp11/types/traits.hpp"
#include "tenon/portable_server/poa.hpp"

namespace Tower {

class Cracked final : public CORBA::UserException {
 public:
  static constexpr std::string_view _static_id = "IDL:Tower/Cracked:1.0";
  Cracked() = default;
  explicit Cracked(std::int32_t times) : times_(times) {}
  std::int32_t times() const { return times_; }
  std::int32_t& times() { return times_; }
  std::string_view _rep_id() const noexcept override { return _static_id; }
  std::string_view _name() const noexcept override { return "Cracked"; }
  [[noreturn]] void _raise() const override { throw *this; }
  void _put(tenon::cdr::Writer& out) const override { out.put(times_); }

 private:
  std::int32_t times_ = 0;
};

class Stolen final : public tenon::gen::PlainException {
 public:
  Stolen() noexcept : PlainException(tenon::gen::plain_class<Stolen>) {}
  static constexpr std::string_view _static_id = "IDL:Tower/Stolen:1.0";
};

class Bell : public virtual CORBA::Object {
 public:
  static constexpr std::string_view _static_id = "IDL:Tower/Bell:1.0";
  Bell() = default;
  virtual std::int32_t ring(std::int32_t times);
  virtual std::string echo(const std::string& text);
  virtual std::int32_t rung();
};

class Bell_skeleton : public virtual PortableServer::Servant {
 public:
  using _interface = Bell;
  static const tenon::gen::Skeleton _skeleton;

  Bell_skeleton() noexcept { _serve(_skeleton, this); }
  virtual std::int32_t ring(std::int32_t times) = 0;
  virtual std::string echo(const std::string& text) = 0;
  virtual std::int32_t rung() = 0;
  CORBA::object_reference<Bell> _this() { return tenon::gen::servant_reference<Bell>(*this); }

 private:
  static bool _dispatch(void* self, tenon::gen::Upcall& call, const tenon::gen::Skeleton& skeleton);
};

}  // namespace Tower

template <>
struct IDL::traits<Tower::Bell> : tenon::gen::InterfaceTraits<Tower::Bell> {};

namespace tenon::gen {
template <>
struct Codec<Tower::Cracked> {
  using value_type = Tower::Cracked;
  static void put(cdr::Writer& out, const value_type& value) { out.put(value.times()); }
  static void get(cdr::Reader& in, value_type& value) { value.times() = in.get<std::int32_t>(); }
};
}  // namespace tenon::gen

namespace Tower {

inline constexpr tenon::gen::Raises ring_raises[] = {tenon::gen::raises<Cracked>};

inline std::int32_t Bell::ring(std::int32_t times) {
  static constexpr tenon::gen::Operation operation{.name = "ring", .raises = ring_raises};
  std::int32_t result = 0;
  tenon::gen::call(
      *this, operation, [&](tenon::cdr::Writer& out) { out.put(times); },
      [&](tenon::cdr::Reader& in) { result = in.get<std::int32_t>(); });
  return result;
}

inline std::string Bell::echo(const std::string& text) {
  static constexpr tenon::gen::Operation operation{.name = "echo"};
  std::string result;
  tenon::gen::call(
      *this, operation, [&](tenon::cdr::Writer& out) { out.put_string(text); },
      [&](tenon::cdr::Reader& in) { in.get_string(result); });
  return result;
}

inline std::int32_t Bell::rung() {
  static constexpr tenon::gen::Operation operation{.name = "_get_rung", .has_arguments = false};
  std::int32_t result = 0;
  tenon::gen::call(*this, operation, tenon::gen::put_nothing,
                   [&](tenon::cdr::Reader& in) { result = in.get<std::int32_t>(); });
  return result;
}

inline constexpr tenon::gen::Skeleton Bell_skeleton::_skeleton{
    "IDL:Tower/Bell:1.0\0IDL:omg.org/CORBA/Object:1.0\0", nullptr, nullptr, &_dispatch};

inline bool Bell_skeleton::_dispatch(void* self, tenon::gen::Upcall& call, const tenon::gen::Skeleton&) {
  auto& servant = *static_cast<Bell_skeleton*>(self);
  if (call.operation() == "ring") {
    call.raises = ring_raises;
    const auto times = call.arguments().get<std::int32_t>();
    call.arguments_read();
    const std::int32_t result = servant.ring(times);
    call.reply([&](tenon::cdr::Writer& out) { out.put(result); });
  } else if (call.operation() == "echo") {
    std::string text;
    call.arguments().get_string(text);
    call.arguments_read();
    const std::string result = servant.echo(text);
    call.reply([&](tenon::cdr::Writer& out) { out.put_string(result); });
  } else if (call.operation() == "_get_rung") {
    const std::int32_t result = servant.rung();
    call.reply([&](tenon::cdr::Writer& out) { out.put(result); });
  } else {
    return false;
  }
  return true;
}

/// Rings, or does what the test put in its place.
class Bell_impl final : public Bell_skeleton {
 public:
  explicit Bell_impl(std::function<void()> on_ring = {}, std::atomic<int>* destroyed = nullptr)
      : on_ring_(std::move(on_ring)), destroyed_(destroyed) {}
  std::int32_t ring(std::int32_t times) override {
    const std::int32_t rung = rung_.fetch_add(times) + times;
    if (on_ring_) on_ring_();
    return rung;
  }
  std::string echo(const std::string& text) override { return text; }
  std::int32_t rung() override { return rung_; }

 private:
  ~Bell_impl() override {
    if (destroyed_ != nullptr) ++*destroyed_;
  }

  std::function<void()> on_ring_;
  std::atomic<int>* destroyed_;        // counted by whichever thread drops the last reference
  std::atomic<std::int32_t> rung_{0};  // several calls may run at a time
};

}  // namespace Tower
