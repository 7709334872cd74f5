// SPDX-License-Identifier: Apache-2.0
//
// omniORB's server of late.idl. Options: --ior FILE, --idle SECONDS; the rest goes to omniORB.
//
// Threads: omniORB's, one per connection; one call at a time.

#include "bench/late/values.hpp"
#include "late.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

class Servant : public POA_Late::Target {
 public:
  void noop() override {}
  void put_A(const Late::SequenceA& s) override { received_(s); }
  void put_B(const Late::SequenceB& s) override { received_(s); }
  void put_C(const Late::SequenceC& s) override { received_(s); }
  void put_D(const Late::SequenceD& s) override { received_(s); }
  void put_E(const Late::SequenceE& s) override { received_(s); }
  void put_F(const Late::SequenceF& s) override { received_(s); }
  Late::SequenceA* get_A(CORBA::ULong elements) override { return new Late::SequenceA(a_.of(elements)); }
  Late::SequenceB* get_B(CORBA::ULong elements) override { return new Late::SequenceB(b_.of(elements)); }
  Late::SequenceC* get_C(CORBA::ULong elements) override { return new Late::SequenceC(c_.of(elements)); }
  Late::SequenceD* get_D(CORBA::ULong elements) override { return new Late::SequenceD(d_.of(elements)); }
  Late::SequenceE* get_E(CORBA::ULong elements) override { return new Late::SequenceE(e_.of(elements)); }
  Late::SequenceF* get_F(CORBA::ULong elements) override { return new Late::SequenceF(f_.of(elements)); }
  void check(CORBA::Boolean on) override { received_.check(on); }
  CORBA::ULongLong sum() override { return received_.sum(); }

 private:
  late::Received received_;
  late::Answer<Late::SequenceA> a_;
  late::Answer<Late::SequenceB> b_;
  late::Answer<Late::SequenceC> c_;
  late::Answer<Late::SequenceD> d_;
  late::Answer<Late::SequenceE> e_;
  late::Answer<Late::SequenceF> f_;
};

}  // namespace

int main(int argc, char** argv) {
  return peer::server_main(argc, argv, [](const peer::Server& server) {
    CORBA::Object_var object = server.activate(new Servant);
    return server.text(object);
  });
}
