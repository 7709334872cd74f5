// SPDX-License-Identifier: Apache-2.0
#include "plugins/shmiop/segment.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstring>

#include "base/size_text.hpp"

namespace tenon::shmiop {
namespace {

constexpr int wanted_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

constexpr std::size_t whole_size(std::uint32_t ring_octets) noexcept {
  return control_octets + 2 * std::size_t{ring_octets};
}

std::uint8_t* map_whole(int fd, std::uint32_t ring_octets) noexcept {
  void* const at = ::mmap(nullptr, whole_size(ring_octets), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return at == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(at);
}

/// Null, or what is wrong with memory that a peer gives.
const char* refusal(int fd, std::uint32_t ring_octets) noexcept {
  if (!is_ring_size(ring_octets)) return "a ring's size is a power of two from 4096 to 67108864 octets";
  const int seals = ::fcntl(fd, F_GET_SEALS);
  if (seals < 0) return "the descriptor is not that of a memfd";
  if ((seals & wanted_seals) != wanted_seals)
    return "the memory is not sealed against shrinking, growing and further seals";
  // Pages of other kinds of memory may be missing when they are used, which ends the process.
  struct statfs system{};
  if (::fstatfs(fd, &system) != 0 || system.f_type != TMPFS_MAGIC)
    return "the memory is not made of ordinary pages";
  struct stat entry{};
  if (::fstat(fd, &entry) != 0 || !S_ISREG(entry.st_mode)) return "the descriptor is not that of a memfd";
  if (static_cast<std::uint64_t>(entry.st_size) != whole_size(ring_octets))
    return "the memory does not have the size that its rings need";
  return nullptr;
}

}  // namespace

std::optional<std::uint32_t> read_ring_size(std::string_view text) noexcept {
  const std::optional<std::uint64_t> octets = read_size_text(text);
  if (!octets || !is_ring_size(*octets)) return std::nullopt;
  return static_cast<std::uint32_t>(*octets);
}

Segment::Segment(std::uint8_t* base, std::uint32_t ring_octets) noexcept
    : base_(base),
      rings_{base + control_octets, base + control_octets + ring_octets},
      ring_octets_(ring_octets) {}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(rings_, other.rings_);
  std::swap(ring_octets_, other.ring_octets_);
  return *this;
}

Segment::~Segment() {
  if (base_ == nullptr) return;
  // Where a page is larger than the control words, no ring has moved, and the whole is in one piece.
  if (!can_keep()) {
    ::munmap(base_, whole_size(ring_octets_));
    return;
  }
  ::munmap(base_, control_octets);
  for (std::uint8_t* const each : rings_) ::munmap(each, ring_octets_);
}

Ring Segment::ring(std::size_t which) const noexcept {
  Control* const controls = reinterpret_cast<Control*>(base_);
  return {controls + which, rings_[which], ring_octets_};
}

bool Segment::can_keep() const noexcept {
  static const long page = ::sysconf(_SC_PAGESIZE);
  return ring_octets_ > Buffer::largest_kept && control_octets % static_cast<std::size_t>(page) == 0;
}

Buffer Segment::keep(Ring& ring, std::size_t at, std::size_t octets) noexcept {
  const auto pages = [](void* memory) {
    return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
  };
  std::uint8_t* const old = ring.data;
  // Of memory that is shared an old size of 0 makes a second mapping.
  std::uint8_t* const moved = pages(::mremap(old, 0, ring_octets_, MREMAP_MAYMOVE));
  if (moved == nullptr) return {};
  std::uint8_t* const own =
      pages(::mmap(nullptr, ring_octets_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (own != nullptr) std::memcpy(own + at, old + at, octets);
  if (own == nullptr ||
      ::mremap(own, ring_octets_, ring_octets_, MREMAP_MAYMOVE | MREMAP_FIXED, old) == MAP_FAILED) {
    if (own != nullptr) ::munmap(own, ring_octets_);
    ::munmap(moved, ring_octets_);
    return {};
  }
  rings_[old == rings_[0] ? 0 : 1] = ring.data = moved;
  return Buffer::adopt(old, ring_octets_);
}

Segment Segment::make(std::uint32_t ring_octets, net::Descriptor& descriptor) noexcept {
  descriptor.reset(::memfd_create("tenon-shmiop", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!descriptor || ::ftruncate(descriptor.get(), static_cast<off_t>(whole_size(ring_octets))) != 0 ||
      ::fcntl(descriptor.get(), F_ADD_SEALS, wanted_seals) != 0) {
    return {};
  }
  std::uint8_t* const base = map_whole(descriptor.get(), ring_octets);
  if (base == nullptr) return {};
  return {base, ring_octets};
}

Segment Segment::map(const net::Descriptor& descriptor, std::uint32_t ring_octets,
                     const char*& why) noexcept {
  why = refusal(descriptor.get(), ring_octets);
  if (why != nullptr) return {};
  std::uint8_t* const base = map_whole(descriptor.get(), ring_octets);
  if (base == nullptr) {
    why = "the memory cannot be mapped";
    return {};
  }
  return {base, ring_octets};
}

}  // namespace tenon::shmiop
