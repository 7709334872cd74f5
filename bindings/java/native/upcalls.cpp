// SPDX-License-Identifier: Apache-2.0
//
// From the ORB into Java: upcalls of servants, and ends of asynchronous calls.
//
// Threads: any. One that the VM does not know, as those of the ORB, is attached by its first upcall and detached when it ends.
#include <pthread.h>

#include <cstdlib>
#include <cstring>

#include "bindings/java/native/border.hpp"

namespace tenon::java {
namespace {

JavaVM* machine = nullptr;
jclass upcalls = nullptr;  // org.tenon.Upcalls
jmethodID run = nullptr;
jmethodID make_room = nullptr;
jmethodID completed = nullptr;
jmethodID raise_exception = nullptr;
pthread_key_t thread_key;  // of a ThreadState

/// What this side keeps of a thread.
struct ThreadState {
  bool attached_here;
  unsigned depth;  // upcalls that are under way
  unsigned count;
  Block** blocks;  // Java's, one for each depth that there has been
};

/// Null: there is no memory.
ThreadState* thread_state() noexcept {
  auto* known = static_cast<ThreadState*>(::pthread_getspecific(thread_key));
  if (known != nullptr) return known;
  known = static_cast<ThreadState*>(std::calloc(1, sizeof(ThreadState)));
  if (known != nullptr) ::pthread_setspecific(thread_key, known);
  return known;
}

/// The environment of this thread, which stays attached until it ends. Null: the VM is going, or has no memory.
JNIEnv* environment() noexcept {
  void* known = nullptr;
  if (machine->GetEnv(&known, JNI_VERSION_10) == JNI_OK) return static_cast<JNIEnv*>(known);
  JavaVMAttachArgs how = {JNI_VERSION_10, const_cast<char*>("tenon"), nullptr};
  if (machine->AttachCurrentThreadAsDaemon(&known, &how) != JNI_OK) return nullptr;
  if (ThreadState* const mine = thread_state()) mine->attached_here = true;
  return static_cast<JNIEnv*>(known);
}

void end_thread(void* state) noexcept {
  auto* const mine = static_cast<ThreadState*>(state);
  if (mine->attached_here) machine->DetachCurrentThread();
  std::free(mine->blocks);
  std::free(mine);
}

/// What of a format fits into one word.
jint packed(const tenon_format& format) noexcept {
  return static_cast<jint>(format.little_endian | format.giop_minor << 8 | format.phase << 16);
}

/// The block of the innermost upcall of this thread. Null: Java could not make one.
Block* block_of_upcall(JNIEnv* env, ThreadState& mine) noexcept {
  if (mine.depth < mine.count) return mine.blocks[mine.depth];
  auto** const blocks = static_cast<Block**>(std::realloc(mine.blocks, (mine.count + 1) * sizeof(Block*)));
  if (blocks == nullptr) return nullptr;
  mine.blocks = blocks;
  auto* const made =
      from<Block>(env->CallStaticLongMethod(upcalls, make_room, static_cast<jint>(mine.count)));
  if (env->ExceptionCheck() == JNI_TRUE) {
    env->ExceptionClear();
    return nullptr;
  }
  mine.blocks[mine.count++] = made;
  return made;
}

}  // namespace

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
  ThreadState* const mine = env != nullptr ? thread_state() : nullptr;
  if (mine == nullptr) return gone(error, "the Java VM that has the servant is going");
  Block* const block = block_of_upcall(env, *mine);
  if (block == nullptr) return gone(error, "the Java VM has no memory for another call");
  block->body = *arguments;
  block->result_format = results->format;
  const jint depth = static_cast<jint>(mine->depth++);
  env->CallStaticVoidMethod(upcalls, run, static_cast<jobject>(context), static_cast<jint>(operation), depth);
  --mine->depth;
  if (env->ExceptionCheck() == JNI_TRUE) {
    env->ExceptionClear();
    return gone(error, "the Java VM could not run the servant");
  }
  results->data = block->body.data;
  results->size = block->body.size;
  if (block->status == TENON_SYSTEM_EXCEPTION) *error = block->error;
  return static_cast<tenon_status>(block->status);
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
  const Method methods[] = {{run, "run", "(Lorg/tenon/Servant;II)V"},
                            {make_room, "makeRoom", "(I)J"},
                            {completed, "completed", "(Lorg/tenon/Engine$Completion;IJJIIIJIIII[B)V"},
                            {raise_exception, "raise", "(III[B)V"}};
  for (const Method& each : methods) {
    each.id = env->GetStaticMethodID(called, each.name, each.signature);
    if (each.id == nullptr) return false;
  }
  return ::pthread_key_create(&thread_key, end_thread) == 0;
}

}  // namespace tenon::java
