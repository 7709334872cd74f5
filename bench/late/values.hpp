// SPDX-License-Identifier: Apache-2.0
//
// What the C++ programs of late.idl send, and how they answer commands (bench/raw/blocks.hpp), for both ORBs. Java's Values has the same
// pattern, so that sums can be compared.
//   noop 0 COUNT | put_TYPE ELEMENTS COUNT | get_TYPE ELEMENTS COUNT     -> nanoseconds of a call, the mean
//   view_TYPE ELEMENTS COUNT  -> the same for put to an object that reads each field where the request has it (E and F, Tenon's servants)
//   read_TYPE ELEMENTS COUNT  -> the same for get, of whose result each field is read where the reply has it (E and F, Java)
//   check_TYPE ELEMENTS 1     -> the sums of what the servant got by put, and of what get returned
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/raw/blocks.hpp"

namespace late {

inline std::int16_t pattern(std::uint64_t place) { return static_cast<std::int16_t>(place * 7919 + 13); }

/// A sequence's elements, whichever ORB's it is.
template <class T>
std::span<const T> view(const std::vector<T>& values) {
  return values;
}
template <class Sequence>
  requires requires(const Sequence& s) { s.get_buffer(); }
auto view(const Sequence& values) {
  return std::span(values.get_buffer(), values.length());
}
template <class T>
std::span<const T> view(std::span<const T> values) {
  return values;
}
template <class Sequence>
auto view(const std::unique_ptr<Sequence>& values) {
  return view(*values);
}

/// Structs of shorts are the shorts, one behind the other, in C++ as in CDR.
template <class T>
std::vector<std::int16_t> shorts_of(std::span<const T> elements) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == 2);
  std::vector<std::int16_t> all(elements.size_bytes() / 2);
  if (!all.empty()) std::memcpy(all.data(), elements.data(), elements.size_bytes());
  return all;
}

template <class Sequence>
std::uint64_t sum(const Sequence& values) {
  std::uint64_t total = 0;
  std::uint64_t place = 0;
  for (const std::int16_t each : shorts_of(view(values))) total += ++place * static_cast<std::uint16_t>(each);
  return total;
}

/// The sum of all shorts, field by field, in 32 bits.
template <class Sequence>
std::int32_t total(const Sequence& values) {
  const auto elements = view(values);
  std::int32_t sum = 0;
  for (const auto& element : elements) {
    std::int16_t fields[sizeof element / 2];
    std::memcpy(fields, &element, sizeof element);
    for (const std::int16_t each : fields) sum += each;
  }
  return sum;
}

template <class T>
void fill(T* elements, std::size_t count) {
  std::vector<std::int16_t> all(count * sizeof(T) / 2);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = pattern(i);
  if (count != 0) std::memcpy(static_cast<void*>(elements), all.data(), count * sizeof(T));
}

template <class Sequence>
Sequence made(std::uint32_t count) {
  Sequence values;
  if constexpr (requires { values.resize(count); }) {
    values.resize(count);
    fill(values.data(), count);
  } else {
    values.length(count);
    fill(values.get_buffer(), count);
  }
  return values;
}

/// What a servant returns: made once for each length.
template <class Sequence>
class Answer {
 public:
  const Sequence& of(std::uint32_t count) {
    if (view(values_).size() != count) values_ = made<Sequence>(count);
    return values_;
  }

 private:
  Sequence values_;
};

/// What a servant keeps of what it is sent: nothing, but when it is being checked.
class Received {
 public:
  template <class Sequence>
  void operator()(const Sequence& values) {
    if (on_) sum_ = late::sum(values);
  }
  void check(bool on) { on_ = on; }
  std::uint64_t sum() const { return sum_; }

 private:
  bool on_ = false;
  std::uint64_t sum_ = 0;
};

template <class Call>
std::string mean_ns(std::size_t count, const Call& call) {
  const std::uint64_t begin = blocks::now_ns();
  for (std::size_t i = 0; i < count; ++i) call();
  const std::uint64_t end = blocks::now_ns();
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(end - begin) / static_cast<double>(count));
  return text;
}

/// `send(values)` calls an object that returns their total.
template <class Sequence, class Send>
std::string viewed(const blocks::Words& words, const Send& send) {
  const auto values = made<Sequence>(static_cast<std::uint32_t>(blocks::number(words, 1)));
  const std::int32_t expected = total(values);
  if (const std::int32_t sum = send(values); sum != expected)
    return "error the sum is " + std::to_string(sum) + " instead of " + std::to_string(expected);
  return mean_ns(blocks::number(words, 2), [&] { send(values); });
}

/// `put(values)` and `get(count)` call the object; what get() gives can be viewed.
template <class Sequence, class Object, class Put, class Get>
std::string answer(Object& object, const blocks::Words& words, const Put& put, const Get& get) {
  const auto elements = static_cast<std::uint32_t>(blocks::number(words, 1));
  const std::size_t count = blocks::number(words, 2);
  const std::string verb = words[0].substr(0, words[0].find('_'));
  if (verb == "get") return mean_ns(count, [&] { get(elements); });
  const auto values = made<Sequence>(elements);
  if (verb == "put") return mean_ns(count, [&] { put(values); });
  if (verb != "check") return "";
  object.check(true);
  put(values);
  const std::uint64_t received = object.sum();
  object.check(false);
  return std::to_string(received) + " " + std::to_string(sum(get(elements)));
}

}  // namespace late
