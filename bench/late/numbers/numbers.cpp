// SPDX-License-Identifier: Apache-2.0
//
// The C++ side of measured.Numbers: a servant, and calls of a stub. Main thread only.
#include <jni.h>

#include <chrono>
#include <deque>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "numbers_skel.hpp"

namespace {

/// It counts, since an empty method costs less than any other.
class Sink final : public CORBA::servant_traits<Border::Numbers>::base_type {
 public:
  void noop() override { ++calls_; }
  void six(std::int32_t a, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t) override {
    calls_ += a;
  }
  std::int32_t given() override { return ++calls_; }
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
  double mixed(bool a, std::uint8_t b, std::int16_t c, std::int64_t d, double e) override {
    return a ? b + c + static_cast<double>(d) + e : 0;
  }

 private:
  std::int32_t calls_ = 0;
};

// The ORB that Java has made, and stubs, which stay until the process ends.
auto orb() {
  static const auto known = [] {
    char name[] = "java";
    char* arguments[] = {name, nullptr};
    int count = 1;
    return CORBA::ORB_init(count, arguments, "late");
  }();
  return known;
}
std::deque<IDL::traits<Border::Numbers>::ref_type> stubs;

double mean(Border::Numbers& target, int operation, long count) {
  const auto timed = [count](const auto& call) {
    const auto begin = std::chrono::steady_clock::now();
    for (long i = 0; i < count; ++i) call();
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
    return spent.count() / static_cast<double>(count);
  };
  switch (operation) {
    case 0: return timed([&] { target.noop(); });
    case 1: return timed([&] { target.six(1, 2, 3, 4, 5, 6); });
    case 2: return timed([&] { target.given(); });
    case 3: return timed([&] { target.add(1, 2); });
    default: return timed([&] { target.mixed(true, 1, 2, 3, 4); });
  }
}

template <class Of>
auto in_java(JNIEnv* env, const Of& of) -> decltype(of()) {
  try {
    return of();
  } catch (const CORBA::Exception& e) {
    jclass const type = env->FindClass("java/lang/IllegalStateException");
    if (type != nullptr) env->ThrowNew(type, e.what());
    return {};
  }
}

}  // namespace

extern "C" JNIEXPORT jstring JNICALL Java_measured_Numbers_sink(JNIEnv* env, jclass) {
  return in_java(env, [&] {
    const auto reference = tenon::publish(orb(), CORBA::make_reference<Sink>());
    return env->NewStringUTF(orb()->object_to_string(reference).c_str());
  });
}

extern "C" JNIEXPORT jlong JNICALL Java_measured_Numbers_stub(JNIEnv* env, jclass, jstring reference) {
  return in_java(env, [&] {
    const char* const text = env->GetStringUTFChars(reference, nullptr);
    stubs.push_back(IDL::traits<Border::Numbers>::narrow(orb()->string_to_object(text)));
    env->ReleaseStringUTFChars(reference, text);
    return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(stubs.back().get()));
  });
}

/// Nanoseconds of a call.
extern "C" JNIEXPORT jdouble JNICALL Java_measured_Numbers_mean(JNIEnv* env, jclass, jlong stub,
                                                                jint operation, jint count) {
  return in_java(env, [&] {
    return mean(*reinterpret_cast<Border::Numbers*>(static_cast<std::uintptr_t>(stub)), operation, count);
  });
}
