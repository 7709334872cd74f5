// SPDX-License-Identifier: Apache-2.0
//
// Requests that outlast the message they came in: detached, so that another thread may read on, or taken, to be run or completed later. All
// of it is reached through Incoming::Keeping, so that a server that answers each request before it reads the next does not link it.
#include "giop.hpp"
#include "incoming.hpp"

namespace tenon::giop {

Incoming::Incoming(Incoming&& other) noexcept
    : connection_(other.connection_),
      request_id_(other.request_id_),
      replied_(other.replied_),
      contexts_(other.contexts_),
      format_(other.format_) {
  // The writer of a reply that has been begun stays where its user may still write, and ends with `other`.
  apart_.emplace();
  apart_->counted = std::exchange(other.apart_->counted, 0);
  apart_->restarts = std::move(other.apart_->restarts);
  apart_->in_parts = std::move(other.apart_->in_parts);
  apart_->holds = other.apart_->holds;
  if (apart_->in_parts) apart_->in_parts->request = this;
  // From here on nothing that the upcall's thread does with `other` has an effect.
  other.replied_ = true;
  other.reply_ = nullptr;
  operation = other.operation;
  object_key = other.object_key;
  sync = other.sync;
  response_expected = other.response_expected;
  arguments = other.arguments;
  connection_->life_.hand_request_on();
}

void Incoming::detach_now() {
  if (detached()) return;
  if (!apart_) apart_.emplace();
  apart_->holds = Ref<Connection>(connection_);
  // A reply that is being written stays where it is; the connection gets another writer.
  if (reply_ != nullptr) {
    apart_->begun = std::move(connection_->spare_writer_);
    apart_->in_parts = std::move(connection_->spare_in_parts_);
  }
  Receiver::Detached taken = connection_->receiver_.detach(apart_->restarts);
  apart_->bytes = std::move(taken.bytes);
  apart_->counted = taken.counted;
}

std::unique_ptr<protocol::IncomingCall> Incoming::take_now() {
  void* const shared = memory::allocate(memory::Kind::requests, sizeof(Shared));
  void* const own = memory::allocate(memory::Kind::requests, sizeof(Incoming));
  if (shared == nullptr || own == nullptr) {
    memory::release(shared);
    memory::release(own);
    return nullptr;
  }
  detach_now();
  leave_taken();  // this one may have been taken, too
  // A small buffer counts, too: there may be thousands. A request above the limit is still served; the peer's next ones are not.
  if (apart_->counted == 0) {
    apart_->counted = apart_->bytes.capacity();
    if (!connection_->receiver_.memory().take_anyway(apart_->counted)) connection_->refuse_more();
  }
  apart_->holds = Ref<Shared>::adopt(new (shared) Shared(std::move(apart_->holds), std::move(apart_->bytes)));
  std::unique_ptr<Incoming> taken(new (own) Incoming(std::move(*this)));
  const LockGuard lock(connection_->state_mutex_);
  Apart& apart = *taken->apart_;
  apart.taken = true;
  apart.previous_taken = nullptr;
  apart.next_taken = std::exchange(connection_->taken_, taken.get());
  if (apart.next_taken != nullptr) apart.next_taken->apart_->previous_taken = taken.get();
  return taken;
}

/// The connection no longer finds this request, if it was taken.
void Incoming::leave_taken() noexcept {
  if (!std::exchange(apart_->taken, false)) return;
  const LockGuard lock(connection_->state_mutex_);
  Incoming* const next = apart_->next_taken;
  Incoming* const previous = apart_->previous_taken;
  (previous != nullptr ? previous->apart_->next_taken : connection_->taken_) = next;
  if (next != nullptr) next->apart_->previous_taken = previous;
}

struct Incoming::Kept {
  static constexpr Keeping all() noexcept {
    return {&Incoming::detach_now, &Incoming::take_now, &Incoming::leave_taken};
  }
};

void enable_kept_requests() noexcept {
  static constexpr Incoming::Keeping keeping = Incoming::Kept::all();
  Incoming::kept_requests.store(&keeping, std::memory_order_relaxed);
}

}  // namespace tenon::giop
