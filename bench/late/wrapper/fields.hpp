// SPDX-License-Identifier: Apache-2.0
//
// Values of late.idl between C++ and Java by JNI, field by field, as a simple wrapper does it: classes, constructors and fields are
// looked up once; a struct is made by its constructor; an array of shorts crosses at once.
//
// Threads: any that the VM knows.
#pragma once

#include <jni.h>

#include <string>
#include <type_traits>
#include <vector>

#include "late.hpp"

namespace late::fields {

/// What JNI has to know of the type of a sequence's elements, and of the operations that carry it.
template <class T>
struct Kind {
  static inline jclass type = nullptr;
  static inline jmethodID constructor = nullptr;
  static inline jfieldID a = nullptr;
  static inline jfieldID b = nullptr;
  static inline jmethodID put = nullptr;
  static inline jmethodID get = nullptr;
};

inline jclass arrays = nullptr;
inline jmethodID as_list = nullptr;
inline jmethodID to_array = nullptr;

template <class T>
using Part = std::remove_cvref_t<decltype(std::declval<const T&>().a())>;

/// False: an exception is pending.
template <class T>
bool load(JNIEnv* env, jclass target, char letter) {
  std::string sequence = "Ljava/util/List;";
  if constexpr (std::is_same_v<T, std::int16_t>) {
    sequence = "[S";
  } else {
    const bool leaf = std::is_same_v<Part<T>, std::int16_t>;
    const std::string part = leaf ? "S" : std::string("LLate/Struct") + static_cast<char>(letter - 1) + ";";
    const std::string name = std::string("Late/Struct") + letter;
    jclass const found = env->FindClass(name.c_str());
    if (found == nullptr) return false;
    Kind<T>::type = static_cast<jclass>(env->NewGlobalRef(found));
    Kind<T>::constructor = env->GetMethodID(found, "<init>", ("(" + part + part + ")V").c_str());
    Kind<T>::a = env->GetFieldID(found, "a", part.c_str());
    Kind<T>::b = env->GetFieldID(found, "b", part.c_str());
  }
  Kind<T>::put =
      env->GetMethodID(target, (std::string("put_") + letter).c_str(), ("(" + sequence + ")V").c_str());
  Kind<T>::get = env->GetMethodID(target, (std::string("get_") + letter).c_str(), ("(I)" + sequence).c_str());
  return env->ExceptionCheck() == JNI_FALSE;
}

inline bool load_lists(JNIEnv* env) {
  jclass const found = env->FindClass("java/util/Arrays");
  jclass const list = found != nullptr ? env->FindClass("java/util/List") : nullptr;
  if (list == nullptr) return false;
  arrays = static_cast<jclass>(env->NewGlobalRef(found));
  as_list = env->GetStaticMethodID(found, "asList", "([Ljava/lang/Object;)Ljava/util/List;");
  to_array = env->GetMethodID(list, "toArray", "()[Ljava/lang/Object;");
  return env->ExceptionCheck() == JNI_FALSE;
}

/// The local references that an element needs: given back at once, which takes less time than one by one.
class Frame {
 public:
  explicit Frame(JNIEnv* env) : env_(env) { env->PushLocalFrame(most_references); }
  ~Frame() { env_->PopLocalFrame(nullptr); }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

 private:
  static constexpr jint most_references = 32;  // of StructF, whose parts are 30
  JNIEnv* env_;
};

template <class T>
jobject object_of(JNIEnv* env, const T& value) {
  jvalue parts[2];
  if constexpr (std::is_same_v<Part<T>, std::int16_t>) {
    parts[0].s = value.a();
    parts[1].s = value.b();
  } else {
    parts[0].l = object_of(env, value.a());
    parts[1].l = object_of(env, value.b());
  }
  return env->NewObjectA(Kind<T>::type, Kind<T>::constructor, parts);
}

template <class T>
void read(JNIEnv* env, jobject object, T& value) {
  if constexpr (std::is_same_v<Part<T>, std::int16_t>) {
    value.a(env->GetShortField(object, Kind<T>::a));
    value.b(env->GetShortField(object, Kind<T>::b));
  } else {
    read(env, env->GetObjectField(object, Kind<T>::a), value.a());
    read(env, env->GetObjectField(object, Kind<T>::b), value.b());
  }
}

/// A short[], or a list. Null: an exception is pending.
template <class T>
jobject sequence_of(JNIEnv* env, const std::vector<T>& values) {
  const auto size = static_cast<jsize>(values.size());
  if constexpr (std::is_same_v<T, std::int16_t>) {
    jshortArray const made = env->NewShortArray(size);
    if (made != nullptr) env->SetShortArrayRegion(made, 0, size, values.data());
    return made;
  } else {
    jobjectArray const made = env->NewObjectArray(size, Kind<T>::type, nullptr);
    if (made == nullptr) return nullptr;
    for (jsize i = 0; i < size; ++i) {
      const Frame frame(env);
      env->SetObjectArrayElement(made, i, object_of(env, values[static_cast<std::size_t>(i)]));
    }
    jobject const list = env->CallStaticObjectMethod(arrays, as_list, made);
    env->DeleteLocalRef(made);
    return list;
  }
}

template <class T>
std::vector<T> vector_of(JNIEnv* env, jobject sequence) {
  std::vector<T> values;
  if constexpr (std::is_same_v<T, std::int16_t>) {
    auto* const array = static_cast<jshortArray>(sequence);
    values.resize(static_cast<std::size_t>(env->GetArrayLength(array)));
    env->GetShortArrayRegion(array, 0, static_cast<jsize>(values.size()), values.data());
  } else {
    auto* const array = static_cast<jobjectArray>(env->CallObjectMethod(sequence, to_array));
    if (array == nullptr) return values;
    values.resize(static_cast<std::size_t>(env->GetArrayLength(array)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Frame frame(env);
      read(env, env->GetObjectArrayElement(array, static_cast<jsize>(i)), values[i]);
    }
    env->DeleteLocalRef(array);
  }
  return values;
}

}  // namespace late::fields
