/* SPDX-License-Identifier: Apache-2.0
 *
 * Tenon's C ABI: the ORB for other languages. A call is octets in, octets out: this interface knows names of operations, but no types.
 * Arguments and results cross it as CDR (CORBA 3.4 part 2 §9.3), and the language on either side writes and reads them ("late
 * demarshalling"). Link libtenon-c (pkg-config tenon-c); docs/c-abi.md has an example and says what a language binding has to do.
 *
 * Threads. Every function may be called from any thread, which need not be made known before, unless its comment says otherwise. Upcalls
 * and completions come on threads of the ORB that live long, or, for an object of this process, on the thread that calls. No lock of the
 * ORB is held meanwhile, so they may call any function; tenon_orb_shutdown() that waits, and tenon_orb_destroy(), are refused there.
 *
 * Ownership. What a function makes is given back by the _free function of its type, once, also after the ORB is destroyed; null is
 * allowed there. Octets and texts that are given in are read before the function returns, unless its comment says otherwise. No
 * memory is allocated on one side and freed on the other.
 *
 * Errors. Functions return a status and never let an exception of C++ out. A status that is not TENON_OK has told the reason in `error`,
 * which the caller provides; it may be null. After tenon_orb_destroy() all functions but those that end in _free and _dup answer
 * OBJECT_NOT_EXIST or BAD_INV_ORDER.
 *
 * Structures are plain, without padding that is not named. Those that may grow begin with their size in octets.
 */
#ifndef TENON_C_H
#define TENON_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rises with each change that a program would notice which was compiled before it. */
#define TENON_C_ABI 1
/* What the library has: TENON_C_ABI of the header that it was compiled with. */
uint32_t tenon_c_abi(void);

typedef struct tenon_orb tenon_orb;
typedef struct tenon_reference tenon_reference; /* an object reference that is not nil; never changes */
typedef struct tenon_interface tenon_interface; /* what objects implement: repository ids and operations */
typedef struct tenon_adapter tenon_adapter;     /* a POA */
typedef struct tenon_servant tenon_servant;
typedef struct tenon_reply tenon_reply;     /* of a call that this program has made */
typedef struct tenon_pending tenon_pending; /* an asynchronous call */
typedef struct tenon_request tenon_request; /* a call to an object of this program */

/* --- outcomes --- */

typedef int32_t tenon_status;
enum {
  TENON_OK = 0,
  TENON_USER_EXCEPTION = 1,   /* the body is the repository id as a string, then the members */
  TENON_SYSTEM_EXCEPTION = 2, /* `error` has it */
  TENON_WRITE_AGAIN = 3,      /* of a call: write the arguments once more, in the format that the results say */
  TENON_DEFERRED = 4,         /* of an upcall: tenon_request_reply() follows */
  TENON_NO_ROOM = 5           /* the memory that was given is too small */
};

/* A system exception (CORBA 3.4 part 1 §A). */
typedef struct tenon_error {
  uint32_t exception; /* as tenon_exception_id() counts; 0: none */
  uint32_t minor;     /* minor code, vendor's set included */
  uint32_t completed; /* CompletionStatus: 0 yes, 1 no, 2 maybe */
  uint32_t reserved;
  char text[496]; /* UTF-8, ends in NUL: for people; what went wrong, where, and what would be right */
} tenon_error;

/* "IDL:omg.org/CORBA/MARSHAL:1.0"; null for 0 and beyond the last one, tenon_exception_count(). Static. */
const char* tenon_exception_id(uint32_t exception);
uint32_t tenon_exception_count(void);
/* The number of the exception with that repository id; that of UNKNOWN if there is none (§A.4). */
uint32_t tenon_exception_number(const char* repository_id);
/* Writes into the text of an error what its exception's minor code means; the empty text if that is not known. */
void tenon_error_describe(tenon_error* error);

/* --- bodies --- */

/* What the octets of a body are made for. Code sets are ids of the OSF registry: 0x05010001 UTF-8, 0x00010001 ISO 8859-1, 0x00010109
 * UTF-16; 0 for `wchars`: none has been negotiated, so wide text cannot be sent. */
typedef struct tenon_format {
  uint32_t chars;        /* of char and string */
  uint32_t wchars;       /* of wchar and wstring */
  uint8_t little_endian; /* 1 or 0 */
  uint8_t giop_minor;    /* 0, 1 or 2 */
  uint8_t phase;         /* position of the first octet modulo 8, for alignment; 0 but in requests of GIOP 1.0 and 1.1 */
  uint8_t reserved;
} tenon_format;

/* From `offset` in the body on, positions count from `phase` modulo 8. */
typedef struct tenon_segment {
  uint64_t offset;
  uint64_t phase;
} tenon_segment;

/* One body in one piece. An address in it is a multiple of 8 where the position in the message is one. */
typedef struct tenon_body {
  const uint8_t* data;
  uint64_t size; /* octets */
  tenon_format format;
  uint32_t segment_count;        /* of a message that came in fragments of GIOP 1.1, which restart alignment; else 0 */
  uint32_t reserved;
  const tenon_segment* segments; /* in rising order; null where there are none */
} tenon_body;

/* --- the ORB (CORBA 3.4 part 1 §8.2, §8.5) --- */

/* `count` arguments of the command line without the program's name; may be null. -ORB options (docs/options.md) count; the others are
 * put to the front, in their order, and `*left`, which may be null, says how many they are. `id`: of the ORB; null: as the
 * options say. An ORB of that id that is there already is returned again. BAD_PARAM: an option is wrong; INITIALIZE, NO_MEMORY. */
tenon_status tenon_orb_init(uint32_t count, const char** arguments, uint32_t* left, const char* id, tenon_orb** orb,
                            tenon_error* error);
/* Returns when the ORB is shut down. Other threads serve; this one does the work of the main thread, if there is any. */
tenon_status tenon_orb_run(tenon_orb* orb, tenon_error* error);
/* `wait`: returns when no upcall runs any more. */
tenon_status tenon_orb_shutdown(tenon_orb* orb, int32_t wait, tenon_error* error);
/* Shuts the ORB down, waits for that, and ends it. */
tenon_status tenon_orb_destroy(tenon_orb* orb, tenon_error* error);
/* Another handle of the same ORB. Never fails. */
tenon_orb* tenon_orb_dup(tenon_orb* orb);
/* Gives the handle back; does not destroy the ORB. */
void tenon_orb_free(tenon_orb* orb);

/* --- references --- */

/* IOR:, corbaloc:, corbaname: or file: (part 2 §7.6.9, §7.6.10). `*reference` is null for nil. BAD_PARAM (minor OMG 7 to 10). */
tenon_status tenon_reference_from_text(tenon_orb* orb, const char* text, tenon_reference** reference, tenon_error* error);
/* Writes the text and a NUL to `into`, `capacity` octets. `*size` is its length without the NUL, also with TENON_NO_ROOM, which writes
 * nothing. */
tenon_status tenon_reference_to_text(const tenon_reference* reference, char* into, uint64_t capacity, uint64_t* size,
                                     tenon_error* error);
/* An initial reference by its name, "NameService" (part 1 §8.5.2). BAD_PARAM: there is none of that name; the text says which there are. */
tenon_status tenon_orb_initial_reference(tenon_orb* orb, const char* name, tenon_reference** reference, tenon_error* error);

/* Reads a reference that begins in the body at `*position`, an offset from body->data, and moves it behind. Null for nil. MARSHAL. */
tenon_status tenon_reference_read(tenon_orb* orb, const tenon_body* body, uint64_t* position, tenon_reference** reference,
                                  tenon_error* error);
/* Writes a reference, or nil for null, at `*position` from `data`, where `phase` is the position of data[0] modulo 8, in the machine's
 * byte order, and moves it behind. TENON_NO_ROOM: `*position` is how many octets would have been enough; nothing has been written. */
tenon_status tenon_reference_write(const tenon_reference* reference, uint8_t* data, uint64_t capacity, uint32_t phase,
                                   uint64_t* position, tenon_error* error);

/* The repository id that the reference says; may be empty. Lives as long as the reference. */
const char* tenon_reference_type_id(const tenon_reference* reference);
/* 1: the object is one of this ORB's own, and calls to it stay in the process (-ORBCollocation). Asked without a call; once the ORB is
 * destroyed, 0. */
int32_t tenon_reference_is_local(const tenon_reference* reference);
/* 1: both certainly are of the same object, asked without a call (part 1 §8.3.6). Null is nil. */
int32_t tenon_reference_equivalent(const tenon_reference* one, const tenon_reference* other);
uint32_t tenon_reference_hash(const tenon_reference* reference);
/* Another handle of the same reference. Never fails. */
tenon_reference* tenon_reference_dup(tenon_reference* reference);
void tenon_reference_free(tenon_reference* reference);

/* --- calls --- */

/* Flags of an operation. */
enum {
  TENON_ONEWAY = 1,
  TENON_NO_TEXT = 2 /* no argument has a char, a string or a wide one, so that code sets do not matter */
};
typedef struct tenon_operation {
  const char* name; /* as on the wire: "add", "_get_title" */
  uint64_t length;  /* octets, without a NUL, which need not be there */
  uint32_t flags;
  uint32_t reserved;
} tenon_operation;

/* The format in which arguments of calls over this reference are best written first. */
void tenon_reference_format(const tenon_reference* reference, tenon_format* format);

/* Calls the operation and waits for its reply. `arguments`: the body of the request, in this machine's byte order, which must stay as it
 * is until this returns; null: the operation has none. `timeout_ms`: 0: as policies and options say.
 *
 * TENON_OK and TENON_USER_EXCEPTION: `results` is the body of the reply, which lives until `*reply` is freed; free it soon, since it may
 * keep a connection busy. After a oneway `*reply` is null. TENON_WRITE_AGAIN: nothing has been sent; results->format says how the
 * arguments have to be written for the object's server, and the call is to be made once more. It should be tried eight times at most:
 * references may lead to one server and then to another. Otherwise `*reply` is null. Location forwards and retries are followed. */
tenon_status tenon_invoke(tenon_reference* target, const tenon_operation* operation, const tenon_body* arguments,
                          uint32_t timeout_ms, tenon_reply** reply, tenon_body* results, tenon_error* error);
/* May be called on another thread than tenon_invoke(). */
void tenon_reply_free(tenon_reply* reply);

/* What ends an asynchronous call, once: `status` and `error` as of tenon_invoke(); the results live until it returns. It is called on a
 * thread of the ORB, perhaps before tenon_invoke_async() returns. */
typedef void (*tenon_completion)(void* context, tenon_status status, const tenon_body* results, const tenon_error* error);
/* As tenon_invoke(), but returns when the request has been sent or is waiting to be. The arguments are copied. TENON_OK: `completion`
 * will be called; otherwise it will not. `*pending`, for tenon_pending_cancel(); the pointer may be null. */
tenon_status tenon_invoke_async(tenon_reference* target, const tenon_operation* operation, const tenon_body* arguments,
                                uint32_t timeout_ms, tenon_completion completion, void* context, tenon_pending** pending,
                                tenon_error* error);
/* Ends the call soon, with TRANSIENT (minor OMG 3) unless its reply has come; the completion is called all the same. */
void tenon_pending_cancel(tenon_pending* pending);
/* Does not end the call. */
void tenon_pending_free(tenon_pending* pending);

/* --- objects of this program (CORBA 3.4 part 1 §15) --- */

/* `ids`: repository ids, the most derived one first, without CORBA/Object's, which every object has. `operations`: names as on the wire,
 * those of the bases too; upcalls get the place of a name in this list. All is copied. BAD_PARAM: no id, or a name twice. */
tenon_status tenon_interface_new(const char* const* ids, uint32_t id_count, const char* const* operations,
                                 uint32_t operation_count, tenon_interface** interface_, tenon_error* error);
/* Servants keep it as long as they need it. */
void tenon_interface_free(tenon_interface* interface_);

/* Runs one call. `operation`: its place in the interface's list. `arguments` and `request` live until this returns. `results` comes with
 * the format in which the reply is to be written, phase 0; with TENON_OK and TENON_USER_EXCEPTION it has the body of the reply, which must
 * stay as it is until the same thread comes with another upcall, or ends: memory that belongs to the thread. TENON_SYSTEM_EXCEPTION: the
 * `error`, whose exception is UNKNOWN where it says none. TENON_DEFERRED: tenon_request_defer() has been called. Any other status is
 * UNKNOWN to the caller. Many upcalls run at a time, unless the adapter's thread policy says otherwise. */
typedef tenon_status (*tenon_upcall)(void* context, tenon_request* request, uint32_t operation,
                                     const tenon_body* arguments, tenon_body* results, tenon_error* error);
/* Called once, when no upcall of the servant runs any more or can come, on any thread. */
typedef void (*tenon_release)(void* context);

/* `release` may be null. */
tenon_status tenon_servant_new(tenon_interface* interface_, tenon_upcall upcall, tenon_release release, void* context,
                               tenon_servant** servant, tenon_error* error);
/* Adapters keep it as long as it is active. */
void tenon_servant_free(tenon_servant* servant);

/* 1: the caller waits for a reply; 0: oneway. */
int32_t tenon_request_response_expected(const tenon_request* request);
/* The id of the object in its adapter; valid until the upcall returns. Of a deferred request: none, size 0. */
const uint8_t* tenon_request_object_id(const tenon_request* request, uint64_t* size);
/* Inside an upcall: takes the request out of it, arguments included, so that it can be replied to later, on any thread. Once. The upcall
 * then returns TENON_DEFERRED, and the octets of `arguments`, which may now be at another address, live until tenon_request_reply() or
 * tenon_request_free(): copy `*arguments` when this has returned. NO_RESOURCES, NO_MEMORY. */
tenon_status tenon_request_defer(tenon_request* request, tenon_request** deferred, tenon_error* error);
/* Of a deferred request: whether its caller no longer waits. */
int32_t tenon_request_cancelled(const tenon_request* deferred);
/* The format of the reply to a deferred request. */
void tenon_request_format(const tenon_request* deferred, tenon_format* format);
/* Replies to a deferred request, once, as the return of an upcall does; `results` is read before this returns. The request then is to be
 * freed. An error: the caller did not get the reply. */
tenon_status tenon_request_reply(tenon_request* deferred, tenon_status status, const tenon_body* results,
                                 const tenon_error* exception, tenon_error* error);
/* One that has not been replied to leaves its caller waiting until its time is out. */
void tenon_request_free(tenon_request* deferred);

/* Policies of tenon_adapter_new(), by the standard's types and values (part 1 §15.3.8). */
typedef struct tenon_policy {
  uint32_t type;  /* 16 thread: 0 ORB's control, 1 single thread, 2 main thread; 17 lifespan: 0 transient, 1 persistent; 18 id uniqueness: 0
                     unique, 1 multiple; 19 id assignment: 0 user, 1 system */
  uint32_t value;
} tenon_policy;

/* Octets that the calling thread's stack has left; UINT64_MAX: it cannot be told. For run times that an overflow of the stack in an upcall
 * would end: calls to objects of this program nest on the thread that makes them. Takes a few nanoseconds, and never blocks. */
uint64_t tenon_stack_left(void);

/* The root POA. Its objects are served once its state is TENON_ACTIVE. */
tenon_status tenon_root_adapter(tenon_orb* orb, tenon_adapter** adapter, tenon_error* error);
/* A POA below another one, under that one's manager. BAD_PARAM: there is one of that name; INV_POLICY: a policy is wrong. */
tenon_status tenon_adapter_new(tenon_adapter* parent, const char* name, const tenon_policy* policies, uint32_t policy_count,
                               tenon_adapter** adapter, tenon_error* error);
/* Upcalls that run go on to their end; with `wait`, returns after that. POAs below it go, too. */
tenon_status tenon_adapter_destroy(tenon_adapter* adapter, int32_t wait, tenon_error* error);
void tenon_adapter_free(tenon_adapter* adapter);

enum { TENON_HOLDING = 0, TENON_ACTIVE = 1, TENON_DISCARDING = 2, TENON_INACTIVE = 3 };
/* The state of the adapter's manager, which its parent shares. From TENON_INACTIVE there is no way back: BAD_INV_ORDER. Of an adapter that has
 * been destroyed, as by the end of its ORB: OBJECT_NOT_EXIST. */
tenon_status tenon_adapter_set_state(tenon_adapter* adapter, int32_t state, tenon_error* error);

/* Activates an object. `id`: of an adapter whose ids are the user's; null, and the adapter makes one. Opens the ORB's endpoints, if they
 * are not open yet. OBJ_ADAPTER: the servant or the id is active already, or the adapter's policies do not allow it; the text says so. */
tenon_status tenon_adapter_activate(tenon_adapter* adapter, tenon_servant* servant, const uint8_t* id, uint64_t id_size,
                                    tenon_reference** reference, tenon_error* error);
/* Ends the object that the reference is of. OBJECT_NOT_EXIST, OBJ_ADAPTER: it is none of this adapter. */
tenon_status tenon_adapter_deactivate(tenon_adapter* adapter, const tenon_reference* reference, tenon_error* error);

/* Lets a plain key, as in corbaloc:iiop:host:port/NAME, stand for an object of this program; a null reference takes it away. BAD_PARAM. */
tenon_status tenon_orb_publish(tenon_orb* orb, const char* name, const tenon_reference* reference, tenon_error* error);

#ifdef __cplusplus
}
#endif

#endif
