// SPDX-License-Identifier: Apache-2.0
//
// The border between Java and the C ABI by JNI: what org.tenon.JniNative declares. Bodies stay where they are: Java gets addresses, and reads
// and writes there through direct buffers. upcalls.cpp is the other direction. Any thread.
#include <jni.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "bindings/java/native/border.hpp"

namespace {

using namespace tenon::java;

/// Octets of Java with a NUL behind them, for the time of a call.
class Octets {
 public:
  Octets(JNIEnv* env, jbyteArray array) noexcept {
    if (array == nullptr) return;
    size_ = static_cast<std::size_t>(env->GetArrayLength(array));
    octets_ = static_cast<char*>(std::malloc(size_ + 1));
    if (octets_ == nullptr) return;
    env->GetByteArrayRegion(array, 0, static_cast<jsize>(size_), reinterpret_cast<jbyte*>(octets_));
    octets_[size_] = '\0';
  }
  ~Octets() { std::free(octets_); }
  Octets(const Octets&) = delete;
  Octets& operator=(const Octets&) = delete;
  const char* text() const noexcept { return octets_; }
  std::size_t size() const noexcept { return size_; }

 private:
  char* octets_ = nullptr;
  std::size_t size_ = 0;
};

bool good(JNIEnv* env, tenon_status status, const tenon_error& error) noexcept {
  return status == TENON_OK || raise(env, error);
}

// --- org.tenon.JniNative ---

jlong init(JNIEnv* env, jobject, jobjectArray arguments, jintArray left, jbyteArray id) {
  const jsize count = env->GetArrayLength(arguments);
  auto** const texts =
      static_cast<const char**>(std::calloc(static_cast<std::size_t>(count) + 1, sizeof(char*)));
  auto** const all =
      static_cast<const char**>(std::calloc(static_cast<std::size_t>(count) + 1, sizeof(char*)));
  if (texts == nullptr || all == nullptr) return 0;
  for (jsize i = 0; i < count; ++i) {
    auto* const each = static_cast<jbyteArray>(env->GetObjectArrayElement(arguments, i));
    const jsize size = env->GetArrayLength(each);
    auto* const text = static_cast<char*>(std::calloc(static_cast<std::size_t>(size) + 1, 1));
    if (text == nullptr) continue;
    env->GetByteArrayRegion(each, 0, size, reinterpret_cast<jbyte*>(text));
    texts[i] = all[i] = text;
    env->DeleteLocalRef(each);
  }
  const Octets name(env, id);
  tenon_error error;
  tenon_orb* orb = nullptr;
  std::uint32_t rest = 0;
  const tenon_status status =
      tenon_orb_init(static_cast<std::uint32_t>(count), texts, &rest, name.text(), &orb, &error);
  // Which of them are left, in order.
  for (std::uint32_t i = 0; status == TENON_OK && i < rest; ++i) {
    for (jsize k = 0; k < count; ++k) {
      const jint place = k;
      if (all[k] == texts[i]) env->SetIntArrayRegion(left, static_cast<jsize>(i), 1, &place);
    }
  }
  for (jsize i = 0; i < count; ++i) std::free(const_cast<char*>(all[i]));
  std::free(texts);
  std::free(all);
  if (!good(env, status, error)) return 0;
  return handle_of(orb);
}

void run_orb(JNIEnv* env, jobject, jlong orb) {
  tenon_error error;
  good(env, tenon_orb_run(from<tenon_orb>(orb), &error), error);
}

void shut_down(JNIEnv* env, jobject, jlong orb, jboolean wait) {
  tenon_error error;
  good(env, tenon_orb_shutdown(from<tenon_orb>(orb), wait, &error), error);
}

void destroy(JNIEnv* env, jobject, jlong orb) {
  tenon_error error;
  good(env, tenon_orb_destroy(from<tenon_orb>(orb), &error), error);
}

void free_orb(JNIEnv*, jobject, jlong orb) { tenon_orb_free(from<tenon_orb>(orb)); }

jlong from_text(JNIEnv* env, jobject, jlong orb, jbyteArray text) {
  tenon_error error;
  tenon_reference* made = nullptr;
  const Octets octets(env, text);
  good(env, tenon_reference_from_text(from<tenon_orb>(orb), octets.text(), &made, &error), error);
  return handle_of(made);
}

jbyteArray to_text(JNIEnv* env, jobject, jlong reference) {
  tenon_error error;
  char text[4096];
  std::uint64_t size = 0;
  const auto* const of = from<tenon_reference>(reference);
  tenon_status status = tenon_reference_to_text(of, text, sizeof text, &size, &error);
  if (status == TENON_OK) return array_of(env, text, size);
  if (status != TENON_NO_ROOM) return raise(env, error), nullptr;
  auto* const room = static_cast<char*>(std::malloc(size + 1));
  status = tenon_reference_to_text(of, room, room != nullptr ? size + 1 : 0, &size, &error);
  jbyteArray made = status == TENON_OK ? array_of(env, room, size) : nullptr;
  std::free(room);
  return made;
}

jlong initial_reference(JNIEnv* env, jobject, jlong orb, jbyteArray name) {
  tenon_error error;
  tenon_reference* made = nullptr;
  const Octets octets(env, name);
  good(env, tenon_orb_initial_reference(from<tenon_orb>(orb), octets.text(), &made, &error), error);
  return handle_of(made);
}

jlong from_ior(JNIEnv* env, jobject, jlong orb, jbyteArray ior) {
  tenon_error error;
  tenon_reference* made = nullptr;
  const Octets octets(env, ior);
  tenon_body body = {};
  tenon_reference_format(nullptr, &body.format);
  body.data = reinterpret_cast<const std::uint8_t*>(octets.text());
  body.size = octets.size();
  std::uint64_t position = 0;
  good(env, tenon_reference_read(from<tenon_orb>(orb), &body, &position, &made, &error), error);
  return handle_of(made);
}

jbyteArray to_ior(JNIEnv* env, jobject, jlong reference) {
  tenon_error error;
  std::uint8_t some[2048];
  std::uint64_t size = 0;
  const auto* const of = from<tenon_reference>(reference);
  tenon_status status = tenon_reference_write(of, some, sizeof some, 0, &size, &error);
  if (status == TENON_OK) return array_of(env, some, size);
  if (status != TENON_NO_ROOM) return raise(env, error), nullptr;
  const std::uint64_t enough = size;
  auto* const room = static_cast<std::uint8_t*>(std::malloc(enough));
  size = 0;
  status = tenon_reference_write(of, room, room != nullptr ? enough : 0, 0, &size, &error);
  jbyteArray made = status == TENON_OK ? array_of(env, room, size) : nullptr;
  std::free(room);
  return made;
}

void free_reference(JNIEnv*, jobject, jlong reference) {
  tenon_reference_free(from<tenon_reference>(reference));
}

/// Kept as long as the process: operations are constants of stubs.
jlong operation(JNIEnv* env, jobject, jbyteArray name, jint flags) {
  const jsize size = env->GetArrayLength(name);
  auto* const made =
      static_cast<tenon_operation*>(std::malloc(sizeof(tenon_operation) + static_cast<std::size_t>(size)));
  if (made == nullptr) return 0;
  auto* const text = reinterpret_cast<char*>(made + 1);
  env->GetByteArrayRegion(name, 0, size, reinterpret_cast<jbyte*>(text));
  *made = {text, static_cast<std::uint64_t>(size), static_cast<std::uint32_t>(flags), 0};
  return handle_of(made);
}

/// Octets in a direct buffer, whose format is in the block.
tenon_body arguments_of(jlong address, jint size, const Block& block) noexcept {
  tenon_body body = {};
  body.data = from<const std::uint8_t>(address);
  body.size = static_cast<std::uint64_t>(size);
  body.format = block.body.format;
  return body;
}

jint invoke(JNIEnv*, jobject, jlong target, jlong operation, jlong arguments, jint size, jint timeout_ms,
            jlong block) {
  auto& with = *from<Block>(block);
  const tenon_body body = arguments_of(arguments, size, with);
  with.reply = nullptr;
  return tenon_invoke(from<tenon_reference>(target), from<tenon_operation>(operation), &body,
                      static_cast<std::uint32_t>(timeout_ms), &with.reply, &with.body, &with.error);
}

jint start(JNIEnv* env, jobject, jlong target, jlong operation, jlong arguments, jint size, jint timeout_ms,
           jlong block, jobject waiting) {
  auto& with = *from<Block>(block);
  const tenon_body body = arguments_of(arguments, size, with);
  const jobject kept = env->NewGlobalRef(waiting);
  if (kept == nullptr) return gone(&with.error, "the Java VM has no memory for a reference");
  tenon_pending* pending = nullptr;
  const tenon_status status =
      tenon_invoke_async(from<tenon_reference>(target), from<tenon_operation>(operation), &body,
                         static_cast<std::uint32_t>(timeout_ms), complete, kept, &pending, &with.error);
  with.pending = pending;
  if (status != TENON_OK) env->DeleteGlobalRef(kept);
  return status;
}

void cancel(JNIEnv*, jobject, jlong pending) { tenon_pending_cancel(from<tenon_pending>(pending)); }
void free_pending(JNIEnv*, jobject, jlong pending) { tenon_pending_free(from<tenon_pending>(pending)); }

void free_reply(JNIEnv*, jobject, jlong reply) { tenon_reply_free(from<tenon_reply>(reply)); }

jlong address(JNIEnv* env, jobject, jobject buffer) { return handle_of(env->GetDirectBufferAddress(buffer)); }

/// A buffer through which what lies at that address and behind it can be read; not all of it is memory.
jobject window(JNIEnv* env, jobject, jlong address) {
  return env->NewDirectByteBuffer(from<void>(address), INT32_MAX);
}

jlong root_adapter(JNIEnv* env, jobject, jlong orb) {
  tenon_error error;
  tenon_adapter* made = nullptr;
  good(env, tenon_root_adapter(from<tenon_orb>(orb), &made, &error), error);
  return handle_of(made);
}

void free_adapter(JNIEnv*, jobject, jlong adapter) { tenon_adapter_free(from<tenon_adapter>(adapter)); }

void set_state(JNIEnv* env, jobject, jlong adapter, jint state) {
  tenon_error error;
  good(env, tenon_adapter_set_state(from<tenon_adapter>(adapter), state, &error), error);
}

/// `names`: ids, then operations, each followed by a NUL.
jlong make_interface(JNIEnv* env, jobject, jbyteArray names, jint id_count, jint operation_count) {
  const Octets octets(env, names);
  const auto count = static_cast<std::size_t>(id_count + operation_count);
  auto** const texts = static_cast<const char**>(std::calloc(count + 1, sizeof(char*)));
  if (octets.text() == nullptr || texts == nullptr) return std::free(texts), 0;
  const char* next = octets.text();
  for (std::size_t i = 0; i < count; next += std::strlen(next) + 1) texts[i++] = next;
  tenon_error error;
  tenon_interface* made = nullptr;
  const tenon_status status =
      tenon_interface_new(texts, static_cast<std::uint32_t>(id_count), texts + id_count,
                          static_cast<std::uint32_t>(operation_count), &made, &error);
  std::free(texts);
  good(env, status, error);
  return handle_of(made);
}

jlong activate(JNIEnv* env, jobject, jlong adapter, jlong interface_, jobject servant, jbyteArray id) {
  tenon_error error;
  tenon_servant* made = nullptr;
  tenon_status status = make_servant(env, from<tenon_interface>(interface_), servant, &made, &error);
  if (env->ExceptionCheck() == JNI_TRUE) return 0;
  tenon_reference* reference = nullptr;
  const Octets octets(env, id);
  if (status == TENON_OK)
    status = tenon_adapter_activate(from<tenon_adapter>(adapter), made,
                                    reinterpret_cast<const std::uint8_t*>(octets.text()), octets.size(),
                                    &reference, &error);
  tenon_servant_free(made);
  good(env, status, error);
  return handle_of(reference);
}

void deactivate(JNIEnv* env, jobject, jlong adapter, jlong reference) {
  tenon_error error;
  good(env, tenon_adapter_deactivate(from<tenon_adapter>(adapter), from<tenon_reference>(reference), &error),
       error);
}

void publish(JNIEnv* env, jobject, jlong orb, jbyteArray name, jlong reference) {
  tenon_error error;
  const Octets octets(env, name);
  good(env, tenon_orb_publish(from<tenon_orb>(orb), octets.text(), from<tenon_reference>(reference), &error),
       error);
}

jstring meaning(JNIEnv* env, jobject, jint exception, jint minor) {
  tenon_error error{};
  error.exception = static_cast<std::uint32_t>(exception);
  error.minor = static_cast<std::uint32_t>(minor);
  tenon_error_describe(&error);
  return *error.text == '\0' ? nullptr : env->NewStringUTF(error.text);
}

bool register_natives(JNIEnv* env, jclass where) noexcept {
  const JNINativeMethod all[] = {
      native("init", "([[B[I[B)J", init),
      native("run", "(J)V", run_orb),
      native("shutDown", "(JZ)V", shut_down),
      native("destroy", "(J)V", destroy),
      native("freeOrb", "(J)V", free_orb),
      native("fromText", "(J[B)J", from_text),
      native("toText", "(J)[B", to_text),
      native("initialReference", "(J[B)J", initial_reference),
      native("fromIor", "(J[B)J", from_ior),
      native("toIor", "(J)[B", to_ior),
      native("freeReference", "(J)V", free_reference),
      native("operation", "([BI)J", operation),
      native("invoke", "(JJJIIJ)I", invoke),
      native("start", "(JJJIIJLorg/tenon/Engine$Completion;)I", start),
      native("cancel", "(J)V", cancel),
      native("freePending", "(J)V", free_pending),
      native("freeReply", "(J)V", free_reply),
      native("address", "(Ljava/nio/ByteBuffer;)J", address),
      native("window", "(J)Ljava/nio/ByteBuffer;", window),
      native("rootAdapter", "(J)J", root_adapter),
      native("freeAdapter", "(J)V", free_adapter),
      native("setState", "(JI)V", set_state),
      native("makeInterface", "([BII)J", make_interface),
      native("activate", "(JJLorg/tenon/Servant;[B)J", activate),
      native("deactivate", "(JJ)V", deactivate),
      native("publish", "(J[BJ)V", publish),
      native("meaning", "(II)Ljava/lang/String;", meaning),
  };
  return env->RegisterNatives(where, all, sizeof all / sizeof *all) == JNI_OK;
}

}  // namespace

/// Called by System.load(). The classes are found by the loader of the class that calls that.
extern "C" JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void*) {
  void* known = nullptr;
  if (vm->GetEnv(&known, JNI_VERSION_10) != JNI_OK || tenon_c_abi() != TENON_C_ABI) return JNI_ERR;
  auto* const env = static_cast<JNIEnv*>(known);
  jclass const natives = env->FindClass("org/tenon/JniNative");
  if (natives == nullptr || !tenon::java::find_upcalls(vm, env) || !tenon::java::find_wrappers(env) ||
      !register_natives(env, natives))
    return JNI_ERR;
  return JNI_VERSION_10;
}
