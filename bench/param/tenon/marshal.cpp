// SPDX-License-Identifier: Apache-2.0
//
// Stubs and skeletons of param.idl without an engine: what they cost by themselves. This program says what every stub ends in
// (tenon::gen::call_ways), which writes the arguments to memory and reads results from memory; skeletons are given a request in memory.
// A command on standard input (bench/raw/blocks.hpp):
//   TYPE COUNT   -> nanoseconds a call: client marshal, client demarshal, server demarshal, server marshal
// The stub's frame without values, an upcall without values and the servant's own copies are measured apart and taken off. Built once
// with compiled and once with interpreted stubs.
//
// Threads: one.

#include <algorithm>
#include <numeric>
#include <span>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>
#include <vector>

#include "bench/raw/blocks.hpp"
#include "operations.hpp"
#include "servant.hpp"

namespace {

using tenon::cdr::Reader;
using tenon::cdr::Writer;

// A request that lies in memory, and the memory of its reply.
class Incoming final : public tenon::protocol::IncomingCall {
 public:
  void set(std::string_view name, const Writer& request) {
    operation = name;
    bytes_ = request.bytes();
    rewind();
  }
  void rewind() { arguments = Reader(bytes_, {}); }

  tenon::ByteView context(std::uint32_t) const noexcept override { return {}; }
  Writer& begin_reply(tenon::protocol::ReplyStatus status) override {
    good_ = status == tenon::protocol::ReplyStatus::no_exception;
    reply.reset({});
    return reply;
  }
  tenon::Status finish_reply() override { return {}; }
  bool replied() const noexcept override { return false; }
  void detach() override {}
  std::unique_ptr<tenon::protocol::IncomingCall> take() override { return nullptr; }

  bool good() const { return good_; }
  Writer reply;

 private:
  tenon::ByteView bytes_;
  bool good_ = false;
};

class TimedServant final : public param::Servant {
 public:
  std::uint64_t entered = 0;  // when, if `timed`
  bool timed = false;

 protected:
  void arguments_are_here() override {
    if (timed) entered = blocks::now_ns();
  }
};

class TimedEcho final : public param::EchoServant {
 public:
  void nothing() override {
    if (timed) entered = blocks::now_ns();
  }
  std::uint64_t entered = 0;
  bool timed = false;
};

// What the stub that runs is to do.
enum class Part { nothing, arguments, all, exchange };

struct {
  Part part = Part::exchange;
  Writer request;
  Incoming incoming;
  CORBA::servant_reference<TimedServant> servant;
  CORBA::servant_reference<TimedEcho> echo;
} state;

// Inline, so that a stub calls one function, as it does in the library.
[[gnu::always_inline]] inline void call_in_memory(const tenon::gen::Operation& operation, tenon::gen::Put put,
                                                  tenon::gen::Get get) {
  if (state.part == Part::nothing) return;
  state.request.reset({});
  put(state.request);
  if (state.part == Part::arguments) return;
  if (state.part == Part::exchange) {
    state.incoming.set(operation.name, state.request);
    state.servant->upcall(state.incoming);
  }
  Reader in(state.incoming.reply.bytes(), {});
  get(in);
}

// Processor time, so that whoever else runs on this machine does not count.
double processor_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class Do>
double nanoseconds(std::size_t count, const Do& repeat) {
  const double begin = processor_ns();
  for (std::size_t i = 0; i < count; ++i) repeat();
  return (processor_ns() - begin) / static_cast<double>(count);
}

template <class Servant>
void upcall(Servant& servant) {
  state.incoming.rewind();
  servant.upcall(state.incoming);
}

// From the request to the servant's first line, less the clock's own time: the mean of the middle half, because a clock may tick
// more slowly than a small value is read.
template <class Servant>
double until_entered(Servant& servant, std::size_t count) {
  std::vector<std::uint64_t> times(count);
  servant.timed = true;
  for (std::uint64_t& time : times) {
    const std::uint64_t begin = blocks::now_ns();
    upcall(servant);
    time = servant.entered - begin;
  }
  servant.timed = false;
  std::sort(times.begin(), times.end());
  const std::span<const std::uint64_t> middle = std::span(times).subspan(count / 4, (count + 1) / 2);
  const double sum = std::accumulate(middle.begin(), middle.end(), 0.0);
  return sum / static_cast<double>(middle.size()) -
         nanoseconds(count, [] { static_cast<void>(blocks::now_ns()); });
}

struct Upcall {
  double until_servant;
  double whole;
};
template <class Servant>
Upcall time_upcall(Servant& servant, std::size_t count) {
  const double whole = nanoseconds(count, [&] { upcall(servant); });
  return {until_entered(servant, count), whole};
}

template <class T, class Operation>
std::string measure(std::size_t count, const T& sample, const Operation& operation) {
  Param::ParamTest stub;
  T inout = sample;
  const auto call = [&](Part part) {
    state.part = part;
    T out{};
    const T result = operation(stub, sample, inout, out);
    return result == sample && out == sample && inout == sample;
  };
  if (count == 0) return "error no calls";
  if (!call(Part::exchange) || !state.incoming.good()) return "error the values came back changed";
  const auto time = [&](Part part) {
    state.part = part;
    return nanoseconds(count, [&] {
      T out{};
      [[maybe_unused]] const T result = operation(stub, sample, inout, out);
    });
  };
  const double frame = time(Part::nothing);
  const double arguments = time(Part::arguments);
  const double client = time(Part::all);
  const Upcall server = time_upcall(*state.servant, count);
  const double copies = nanoseconds(count, [&] {
    T out{};
    [[maybe_unused]] const T result = param::copy(sample, inout, out);
  });
  state.incoming.set("nothing", state.request);
  const Upcall empty = time_upcall(*state.echo, count);
  if (!state.incoming.good()) return "error the empty operation failed";
  const double demarshal = server.until_servant - empty.until_servant;
  char text[128];
  std::snprintf(text, sizeof text, "%.2f %.2f %.2f %.2f", arguments - frame, client - arguments, demarshal,
                server.whole - empty.whole - copies - demarshal);
  return text;
}

}  // namespace

namespace tenon::gen {

// They stand beside link_calls() in the library; no operation here has a reference.
void put_reference(Writer& out, const CORBA::Object*) { out.fail(errors::local_object); }
HeldReference get_reference(Reader&) { return {}; }

}  // namespace tenon::gen

int main() {
  constexpr auto in_memory = [](CORBA::Object&, const auto& operation, tenon::gen::Put put,
                                tenon::gen::Get get) { call_in_memory(operation, put, get); };
  tenon::gen::call_ways = {in_memory, in_memory};
  state.servant = CORBA::make_reference<TimedServant>();
  state.echo = CORBA::make_reference<TimedEcho>();
  const int status = blocks::serve_commands([](const blocks::Words& words) {
    return param::with_type(words[0], [&](const auto& sample, const auto& operation) {
      return measure(blocks::number(words, 1), sample, operation);
    });
  });
  state.servant = nullptr;
  state.echo = nullptr;
  return status;
}
