// SPDX-License-Identifier: Apache-2.0
//
// The servant of Param_Test as the paper has it: the in parameter goes into all that is sent back. Derived classes may look on.
#pragma once

#include <string>

#include "echo_skel.hpp"
#include "param_skel.hpp"

namespace param {

template <class T>
T copy(const T& in, T& inout, T& out) {
  inout = in;
  out = in;
  return in;
}

class Servant : public CORBA::servant_traits<Param::ParamTest>::base_type {
 public:
  std::int16_t test_short(std::int16_t s1, std::int16_t& s2, std::int16_t& s3) override {
    return serve(s1, s2, s3);
  }
  std::string test_ubstring(const std::string& s1, std::string& s2, std::string& s3) override {
    return serve(s1, s2, s3);
  }
  Param::FixedStruct test_fixed_struct(const Param::FixedStruct& s1, Param::FixedStruct& s2,
                                       Param::FixedStruct& s3) override {
    return serve(s1, s2, s3);
  }
  Param::StrSeq test_strseq(const Param::StrSeq& s1, Param::StrSeq& s2, Param::StrSeq& s3) override {
    return serve(s1, s2, s3);
  }
  Param::VarStruct test_var_struct(const Param::VarStruct& s1, Param::VarStruct& s2,
                                   Param::VarStruct& s3) override {
    return serve(s1, s2, s3);
  }
  Param::NestedStruct test_nested_struct(const Param::NestedStruct& s1, Param::NestedStruct& s2,
                                         Param::NestedStruct& s3) override {
    return serve(s1, s2, s3);
  }
  Param::StructSeq test_struct_seq(const Param::StructSeq& s1, Param::StructSeq& s2,
                                   Param::StructSeq& s3) override {
    return serve(s1, s2, s3);
  }

 protected:
  virtual void arguments_are_here() {}

 private:
  template <class T>
  T serve(const T& in, T& inout, T& out) {
    arguments_are_here();
    return copy(in, inout, out);
  }
};

class EchoServant : public CORBA::servant_traits<Param::Echo>::base_type {
 public:
  Param::StructSeq echo_seq(const Param::StructSeq& s) override { return s; }
  void nothing() override {}
};

}  // namespace param
