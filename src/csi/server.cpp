// SPDX-License-Identifier: Apache-2.0
//
// The server's side: what references say, and a look at each request before the object adapter hears of it.
#include "base/hex.hpp"
#include "base/joined.hpp"
#include "base/log.hpp"
#include "csi/gss.hpp"
#include "csi/judge.hpp"
#include "csi/state.hpp"
#include "ior/security_mechanisms.hpp"
#include "orb/server/serving.hpp"
#include "protocol/exception_detail.hpp"
#include "protocol/protection.hpp"

namespace tenon::csi {
namespace {

using PortableInterceptor::IORInfo;
using PortableInterceptor::ServerInfoRef;
using PortableInterceptor::ServerRequestInterceptor;

class Places final : public Checks {
 public:
  Places(std::atomic<unsigned>& taken, unsigned most) noexcept : taken_(taken), most_(most) {}
  bool admit() noexcept override {
    if (taken_.fetch_add(1, std::memory_order_relaxed) < most_) return true;
    done();
    return false;
  }
  void done() noexcept override { taken_.fetch_sub(1, std::memory_order_relaxed); }

 private:
  std::atomic<unsigned>& taken_;
  const unsigned most_;
};

void log_refusal(std::string_view operation, const Identity& peer, const Judgement& judgement) {
  constexpr std::size_t most = 100;
  if (!log_enabled(LogLevel::warning)) return;
  // A peer has chosen the operation and the user.
  const std::string user =
      judgement.user.empty() ? "" : worded(", user '%'", {printable(beginning(judgement.user, most))});
  log(LogLevel::warning, "csi",
      worded("refused: % of %%: %",
             {printable(beginning(operation, most)), printable(peer.text()), user, judgement.why}));
}

class AtRequests final : public ServerRequestInterceptor {
 public:
  explicit AtRequests(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::string name() override { return "tenon::csi"; }

  void receive_request_service_contexts(ServerInfoRef info) override {
    const std::shared_ptr<const Target> target = state_->target();
    const orb::UpcallScope* const upcall = orb::UpcallScope::innermost();
    if (!target || upcall == nullptr) return;
    const Identity peer = tenon::peer();
    Places places(state_->checking, target->checks_at_once);
    const Judgement judgement = judge(*target, upcall->call().context(sas_context), peer, places);
    if (judgement.reply && info->response_expected())
      info->add_reply_service_context({sas_context, encode(*judgement.reply)}, true);
    if (!judgement.refused) {
      if (judgement.caller) info->set_slot(state_->slot, encode_caller(judgement.caller));
      return;
    }
    log_refusal(info->operation(), peer, judgement);
    if (info->response_expected() && upcall->orb().options().exception_detail != orb::ExceptionDetail::none)
      info->add_reply_service_context(
          {protocol::exception_detail_context, protocol::encode_exception_detail(judgement.why)}, true);
    gen::raise_with_reason(judgement.refused, judgement.why);
  }

 private:
  const std::shared_ptr<State> state_;
};

/// What references of the ORB's POAs say. The transport's part is filled in by whose transport it is (ssliop).
ior::SecurityMechanisms mechanisms_for(const Target& target) {
  ior::SecurityMechanism made;
  if (target.accepts) {
    made.client_supports = protocol::trust_in_client;
    made.client_mechanism.assign(std::begin(gssup_oid), std::end(gssup_oid));
    made.target_name = export_name(target.domain);
  }
  if (target.accepts && target.required) made.client_requires = protocol::trust_in_client;
  if (target.trusts) {
    made.attributes_support = ior::identity_assertion;
    made.naming_mechanisms.emplace_back(std::begin(gssup_oid), std::end(gssup_oid));
    made.identity_types = itt_anonymous | itt_principal_name | itt_distinguished_name;
  }
  made.requires_ = made.client_requires;
  // No client of another ORB finds a way without a transport that does this, and so sends no password in the clear.
  if (!target.in_clear) made.requires_ |= protocol::integrity | protocol::confidentiality;
  return {false, {made}};
}

class InReferences final : public PortableInterceptor::IORInterceptor {
 public:
  explicit InReferences(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}
  std::string name() override { return "tenon::csi"; }
  // NOLINTNEXTLINE(performance-unnecessary-value-param): the mapping's signature
  void establish_components(CORBA::object_reference<IORInfo> info) override {
    const std::shared_ptr<const Target> target = state_->target();
    if (!target || (!target->accepts && !target->trusts)) return;
    const ior::TaggedComponent made = ior::security_mechanisms_component(mechanisms_for(*target));
    info->add_ior_component({made.tag, made.data});
  }

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace

CORBA::object_reference<ServerRequestInterceptor> make_server_interceptor(std::shared_ptr<State> state) {
  return CORBA::make_reference<AtRequests>(std::move(state));
}

CORBA::object_reference<PortableInterceptor::IORInterceptor> make_ior_interceptor(
    std::shared_ptr<State> state) {
  return CORBA::make_reference<InReferences>(std::move(state));
}

}  // namespace tenon::csi
