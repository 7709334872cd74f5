// SPDX-License-Identifier: Apache-2.0
//
// The servants of heap.cpp and failing.cpp.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

#include "heap_skel.hpp"
#include "param_skel.hpp"
#include "tests/memory/counting.hpp"

namespace heap {

// As the servant of the benchmark (bench/param/tenon/servant.hpp), whose second interface is not needed here.
class ParamServant final : public CORBA::servant_traits<Param::ParamTest>::base_type {
 public:
  std::int16_t test_short(std::int16_t s1, std::int16_t& s2, std::int16_t& s3) override {
    return spread(s1, s2, s3);
  }
  std::string test_ubstring(const std::string& s1, std::string& s2, std::string& s3) override {
    return spread(s1, s2, s3);
  }
  Param::FixedStruct test_fixed_struct(const Param::FixedStruct& s1, Param::FixedStruct& s2,
                                       Param::FixedStruct& s3) override {
    return spread(s1, s2, s3);
  }
  Param::StrSeq test_strseq(const Param::StrSeq& s1, Param::StrSeq& s2, Param::StrSeq& s3) override {
    return spread(s1, s2, s3);
  }
  Param::VarStruct test_var_struct(const Param::VarStruct& s1, Param::VarStruct& s2,
                                   Param::VarStruct& s3) override {
    return spread(s1, s2, s3);
  }
  Param::NestedStruct test_nested_struct(const Param::NestedStruct& s1, Param::NestedStruct& s2,
                                         Param::NestedStruct& s3) override {
    return spread(s1, s2, s3);
  }
  Param::StructSeq test_struct_seq(const Param::StructSeq& s1, Param::StructSeq& s2,
                                   Param::StructSeq& s3) override {
    return spread(s1, s2, s3);
  }

 private:
  template <class T>
  static T spread(const T& in, T& inout, T& out) {
    inout = in;
    out = in;
    return in;
  }
};

class MeterServant final : public CORBA::servant_traits<Heap::Meter>::base_type {
 public:
  explicit MeterServant(CORBA::ORB* orb) : orb_(orb) {}
  void phase(std::int32_t number) override { counting::begin(number); }
  void nothing() override {}
  void raise_user() override { throw Heap::Refused("as asked"); }
  void raise_system() override { throw CORBA::NO_PERMISSION(); }
  void dawdle(std::uint32_t milliseconds) override {
    const timespec time{0, static_cast<long>(milliseconds) * 1'000'000};
    ::nanosleep(&time, nullptr);
  }
  void dawdle_apart(std::uint32_t milliseconds) override { dawdle(milliseconds); }
  void finish() override {
    counting::end();
    orb_->shutdown(false);
  }

 private:
  CORBA::ORB* orb_;
};

}  // namespace heap
