// SPDX-License-Identifier: Apache-2.0
//
// What reading costs, beside a plain copy of the same bytes.
#include "cdr/reader.hpp"

#include <benchmark/benchmark.h>

#include "cdr/writer.hpp"

namespace tenon::cdr {
namespace {

constexpr ByteOrder foreign = native_order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;

void copy_fresh(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<double> from(bytes / 8, 1.0);
  for (auto _ : state) {
    std::vector<double> to(from);
    benchmark::DoNotOptimize(to.data());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(copy_fresh)->Arg(65536);

template <typename T>
void get_vector(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const WireFormat format{.order = state.range(1) != 0 ? foreign : native_order};
  Writer writer(format);
  writer.put_length(bytes / sizeof(T));
  const std::vector<T> from(bytes / sizeof(T), T{1});
  writer.put_array(from.data(), from.size());
  for (auto _ : state) {
    Reader reader(writer.bytes(), format);
    std::vector<T> to;
    reader.get_vector(to, reader.get_length(sizeof(T)));
    benchmark::DoNotOptimize(to.data());
  }
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(get_vector<char>)->Args({65536, 0});
BENCHMARK(get_vector<std::int16_t>)->Args({65536, 0})->Args({65536, 1});
BENCHMARK(get_vector<std::int32_t>)->Args({65536, 0})->Args({65536, 1});
BENCHMARK(get_vector<double>)->Args({65536, 0})->Args({65536, 1});

void get_booleans(benchmark::State& state) {
  Writer writer;
  writer.put_booleans(std::vector<bool>(65536, true));
  for (auto _ : state) {
    Reader reader(writer.bytes(), {});
    std::vector<bool> to;
    reader.get_booleans(to, 65536);
    benchmark::DoNotOptimize(to.begin());
  }
  state.SetBytesProcessed(state.iterations() * 65536);
}
BENCHMARK(get_booleans);

void get_struct_fields(benchmark::State& state) {
  Writer writer;
  for (int i = 0; i < 1000; ++i) {
    writer.put(static_cast<std::int16_t>(i));
    writer.put('c');
    writer.put(i);
    writer.put(static_cast<std::uint8_t>(1));
    writer.put(1.5);
  }
  for (auto _ : state) {
    Reader reader(writer.bytes(), {});
    double sum = 0;
    for (int i = 0; i < 1000; ++i) {
      sum += reader.get<std::int16_t>() + reader.get<char>() + reader.get<std::int32_t>() +
             reader.get<std::uint8_t>();
      sum += reader.get<double>();
    }
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * 5000);
}
BENCHMARK(get_struct_fields);

void get_string(benchmark::State& state) {
  Writer writer;
  for (int i = 0; i < 1000; ++i) writer.put_string("a short name");
  std::string text;
  for (auto _ : state) {
    Reader reader(writer.bytes(), {});
    for (int i = 0; i < 1000; ++i) reader.get_string(text);
    benchmark::DoNotOptimize(text.data());
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(get_string);

}  // namespace
}  // namespace tenon::cdr
