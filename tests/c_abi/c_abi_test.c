/* SPDX-License-Identifier: Apache-2.0
 *
 * The C ABI as a language binding uses it: calls each way through every kind of connection, exceptions, deferred and asynchronous calls,
 * references inside bodies, bad arguments, and objects that are used after their ORB has gone. Without a framework, as C has none here.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/c.h"

static int failures = 0;

static void check_at(int good, const char* what, int line, const tenon_error* error) {
  if (good) return;
  ++failures;
  fprintf(stderr, "c_abi_test.c:%d: not so: %s%s%s\n", line, what, error != NULL ? ": " : "",
          error != NULL ? error->text : "");
}
#define CHECK(what) check_at((what), #what, __LINE__, NULL)
#define CHECK_OK(call) check_at((call) == TENON_OK, #call, __LINE__, &error)
#define CHECK_FAILS(call, name)                                                                  \
  do {                                                                                           \
    memset(&error, 0, sizeof error);                                                             \
    check_at((call) == TENON_SYSTEM_EXCEPTION, #call " fails", __LINE__, &error);                \
    check_at(error.exception == tenon_exception_number("IDL:omg.org/CORBA/" name ":1.0"),        \
             #call " gives " name, __LINE__, &error);                                            \
    check_at(error.text[0] != '\0', #call " says why", __LINE__, NULL);                          \
  } while (0)

/* --- CDR by hand: what a language binding does --- */

enum { most = 1 << 20 };
typedef struct {
  uint8_t* data;
  uint64_t at;
  uint64_t end;
  uint32_t phase;
  int swap;
} Octets;

static uint64_t aligned(const Octets* octets, uint64_t to) {
  return ((octets->at + octets->phase + to - 1) & ~(to - 1)) - octets->phase;
}
static void put_long(Octets* out, uint32_t value) {
  const uint64_t at = aligned(out, 4);
  memset(out->data + out->at, 0, at - out->at);
  memcpy(out->data + at, &value, 4);
  out->at = at + 4;
}
static void put_text(Octets* out, const char* text) {
  const size_t size = strlen(text) + 1;
  put_long(out, (uint32_t)size);
  memcpy(out->data + out->at, text, size);
  out->at += size;
}
static uint32_t get_long(Octets* in) {
  const uint64_t at = aligned(in, 4);
  uint32_t value = 0;
  if (at + 4 > in->end) return 0;
  memcpy(&value, in->data + at, 4);
  in->at = at + 4;
  return in->swap ? __builtin_bswap32(value) : value;
}
static int is_little(void) {
  const uint32_t one = 1;
  return *(const uint8_t*)&one == 1;
}
static Octets reading(const tenon_body* body) {
  Octets in = {(uint8_t*)(uintptr_t)body->data, 0, body->size, body->format.phase,
               body->format.little_endian != is_little()};
  return in;
}
static tenon_body written(const Octets* out, tenon_format format) {
  tenon_body body;
  memset(&body, 0, sizeof body);
  body.data = out->data;
  body.size = out->at;
  body.format = format;
  return body;
}

/* --- the servant: adds, echoes, raises, replies later, calls back --- */

enum { op_add, op_echo, op_raise, op_fail, op_later, op_call_back, op_note, op_slow, op_keep, op_count };
static const char* const operations[] = {"add", "echo", "raise", "fail", "later", "call_back", "note", "slow", "keep"};
static const char* const ids[] = {"IDL:c_abi/Adder:1.0", "IDL:c_abi/Base:1.0"};

typedef struct {
  tenon_orb* orb;
  atomic_int notes;
  int released;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  tenon_request* deferred;
  tenon_body kept; /* the arguments of the last op_keep */
  uint32_t sum;
} Adder;

static _Thread_local uint8_t room[most];

static tenon_operation operation(const char* name, uint32_t flags) {
  const tenon_operation made = {name, strlen(name), flags, 0};
  return made;
}

static tenon_status call_back(Adder* adder, const tenon_body* arguments, Octets* out, tenon_error* error) {
  uint64_t position = 0;
  tenon_reference* target = NULL;
  if (tenon_reference_read(adder->orb, arguments, &position, &target, error) != TENON_OK) return TENON_SYSTEM_EXCEPTION;
  uint8_t small[64];
  Octets more = {small, 0, sizeof small, 0, 0};
  put_long(&more, 20);
  put_long(&more, 22);
  tenon_format format;
  tenon_reference_format(target, &format);
  const tenon_body body = written(&more, format);
  const tenon_operation add = operation("add", TENON_NO_TEXT);
  tenon_reply* reply = NULL;
  tenon_body results;
  const tenon_status status = tenon_invoke(target, &add, &body, 10000, &reply, &results, error);
  if (status == TENON_OK) {
    Octets in = reading(&results);
    put_long(out, get_long(&in));
  }
  tenon_reply_free(reply);
  tenon_reference_free(target);
  return status;
}

static tenon_status upcall(void* context, tenon_request* request, uint32_t which, const tenon_body* arguments,
                           tenon_body* results, tenon_error* error) {
  Adder* const adder = context;
  Octets in = reading(arguments);
  Octets out = {room, 0, most, 0, 0};
  tenon_status status = TENON_OK;
  switch (which) {
    case op_add: put_long(&out, get_long(&in) + get_long(&in)); break;
    case op_echo:  // octets: a length, then as many
    {
      const uint32_t size = get_long(&in);
      if (size > in.end - in.at) {
        error->exception = tenon_exception_number("IDL:omg.org/CORBA/MARSHAL:1.0");
        error->minor = 0;
        error->completed = 1;
        strcpy(error->text, "fewer octets than their length says");
        return TENON_SYSTEM_EXCEPTION;
      }
      put_long(&out, size);
      memcpy(out.data + out.at, in.data + in.at, size);
      out.at += size;
      break;
    }
    case op_raise:
      put_text(&out, "IDL:c_abi/Overflow:1.0");
      put_long(&out, 99);
      status = TENON_USER_EXCEPTION;
      break;
    case op_fail:
      error->exception = tenon_exception_number("IDL:omg.org/CORBA/NO_PERMISSION:1.0");
      error->minor = 7;
      error->completed = 0;
      strcpy(error->text, "not today");
      return TENON_SYSTEM_EXCEPTION;
    case op_later: {
      tenon_request* kept = NULL;
      const uint32_t sum = get_long(&in) + get_long(&in);
      if (tenon_request_defer(request, &kept, error) != TENON_OK) return TENON_SYSTEM_EXCEPTION;
      pthread_mutex_lock(&adder->mutex);
      adder->sum = sum;
      adder->deferred = kept;
      pthread_cond_signal(&adder->changed);
      pthread_mutex_unlock(&adder->mutex);
      return TENON_DEFERRED;
    }
    case op_keep: {
      tenon_request* kept = NULL;
      if (tenon_request_defer(request, &kept, error) != TENON_OK) return TENON_SYSTEM_EXCEPTION;
      pthread_mutex_lock(&adder->mutex);
      adder->kept = *arguments;
      adder->deferred = kept;
      pthread_mutex_unlock(&adder->mutex);
      return TENON_DEFERRED;
    }
    case op_call_back: status = call_back(adder, arguments, &out, error); break;
    case op_note: atomic_fetch_add(&adder->notes, 1); break;
    case op_slow:
      pthread_mutex_lock(&adder->mutex);
      while (adder->sum != 12345) pthread_cond_wait(&adder->changed, &adder->mutex);
      pthread_mutex_unlock(&adder->mutex);
      break;
    default: return 77;
  }
  const tenon_format format = results->format;
  *results = written(&out, format);
  return status;
}

static void released(void* context) {
  Adder* const adder = context;
  pthread_mutex_lock(&adder->mutex);
  ++adder->released;
  pthread_cond_broadcast(&adder->changed);
  pthread_mutex_unlock(&adder->mutex);
}

/* Replies to what op_later has deferred. */
static void* reply_later(void* context) {
  Adder* const adder = context;
  pthread_mutex_lock(&adder->mutex);
  while (adder->deferred == NULL) pthread_cond_wait(&adder->changed, &adder->mutex);
  tenon_request* const request = adder->deferred;
  adder->deferred = NULL;
  const uint32_t sum = adder->sum;
  pthread_mutex_unlock(&adder->mutex);
  tenon_error error;
  tenon_format format;
  tenon_request_format(request, &format);
  uint8_t four[8];
  Octets out = {four, 0, sizeof four, 0, 0};
  put_long(&out, sum);
  const tenon_body body = written(&out, format);
  CHECK(!tenon_request_cancelled(request));
  CHECK_OK(tenon_request_reply(request, TENON_OK, &body, NULL, &error));
  CHECK_FAILS(tenon_request_reply(request, TENON_OK, &body, NULL, &error), "BAD_INV_ORDER");
  tenon_request_free(request);
  return NULL;
}

/* --- calls --- */

/* Writes the arguments of a call, from `given`. */
typedef void (*Writing)(Octets* out, const void* given);

/* A call whose arguments are written as often as its server's format asks for it. */
static tenon_status call(tenon_reference* target, tenon_operation what, uint8_t* memory, uint64_t size, Writing writing,
                         const void* given, tenon_reply** reply, tenon_body* results, tenon_error* error) {
  tenon_format format;
  tenon_reference_format(target, &format);
  tenon_status status = TENON_WRITE_AGAIN;
  for (int tries = 0; tries < 8 && status == TENON_WRITE_AGAIN; ++tries) {
    Octets out = {memory, 0, size, format.phase, 0};
    writing(&out, given);
    const tenon_body body = written(&out, format);
    status = tenon_invoke(target, &what, &body, 10000, reply, results, error);
    if (status == TENON_WRITE_AGAIN) format = results->format;
  }
  return status;
}

static void put_two(Octets* out, const void* given) {
  put_long(out, ((const uint32_t*)given)[0]);
  put_long(out, ((const uint32_t*)given)[1]);
}
static void put_given_text(Octets* out, const void* given) { put_text(out, given); }
static void put_octets(Octets* out, const void* given) {
  const uint32_t size = *(const uint32_t*)given;
  put_long(out, size);
  for (uint32_t k = 0; k < size; ++k) out->data[out->at++] = (uint8_t)(k * 7 + k / 251);
}
static void put_more_than_there_is(Octets* out, const void* given) { put_long(out, *(const uint32_t*)given); }
static void put_target(Octets* out, const void* given) {
  tenon_error error;
  CHECK_OK(tenon_reference_write(*(tenon_reference* const*)given, out->data, out->end, out->phase, &out->at, &error));
}

static tenon_status add(tenon_reference* target, const char* name, uint32_t one, uint32_t other, uint32_t* sum,
                        tenon_error* error) {
  uint8_t small[64];
  const uint32_t both[] = {one, other};
  tenon_reply* reply = NULL;
  tenon_body results;
  const tenon_status status =
      call(target, operation(name, TENON_NO_TEXT), small, sizeof small, put_two, both, &reply, &results, error);
  if (status == TENON_OK) {
    Octets in = reading(&results);
    *sum = get_long(&in);
  }
  tenon_reply_free(reply);
  return status;
}

typedef struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int done;
  tenon_status status;
  tenon_format wanted;
  uint32_t sum;
  tenon_error error;
} Outcome;

static void completed(void* context, tenon_status status, const tenon_body* results, const tenon_error* error) {
  Outcome* const outcome = context;
  pthread_mutex_lock(&outcome->mutex);
  outcome->status = status;
  outcome->error = *error;
  outcome->wanted = results->format;
  if (status == TENON_OK) {
    Octets in = reading(results);
    outcome->sum = get_long(&in);
  }
  ++outcome->done;
  pthread_cond_signal(&outcome->changed);
  pthread_mutex_unlock(&outcome->mutex);
}

static void wait_for(Outcome* outcome) {
  pthread_mutex_lock(&outcome->mutex);
  while (outcome->done == 0) pthread_cond_wait(&outcome->changed, &outcome->mutex);
  pthread_mutex_unlock(&outcome->mutex);
}

static void asynchronous_calls(tenon_reference* target, Adder* adder) {
  tenon_error error;
  uint8_t small[64];
  tenon_format format;
  tenon_reference_format(target, &format);
  const tenon_operation what = operation("add", TENON_NO_TEXT), slow = operation("slow", 0);
  const uint32_t both[] = {30, 12};
  tenon_body body;
  Outcome outcome = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {0, 0, 0, 0, 0, 0}, 0, {0, 0, 0, 0, ""}};
  for (int tries = 0; tries < 8; ++tries) {
    Octets out = {small, 0, sizeof small, format.phase, 0};
    put_two(&out, both);
    body = written(&out, format);
    outcome.done = 0;
    CHECK_OK(tenon_invoke_async(target, &what, &body, 10000, completed, &outcome, NULL, &error));
    wait_for(&outcome);
    CHECK(outcome.done == 1);
    if (outcome.status != TENON_WRITE_AGAIN) break;
    format = outcome.wanted;
  }
  CHECK(outcome.status == TENON_OK && outcome.sum == 42);

  tenon_pending* pending = NULL;
  outcome.done = 0;
  adder->sum = 0;
  CHECK_OK(tenon_invoke_async(target, &slow, NULL, 0, completed, &outcome, &pending, &error));
  tenon_pending_cancel(pending);
  wait_for(&outcome);
  CHECK(outcome.status == TENON_SYSTEM_EXCEPTION &&
        outcome.error.exception == tenon_exception_number("IDL:omg.org/CORBA/TRANSIENT:1.0"));
  tenon_pending_free(pending);
  pthread_mutex_lock(&adder->mutex);
  adder->sum = 12345;
  pthread_cond_broadcast(&adder->changed);
  pthread_mutex_unlock(&adder->mutex);
  CHECK_FAILS(tenon_invoke_async(target, &what, &body, 0, NULL, NULL, NULL, &error), "BAD_PARAM");
}

/* Sizes around those at which the engine lends, and sends a first part by itself. */
static void large_bodies(tenon_reference* target) {
  static const uint32_t sizes[] = {0, 1, 4091, 4092, 4096, 65000, 70000, 900000};
  tenon_error error;
  uint8_t* const memory = malloc(most);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    tenon_reply* reply = NULL;
    tenon_body results;
    check_at(call(target, operation("echo", TENON_NO_TEXT), memory, most, put_octets, &sizes[i], &reply, &results, &error) ==
                 TENON_OK, "echo", __LINE__, &error);
    Octets expected = {memory, 0, most, 0, 0};
    put_octets(&expected, &sizes[i]);
    CHECK(results.size == expected.at && memcmp(results.data, memory, expected.at) == 0);
    tenon_reply_free(reply);
  }
  free(memory);
}

/* What a deferred request has stays, whatever a caller that waits no more does with its memory. */
static void kept_arguments(tenon_reference* target, Adder* adder) {
  const uint32_t size = 70000;
  tenon_error error;
  tenon_format format;
  tenon_reference_format(target, &format);
  const tenon_operation keep = operation("keep", TENON_NO_TEXT);
  uint8_t* const memory = malloc(most);
  uint8_t* const expected = malloc(most);
  tenon_reply* reply = NULL;
  tenon_body results;
  tenon_status status = TENON_WRITE_AGAIN;
  Octets out;
  for (int tries = 0; tries < 8 && status == TENON_WRITE_AGAIN; ++tries) {
    out = (Octets){memory, 0, most, format.phase, 0};
    put_octets(&out, &size);
    memcpy(expected, memory, out.at);
    const tenon_body body = written(&out, format);
    status = tenon_invoke(target, &keep, &body, 300, &reply, &results, &error);
    if (status == TENON_WRITE_AGAIN) format = results.format;
  }
  CHECK(status == TENON_SYSTEM_EXCEPTION && error.exception == tenon_exception_number("IDL:omg.org/CORBA/TIMEOUT:1.0"));
  memset(memory, 0xee, most);
  free(memory);
  pthread_mutex_lock(&adder->mutex);
  CHECK(adder->deferred != NULL && adder->kept.size == out.at && memcmp(adder->kept.data, expected, out.at) == 0);
  tenon_request_free(adder->deferred);
  adder->deferred = NULL;
  pthread_mutex_unlock(&adder->mutex);
  free(expected);
}

static void exceptions(tenon_reference* target) {
  tenon_error error;
  tenon_reply* reply = NULL;
  tenon_body results;
  const tenon_operation raise = operation("raise", 0), refuse = operation("fail", 0), none = operation("none", 0),
                        echo = operation("echo", TENON_NO_TEXT);
  CHECK(tenon_invoke(target, &raise, NULL, 0, &reply, &results, &error) == TENON_USER_EXCEPTION);
  Octets in = reading(&results);
  CHECK(get_long(&in) == 23 && strcmp((const char*)in.data + in.at, "IDL:c_abi/Overflow:1.0") == 0);
  in.at += 23;
  CHECK(get_long(&in) == 99);
  tenon_reply_free(reply);
  CHECK_FAILS(tenon_invoke(target, &refuse, NULL, 0, &reply, &results, &error), "NO_PERMISSION");
  CHECK(error.minor == 7 && error.completed == 0 && reply == NULL);
  CHECK_FAILS(tenon_invoke(target, &none, NULL, 0, &reply, &results, &error), "BAD_OPERATION");
  const uint32_t too_many = 0x7fffffff;
  uint8_t small[64];
  CHECK_FAILS(call(target, echo, small, sizeof small, put_more_than_there_is, &too_many, &reply, &results, &error), "MARSHAL");
}

static void built_in_operations(tenon_reference* target) {
  static const struct {
    const char* id;
    uint8_t expected;
  } asked[] = {{"IDL:c_abi/Adder:1.0", 1}, {"IDL:c_abi/Base:1.0", 1}, {"IDL:omg.org/CORBA/Object:1.0", 1},
               {"IDL:c_abi/Other:1.0", 0}};
  tenon_error error;
  tenon_reply* reply = NULL;
  tenon_body results;
  const tenon_operation is_a = operation("_is_a", 0), gone = operation("_non_existent", 0);
  for (size_t i = 0; i < sizeof asked / sizeof *asked; ++i) {
    uint8_t small[64];
    check_at(call(target, is_a, small, sizeof small, put_given_text, asked[i].id, &reply, &results, &error) == TENON_OK, "_is_a",
             __LINE__, &error);
    CHECK(results.size == 1 && results.data[0] == asked[i].expected);
    tenon_reply_free(reply);
  }
  CHECK_OK(tenon_invoke(target, &gone, NULL, 0, &reply, &results, &error));
  CHECK(results.size == 1 && results.data[0] == 0);
  tenon_reply_free(reply);
}

static void references(tenon_orb* orb, tenon_reference* target) {
  tenon_error error;
  uint64_t size = 0;
  CHECK(tenon_reference_to_text(target, NULL, 0, &size, &error) == TENON_NO_ROOM);
  char* const text = malloc(size + 1);
  CHECK(tenon_reference_to_text(target, text, size, &size, &error) == TENON_NO_ROOM);
  CHECK_OK(tenon_reference_to_text(target, text, size + 1, &size, &error));
  CHECK(strlen(text) == size && strncmp(text, "IOR:", 4) == 0);
  tenon_reference* same = NULL;
  CHECK_OK(tenon_reference_from_text(orb, text, &same, &error));
  CHECK(tenon_reference_equivalent(target, same) && tenon_reference_hash(target) == tenon_reference_hash(same));
  CHECK(strcmp(tenon_reference_type_id(same), "IDL:c_abi/Adder:1.0") == 0);

  for (uint32_t phase = 0; phase < 8; ++phase) {
    uint64_t position = 3;
    CHECK(tenon_reference_write(same, room, 10, phase, &position, &error) == TENON_NO_ROOM && position > 10);
    const uint64_t enough = position;
    position = 3;
    CHECK(tenon_reference_write(same, room, enough - 1, phase, &position, &error) == TENON_NO_ROOM);
    position = 3;
    CHECK_OK(tenon_reference_write(same, room, enough, phase, &position, &error));
    CHECK(position == enough);
    tenon_body body;
    memset(&body, 0, sizeof body);
    tenon_reference_format(same, &body.format);
    body.data = room;
    body.size = position;
    body.format.phase = (uint8_t)phase;
    tenon_reference* again = NULL;
    position = 3;
    CHECK_OK(tenon_reference_read(orb, &body, &position, &again, &error));
    CHECK(position == enough && tenon_reference_equivalent(again, same));
    tenon_reference_free(again);
    body.size = position - 1;
    position = 3;
    CHECK_FAILS(tenon_reference_read(orb, &body, &position, &again, &error), "MARSHAL");
    CHECK(again == NULL && position == 3);
  }
  uint64_t position = 0;
  CHECK_OK(tenon_reference_write(NULL, room, most, 0, &position, &error));
  tenon_body nil;
  memset(&nil, 0, sizeof nil);
  tenon_reference_format(same, &nil.format);
  nil.data = room;
  nil.size = position;
  position = 0;
  tenon_reference* none = same;
  CHECK_OK(tenon_reference_read(orb, &nil, &position, &none, &error));
  CHECK(none == NULL && !tenon_reference_equivalent(none, same) && tenon_reference_equivalent(none, NULL));
  tenon_reference_free(same);
  free(text);
  CHECK_FAILS(tenon_reference_from_text(orb, "nonsense:", &none, &error), "BAD_PARAM");
  CHECK_FAILS(tenon_orb_initial_reference(orb, "Nobody", &none, &error), "BAD_PARAM");
  CHECK(strstr(error.text, "Nobody") != NULL);
}

static void bad_arguments(tenon_orb* orb, tenon_adapter* adapter) {
  tenon_error error;
  tenon_interface* interface_ = NULL;
  static const char* const twice[] = {"a", "b", "a"};
  CHECK_FAILS(tenon_interface_new(ids, 2, twice, 3, &interface_, &error), "BAD_PARAM");
  CHECK_FAILS(tenon_interface_new(NULL, 0, operations, op_count, &interface_, &error), "BAD_PARAM");
  CHECK_FAILS(tenon_adapter_set_state(adapter, 9, &error), "BAD_PARAM");
  CHECK_FAILS(tenon_reference_from_text(orb, NULL, NULL, &error), "BAD_PARAM");
  CHECK(tenon_reference_from_text(NULL, "IOR:", NULL, NULL) == TENON_SYSTEM_EXCEPTION);
  const char* wrong[] = {"-ORBNoSuchOption", "1"};
  tenon_orb* none = NULL;
  CHECK_FAILS(tenon_orb_init(2, wrong, NULL, "other", &none, &error), "BAD_PARAM");
  CHECK(none == NULL && strstr(error.text, "NoSuchOption") != NULL);
  CHECK(tenon_exception_id(0) == NULL && tenon_exception_id(tenon_exception_count() + 1) == NULL);
  for (uint32_t i = 1; i <= tenon_exception_count(); ++i) CHECK(tenon_exception_number(tenon_exception_id(i)) == i);
  const uint32_t marshal = tenon_exception_number("IDL:omg.org/CORBA/MARSHAL:1.0");
  tenon_error known = {marshal, 0x544e0001, 1, 0, ""};
  tenon_error_describe(&known);
  CHECK(strcmp(known.text, "a value ends beyond the message") == 0);
  known.minor = 0x7fffffff;
  tenon_error_describe(&known);
  CHECK(*known.text == '\0' && known.exception == marshal);
  known.exception = 1000;
  tenon_error_describe(&known);
  CHECK(*known.text == '\0');
  tenon_error_describe(NULL);
  tenon_policy policies[] = {{17, 1}, {19, 0}, {99, 1}};
  tenon_adapter* child = NULL;
  CHECK_FAILS(tenon_adapter_new(adapter, "child", policies, 3, &child, &error), "INV_POLICY");
  CHECK_OK(tenon_adapter_new(adapter, "child", policies, 2, &child, &error));
  tenon_adapter_free(child);
  CHECK_FAILS(tenon_adapter_new(adapter, "child", policies, 2, &child, &error), "OBJ_ADAPTER");
}

static tenon_orb* make_orb(const char* id, const char* options) {
  const char* arguments[12] = {"first"};
  char copy[256];
  uint32_t count = 1;
  strncpy(copy, options, sizeof copy - 1);
  copy[sizeof copy - 1] = '\0';
  for (char* each = strtok(copy, " "); each != NULL; each = strtok(NULL, " ")) arguments[count++] = each;
  arguments[count++] = "last";
  uint32_t left = 0;
  tenon_error error;
  tenon_orb* orb = NULL;
  CHECK_OK(tenon_orb_init(count, arguments, &left, id, &orb, &error));
  CHECK(left == 2 && strcmp(arguments[0], "first") == 0 && strcmp(arguments[1], "last") == 0);
  return orb;
}

/* Server and client with these options; `way` names them in messages. */
static void over(const char* way, const char* server_options, const char* client_options) {
  const int before = failures;
  tenon_error error;
  Adder adder;
  memset(&adder, 0, sizeof adder);
  pthread_mutex_init(&adder.mutex, NULL);
  pthread_cond_init(&adder.changed, NULL);
  tenon_orb* const server = make_orb("server", server_options);
  tenon_orb* const client = client_options != NULL ? make_orb("client", client_options) : tenon_orb_dup(server);
  adder.orb = server;
  tenon_adapter* adapter = NULL;
  tenon_interface* interface_ = NULL;
  tenon_servant* servant = NULL;
  tenon_reference* made = NULL;
  CHECK_OK(tenon_root_adapter(server, &adapter, &error));
  CHECK_OK(tenon_interface_new(ids, 2, operations, op_count, &interface_, &error));
  CHECK_OK(tenon_servant_new(interface_, upcall, released, &adder, &servant, &error));
  tenon_interface_free(interface_);
  CHECK_OK(tenon_adapter_activate(adapter, servant, NULL, 0, &made, &error));
  tenon_reference* twice = NULL;
  CHECK_FAILS(tenon_adapter_activate(adapter, servant, NULL, 0, &twice, &error), "OBJ_ADAPTER");
  tenon_servant_free(servant);
  CHECK_OK(tenon_adapter_set_state(adapter, TENON_ACTIVE, &error));
  CHECK_OK(tenon_orb_publish(server, "Adder", made, &error));

  char text[4096];
  uint64_t size = 0;
  CHECK_OK(tenon_reference_to_text(made, text, sizeof text, &size, &error));
  tenon_reference* target = NULL;
  CHECK_OK(tenon_reference_from_text(client, text, &target, &error));

  uint32_t sum = 0;
  CHECK_OK(add(target, "add", 40, 2, &sum, &error));
  CHECK(sum == 42);
  exceptions(target);
  built_in_operations(target);
  large_bodies(target);
  kept_arguments(target, &adder);
  references(client, target);
  bad_arguments(client, adapter);

  pthread_t replier;
  pthread_create(&replier, NULL, reply_later, &adder);
  CHECK_OK(add(target, "later", 50, 5, &sum, &error));
  CHECK(sum == 55);
  pthread_join(replier, NULL);

  uint8_t small[2048];
  const tenon_operation back = operation("call_back", TENON_NO_TEXT), note = operation("note", TENON_ONEWAY);
  tenon_reply* reply = NULL;
  tenon_body results;
  CHECK_OK(call(target, back, small, sizeof small, put_target, (const void*)&target, &reply, &results, &error));
  Octets in = reading(&results);
  CHECK(get_long(&in) == 42);
  tenon_reply_free(reply);

  CHECK_OK(tenon_invoke(target, &note, NULL, 0, &reply, &results, &error));
  CHECK(reply == NULL);
  CHECK_OK(add(target, "add", 1, 1, &sum, &error));  // oneways of a connection come before later calls
  CHECK(atomic_load(&adder.notes) == 1);
  asynchronous_calls(target, &adder);

  CHECK_OK(tenon_adapter_deactivate(adapter, made, &error));
  pthread_mutex_lock(&adder.mutex);
  while (adder.released == 0) pthread_cond_wait(&adder.changed, &adder.mutex);  // the slow upcall may still run
  CHECK(adder.released == 1);
  pthread_mutex_unlock(&adder.mutex);
  CHECK_FAILS(add(target, "add", 1, 1, &sum, &error), "OBJECT_NOT_EXIST");
  CHECK_OK(tenon_orb_destroy(client, &error));
  if (client != server) CHECK_OK(tenon_orb_destroy(server, &error));
  CHECK(add(target, "add", 1, 1, &sum, &error) == TENON_SYSTEM_EXCEPTION && error.text[0] != '\0');
  CHECK(tenon_reference_to_text(target, text, sizeof text, &size, &error) == TENON_SYSTEM_EXCEPTION);
  CHECK(tenon_adapter_activate(adapter, NULL, NULL, 0, &twice, &error) == TENON_SYSTEM_EXCEPTION);
  tenon_reference_free(target);
  tenon_reference_free(made);
  tenon_adapter_free(adapter);
  tenon_orb_free(client);
  tenon_orb_free(server);
  if (failures != before) fprintf(stderr, "... over %s\n", way);
}

/* An ORB that cannot listen has no objects, and lets go of their servants. */
static void no_endpoint(void) {
  tenon_error error;
  Adder adder;
  memset(&adder, 0, sizeof adder);
  pthread_mutex_init(&adder.mutex, NULL);
  pthread_cond_init(&adder.changed, NULL);
  tenon_orb* const orb = make_orb("deaf", "-ORBListenEndpoints iiop://192.0.2.1:1");
  tenon_adapter* adapter = NULL;
  tenon_interface* interface_ = NULL;
  tenon_servant* servant = NULL;
  tenon_reference* reference = NULL;
  CHECK_OK(tenon_root_adapter(orb, &adapter, &error));
  CHECK_OK(tenon_interface_new(ids, 2, operations, op_count, &interface_, &error));
  CHECK_OK(tenon_servant_new(interface_, upcall, released, &adder, &servant, &error));
  CHECK_FAILS(tenon_adapter_activate(adapter, servant, NULL, 0, &reference, &error), "INITIALIZE");
  CHECK(reference == NULL && strstr(error.text, "192.0.2.1") != NULL);
  CHECK_FAILS(tenon_adapter_activate(adapter, servant, NULL, 0, &reference, &error), "INITIALIZE");
  tenon_servant_free(servant);
  CHECK(adder.released == 1);
  tenon_interface_free(interface_);
  CHECK_OK(tenon_orb_destroy(orb, &error));
  CHECK_FAILS(tenon_adapter_set_state(adapter, TENON_ACTIVE, &error), "OBJECT_NOT_EXIST");
  tenon_adapter_free(adapter);
  tenon_orb_free(orb);
}

__attribute__((noinline)) static uint64_t stack_left_below(int frames) {
  uint64_t left = frames > 0 ? stack_left_below(frames - 1) : tenon_stack_left();
  CHECK(left != 0);
  return left;
}

static void stack_left(void) {
  uint64_t here = tenon_stack_left();
  uint64_t below = stack_left_below(100);
  CHECK(here > 65536 && below < here && here - below < 100 * 1024);
}

int main(void) {
  CHECK(tenon_c_abi() == TENON_C_ABI);
  stack_left();
  over("TCP", "-ORBListenEndpoints iiop://127.0.0.1:0 -ORBCollocation no", "-ORBCollocation no");
  over("TCP with GIOP 1.0", "-ORBListenEndpoints iiop://127.0.0.1:0 -ORBCollocation no", "-ORBCollocation no -ORBGIOPVersion 1.0");
  over("what two ORBs of a process choose", "-ORBCollocation per-orb", "-ORBCollocation per-orb");
  over("the same ORB", "-ORBCollocation yes", NULL);
  over("a pool of one thread, which is replaced while it waits",
       "-ORBServing pool -ORBPoolThreads 1 -ORBListenEndpoints iiop://127.0.0.1:0 -ORBCollocation no", "-ORBCollocation no");
  over("a pool", "-ORBServing pool -ORBListenEndpoints iiop://127.0.0.1:0 -ORBCollocation no", "-ORBCollocation no");
  no_endpoint();
  if (failures == 0) puts("c_abi_tests: all as expected");
  return failures != 0;
}
