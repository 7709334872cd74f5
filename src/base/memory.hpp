// SPDX-License-Identifier: Apache-2.0
//
// Where the engine's memory comes from: the heap, or, once a program has set limits, memory that was taken when its ORB started
// (known_memory.hpp). Who asks says what for. Buffers and the objects of connections, requests and servants ask here; values of IDL
// types do not, since they belong to the program.
//
// Not a replacement for the heap: few sizes are asked for, and each kind has memory of its own, so that none starves another.
// Threads: everything from any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace tenon::memory {

enum class Kind : std::uint8_t {
  buffers,      ///< octets of messages
  connections,  ///< what there is of each connection: transport, protocol, place in a server
  requests,     ///< what there is of requests that wait or run, and of calls that wait for a reply
  objects,      ///< what adapters keep of active objects
};
inline constexpr std::size_t kinds = 4;

/// What takes the place of the heap. Its functions may be called until the process ends.
struct Source {
  /// Aligned to 64 or, if less, to the size; null: that kind's memory is used up, which has been counted.
  void* (*allocate)(Kind kind, std::size_t octets) noexcept;
  /// False: the memory is not of this source.
  bool (*release)(void* memory) noexcept;
  /// See tenon::memory_report().
  void (*report)(Kind kind, std::size_t (&into)[4]) noexcept;
  void (*count_refusal)(Kind kind) noexcept;
};

/// Null: the heap. Set once, by known_memory.cpp.
extern constinit std::atomic<const Source*> source;

/// Sets memory aside for when the heap has nothing left, and is asked by `operator new` then (std::set_new_handler; the program's own
/// handler is asked next). The engine is compiled without exceptions: what it allocates in small pieces while a call or a request runs
/// comes from there, and what begins next is refused, see is_exhausted(). Large and foreseeable memory it asks for with functions that
/// say whether there is some. By each ORB that starts; only the first call does something.
void set_aside() noexcept;

/// Octets that set_aside() sets aside. A call or a request asks for a few hundred.
inline constexpr std::size_t aside_octets = std::size_t{64} << 10;

/// Whether something of what was set aside has been used.
extern constinit std::atomic<bool> aside_used;

/// Sets aside again what was used; false: the heap has not enough.
bool set_aside_again() noexcept;

/// Whether the heap has nothing left, so that what begins now (a call, a request, a connection) is to be refused: shortage().
inline bool is_exhausted() noexcept {
  return aside_used.load(std::memory_order_relaxed) && !set_aside_again();
}

/// Whether there are limits, so that nothing may be taken from the heap.
inline bool is_known() noexcept { return source.load(std::memory_order_relaxed) != nullptr; }

/// What a call is told that finds no memory: NO_MEMORY, or where there are limits NO_RESOURCES.
Error shortage() noexcept;

/// Something of that kind is refused since there are as many as may be, though their memory would do. tenon::memory_report() tells it as it
/// tells what finds no memory.
void count_refusal(Kind kind) noexcept;

/// At least so many octets, aligned to 16; null: there are none left.
void* allocate(Kind kind, std::size_t octets) noexcept;
/// As allocate(), aligned to 64.
void* allocate_aligned(Kind kind, std::size_t octets) noexcept;
/// Of either; null is allowed.
void release(void* memory) noexcept;
/// Releases memory that is known; false: it is not.
bool release_known(void* memory) noexcept;
/// As allocate(), for what is small and cannot be refused any more: where that kind's memory is used up (which is counted as refused), it
/// comes from the heap, and at last from what is set aside. Where nothing is left there either, the new-handler has the word, as with
/// `operator new`.
void* allocate_anyway(Kind kind, std::size_t octets);
/// Whether allocate() would give so much now: asked before a container grows that may be large.
bool has_room(Kind kind, std::size_t octets) noexcept;

/// Base of classes whose objects are made by `new`, make_ref() or make_unique(), aligned to 64 at most: of this kind. All three give null
/// if there is no memory.
template <Kind kind>
class Of {
 public:
  static void* operator new(std::size_t octets) noexcept { return allocate(kind, octets); }
  static void* operator new(std::size_t, void* place) noexcept { return place; }
  static void* operator new(std::size_t octets, std::align_val_t) noexcept {
    return allocate_aligned(kind, octets);
  }
  static void operator delete(void* memory) noexcept { release(memory); }
  static void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
  static void operator delete(void*, void*) noexcept {}

 protected:
  Of() = default;
  ~Of() = default;
};

/// For containers and shared pointers of the engine: allocate_anyway().
template <typename T, Kind kind>
struct Allocator {
  using value_type = T;
  template <typename U>
  struct rebind {
    using other = Allocator<U, kind>;
  };

  Allocator() noexcept = default;
  template <typename U>
  Allocator(const Allocator<U, kind>&) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_anyway(kind, count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) noexcept { release(static_cast<void*>(memory)); }

  template <typename U>
  bool operator==(const Allocator<U, kind>&) const noexcept {
    return true;
  }
};

using String = std::basic_string<char, std::char_traits<char>, Allocator<char, Kind::connections>>;
template <typename T, Kind kind>
using Vector = std::vector<T, Allocator<T, kind>>;

/// Whether there is room for one more in a vector that may become long: asked before it is put in.
template <typename T, Kind kind>
bool can_grow(const Vector<T, kind>& vector) noexcept {
  return vector.size() < vector.capacity() || has_room(kind, (2 * vector.size() + 1) * sizeof(T));
}

}  // namespace tenon::memory
