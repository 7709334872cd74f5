// SPDX-License-Identifier: Apache-2.0
#include "interpreted/interpreted.hpp"

#include <alloca.h>

#include <cstring>
#include <memory>
#include <string>

namespace tenon::gen {

namespace {

using marshal::TypeIndex;
using marshal::Word;

/// The words of one operation.
class Signature {
 public:
  Signature(const Interpreted& file, Word place) noexcept
      : file_(file), at_(file.unit.words + place), count_(parameter_count(at_[0])) {}

  bool has(OperationFlags flag) const noexcept { return (at_[0] & flag) != 0; }
  unsigned number() const noexcept { return number_of(at_[0]); }
  std::string_view name() const noexcept { return {file_.names + (at_[1] >> 8), at_[1] & 0xFF}; }
  unsigned count() const noexcept { return count_; }
  Mode mode(unsigned i) const noexcept { return mode_of(at_[2 + i]); }
  TypeIndex type(unsigned i) const noexcept { return type_of(at_[2 + i]); }
  /// The type's first word, which describes its memory.
  Word head(unsigned i) const noexcept { return file_.unit.words[type(i)]; }

  /// The first parameter that is not the result.
  unsigned first() const noexcept { return count_ != 0 && mode(0) == Mode::result ? 1 : 0; }

  unsigned exceptions() const noexcept { return has(operation_raises) ? at_[2 + count_] : 0; }
  const Word* exception_numbers() const noexcept { return at_ + 3 + count_; }

 private:
  const Interpreted& file_;
  const Word* at_;
  unsigned count_;
};

}  // namespace

void interpret(CORBA::Object& self, const Interpreted& file, Word place, const void* const* values) {
  const Signature signature(file, place);
  const marshal::Unit& unit = file.unit;

  const unsigned exceptions = signature.exceptions();
  Raises* raises = nullptr;
  if (exceptions != 0) {
    raises = static_cast<Raises*>(alloca(exceptions * sizeof(Raises)));
    for (unsigned i = 0; i < exceptions; ++i)
      ::new (raises + i) Raises(file.exceptions[signature.exception_numbers()[i]]);
  }
  const Operation operation{
      .name = signature.name(),
      .kind = signature.has(operation_oneway) ? Kind::oneway : Kind::two_way,
      .has_arguments = signature.has(operation_has_arguments),
      .raises = {raises, exceptions},
  };
  const auto put = [&](cdr::Writer& out) {
    for (unsigned i = 0; i < signature.count(); ++i) {
      const Mode mode = signature.mode(i);
      if (mode == Mode::in || mode == Mode::inout) marshal::encode(unit, signature.type(i), out, values[i]);
    }
  };
  const auto get = [&](cdr::Reader& in) {
    for (unsigned i = 0; i < signature.count(); ++i) {
      if (signature.mode(i) != Mode::in)
        marshal::decode(unit, signature.type(i), in, const_cast<void*>(values[i]));
    }
  };
  call(self, operation, put, get);
}

namespace {

/// Frames up to this size are on the stack.
constexpr std::size_t most_on_stack = 16 * 1024;

/// The parameters of one upcall: which are values by now, and ends them.
class Frame {
 public:
  Frame(const marshal::Unit& unit, const Signature& signature, std::byte* memory, void** values) noexcept
      : unit_(unit), signature_(signature), values_(values) {
    std::size_t offset = 0;
    for (unsigned i = 0; i < signature.count(); ++i) {
      offset = placed(offset, signature.head(i));
      values[i] = memory + offset;
      offset += marshal::size_of(signature.head(i));
    }
  }
  ~Frame() {
    while (made_ != signature_.first()) destroy(--made_);
    if (has_result_) destroy(0);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  static std::size_t size(const Signature& signature) noexcept {
    std::size_t offset = 0;
    for (unsigned i = 0; i < signature.count(); ++i)
      offset = placed(offset, signature.head(i)) + marshal::size_of(signature.head(i));
    return offset;
  }

  /// In order, beginning behind the result.
  void construct(unsigned i) {
    const Word head = signature_.head(i);
    if ((head & marshal::type_zero) != 0) {
      std::memset(values_[i], 0, marshal::size_of(head));
    } else {
      marshal::construct(unit_, signature_.type(i), values_[i]);
    }
    made_ = i + 1;
  }
  /// The servant has made its result, if the operation has one.
  void result_made() noexcept { has_result_ = signature_.first() != 0; }

 private:
  static std::size_t placed(std::size_t offset, Word head) noexcept {
    const std::size_t align = marshal::align_of(head);
    return (offset + align - 1) & ~(align - 1);
  }
  void destroy(unsigned i) noexcept {
    if ((signature_.head(i) & marshal::type_plain) == 0)
      marshal::destroy(unit_, signature_.type(i), values_[i]);
  }

  const marshal::Unit& unit_;
  const Signature& signature_;
  void** values_;
  unsigned made_ = signature_.first();
  bool has_result_ = false;
};

void serve(const Interpreted& file, const Signature& signature, Upcall& call, void* skeleton, RunServant run,
           std::byte* memory) {
  const marshal::Unit& unit = file.unit;
  void** const values = static_cast<void**>(alloca((signature.count() + 1) * sizeof(void*)));
  Frame frame(unit, signature, memory, values);
  cdr::Reader& in = call.arguments();
  for (unsigned i = signature.first(); i < signature.count(); ++i) {
    frame.construct(i);
    if (signature.mode(i) != Mode::out) marshal::decode(unit, signature.type(i), in, values[i]);
  }
  call.arguments_read();
  run(skeleton, signature.number(), values);
  frame.result_made();
  call.reply([&](cdr::Writer& out) {
    for (unsigned i = 0; i < signature.count(); ++i) {
      if (signature.mode(i) != Mode::in) marshal::encode(unit, signature.type(i), out, values[i]);
    }
  });
}

/// The place of the operation of that name in the interface at `table`, or 0.
Word find(const Interpreted& file, const Word* table, std::string_view name) noexcept {
  const Word place = table[2 + (operation_hash(name, table[0]) & table[1])];
  return place != 0 && Signature(file, place).name() == name ? place : 0;
}

}  // namespace

bool interpret(const Interpreted& file, Word table, Upcall& call, void* skeleton, RunServant run) {
  const Word place = find(file, file.unit.words + table, call.operation());
  if (place == 0) return false;
  const Signature signature(file, place);
  call.raises = {file.exceptions, signature.exception_numbers(), signature.exceptions()};
  const std::size_t bytes = Frame::size(signature);
  if (bytes <= most_on_stack) {
    serve(file, signature, call, skeleton, run, static_cast<std::byte*>(alloca(bytes + 1)));
  } else {
    const auto heap = std::make_unique_for_overwrite<std::byte[]>(bytes);
    serve(file, signature, call, skeleton, run, heap.get());
  }
  return true;
}

}  // namespace tenon::gen
