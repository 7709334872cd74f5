// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/messaging/reply_upcall.hpp"

#include <alloca.h>

#include <memory>
#include <new>

#include "mapping/cpp11/calls/kept.hpp"
#include "mapping/cpp11/calls/parameter_frame.hpp"

namespace Messaging {
inline namespace cpp11 {

namespace gen = tenon::gen;

constinit const gen::Skeleton ReplyHandler_skeleton::_skeleton{
    "IDL:omg.org/Messaging/ReplyHandler:1.0\0"
    "IDL:omg.org/CORBA/Object:1.0\0",
    nullptr, nullptr, &gen::dispatch_nothing};

}  // namespace cpp11
}  // namespace Messaging

namespace tenon::gen {

namespace {

/// Lies in front of a value that upcalls keep.
struct alignas(std::max_align_t) KeptHead : KeptBlock {
  const ParameterType* type = nullptr;
  void* value() noexcept { return this + 1; }
};

void destroy_kept(KeptBlock* block) noexcept {
  auto* const head = static_cast<KeptHead*>(block);
  end_value(*head->type, head->value());
  ::operator delete(head);
}

void* take_kept_value(const ParameterType& type) {
  if (KeptBlock* const block = take_kept(&type)) return static_cast<KeptHead*>(block)->value();
  auto* const head = ::new (::operator new(sizeof(KeptHead) + type.size)) KeptHead;
  head->key = &type;
  head->destroy = &destroy_kept;
  head->type = &type;
  begin_value(type, head->value());  // sequences only, or arrays of them, which begin without memory
  return head->value();
}

void give_kept_value(const ParameterType& type, void* value) noexcept {
  KeptHead* const head = static_cast<KeptHead*>(value) - 1;
  head->bytes = sizeof(KeptHead) + type.size + type.held(value);
  give_kept(head);
}

constexpr std::size_t bytes_on_stack = 512;

/// The parameters of one upcall of a handler; they live as long as the upcall.
class Told {
 public:
  /// `values`: room for an address for each parameter.
  Told(std::span<const AsyncParameter> parameters, void** values) : parameters_(parameters), values_(values) {
    std::size_t bytes = 0;
    for (const AsyncParameter& each : parameters) {
      if (on_frame(each)) bytes += frame_size(*each.type);
    }
    if (bytes > sizeof memory_) heap_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
  }
  ~Told() {
    for (const AsyncParameter& each : parameters_) {
      if (made_ == 0) return;
      if (!each.in_reply) continue;
      --made_;
      void* const value = *values_++;
      if (on_frame(each)) {
        end_value(*each.type, value);
      } else {
        give_kept_value(*each.type, value);
      }
    }
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  void read(cdr::Reader& in) {
    std::byte* free = heap_ ? heap_.get() : memory_;
    for (const AsyncParameter& each : parameters_) {
      if (!each.in_reply) continue;
      if (!on_frame(each)) {
        values_[made_] = take_kept_value(*each.type);
      } else {
        begin_value(*each.type, free);
        values_[made_] = free;
        free += frame_size(*each.type);
      }
      each.type->get(in, values_[made_++]);
    }
  }

 private:
  static bool on_frame(const AsyncParameter& each) noexcept {
    return each.in_reply && each.type->held == nullptr;
  }

  std::span<const AsyncParameter> parameters_;
  void** values_;
  unsigned made_ = 0;
  std::unique_ptr<std::byte[]> heap_;
  alignas(std::max_align_t) std::byte memory_[bytes_on_stack];
};

[[gnu::noinline]] void run_reply(const AsyncOperation& about, Upcall& call, void* skeleton, unsigned which,
                                 RunHandler run) {
  void** const values = static_cast<void**>(alloca((about.parameters.size() + 1) * sizeof(void*)));
  Told told(about.parameters, values);
  told.read(call.arguments());
  call.arguments_read();
  run(skeleton, which, values);
  call.reply();
}

[[gnu::noinline]] void run_excep(const AsyncOperation& about, Upcall& call, void* skeleton, unsigned which,
                                 RunHandler run) {
  Messaging::ExceptionHolderRef holder;
  Value<Messaging::ExceptionHolder>::get(call.arguments(), holder);
  call.arguments_read();
  if (holder) holder->_listed(about.operation.raises);
  void* const values[] = {&holder};
  run(skeleton, which, values);
  call.reply();
}

}  // namespace

bool dispatch_reply(const AsyncInterface& interface, Upcall& call, void* skeleton, RunHandler run) {
  const std::string_view name = call.operation();
  const unsigned number =
      interface.slots[operation_hash(name, interface.seed) & (interface.slots.size() - 1)];
  if (number == 0) return false;
  const unsigned which = number - 1;
  const AsyncOperation& about = interface.operations[which / 2];
  const bool excep = which % 2 != 0;
  if (!same_operation(excep ? about.excep : about.reply, name)) return false;
  call.raises = {};
  (excep ? run_excep : run_reply)(about, call, skeleton, which, run);
  return true;
}

}  // namespace tenon::gen
