// SPDX-License-Identifier: Apache-2.0
//
// The data types of module IOP (CORBA 3.4 part 2 §7.6, §7.7) that interceptors see; generated code includes it if an IDL file names them.
// Structs have the accessors of the IDL to C++11 mapping. The rest of the module is in tenon/standard/IOP.hpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/sequences.hpp"

namespace IOP {
inline namespace cpp11 {

using ServiceId = std::uint32_t;
using ComponentId = std::uint32_t;
using ProfileId = std::uint32_t;

class ServiceContext {
 public:
  ServiceContext() = default;
  ServiceContext(ServiceId context_id, CORBA::OctetSeq context_data) noexcept
      : context_id_(context_id), context_data_(std::move(context_data)) {}

  void context_id(ServiceId value) noexcept { context_id_ = value; }
  ServiceId context_id() const noexcept { return context_id_; }
  ServiceId& context_id() noexcept { return context_id_; }
  void context_data(CORBA::OctetSeq value) noexcept { context_data_ = std::move(value); }
  const CORBA::OctetSeq& context_data() const noexcept { return context_data_; }
  CORBA::OctetSeq& context_data() noexcept { return context_data_; }

  void swap(ServiceContext& other) noexcept { std::swap(*this, other); }
  bool operator==(const ServiceContext&) const = default;

 private:
  ServiceId context_id_ = 0;
  CORBA::OctetSeq context_data_;
};

// Twice because the standard gives the members of these structs names of their own.
class TaggedComponent {
 public:
  TaggedComponent() = default;
  TaggedComponent(ComponentId tag, CORBA::OctetSeq component_data) noexcept
      : tag_(tag), component_data_(std::move(component_data)) {}

  void tag(ComponentId value) noexcept { tag_ = value; }
  ComponentId tag() const noexcept { return tag_; }
  ComponentId& tag() noexcept { return tag_; }
  void component_data(CORBA::OctetSeq value) noexcept { component_data_ = std::move(value); }
  const CORBA::OctetSeq& component_data() const noexcept { return component_data_; }
  CORBA::OctetSeq& component_data() noexcept { return component_data_; }

  void swap(TaggedComponent& other) noexcept { std::swap(*this, other); }
  bool operator==(const TaggedComponent&) const = default;

 private:
  ComponentId tag_ = 0;
  CORBA::OctetSeq component_data_;
};

// Twice because its members have names of their own, too.
class TaggedProfile {
 public:
  TaggedProfile() = default;
  TaggedProfile(ProfileId tag, CORBA::OctetSeq profile_data) noexcept
      : tag_(tag), profile_data_(std::move(profile_data)) {}

  void tag(ProfileId value) noexcept { tag_ = value; }
  ProfileId tag() const noexcept { return tag_; }
  ProfileId& tag() noexcept { return tag_; }
  void profile_data(CORBA::OctetSeq value) noexcept { profile_data_ = std::move(value); }
  const CORBA::OctetSeq& profile_data() const noexcept { return profile_data_; }
  CORBA::OctetSeq& profile_data() noexcept { return profile_data_; }

  void swap(TaggedProfile& other) noexcept { std::swap(*this, other); }
  bool operator==(const TaggedProfile&) const = default;

 private:
  ProfileId tag_ = 0;
  CORBA::OctetSeq profile_data_;
};

using TaggedComponentSeq = std::vector<TaggedComponent>;
using TaggedProfileSeq = std::vector<TaggedProfile>;
using ServiceContextList = std::vector<ServiceContext>;

}  // namespace cpp11
}  // namespace IOP

namespace tenon::gen {

template <>
struct Codec<IOP::ServiceContext> {
  using value_type = IOP::ServiceContext;
  static constexpr std::size_t smallest = 8;
  static void put(cdr::Writer& out, const value_type& value) {
    out.put(value.context_id());
    Sequence<Codec<std::uint8_t>>::put(out, value.context_data());
  }
  static void get(cdr::Reader& in, value_type& value) {
    value.context_id() = in.get<IOP::ServiceId>();
    Sequence<Codec<std::uint8_t>>::get(in, value.context_data());
  }
};

template <>
struct Codec<IOP::TaggedComponent> {
  using value_type = IOP::TaggedComponent;
  static constexpr std::size_t smallest = 8;
  static void put(cdr::Writer& out, const value_type& value) {
    out.put(value.tag());
    Sequence<Codec<std::uint8_t>>::put(out, value.component_data());
  }
  static void get(cdr::Reader& in, value_type& value) {
    value.tag() = in.get<IOP::ComponentId>();
    Sequence<Codec<std::uint8_t>>::get(in, value.component_data());
  }
};

template <>
struct Codec<IOP::TaggedProfile> {
  using value_type = IOP::TaggedProfile;
  static constexpr std::size_t smallest = 8;
  static void put(cdr::Writer& out, const value_type& value) {
    out.put(value.tag());
    Sequence<Codec<std::uint8_t>>::put(out, value.profile_data());
  }
  static void get(cdr::Reader& in, value_type& value) {
    value.tag() = in.get<IOP::ProfileId>();
    Sequence<Codec<std::uint8_t>>::get(in, value.profile_data());
  }
};

}  // namespace tenon::gen
