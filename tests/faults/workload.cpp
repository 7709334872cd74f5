// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/workload.hpp"

namespace tenon::faults {
namespace {

constexpr const char* published_name = "target";

Ending ending_of(CORBA::CompletionStatus completed) {
  switch (completed) {
    case CORBA::CompletionStatus::COMPLETED_YES: return Ending::yes;
    case CORBA::CompletionStatus::COMPLETED_NO: return Ending::no;
    case CORBA::CompletionStatus::COMPLETED_MAYBE: return Ending::maybe;
  }
  return Ending::unknown;
}

/// The exceptions of a peer that is gone, silent or full.
bool is_expected(const CORBA::SystemException& exception) {
  const std::string_view name = exception._name();
  return name == "TRANSIENT" || name == "COMM_FAILURE" || name == "TIMEOUT" || name == "NO_RESOURCES";
}

}  // namespace

Faults::Blob Caller::blob() {
  constexpr std::uint32_t limits[] = {8, 100, 5000, 300000};
  const std::uint32_t limit = limits[draw(100) < 90 ? draw(3) : 3];
  Faults::Blob data(draw(limit));
  for (std::size_t i = 0; i < data.size(); i += 97) data[i] = static_cast<std::uint8_t>(random_());
  return data;
}

void Caller::make(std::uint32_t ticket) {
  switch (draw(8)) {
    case 0: {
      target_->note(ticket, blob());
      ledger_.end(ticket, Ending::sent);
      return;
    }
    case 1:
    case 2:
    case 3: {
      const Faults::Blob data = blob();
      if (target_->carry(ticket, data) != data) surprises_ += "other octets came back\n";
      break;
    }
    default: target_->apply(ticket);
  }
  ledger_.end(ticket, Ending::returned);
}

bool Caller::call() {
  const std::uint32_t ticket = ledger_.draw();
  try {
    make(ticket);
    return true;
  } catch (const CORBA::SystemException& exception) {
    ledger_.end(ticket, ending_of(exception.completed()));
    if (!is_expected(exception) && surprises_.size() < 1000)
      surprises_ += std::string(exception.what()) + "\n";
    return false;
  }
}

TargetRef publish_target(const CORBA::object_reference<CORBA::ORB>& orb, Ledger& ledger) {
  const auto servant = CORBA::make_reference<TargetServant>(ledger);
  return tenon::publish<Faults::Target_skeleton>(orb, servant, published_name);
}

std::string text_of_target(const std::string& endpoint) {
  const std::size_t scheme = endpoint.find("://");
  const bool path = endpoint.starts_with("uiop");
  const std::size_t at =
      endpoint.starts_with("shmiop") ? 4 : 3;  // an abstract name is written without its '@'
  return "corbaloc:" + endpoint.substr(0, scheme) + ":1.2@" + endpoint.substr(scheme + at) +
         (path ? "|" : "/") + published_name;
}

TargetRef target_at(CORBA::ORB& orb, const std::string& text) {
  return IDL::traits<Faults::Target>::unchecked_narrow(orb.string_to_object(text));
}

}  // namespace tenon::faults
