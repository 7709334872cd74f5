// SPDX-License-Identifier: Apache-2.0
//
// What ORB::get_service_information() returns (CORBA 3.4 part 1 §8.2.2): the services of an ORB, in the IDL to C++11 mapping. Values.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mapping/cpp11/types/codec.hpp"
#include "mapping/cpp11/types/sequences.hpp"

namespace CORBA {
inline namespace cpp11 {

using ServiceOption = std::uint32_t;
using ServiceDetailType = std::uint32_t;
inline constexpr ServiceType Security = 1;

class ServiceDetail {
 public:
  ServiceDetail() = default;
  ServiceDetail(ServiceDetailType type, std::vector<std::uint8_t> detail) noexcept
      : service_detail_type_(type), service_detail_(std::move(detail)) {}
  ServiceDetailType service_detail_type() const noexcept { return service_detail_type_; }
  ServiceDetailType& service_detail_type() noexcept { return service_detail_type_; }
  void service_detail_type(ServiceDetailType value) noexcept { service_detail_type_ = value; }
  const std::vector<std::uint8_t>& service_detail() const noexcept { return service_detail_; }
  std::vector<std::uint8_t>& service_detail() noexcept { return service_detail_; }
  void service_detail(std::vector<std::uint8_t> value) noexcept { service_detail_ = std::move(value); }
  bool operator==(const ServiceDetail&) const = default;

 private:
  ServiceDetailType service_detail_type_ = 0;
  std::vector<std::uint8_t> service_detail_;
};

class ServiceInformation {
 public:
  ServiceInformation() = default;
  ServiceInformation(std::vector<ServiceOption> options, std::vector<ServiceDetail> details) noexcept
      : service_options_(std::move(options)), service_details_(std::move(details)) {}
  const std::vector<ServiceOption>& service_options() const noexcept { return service_options_; }
  std::vector<ServiceOption>& service_options() noexcept { return service_options_; }
  void service_options(std::vector<ServiceOption> value) noexcept { service_options_ = std::move(value); }
  const std::vector<ServiceDetail>& service_details() const noexcept { return service_details_; }
  std::vector<ServiceDetail>& service_details() noexcept { return service_details_; }
  void service_details(std::vector<ServiceDetail> value) noexcept { service_details_ = std::move(value); }
  bool operator==(const ServiceInformation&) const = default;

 private:
  std::vector<ServiceOption> service_options_;
  std::vector<ServiceDetail> service_details_;
};

}  // namespace cpp11
}  // namespace CORBA

namespace tenon::gen {

template <>
struct Codec<CORBA::ServiceDetail> {
  using value_type = CORBA::ServiceDetail;
  using Octets = Sequence<Codec<std::uint8_t>>;
  static constexpr std::size_t smallest = 4 + Octets::smallest;
  static void put(cdr::Writer& out, const value_type& value) {
    out.put(value.service_detail_type());
    Octets::put(out, value.service_detail());
  }
  static void get(cdr::Reader& in, value_type& value) {
    value.service_detail_type(in.get<CORBA::ServiceDetailType>());
    Octets::get(in, value.service_detail());
  }
};
template <>
struct Codec<CORBA::ServiceInformation> {
  using value_type = CORBA::ServiceInformation;
  using Options = Sequence<Codec<CORBA::ServiceOption>>;
  using Details = Sequence<Codec<CORBA::ServiceDetail>>;
  static constexpr std::size_t smallest = Options::smallest + Details::smallest;
  static void put(cdr::Writer& out, const value_type& value) {
    Options::put(out, value.service_options());
    Details::put(out, value.service_details());
  }
  static void get(cdr::Reader& in, value_type& value) {
    Options::get(in, value.service_options());
    Details::get(in, value.service_details());
  }
};

}  // namespace tenon::gen
