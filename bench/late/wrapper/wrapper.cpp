// SPDX-License-Identifier: Apache-2.0
//
// The simple wrapper that late demarshalling is compared with: a servant in C++ that calls a Java object, and native methods by which
// Java calls a stub in C++ (measured.Wrapper). Values cross the border as fields.hpp says.
//
// Threads: any; one that the VM does not know is attached by its first call of Java, until it ends.

#include "bench/late/wrapper/fields.hpp"

#include <deque>
#include <tenon/portable_server.hpp>
#include <tenon/tenon.hpp>

#include "bench/late/tenon/calls.hpp"
#include "bench/late/tenon/servant.hpp"

namespace {

using late::fields::Kind;
using late::fields::sequence_of;
using late::fields::vector_of;

JavaVM* machine = nullptr;
jmethodID noop_of_target = nullptr;
jmethodID check_of_target = nullptr;
jmethodID sum_of_target = nullptr;

struct Attached {
  ~Attached() {
    if (here) machine->DetachCurrentThread();
  }
  bool here = false;
};

JNIEnv* environment() {
  thread_local Attached attached;
  void* known = nullptr;
  if (machine->GetEnv(&known, JNI_VERSION_10) == JNI_OK) return static_cast<JNIEnv*>(known);
  if (machine->AttachCurrentThreadAsDaemon(&known, nullptr) != JNI_OK) throw CORBA::UNKNOWN();
  attached.here = true;
  return static_cast<JNIEnv*>(known);
}

void judge(JNIEnv* env) {
  if (env->ExceptionCheck() == JNI_FALSE) return;
  env->ExceptionDescribe();
  env->ExceptionClear();
  throw CORBA::UNKNOWN();
}

/// Calls the Java object. One call at a time.
class WrapperServant final : public CORBA::servant_traits<Late::Target>::base_type {
 public:
  WrapperServant(JNIEnv* env, jobject object) : object_(env->NewGlobalRef(object)) {}

  void noop() override {
    JNIEnv* const env = environment();
    env->CallVoidMethod(object_, noop_of_target);
    judge(env);
  }
  void put_A(const Late::SequenceA& s) override { put(s); }
  void put_B(const Late::SequenceB& s) override { put(s); }
  void put_C(const Late::SequenceC& s) override { put(s); }
  void put_D(const Late::SequenceD& s) override { put(s); }
  void put_E(const Late::SequenceE& s) override { put(s); }
  void put_F(const Late::SequenceF& s) override { put(s); }
  Late::SequenceA get_A(std::uint32_t elements) override { return get<std::int16_t>(elements); }
  Late::SequenceB get_B(std::uint32_t elements) override { return get<Late::StructB>(elements); }
  Late::SequenceC get_C(std::uint32_t elements) override { return get<Late::StructC>(elements); }
  Late::SequenceD get_D(std::uint32_t elements) override { return get<Late::StructD>(elements); }
  Late::SequenceE get_E(std::uint32_t elements) override { return get<Late::StructE>(elements); }
  Late::SequenceF get_F(std::uint32_t elements) override { return get<Late::StructF>(elements); }
  void check(bool on) override {
    JNIEnv* const env = environment();
    env->CallVoidMethod(object_, check_of_target, static_cast<jboolean>(on));
    judge(env);
  }
  std::uint64_t sum() override {
    JNIEnv* const env = environment();
    const auto sum = static_cast<std::uint64_t>(env->CallLongMethod(object_, sum_of_target));
    judge(env);
    return sum;
  }

 private:
  template <class T>
  void put(const std::vector<T>& values) {
    JNIEnv* const env = environment();
    jobject const sequence = sequence_of(env, values);
    env->CallVoidMethod(object_, Kind<T>::put, sequence);
    env->DeleteLocalRef(sequence);
    judge(env);
  }
  template <class T>
  std::vector<T> get(std::uint32_t elements) {
    JNIEnv* const env = environment();
    jobject const sequence = env->CallObjectMethod(object_, Kind<T>::get, static_cast<jint>(elements));
    judge(env);
    std::vector<T> values = vector_of<T>(env, sequence);
    env->DeleteLocalRef(sequence);
    return values;
  }

  jobject object_;
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
std::deque<IDL::traits<Late::Target>::ref_type> stubs;

Late::Target& target(jlong stub) {
  return *reinterpret_cast<Late::Target*>(static_cast<std::uintptr_t>(stub));
}

/// Runs `of()`; what it throws becomes an exception of Java, and the result 0 or null.
template <class Of>
auto in_java(JNIEnv* env, const Of& of) -> decltype(of()) {
  try {
    return of();
  } catch (const CORBA::Exception& e) {
    jclass const type = env->FindClass("java/lang/IllegalStateException");
    if (type != nullptr) env->ThrowNew(type, e.what());
    return decltype(of())();
  }
}

std::string text_of(JNIEnv* env, jstring text) {
  const char* const octets = env->GetStringUTFChars(text, nullptr);
  std::string made = octets != nullptr ? octets : "";
  env->ReleaseStringUTFChars(text, octets);
  return made;
}

jstring serve(JNIEnv* env, jclass, jobject object) {
  return in_java(env, [&] {
    const auto reference = tenon::publish(orb(), CORBA::make_reference<WrapperServant>(env, object));
    return env->NewStringUTF(orb()->object_to_string(reference).c_str());
  });
}

jstring sink(JNIEnv* env, jclass) {
  return in_java(env, [&] {
    const auto reference = tenon::publish(orb(), CORBA::make_reference<late::Servant>());
    return env->NewStringUTF(orb()->object_to_string(reference).c_str());
  });
}

jlong stub(JNIEnv* env, jclass, jstring reference) {
  return in_java(env, [&] {
    stubs.push_back(IDL::traits<Late::Target>::narrow(orb()->string_to_object(text_of(env, reference))));
    return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(stubs.back().get()));
  });
}

jstring command(JNIEnv* env, jclass, jlong stub, jstring text) {
  return in_java(env, [&] {
    blocks::Words words(1);
    for (const char each : text_of(env, text)) {
      if (each == ' ')
        words.emplace_back();
      else
        words.back() += each;
    }
    const std::string answer = late::commanded(target(stub), words);
    return answer.empty() ? nullptr : env->NewStringUTF(answer.c_str());
  });
}

void noop(JNIEnv* env, jclass, jlong stub) {
  in_java(env, [&] { target(stub).noop(); });
}
void check(JNIEnv* env, jclass, jlong stub, jboolean on) {
  in_java(env, [&] { target(stub).check(on == JNI_TRUE); });
}
jlong sum(JNIEnv* env, jclass, jlong stub) {
  return in_java(env, [&] { return static_cast<jlong>(target(stub).sum()); });
}

template <class T, void (Late::Target::*operation)(const std::vector<T>&)>
void put(JNIEnv* env, jclass, jlong stub, jobject sequence) {
  in_java(env, [&] { (target(stub).*operation)(vector_of<T>(env, sequence)); });
}

template <class T, std::vector<T> (Late::Target::*operation)(std::uint32_t)>
jobject get(JNIEnv* env, jclass, jlong stub, jint elements) {
  return in_java(
      env, [&] { return sequence_of(env, (target(stub).*operation)(static_cast<std::uint32_t>(elements))); });
}

template <class Function>
JNINativeMethod native(const char* name, const char* signature, Function* function) {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

bool register_natives(JNIEnv* env, jclass where) {
  using Late::Target;
  const char* const put_list = "(JLjava/util/List;)V";
  const char* const get_list = "(JI)Ljava/util/List;";
  const JNINativeMethod all[] = {
      native("serve", "(LLate/Target;)Ljava/lang/String;", serve),
      native("sink", "()Ljava/lang/String;", sink),
      native("stub", "(Ljava/lang/String;)J", stub),
      native("command", "(JLjava/lang/String;)Ljava/lang/String;", command),
      native("noop", "(J)V", noop),
      native("check", "(JZ)V", check),
      native("sum", "(J)J", sum),
      native("putA", "(J[S)V", put<std::int16_t, &Target::put_A>),
      native("putB", put_list, put<Late::StructB, &Target::put_B>),
      native("putC", put_list, put<Late::StructC, &Target::put_C>),
      native("putD", put_list, put<Late::StructD, &Target::put_D>),
      native("putE", put_list, put<Late::StructE, &Target::put_E>),
      native("putF", put_list, put<Late::StructF, &Target::put_F>),
      native("getA", "(JI)[S", get<std::int16_t, &Target::get_A>),
      native("getB", get_list, get<Late::StructB, &Target::get_B>),
      native("getC", get_list, get<Late::StructC, &Target::get_C>),
      native("getD", get_list, get<Late::StructD, &Target::get_D>),
      native("getE", get_list, get<Late::StructE, &Target::get_E>),
      native("getF", get_list, get<Late::StructF, &Target::get_F>),
  };
  return env->RegisterNatives(where, all, sizeof all / sizeof *all) == JNI_OK;
}

bool load_all(JNIEnv* env, jclass target) {
  namespace fields = late::fields;
  noop_of_target = env->GetMethodID(target, "noop", "()V");
  check_of_target = env->GetMethodID(target, "check", "(Z)V");
  sum_of_target = env->GetMethodID(target, "sum", "()J");
  return fields::load_lists(env) && fields::load<std::int16_t>(env, target, 'A') &&
         fields::load<Late::StructB>(env, target, 'B') && fields::load<Late::StructC>(env, target, 'C') &&
         fields::load<Late::StructD>(env, target, 'D') && fields::load<Late::StructE>(env, target, 'E') &&
         fields::load<Late::StructF>(env, target, 'F');
}

}  // namespace

/// Called by System.loadLibrary().
extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  machine = vm;
  void* known = nullptr;
  if (vm->GetEnv(&known, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
  auto* const env = static_cast<JNIEnv*>(known);
  jclass const target_class = env->FindClass("Late/Target");
  jclass const wrapper = target_class != nullptr ? env->FindClass("measured/Wrapper") : nullptr;
  if (wrapper == nullptr || !load_all(env, target_class) || !register_natives(env, wrapper)) return JNI_ERR;
  return JNI_VERSION_10;
}
