// SPDX-License-Identifier: Apache-2.0
//
// The server's direction.
#include <alloca.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "interpreted/interpreted.hpp"
#include "interpreted/kept_parameter.hpp"
#include "interpreted/signature.hpp"
#include "mapping/cpp11/calls/kept.hpp"

namespace tenon::gen {

namespace {

using marshal::Parameters;
using marshal::Word;

/// The size of a frame on the stack. A larger one moves its neighbours a page further, where stores and loads at the same offset in a
/// page hinder each other: with 4 KiB a call took up to a tenth longer.
constexpr std::size_t frame_bytes = 512;

[[maybe_unused]] void serve(marshal::Nothing, Signature signature, Upcall& call, void* skeleton,
                            RunServant run) {
  call.arguments_read();
  run(skeleton, signature.number(), nullptr);
  call.reply();
}

/// Numbers are neither constructed nor destroyed.
template <typename T>
void serve(marshal::OnlyNumbers<T> kind, Signature signature, Upcall& call, void* skeleton, RunServant run) {
  const Parameters all = signature.parameters();
  // Written out for the first four, because a loop would cost more than its stores.
  alignas(std::uint64_t) std::byte numbers[marshal::most_alike][marshal::smallest_slot] = {};
  void* values[marshal::most_alike];
  values[0] = numbers[0];
  values[1] = numbers[1];
  values[2] = numbers[2];
  values[3] = numbers[3];
  for (unsigned i = 4; i < all.count; ++i) values[i] = numbers[i];
  kind.template decode<marshal::in_request>(all, call.arguments(), values,
                                            marshal::Slots<std::byte>{numbers[0]});
  call.arguments_read();
  run(skeleton, signature.number(), values);
  // Inline, not in a function that reply() calls: that made such calls faster by a sixth.
  cdr::Writer& out = call.begin_results();
  const std::size_t before = out.size();
  kind.template encode<marshal::in_reply>(all, out, values, marshal::Slots<const std::byte>{numbers[0]});
  call.end_results(out, before);
}

/// The result, a text, which the servant constructs unless it throws.
struct ResultText {
  ResultText() noexcept {}
  ~ResultText() {
    if (made) std::destroy_at(&text);
  }
  ResultText(const ResultText&) = delete;
  ResultText& operator=(const ResultText&) = delete;
  union {
    std::string text;
  };
  bool made = false;
};

/// All texts of a call are kept as one value, so that texts of the next call are read into memory that is there already.
[[maybe_unused, gnu::noinline]] void serve(marshal::OnlyStrings kind, Signature signature, Upcall& call,
                                           void* skeleton, RunServant run) {
  const Parameters all = signature.parameters();
  const Kept<std::array<std::string, marshal::most_alike>> kept;
  ResultText result;
  void* values[marshal::most_alike];
  unsigned sent = marshal::alike_mask(all.plan, marshal::in_request);
  for (unsigned i = 0; i != all.count; ++i, sent >>= 1) {
    std::string& text = kept.value()[i];
    values[i] = &text;
    if ((sent & 1) != 0) {
      call.arguments().get_string(text);
    } else {
      text.clear();
    }
  }
  if (signature.has(operation_result)) values[0] = &result.text;
  call.arguments_read();
  run(skeleton, signature.number(), values);
  result.made = signature.has(operation_result);
  call.reply([&](cdr::Writer& out) { kind.encode<marshal::in_reply>(all, out, values); });
}

/// The parameters of one upcall, of any kind. It knows which of them have been constructed, and destroys them.
class Frame {
 public:
  /// Constructs all parameters from `first` on; those before it are the result, if there is one.
  Frame(const Parameters& all, unsigned first, void** values)
      : all_(all), values_(values), first_(first), made_(first) {
    if (first != 0) values[0] = place(0);
    for (; made_ != all.count; ++made_) values[made_] = construct(made_);
  }
  ~Frame() {
    for (; made_ != first_; --made_) destroy(all_.words[made_ - 1], values_[made_ - 1]);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  /// The parameters have been read. `grown`: some of them may have more memory than before.
  void read(bool grown) noexcept { grown_ = grown; }
  /// The servant has made its result, if the operation has one.
  void result_made() noexcept { first_ = 0; }

 private:
  /// The memory of a parameter, rounded up so that the next one is aligned, whatever it is.
  std::size_t room(unsigned number) const noexcept {
    constexpr std::size_t most_aligned = alignof(std::max_align_t);
    return (marshal::slot_size(all_.unit, all_.words[number]) + most_aligned - 1) & ~(most_aligned - 1);
  }
  /// Memory for a parameter: in the frame, or on the heap from the first one on that has no room there.
  std::byte* place(unsigned number) {
    const std::size_t size = room(number);
    if (size > left_) [[unlikely]]
      more_memory(number);
    left_ -= size;
    return std::exchange(free_, free_ + size);
  }
  [[gnu::cold]] void more_memory(unsigned number) {
    left_ = 0;
    for (; number != all_.count; ++number) left_ += room(number);
    heap_ = std::make_unique_for_overwrite<std::byte[]>(left_);
    free_ = heap_.get();
  }
  /// Values are kept for speed.
  static bool keeps(Word word) noexcept { return !marshal::small_code && marshal::is_kept(word); }
  void* construct(unsigned number) {
    const Word word = all_.words[number];
    if (keeps(word)) return take_kept(all_.unit, marshal::operand_of(word));
    std::byte* const at = place(number);
    switch (marshal::op_of(word)) {
      case marshal::Op::string: ::new (at) std::string; break;
      case marshal::Op::block:
      case marshal::Op::call: marshal::construct(all_.unit, marshal::operand_of(word), at); break;
      default: std::memset(at, 0, marshal::smallest_slot); break;
    }
    return at;
  }
  void destroy(Word word, void* value) const noexcept {
    if (keeps(word)) {
      // The servant can only read an in parameter.
      if (!grown_ && (word & marshal::in_reply) == 0) return give_kept_unchanged(value);
      give_kept(all_.unit, marshal::operand_of(word), value);
    } else if (marshal::op_of(word) == marshal::Op::string) {
      std::destroy_at(static_cast<std::string*>(value));
    } else if (marshal::op_of(word) == marshal::Op::call) {
      marshal::destroy(all_.unit, marshal::operand_of(word), value);
    }
  }

  const Parameters& all_;
  void** values_;
  unsigned first_;
  unsigned made_;
  bool grown_ = true;
  std::size_t left_ = frame_bytes;
  std::byte* free_ = memory_;
  std::unique_ptr<std::byte[]> heap_;
  alignas(std::max_align_t) std::byte memory_[frame_bytes];
};

[[gnu::noinline]] void serve(marshal::OneByOne kind, Signature signature, Upcall& call, void* skeleton,
                             RunServant run) {
  const Parameters all = signature.parameters();
  void** const values = static_cast<void**>(alloca(all.count * sizeof(void*)));
  Frame frame(all, signature.has(operation_result) ? 1 : 0, values);
  kind.decode<marshal::in_request>(all, call.arguments(), values);
  frame.read(call.arguments().memory_taken());
  call.arguments_read();
  run(skeleton, signature.number(), values);
  frame.result_made();
  call.reply([&](cdr::Writer& out) { kind.encode<marshal::in_reply>(all, out, values); });
}

/// Parameters of fixed size: zero bytes are valid values, and no destructor is needed.
[[maybe_unused, gnu::noinline]] void serve(marshal::OfFixedSize kind, Signature signature, Upcall& call,
                                           void* skeleton, RunServant run) {
  const Parameters all = signature.parameters();
  alignas(std::max_align_t) std::byte memory[frame_bytes];
  void* values[frame_bytes / marshal::smallest_slot];
  const Word* const words = all.words;
  const marshal::Unit& unit = all.unit;
  std::size_t used = 0;
  for (unsigned i = 0; i != all.count; ++i) {
    const std::size_t size = marshal::fixed_slot_size(unit, words[i]);
    if (size > frame_bytes - used) return serve(marshal::OneByOne(), signature, call, skeleton, run);
    values[i] = memory + used;
    used += size;
  }
  std::memset(memory, 0, used);
  kind.decode<marshal::in_request>(all, call.arguments(), values);
  call.arguments_read();
  run(skeleton, signature.number(), values);
  call.reply([&](cdr::Writer& out) { kind.encode<marshal::in_reply>(all, out, values); });
}

/// The place of the operation of that name in the interface at `table`, or 0.
Word find(const Interpreted& file, const Word* table, std::string_view name) noexcept {
  const Word place = table[2 + (operation_hash(name, table[0]) & table[1])];
  return place != 0 && same_operation(Signature(file, place).name(), name) ? place : 0;
}

}  // namespace

bool interpret(const Interpreted& file, Word table, Upcall& call, void* skeleton, RunServant run) {
  const Word place = find(file, file.unit.words + table, call.operation());
  if (place == 0) return false;
  const Signature signature(file, place);
  if (signature.has(operation_raises))
    call.raises = {file.exceptions, signature.exception_numbers(), signature.exceptions()};
  marshal::by_plan(signature.plan(), [&](auto kind) { serve(kind, signature, call, skeleton, run); });
  return true;
}

bool dispatch_interpreted(void* self, Upcall& call, const Skeleton& skeleton) {
  const auto& interpreted = static_cast<const InterpretedSkeleton&>(skeleton);
  return interpret(interpreted.file, interpreted.table, call, self, interpreted.run);
}

}  // namespace tenon::gen
