// SPDX-License-Identifier: Apache-2.0
#include "orb/threads/stacks.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>

namespace tenon::orb {

namespace {

constexpr std::size_t most_in_a_block = 64;

}  // namespace

Stacks::Stacks(std::size_t size)
    : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
      size_(std::max(size + page_ - 1, 2 * page_) / page_ * page_) {}

Stacks::~Stacks() {
  for (const std::span<std::byte> block : blocks_) ::munmap(block.data(), block.size());
}

std::optional<std::span<std::byte>> Stacks::next() {
  if ((blocks_.empty() || used_ == blocks_.back().size()) && !map_more()) return std::nullopt;
  const std::span<std::byte> usable = blocks_.back().subspan(used_, size_).subspan(page_);
  if (::mprotect(usable.data(), usable.size(), PROT_READ | PROT_WRITE) != 0) return std::nullopt;
  return usable;
}

/// Each block holds twice the stacks of the one before, up to a limit; fewer where so much cannot be mapped.
bool Stacks::map_more() {
  blocks_.reserve(blocks_.size() + 1);
  std::size_t stacks = blocks_.empty() ? 1 : std::min(2 * blocks_.back().size() / size_, most_in_a_block);
  for (; stacks != 0; stacks /= 2) {
    void* const memory = ::mmap(nullptr, stacks * size_, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) continue;
    // A huge page would be most of a stack, of which a few pages are ever used.
    static_cast<void>(::madvise(memory, stacks * size_, MADV_NOHUGEPAGE));
    blocks_.emplace_back(static_cast<std::byte*>(memory), stacks * size_);
    used_ = 0;
    return true;
  }
  return false;
}

}  // namespace tenon::orb
