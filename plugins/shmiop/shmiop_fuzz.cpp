// SPDX-License-Identifier: Apache-2.0
//
// Fuzzes what a hostile process can give: the beginning of a connection, the control words of its rings, profiles, and what a user can write.
// Invariants checked: nothing outside of a ring is touched, more is never read or written than there can be, what is accepted is written and
// read again as the same.
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "plugins/shmiop/endpoint.hpp"
#include "plugins/shmiop/hello.hpp"
#include "plugins/shmiop/profile.hpp"
#include "plugins/shmiop/ring.hpp"

namespace {

using namespace tenon;
using namespace tenon::shmiop;

void require(bool condition) {
  if (!condition) std::abort();
}

/// Each step: what to do, and a number for it.
void play(ByteView script) {
  constexpr std::uint32_t octets = 64;
  // Exactly of its size, so that a sanitizer notices what is beyond it.
  const std::vector<std::uint8_t> whole(octets, 0xEE);
  std::vector<std::uint8_t> memory = whole;
  Control control{};
  RingWriter writer;
  RingReader reader;
  writer.attach({&control, memory.data(), octets});
  reader.attach({&control, memory.data(), octets});
  for (; script.size() >= 5; script = script.subspan(5)) {
    std::uint32_t number = 0;
    std::memcpy(&number, script.data() + 1, sizeof number);
    switch (script[0] % 9) {
      case 0: control.head.store(number); break;
      case 1: control.tail.store(number); break;
      case 2: control.reader.store(number); break;
      case 3: control.writer.store(number); break;
      case 4: {
        const auto room = writer.room();
        if (!room) break;
        require(*room <= octets);
        const std::vector<std::uint8_t> data(number % 200, 0xAA);
        const cdr::Piece pieces[] = {{data.data(), data.size() / 2},
                                     {data.data() + data.size() / 2, data.size() - data.size() / 2}};
        Gathered message(pieces);
        require(writer.write(message, *room) == std::min<std::size_t>(*room, data.size()));
        break;
      }
      case 6: {
        const std::vector<std::uint8_t> data(number % 200, 0xAA);
        if (writer.write_one({data.data(), data.size()})) require(data.size() <= octets);
        break;
      }
      case 7: control.starts.store(number); break;
      case 8: {
        const auto shown = reader.show();
        if (!shown) break;
        require(shown->size() <= reader.largest_shown());
        require(shown->empty() || (shown->data() >= memory.data() && &shown->back() <= &memory.back()));
        reader.release(number % (static_cast<std::uint32_t>(shown->size()) + 1));
        break;
      }
      default: {
        std::vector<std::uint8_t> into(number % 200);
        const auto came = reader.read(into);
        require(!came || *came <= std::min<std::size_t>(into.size(), octets));
      }
    }
    (void)reader.has_input();
    (void)reader.much_room();
    (void)writer.stalled();
    (void)rouse(control.reader);
  }
}

/// The octets as the beginning of a connection, with or without memory.
void greet(ByteView data, bool with_memory) {
  int both[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) return;
  const net::Descriptor peer(both[0]);
  const net::Descriptor mine(both[1]);
  net::Descriptor memory;
  const Segment theirs = Segment::make(least_ring, memory);
  Hello hello;
  std::memcpy(&hello, data.data(), std::min(data.size(), sizeof hello));
  if (with_memory) {
    require(send_hello(peer.get(), hello, memory.get()) == 0);
  } else if (!data.empty()) {
    require(::send(peer.get(), data.data(), data.size(), MSG_DONTWAIT) > 0);
  }
  Segment segment;
  const char* why = nullptr;
  switch (receive_hello(mine.get(), segment, why)) {
    case Greeting::came: require(with_memory && segment && segment.ring_octets() == least_ring); break;
    case Greeting::refused: require(why != nullptr && !segment); break;
    case Greeting::not_yet: require(!with_memory && data.empty()); break;
    case Greeting::end: require(false);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView all(data, size);
  if (size > 0) {
    const ByteView rest = all.subspan(1);
    if (data[0] % 2 == 0) play(rest);
    if (data[0] % 4 == 1) greet(rest.first(std::min<std::size_t>(rest.size(), 4096)), data[0] % 8 == 1);
  }
  if (const Result<Profile> profile = parse_profile(all)) {
    const Result<Profile> again = parse_profile(write_profile(*profile).data);
    require(again && *again == *profile);
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string why;
  if (const auto endpoint = read_endpoint("shmiop://" + std::string(text), why)) {
    require(is_name(std::string_view(endpoint->address).substr(1)));
  } else {
    require(!why.empty());
  }
  if (const auto octets = read_ring_size(text)) require(is_ring_size(*octets));
  return 0;
}
