// SPDX-License-Identifier: Apache-2.0
//
// Headers of requests that are not plain: with service contexts, an addressing disposition, or of an older version of GIOP.
#include "calling_connection.hpp"
#include "protocol/propagated_deadline.hpp"
#include "sent_contexts.hpp"

namespace tenon::giop {

/// The target, addressed as the peer wants it. An IOR is written into `reference`, which must live as long as the result.
TargetOut CallingConnection::address(const protocol::Target& target, std::uint8_t minor,
                                     cdr::Writer& reference) {
  TargetOut out = by_key(target.object_key);
  if (target.addressing == 0 || minor < 2 || target.reference == nullptr) return out;
  const ior::TaggedProfile& profile = target.reference->profiles[target.profile_index];
  out.addressing = static_cast<Addressing>(target.addressing);
  out.profile_tag = profile.tag;
  out.profile = profile.data;
  out.profile_index = static_cast<std::uint32_t>(target.profile_index);
  reference.reset({.giop_minor = minor});
  ior::write_ior(reference, *target.reference);
  out.reference = reference.bytes();
  return out;
}

void CallingConnection::write_full_request_header(Call& call, const protocol::Target& target) {
  RequestOut out;
  out.request_id = call.request_id;
  out.response = response_of(call);
  out.operation = call.out().spec.operation;
  out.has_body = call.out().spec.has_arguments;
  cdr::Writer reference;
  out.target = address(target, call.minor, reference);
  const std::span<const protocol::ServiceContext> given = call.out().spec.contexts;
  SentContexts contexts(given.size() + 2);
  if (!contexts) return call.out().arguments->fail(memory::shortage());
  // The listen points come first: TAO's servers look no further than the first context that they know.
  if ((call.own_contexts & carries_listen_points) != 0)
    contexts.add({context_bi_dir_iiop, options_.bidirectional->offer()});
  if ((call.own_contexts & carries_code_sets) != 0) {
    const LockGuard lock(state_mutex_);
    contexts.add(session_.code_sets_context());
  }
  protocol::DeadlineContext deadline;
  for (const protocol::ServiceContext& context : given) {
    ByteView data = context.data;
    if (protocol::is_deadline_to_propagate(context)) {
      deadline = protocol::encode_deadline(call.out().spec.reply_by);
      data = deadline;
    }
    contexts.add({context.id, data});
  }
  out.contexts = contexts.list();
  begin_request(*call.out().arguments, out);
}

}  // namespace tenon::giop
