// SPDX-License-Identifier: Apache-2.0
//
// From the ORB into Java: upcalls of servants, and ends of asynchronous calls.
//
// Threads: any. One that the VM does not know, as those of the ORB, is attached by its first upcall and detached when it ends.
#include <pthread.h>

#include <cstring>

#include "bindings/java/native/border.hpp"

namespace tenon::java {
namespace {

JavaVM* machine = nullptr;
jmethodID run = nullptr;
jmethodID completed = nullptr;
jmethodID raise_exception = nullptr;
pthread_key_t attached;  // not null on threads that this side has attached

void end_thread(void*) noexcept { machine->DetachCurrentThread(); }

/// What of a format fits into one word.
jint packed(const tenon_format& format) noexcept {
  return static_cast<jint>(format.little_endian | format.giop_minor << 8 | format.phase << 16);
}

}  // namespace

jclass upcalls = nullptr;

JNIEnv* environment() noexcept {
  void* known = nullptr;
  if (machine->GetEnv(&known, JNI_VERSION_10) == JNI_OK) return static_cast<JNIEnv*>(known);
  JavaVMAttachArgs how = {JNI_VERSION_10, const_cast<char*>("tenon"), nullptr};
  if (machine->AttachCurrentThreadAsDaemon(&known, &how) != JNI_OK) return nullptr;
  ::pthread_setspecific(attached, machine);
  return static_cast<JNIEnv*>(known);
}

tenon_status answer_of(const Block& block, tenon_body* results, tenon_error* error) noexcept {
  results->data = block.body.data;
  results->size = block.body.size;
  if (block.status == TENON_SYSTEM_EXCEPTION) *error = block.error;
  return static_cast<tenon_status>(block.status);
}

jbyteArray array_of(JNIEnv* env, const void* octets, std::size_t size) noexcept {
  jbyteArray made = env->NewByteArray(static_cast<jsize>(size));
  if (made != nullptr)
    env->SetByteArrayRegion(made, 0, static_cast<jsize>(size), static_cast<const jbyte*>(octets));
  return made;
}

bool raise(JNIEnv* env, const tenon_error& error) noexcept {
  jbyteArray text = array_of(env, error.text, std::strlen(error.text));
  if (text != nullptr)
    env->CallStaticVoidMethod(upcalls, raise_exception, static_cast<jint>(error.exception),
                              static_cast<jint>(error.minor), static_cast<jint>(error.completed), text);
  return false;
}

tenon_status gone(tenon_error* error, const char* why) noexcept {
  error->exception = 1;  // UNKNOWN
  error->minor = 0;
  error->completed = 2;
  std::strcpy(error->text, why);
  return TENON_SYSTEM_EXCEPTION;
}

tenon_status upcall(void* context, tenon_request*, std::uint32_t operation, const tenon_body* arguments,
                    tenon_body* results, tenon_error* error) {
  JNIEnv* const env = environment();
  if (env == nullptr) return gone(error, "the Java VM that has the servant is going");
  Block block;
  block.body = *arguments;
  block.result_format = results->format;
  env->CallStaticVoidMethod(upcalls, run, static_cast<jobject>(context), static_cast<jint>(operation),
                            handle_of(&block));
  if (env->ExceptionCheck() == JNI_TRUE) {
    env->ExceptionClear();
    return gone(error, "the Java VM could not run the servant");
  }
  return answer_of(block, results, error);
}

void released(void* context) {
  if (JNIEnv* const env = environment()) env->DeleteGlobalRef(static_cast<jobject>(context));
}

void complete(void* context, tenon_status status, const tenon_body* results, const tenon_error* error) {
  JNIEnv* const env = environment();
  if (env == nullptr) return;
  auto* const waiting = static_cast<jobject>(context);
  const tenon_format& in = results->format;
  jbyteArray text =
      status == TENON_SYSTEM_EXCEPTION ? array_of(env, error->text, std::strlen(error->text)) : nullptr;
  env->ExceptionClear();  // where there is no memory for the text, the call ends without one
  env->CallStaticVoidMethod(upcalls, completed, waiting, static_cast<jint>(status), handle_of(results->data),
                            static_cast<jlong>(results->size), static_cast<jint>(in.chars),
                            static_cast<jint>(in.wchars), packed(in), handle_of(results->segments),
                            static_cast<jint>(results->segment_count), static_cast<jint>(error->exception),
                            static_cast<jint>(error->minor), static_cast<jint>(error->completed), text);
  if (env->ExceptionCheck() == JNI_TRUE) env->ExceptionClear();
  env->DeleteLocalRef(text);
  env->DeleteGlobalRef(waiting);
}

bool find_upcalls(JavaVM* vm, JNIEnv* env) noexcept {
  machine = vm;
  jclass const called = env->FindClass("org/tenon/Upcalls");
  if (called == nullptr) return false;
  upcalls = static_cast<jclass>(env->NewGlobalRef(called));
  struct Method {
    jmethodID& id;
    const char* name;
    const char* signature;
  };
  const Method methods[] = {{run, "run", "(Lorg/tenon/Servant;IJ)V"},
                            {completed, "completed", "(Lorg/tenon/Engine$Completion;IJJIIIJIIII[B)V"},
                            {raise_exception, "raise", "(III[B)V"}};
  for (const Method& each : methods) {
    each.id = env->GetStaticMethodID(called, each.name, each.signature);
    if (each.id == nullptr) return false;
  }
  return ::pthread_key_create(&attached, end_thread) == 0;
}

}  // namespace tenon::java
