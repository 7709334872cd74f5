// SPDX-License-Identifier: Apache-2.0
#include "orb/client/endpoints.hpp"

#include <algorithm>
#include <utility>

namespace tenon::orb {

Endpoints::~Endpoints() = default;

int LinkKeyView::compare(const LinkKey& other) const noexcept {
  int differs = address.compare(other.address);
  if (differs == 0) differs = transport.compare(other.transport);
  if (differs == 0) differs = int{bidirectional} - int{other.bidirectional};
  return differs != 0 ? differs : properties.compare(other.properties);
}

std::size_t Endpoints::place_of(const LinkKeyView& key) const noexcept {
  std::size_t first = 0;
  std::size_t end = all_.size();
  while (first != end) {
    const std::size_t middle = first + (end - first) / 2;
    if (key.compare(all_[middle]->key()) > 0) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  return first;
}

Ref<Endpoint> Endpoints::find(const LinkKeyView& key) const noexcept {
  const std::size_t place = place_of(key);
  return place != all_.size() && key.compare(all_[place]->key()) == 0 ? all_[place] : nullptr;
}

void Endpoints::add(const LinkKeyView& key, Ref<Endpoint> endpoint) {
  std::size_t place = place_of(key);
  all_.push_back(std::move(endpoint));
  for (; place < all_.size() - 1; ++place) std::swap(all_[place], all_.back());
}

/// If only the table holds an endpoint, no other thread can get at it without the lock.
void Endpoints::forget(EndpointList& forgotten) {
  std::size_t failed = 0;
  std::size_t kept = 0;
  if (!memory::has_room(memory::Kind::connections, all_.size() * sizeof(Ref<Endpoint>))) return;
  forgotten.reserve(all_.size());
  for (Ref<Endpoint>& endpoint : all_) {
    if (!endpoint->has_one_ref() || !endpoint->is_empty() ||
        (endpoint->failed_lately() && ++failed <= most_failed)) {
      if (&all_[kept] != &endpoint) all_[kept] = std::move(endpoint);
      ++kept;
    } else {
      forgotten.push_back(std::move(endpoint));
    }
  }
  while (all_.size() > kept) all_.pop_back();
  // Doubling keeps the cost of this look at all endpoints small for each new one.
  most_ = std::max(at_least, 2 * kept);
}

void Endpoints::divert() noexcept {
  for (const Ref<Endpoint>& endpoint : all_) endpoint->divert();
}

void Endpoints::close_all_by(Deadline by) noexcept {
  for (const Ref<Endpoint>& endpoint : all_) endpoint->close_all_by(by);
}

}  // namespace tenon::orb
