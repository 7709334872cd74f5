// SPDX-License-Identifier: Apache-2.0
//
// Wrappers: operations of numbers whose arguments and result cross the border one by one, as those of a Java method do, and are written
// and read here. What is unusual about a call (exceptions, values that are wrong, the other byte order) goes the way of all others, in Java,
// so that it ends in the same way. Any thread.
#include <cstdlib>
#include <cstring>

#include "bindings/java/native/border.hpp"

namespace tenon::java {
namespace {

constexpr std::uint32_t most = 6;  // parameters; org.tenon.WrapperCall and tenon-idl know it too
constexpr int most_tries = 8;      // of one call, as org.tenon.Tries has it

jmethodID methods_of_servant = nullptr;  // Servant._wrapperHandle()
jmethodID odd_reply = nullptr;
jmethodID failed = nullptr;

/// What a value is: the letter that JNI has for its type in Java, and of an enum, which crosses as its ordinal, how many it has.
struct Kind {
  char letter;
  std::uint32_t enumerators;
};

struct Signature {
  std::uint32_t count;
  Kind parameters[most];
  Kind result;
};

std::size_t size_of(char letter) noexcept {
  switch (letter) {
    case 'Z':
    case 'B': return 1;
    case 'S': return 2;
    case 'I':
    case 'F': return 4;
    case 'J':
    case 'D': return 8;
    default: return 0;
  }
}

std::size_t aligned(std::size_t at, std::size_t size) noexcept { return (at + size - 1) & ~(size - 1); }

/// Takes one type: a letter, or "e3;" for an enum of three. Generated code has written it.
Kind kind_at(const char*& text) noexcept {
  if (*text != 'e') return {*text++, 0};
  char* end = nullptr;
  const auto enumerators = static_cast<std::uint32_t>(std::strtoul(text + 1, &end, 10));
  text = end + 1;
  return {'I', enumerators};
}

/// "(IIe3;)D". Moves behind it.
Signature signature_at(const char*& text) noexcept {
  Signature made = {};
  for (++text; *text != ')' && made.count < most;) made.parameters[made.count++] = kind_at(text);
  ++text;
  made.result = kind_at(text);
  return made;
}

/// False: it is not there, or no value of its type. `at` counts from where `octets` would have the position 0 of the message.
bool read(const std::uint8_t* octets, std::size_t& at, std::size_t end, const Kind& kind,
          jvalue& into) noexcept {
  const std::size_t size = size_of(kind.letter);
  at = aligned(at, size);
  if (at + size > end) return false;
  const std::uint8_t* const from = octets + at;
  at += size;
  into.j = 0;
  switch (kind.letter) {
    case 'Z': into.z = *from; return *from <= 1;
    case 'B': std::memcpy(&into.b, from, 1); return true;
    case 'S': std::memcpy(&into.s, from, 2); return true;
    case 'I': {
      std::uint32_t value = 0;
      std::memcpy(&value, from, 4);
      std::memcpy(&into.i, &value, 4);
      return kind.enumerators == 0 || value < kind.enumerators;
    }
    case 'F': std::memcpy(&into.f, from, 4); return true;
    default: std::memcpy(&into.j, from, 8); return true;
  }
}

constexpr std::uint16_t probe = 1;
bool is_plain(const tenon_body& body) noexcept {
  std::uint8_t little = 0;
  std::memcpy(&little, &probe, 1);
  return body.format.little_endian == little && body.segment_count == 0;
}

// --- from Java into the ORB: org.tenon.WrapperCall ---

struct Call {
  tenon_operation operation;
  Signature signature;
};

/// NO_MEMORY, in Java.
jlong no_memory(JNIEnv* env) noexcept {
  tenon_error error = {};
  error.exception = tenon_exception_number("IDL:omg.org/CORBA/NO_MEMORY:1.0");
  error.completed = 1;
  return raise(env, error);
}

jlong make_call(JNIEnv* env, jclass, jstring text, jboolean oneway) {
  const jsize size = env->GetStringUTFLength(text);
  auto* const made = static_cast<Call*>(std::malloc(sizeof(Call) + static_cast<std::size_t>(size) + 1));
  if (made == nullptr) return no_memory(env);
  auto* const name = reinterpret_cast<char*>(made + 1);
  env->GetStringUTFRegion(text, 0, env->GetStringLength(text), name);
  name[size] = '\0';
  const std::size_t length = std::strcspn(name, "(");
  const char* next = name + length;
  made->signature = signature_at(next);
  made->operation = {name, length,
                     static_cast<std::uint32_t>(TENON_NO_TEXT | (oneway == JNI_TRUE ? TENON_ONEWAY : 0)), 0};
  return handle_of(made);
}

/// Arguments in CDR, in this machine's byte order.
struct Arguments {
  alignas(8) std::uint8_t octets[8 * (most + 1)] = {};

  void write(const Signature& signature, const jlong* values, tenon_body& body) noexcept {
    std::size_t at = body.format.phase;
    for (std::uint32_t i = 0; i < signature.count; ++i) {
      const std::size_t size = size_of(signature.parameters[i].letter);
      at = aligned(at, size);
      switch (size) {
        case 1: put(static_cast<std::uint8_t>(values[i]), at); break;
        case 2: put(static_cast<std::uint16_t>(values[i]), at); break;
        case 4: put(static_cast<std::uint32_t>(values[i]), at); break;
        default: put(static_cast<std::uint64_t>(values[i]), at); break;
      }
      at += size;
    }
    body.data = octets + body.format.phase;
    body.size = at - body.format.phase;
  }

 private:
  template <typename T>
  void put(T value, std::size_t at) noexcept {
    std::memcpy(octets + at, &value, sizeof value);
  }
};

/// Of an exception, and of a result that is not as it should be.
jlong read_in_java(JNIEnv* env, jobject self, jobject target, const Kind& kind,
                   const tenon_body& results) noexcept {
  Block block;
  block.body = results;
  return env->CallStaticLongMethod(upcalls, odd_reply, self, target, static_cast<jint>(kind.letter),
                                   static_cast<jint>(kind.enumerators), handle_of(&block));
}

jlong bits_of(const Kind& kind, const jvalue& value) noexcept {
  switch (kind.letter) {
    case 'Z': return value.z;
    case 'B': return value.b;
    case 'S': return value.s;
    case 'I':
    case 'F': return value.i;
    default: return value.j;
  }
}

jlong call_wrapper(JNIEnv* env, jclass, jobject self, jobject target, jlong operation, jlong handle, jlong a,
                   jlong b, jlong c, jlong d, jlong e, jlong f) {
  const jlong values[most] = {a, b, c, d, e, f};
  const Call& call = *from<Call>(operation);
  auto* const reference = from<tenon_reference>(handle);
  tenon_body body = {};
  tenon_reference_format(reference, &body.format);
  Arguments arguments;
  tenon_reply* reply = nullptr;
  tenon_body results;
  tenon_error error;
  tenon_status status = TENON_WRITE_AGAIN;
  for (int tries = 0; status == TENON_WRITE_AGAIN; ++tries) {
    if (tries == most_tries) {
      error = {};
      error.exception = tenon_exception_number("IDL:omg.org/CORBA/TRANSIENT:1.0");
      error.completed = 1;
      std::strcpy(error.text, "the reference leads to servers that want other formats, again and again");
      return raise(env, error);
    }
    arguments.write(call.signature, values, body);
    status = tenon_invoke(reference, &call.operation, &body, 0, &reply, &results, &error);
    if (status == TENON_WRITE_AGAIN) body.format = results.format;
  }
  if (status == TENON_SYSTEM_EXCEPTION) return raise(env, error);
  const Kind& kind = call.signature.result;
  jvalue value;
  value.j = 0;
  std::size_t at = results.format.phase;
  const bool good = status == TENON_OK &&
                    (kind.letter == 'V' ||
                     (is_plain(results) && read(results.data - at, at, at + results.size, kind, value)));
  const jlong result = good ? bits_of(kind, value)
                            : read_in_java(env, self, target, status == TENON_OK ? kind : Kind{}, results);
  tenon_reply_free(reply);
  return result;
}

jboolean is_local(JNIEnv*, jclass, jlong reference) {
  return tenon_reference_is_local(from<tenon_reference>(reference)) != 0 ? JNI_TRUE : JNI_FALSE;
}

// --- from the ORB into Java: org.tenon.WrapperMethods ---

struct Method {
  jmethodID id;  // null: the operation has no wrapper
  Signature signature;
  const char* raises;  // the ids of its exceptions, with a blank behind each
};

/// The operations of a generated servant's class, by their numbers. It lives as long as the process.
struct Methods {
  std::uint32_t count;
  Method all[1];
};

/// What the C ABI knows a servant by.
struct Wrapped {
  jobject servant;  // a global reference
  const Methods* methods;
};

/// Takes a line "NUMBER NAME SIGNATURE EXCEPTION... ", and moves behind it. False: there is no such method, and Java knows.
bool find_method(JNIEnv* env, jclass of, char*& text, Methods& into) noexcept {
  const unsigned long number = std::strtoul(text, &text, 10);
  const char* const name = text + 1;
  char* const space = std::strchr(text + 1, ' ');
  *space = '\0';
  const char* next = space + 1;
  const Signature signature = signature_at(next);
  char* const end = std::strchr(space + 1, '\n');
  *end = '\0';
  text = end + 1;
  char descriptor[most + 4] = "(";
  std::size_t at = 1;
  for (std::uint32_t i = 0; i < signature.count; ++i) descriptor[at++] = signature.parameters[i].letter;
  descriptor[at++] = ')';
  descriptor[at] = signature.result.letter;
  const jmethodID id = env->GetMethodID(of, name, descriptor);
  if (id != nullptr && number < into.count) into.all[number] = {id, signature, next + 1};
  return id != nullptr;
}

jlong make_methods(JNIEnv* env, jclass, jclass of, jstring text, jint count) {
  const std::size_t table = sizeof(Methods) + sizeof(Method) * static_cast<std::size_t>(count);
  auto* const made = static_cast<Methods*>(
      std::calloc(1, table + static_cast<std::size_t>(env->GetStringUTFLength(text)) + 1));
  if (made == nullptr) return no_memory(env);
  made->count = static_cast<std::uint32_t>(count);
  char* next = reinterpret_cast<char*>(made) + table;
  env->GetStringUTFRegion(text, 0, env->GetStringLength(text), next);
  while (*next != '\0') {
    if (find_method(env, of, next, *made)) continue;
    std::free(made);
    return 0;
  }
  return handle_of(made);
}

bool read_arguments(const tenon_body& body, const Signature& signature, jvalue* values) noexcept {
  if (!is_plain(body)) return false;
  std::size_t at = body.format.phase;
  const std::uint8_t* const octets = body.data - at;
  const std::size_t end = at + static_cast<std::size_t>(body.size);
  for (std::uint32_t i = 0; i < signature.count; ++i) {
    if (!read(octets, at, end, signature.parameters[i], values[i])) return false;
  }
  return true;
}

/// Calls the method and puts its result into memory of the thread.
void call_method(JNIEnv* env, jobject servant, const Method& method, const jvalue* values,
                 tenon_body& results) noexcept {
  alignas(8) static thread_local std::uint8_t result[8];
  results.data = result;
  results.size = size_of(method.signature.result.letter);
  const auto put = [](auto value) { std::memcpy(result, &value, sizeof value); };
  switch (method.signature.result.letter) {
    case 'Z': result[0] = env->CallBooleanMethodA(servant, method.id, values) != JNI_FALSE; break;
    case 'B': put(env->CallByteMethodA(servant, method.id, values)); break;
    case 'S': put(env->CallShortMethodA(servant, method.id, values)); break;
    case 'I': put(env->CallIntMethodA(servant, method.id, values)); break;
    case 'J': put(env->CallLongMethodA(servant, method.id, values)); break;
    case 'F': put(env->CallFloatMethodA(servant, method.id, values)); break;
    case 'D': put(env->CallDoubleMethodA(servant, method.id, values)); break;
    default: env->CallVoidMethodA(servant, method.id, values); break;
  }
}

tenon_status upcall_of_wrapped(void* context, tenon_request* request, std::uint32_t operation,
                               const tenon_body* arguments, tenon_body* results, tenon_error* error) {
  const auto& wrapped = *static_cast<const Wrapped*>(context);
  const Method& method = wrapped.methods->all[operation];
  jvalue values[most];
  if (method.id == nullptr || !read_arguments(*arguments, method.signature, values))
    return upcall(wrapped.servant, request, operation, arguments, results, error);
  JNIEnv* const env = environment();
  if (env == nullptr) return gone(error, "the Java VM that has the servant is going");
  call_method(env, wrapped.servant, method, values, *results);
  if (env->ExceptionCheck() == JNI_FALSE) [[likely]]
    return TENON_OK;
  const jthrowable thrown = env->ExceptionOccurred();
  env->ExceptionClear();
  Block block;
  block.body = *results;
  const jstring listed = env->NewStringUTF(method.raises);
  if (listed != nullptr) env->CallStaticVoidMethod(upcalls, failed, thrown, listed, handle_of(&block));
  env->DeleteLocalRef(listed);
  env->DeleteLocalRef(thrown);
  if (env->ExceptionCheck() == JNI_TRUE) {
    env->ExceptionClear();
    return gone(error, "the Java VM could not tell what the servant has thrown");
  }
  return answer_of(block, results, error);
}

void release_wrapped(void* context) {
  auto* const wrapped = static_cast<Wrapped*>(context);
  released(wrapped->servant);
  std::free(wrapped);
}

template <std::size_t Count>
bool registered(JNIEnv* env, const char* name, const JNINativeMethod (&all)[Count]) noexcept {
  jclass const where = env->FindClass(name);
  return where != nullptr && env->RegisterNatives(where, all, Count) == JNI_OK;
}

}  // namespace

tenon_status make_servant(JNIEnv* env, tenon_interface* interface_, jobject servant, tenon_servant** made,
                          tenon_error* error) noexcept {
  const auto* const methods = from<const Methods>(env->CallLongMethod(servant, methods_of_servant));
  if (env->ExceptionCheck() == JNI_TRUE) return TENON_SYSTEM_EXCEPTION;
  const jobject kept = env->NewGlobalRef(servant);
  auto* const wrapped = methods != nullptr ? static_cast<Wrapped*>(std::malloc(sizeof(Wrapped))) : nullptr;
  if (kept == nullptr || (methods != nullptr && wrapped == nullptr)) {
    if (kept != nullptr) env->DeleteGlobalRef(kept);
    return gone(error, "there is no memory for a servant");
  }
  if (wrapped != nullptr) *wrapped = {kept, methods};
  const tenon_status status =
      wrapped != nullptr
          ? tenon_servant_new(interface_, upcall_of_wrapped, release_wrapped, wrapped, made, error)
          : tenon_servant_new(interface_, upcall, released, kept, made, error);
  if (status != TENON_OK) {
    env->DeleteGlobalRef(kept);
    std::free(wrapped);
  }
  return status;
}

bool find_wrappers(JNIEnv* env) noexcept {
  jclass const servant = env->FindClass("org/tenon/Servant");
  if (servant == nullptr) return false;
  methods_of_servant = env->GetMethodID(servant, "_wrapperHandle", "()J");
  if (methods_of_servant == nullptr) return false;
  odd_reply =
      env->GetStaticMethodID(upcalls, "oddReply", "(Lorg/tenon/WrapperCall;Lorg/tenon/ObjectReference;IIJ)J");
  if (odd_reply == nullptr) return false;
  failed = env->GetStaticMethodID(upcalls, "failed", "(Ljava/lang/Throwable;Ljava/lang/String;J)V");
  if (failed == nullptr) return false;
  const JNINativeMethod of_calls[] = {
      native("make", "(Ljava/lang/String;Z)J", make_call),
      native("invoke", "(Lorg/tenon/WrapperCall;Lorg/tenon/ObjectReference;JJJJJJJJ)J", call_wrapper),
      native("isLocal", "(J)Z", is_local),
  };
  const JNINativeMethod of_methods[] = {
      native("make", "(Ljava/lang/Class;Ljava/lang/String;I)J", make_methods),
  };
  return registered(env, "org/tenon/WrapperCall", of_calls) &&
         registered(env, "org/tenon/WrapperMethods", of_methods);
}

}  // namespace tenon::java
