// SPDX-License-Identifier: Apache-2.0
//
// Module TimeBase (Time Service 1.1 §1.3.2), which policies of calls need; generated code includes it if an IDL file names its types.
// Structs have the accessors of the IDL to C++11 mapping. Times are in units of 100 ns.
#pragma once

#include <cstdint>
#include <utility>

#include "mapping/cpp11/types/codec.hpp"

namespace TimeBase {
inline namespace cpp11 {

using TimeT = std::uint64_t;
using InaccuracyT = TimeT;
using TdfT = std::int16_t;  ///< minutes east of Greenwich

/// A point in time: since 15 October 1582, 00:00 UTC. Its inaccuracy has 48 bits, in two parts.
class UtcT {
 public:
  UtcT() = default;
  explicit UtcT(TimeT time, std::uint32_t inacclo, std::uint16_t inacchi, TdfT tdf)
      : time_(time), inacclo_(inacclo), inacchi_(inacchi), tdf_(tdf) {}

  void time(TimeT value) { time_ = value; }
  TimeT time() const { return time_; }
  TimeT& time() { return time_; }
  void inacclo(std::uint32_t value) { inacclo_ = value; }
  std::uint32_t inacclo() const { return inacclo_; }
  std::uint32_t& inacclo() { return inacclo_; }
  void inacchi(std::uint16_t value) { inacchi_ = value; }
  std::uint16_t inacchi() const { return inacchi_; }
  std::uint16_t& inacchi() { return inacchi_; }
  void tdf(TdfT value) { tdf_ = value; }
  TdfT tdf() const { return tdf_; }
  TdfT& tdf() { return tdf_; }

  void swap(UtcT& other) noexcept { std::swap(*this, other); }
  bool operator==(const UtcT&) const = default;

 private:
  TimeT time_ = 0;
  std::uint32_t inacclo_ = 0;
  std::uint16_t inacchi_ = 0;
  TdfT tdf_ = 0;
};

class IntervalT {
 public:
  IntervalT() = default;
  explicit IntervalT(TimeT lower_bound, TimeT upper_bound)
      : lower_bound_(lower_bound), upper_bound_(upper_bound) {}

  void lower_bound(TimeT value) { lower_bound_ = value; }
  TimeT lower_bound() const { return lower_bound_; }
  TimeT& lower_bound() { return lower_bound_; }
  void upper_bound(TimeT value) { upper_bound_ = value; }
  TimeT upper_bound() const { return upper_bound_; }
  TimeT& upper_bound() { return upper_bound_; }

  void swap(IntervalT& other) noexcept { std::swap(*this, other); }
  bool operator==(const IntervalT&) const = default;

 private:
  TimeT lower_bound_ = 0;
  TimeT upper_bound_ = 0;
};

}  // namespace cpp11
}  // namespace TimeBase

namespace tenon::gen {

template <>
struct Codec<TimeBase::UtcT> {
  using value_type = TimeBase::UtcT;
  static constexpr std::size_t smallest = 16;
  static void put(cdr::Writer& out, const value_type& value) noexcept {
    out.put(value.time());
    out.put(value.inacclo());
    out.put(value.inacchi());
    out.put(value.tdf());
  }
  static void get(cdr::Reader& in, value_type& value) noexcept {
    value.time() = in.get<TimeBase::TimeT>();
    value.inacclo() = in.get<std::uint32_t>();
    value.inacchi() = in.get<std::uint16_t>();
    value.tdf() = in.get<TimeBase::TdfT>();
  }
};

template <>
struct Codec<TimeBase::IntervalT> {
  using value_type = TimeBase::IntervalT;
  static constexpr std::size_t smallest = 16;
  static void put(cdr::Writer& out, const value_type& value) noexcept {
    out.put(value.lower_bound());
    out.put(value.upper_bound());
  }
  static void get(cdr::Reader& in, value_type& value) noexcept {
    value.lower_bound() = in.get<TimeBase::TimeT>();
    value.upper_bound() = in.get<TimeBase::TimeT>();
  }
};

}  // namespace tenon::gen
