// SPDX-License-Identifier: Apache-2.0
//
// omniORB's client of late.idl; commands on standard input (values.hpp). Options: --ior FILE; the rest goes to omniORB.
//
// Threads: one.

#include "bench/late/values.hpp"
#include "late.hh"
#include "tests/interop/omniorb/peer_main.hpp"

namespace {

using Ref = Late::_objref_Target;

template <class Sequence>
std::string typed(Ref& target, const blocks::Words& words, void (Ref::*put)(const Sequence&),
                  Sequence* (Ref::*get)(CORBA::ULong)) {
  return late::answer<Sequence>(
      target, words, [&](const Sequence& values) { (target.*put)(values); },
      [&](CORBA::ULong count) { return std::unique_ptr<Sequence>((target.*get)(count)); });
}

std::string commanded(Ref& target, const blocks::Words& words) {
  if (words.size() != 3) return "";
  const auto viewer = [&target] { return Late::Viewer_var(Late::Viewer::_unchecked_narrow(&target)); };
  if (words[0] == "view_E")
    return late::viewed<Late::SequenceE>(words, [to = viewer()](const auto& all) { return to->view_E(all); });
  if (words[0] == "view_F")
    return late::viewed<Late::SequenceF>(words, [to = viewer()](const auto& all) { return to->view_F(all); });
  if (words[0] == "noop") return late::mean_ns(blocks::number(words, 2), [&] { target.noop(); });
  switch (words[0].back()) {
    case 'A': return typed(target, words, &Ref::put_A, &Ref::get_A);
    case 'B': return typed(target, words, &Ref::put_B, &Ref::get_B);
    case 'C': return typed(target, words, &Ref::put_C, &Ref::get_C);
    case 'D': return typed(target, words, &Ref::put_D, &Ref::get_D);
    case 'E': return typed(target, words, &Ref::put_E, &Ref::get_E);
    case 'F': return typed(target, words, &Ref::put_F, &Ref::get_F);
    default: return "";
  }
}

}  // namespace

int main(int argc, char** argv) {
  return peer::client_main(peer::parse(argc, argv), [](CORBA::ORB_ptr orb, const std::string& reference) {
    Late::Target_var object = peer::object_of<Late::Target>(orb, reference);
    return blocks::serve_commands([&](const blocks::Words& words) { return commanded(*object.in(), words); });
  });
}
