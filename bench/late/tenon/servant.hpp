// SPDX-License-Identifier: Apache-2.0
//
// Tenon's servant of late.idl in C++: it ignores what it is sent, and has what it returns ready.
//
// Threads: one call at a time.
#pragma once

#include "bench/late/values.hpp"
#include "late_skel.hpp"

namespace late {

class Servant final : public CORBA::servant_traits<Late::Viewer>::base_type {
 public:
  void noop() override {}
  void put_A(const Late::SequenceA& s) override { received_(s); }
  void put_B(const Late::SequenceB& s) override { received_(s); }
  void put_C(const Late::SequenceC& s) override { received_(s); }
  void put_D(const Late::SequenceD& s) override { received_(s); }
  void put_E(const Late::SequenceE& s) override { received_(s); }
  void put_F(const Late::SequenceF& s) override { received_(s); }
  Late::SequenceA get_A(std::uint32_t elements) override { return a_.of(elements); }
  Late::SequenceB get_B(std::uint32_t elements) override { return b_.of(elements); }
  Late::SequenceC get_C(std::uint32_t elements) override { return c_.of(elements); }
  Late::SequenceD get_D(std::uint32_t elements) override { return d_.of(elements); }
  Late::SequenceE get_E(std::uint32_t elements) override { return e_.of(elements); }
  Late::SequenceF get_F(std::uint32_t elements) override { return f_.of(elements); }
  std::int32_t view_E(std::span<const Late::StructE> s) override { return total(s); }
  std::int32_t view_F(std::span<const Late::StructF> s) override { return total(s); }
  void check(bool on) override { received_.check(on); }
  std::uint64_t sum() override { return received_.sum(); }

 private:
  Received received_;
  Answer<Late::SequenceA> a_;
  Answer<Late::SequenceB> b_;
  Answer<Late::SequenceC> c_;
  Answer<Late::SequenceD> d_;
  Answer<Late::SequenceE> e_;
  Answer<Late::SequenceF> f_;
};

}  // namespace late
