// SPDX-License-Identifier: Apache-2.0
//
// What writing costs, beside a plain copy of the same bytes.
#include "cdr/writer.hpp"

#include <benchmark/benchmark.h>

namespace tenon::cdr {
namespace {

constexpr ByteOrder foreign = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;

void copy_memory(benchmark::State& state) {
  const std::vector<std::uint8_t> from(static_cast<std::size_t>(state.range(0)), 1);
  std::vector<std::uint8_t> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(copy_memory)->Arg(65536);

template <typename T>
void put_array(benchmark::State& state) {
  const std::vector<T> from(static_cast<std::size_t>(state.range(0)) / sizeof(T), T{1});
  const WireFormat format{.order = state.range(1) != 0 ? foreign : native_order};
  Writer writer;
  for (auto _ : state) {
    writer.reset(format);
    writer.put_length(from.size());
    writer.put_array(from.data(), from.size());
    benchmark::DoNotOptimize(writer.bytes().data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(put_array<char>)->Args({65536, 0});
BENCHMARK(put_array<std::int16_t>)->Args({65536, 0})->Args({65536, 1});
BENCHMARK(put_array<std::int32_t>)->Args({65536, 0})->Args({65536, 1});
BENCHMARK(put_array<double>)->Args({65536, 0})->Args({65536, 1});

void put_booleans(benchmark::State& state) {
  const std::vector<bool> from(65536, true);
  Writer writer;
  for (auto _ : state) {
    writer.reset({});
    writer.put_booleans(from);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 65536);
}
BENCHMARK(put_booleans);

void put_struct_fields(benchmark::State& state) {
  Writer writer;
  for (auto _ : state) {
    writer.reset({});
    for (int i = 0; i < 1000; ++i) {
      writer.put(static_cast<std::int16_t>(i));
      writer.put('c');
      writer.put(i);
      writer.put(static_cast<std::uint8_t>(1));
      writer.put(1.5);
    }
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 5000);
}
BENCHMARK(put_struct_fields);

void put_string(benchmark::State& state) {
  Writer writer;
  for (auto _ : state) {
    writer.reset({});
    for (int i = 0; i < 1000; ++i) writer.put_string("a short name");
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(put_string);

void lend_block(benchmark::State& state) {
  const std::vector<double> from(8192, 1.0);
  Writer writer;
  std::vector<Piece> pieces;
  for (auto _ : state) {
    writer.reset({});
    writer.allow_lending(true);
    writer.put_length(from.size());
    writer.put_array(from.data(), from.size());
    benchmark::DoNotOptimize(writer.gather(pieces));
    benchmark::DoNotOptimize(pieces.data());
  }
}
BENCHMARK(lend_block);

}  // namespace
}  // namespace tenon::cdr
