// SPDX-License-Identifier: Apache-2.0
#include "base/known_memory.hpp"

#include <sys/mman.h>

#include <bit>

namespace tenon::memory {
namespace {

constexpr std::size_t page = 4096;

/// Which of the sizes holds so many octets: 64 << it.
unsigned size_for(std::size_t octets) noexcept {
  return octets <= Pool::smallest ? 0 : static_cast<unsigned>(std::bit_width(octets - 1)) - 6;
}

std::size_t whole_pages(std::size_t octets) noexcept { return (octets + page - 1) / page * page; }

}  // namespace

void Pool::put(std::byte* block, unsigned size) noexcept {
  auto* const fresh = reinterpret_cast<Free*>(block);
  fresh->before = nullptr;
  fresh->next = free_[size];
  if (fresh->next != nullptr) fresh->next->before = fresh;
  free_[size] = fresh;
  mark_of(block) = static_cast<std::uint8_t>(is_free | size);
}

void Pool::take(std::byte* block, unsigned size) noexcept {
  const auto* const old = reinterpret_cast<const Free*>(block);
  if (old->next != nullptr) old->next->before = old->before;
  (old->before != nullptr ? old->before->next : free_[size]) = old->next;
  mark_of(block) = 0;
}

void Pool::open(std::byte* start, std::size_t octets, std::uint8_t* marks) noexcept {
  const LockGuard lock(mutex_);
  start_ = start;
  octets_ = octets;
  marks_ = marks;
  used_.reserved = octets;
  // The largest blocks that begin where the one before has ended, and at a multiple of their size.
  for (std::size_t at = 0; at < octets;) {
    std::size_t block = std::bit_floor(octets - at);
    if (at != 0 && (at & (block - 1)) != 0) block = at & (~at + 1);
    put(start + at, size_for(block));
    at += block;
  }
}

void* Pool::allocate(std::size_t octets) noexcept {
  const LockGuard lock(mutex_);
  const unsigned wanted = octets > octets_ ? sizes : size_for(octets);
  unsigned size = wanted;
  while (size < sizes && free_[size] == nullptr) ++size;
  if (size >= sizes) {
    ++used_.refused;
    return nullptr;
  }
  auto* const block = reinterpret_cast<std::byte*>(free_[size]);
  take(block, size);
  while (size > wanted) {
    --size;
    put(block + (smallest << size), size);
  }
  mark_of(block) = static_cast<std::uint8_t>(is_used | wanted);
  used_.in_use += smallest << wanted;
  if (used_.in_use > used_.most) used_.most = used_.in_use;
  return block;
}

void Pool::release(void* memory) noexcept {
  const LockGuard lock(mutex_);
  auto* block = static_cast<std::byte*>(memory);
  unsigned size = mark_of(block) & 0x3fU;
  used_.in_use -= smallest << size;
  mark_of(block) = 0;
  for (;;) {
    const auto at = static_cast<std::size_t>(block - start_);
    const std::size_t other = at ^ (smallest << size);
    if (other + (smallest << size) > octets_ || marks_[other / smallest] != (is_free | size)) break;
    take(start_ + other, size);
    if (other < at) block = start_ + other;
    ++size;
  }
  put(block, size);
}

void Pool::count_refusal() noexcept {
  const LockGuard lock(mutex_);
  ++used_.refused;
}

Pool::Used Pool::used() const noexcept {
  const LockGuard lock(mutex_);
  return used_;
}

namespace {

struct Pools {
  Mutex mutex;  // while they are opened
  Pool all[kinds];
};

/// Not destroyed: threads may give back what they have while the process exits.
union Lasting {
  constexpr Lasting() : pools() {}
  ~Lasting() {}
  Pools pools;
};

constinit Lasting lasting;
constexpr Pools& pools = lasting.pools;

Pool& pool_of(Kind kind) noexcept { return pools.all[static_cast<std::size_t>(kind)]; }

constexpr Source the_source{
    [](Kind kind, std::size_t octets) noexcept { return pool_of(kind).allocate(octets); },
    [](void* memory) noexcept {
      for (Pool& each : pools.all) {
        if (!each.owns(memory)) continue;
        each.release(memory);
        return true;
      }
      return false;
    },
    [](Kind kind, std::size_t (&into)[4]) noexcept {
      const Pool::Used used = pool_of(kind).used();
      into[0] = used.reserved;
      into[1] = used.in_use;
      into[2] = used.most;
      into[3] = used.refused;
    },
    [](Kind kind) noexcept { pool_of(kind).count_refusal(); }};

bool suffices(std::span<const std::size_t, kinds> octets) noexcept {
  for (std::size_t i = 0; i < kinds; ++i) {
    if (pools.all[i].used().reserved < octets[i]) return false;
  }
  return true;
}

}  // namespace

bool reserve(std::span<const std::size_t, kinds> octets) noexcept {
  const LockGuard lock(pools.mutex);
  if (is_known()) return suffices(octets);
  std::size_t all = 0;
  for (const std::size_t each : octets) {
    if (each > (std::size_t{1} << (sizeof(std::size_t) * 8 - 4))) return false;
    all += whole_pages(each) + whole_pages(Pool::marks_for(whole_pages(each)));
  }
#ifdef MAP_POPULATE
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
#else
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#endif
  void* const taken = ::mmap(nullptr, all == 0 ? page : all, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (taken == MAP_FAILED) return false;
  auto* at = static_cast<std::byte*>(taken);
  for (std::size_t i = 0; i < kinds; ++i) {
    const std::size_t size = whole_pages(octets[i]);
    pools.all[i].open(at, size, reinterpret_cast<std::uint8_t*>(at + size));
    at += size + whole_pages(Pool::marks_for(size));
  }
  source.store(&the_source, std::memory_order_release);
  return true;
}

}  // namespace tenon::memory
