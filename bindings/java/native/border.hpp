// SPDX-License-Identifier: Apache-2.0
//
// What both directions of the border between Java and the C ABI need. Any thread.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>

#include "tenon/c.h"

namespace tenon::java {

/// What a call, or an upcall, and Java tell each other. Java has a direct buffer over it (org.tenon.Block): its offsets are a contract.
struct Block {
  tenon_body body;
  union {
    tenon_reply* reply;
    tenon_pending* pending;
  };
  std::int64_t status;
  tenon_error error;
  tenon_format result_format;  // of an upcall
  std::uint32_t reserved;
};
static_assert(offsetof(Block, body.size) == 8 && offsetof(Block, body.format) == 16 &&
              offsetof(Block, body.segment_count) == 28 && offsetof(Block, body.segments) == 40 &&
              offsetof(Block, reply) == 48 && offsetof(Block, status) == 56 && offsetof(Block, error) == 64 &&
              offsetof(Block, result_format) == 576 && sizeof(Block) == 592 && sizeof(void*) == 8);

template <typename T>
T* from(jlong handle) noexcept {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(handle));
}
inline jlong handle_of(const void* pointer) noexcept {
  return static_cast<jlong>(reinterpret_cast<std::uintptr_t>(pointer));
}

template <typename Function>
JNINativeMethod native(const char* name, const char* signature, Function* function) noexcept {
  return {const_cast<char*>(name), const_cast<char*>(signature), reinterpret_cast<void*>(function)};
}

/// Null: the VM has no memory, and has raised that.
jbyteArray array_of(JNIEnv* env, const void* octets, std::size_t size) noexcept;

/// Raises the exception in Java. Returns false, for callers that have nothing else to say.
bool raise(JNIEnv* env, const tenon_error& error) noexcept;

// --- from the ORB into Java (upcalls.cpp) ---

/// The environment of this thread, which stays attached until it ends. Null: the VM is going, or has no memory.
JNIEnv* environment() noexcept;

/// org.tenon.Upcalls, from find_upcalls() on.
extern jclass upcalls;
/// Once, when the library is loaded. False: a class or a method is not there, and Java knows why.
bool find_upcalls(JavaVM* vm, JNIEnv* env) noexcept;
/// Of a servant, whose `context` is a global reference to it.
tenon_status upcall(void* context, tenon_request* request, std::uint32_t operation,
                    const tenon_body* arguments, tenon_body* results, tenon_error* error);
void released(void* context);
/// The end of an asynchronous call, whose `context` is a global reference to what waits for it.
void complete(void* context, tenon_status status, const tenon_body* results, const tenon_error* error);
/// Fills in UNKNOWN for what Java cannot do.
tenon_status gone(tenon_error* error, const char* why) noexcept;
/// What a block that Java has filled in says: the end of an upcall.
tenon_status answer_of(const Block& block, tenon_body* results, tenon_error* error) noexcept;

// --- operations whose arguments cross one by one (wrappers.cpp) ---

/// Once, after find_upcalls().
bool find_wrappers(JNIEnv* env) noexcept;
/// A servant of the C ABI for one of Java, which has a global reference to it. Some of its operations may have wrappers.
tenon_status make_servant(JNIEnv* env, tenon_interface* interface_, jobject servant, tenon_servant** made,
                          tenon_error* error) noexcept;

}  // namespace tenon::java
