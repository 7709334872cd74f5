/* SPDX-License-Identifier: Apache-2.0
 *
 * The C ABI (docs/c-abi.md) by itself, as a language binding uses it: a server and a client of
 *
 *   interface Greeter { string greet(in string name); };
 *
 *   greeter server greeter.ior &     writes its reference to the file, and serves
 *   greeter client greeter.ior Ada   prints: Hello, Ada!
 *
 * Strings are CDR: an unsigned long that counts the octets and the NUL, then these. Both are written here in the machine's byte order; the
 * reader looks at what the format says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tenon/c.h>

static int failed(const char* what, const tenon_error* error) {
  fprintf(stderr, "greeter: %s: %s: %s\n", what, tenon_exception_id(error->exception), error->text);
  return 1;
}

static uint64_t put_string(uint8_t* into, const char* text) {
  const uint32_t size = (uint32_t)strlen(text) + 1;
  memcpy(into, &size, 4);
  memcpy(into + 4, text, size);
  return 4 + (uint64_t)size;
}

/* Null: it is none. */
static const char* get_string(const tenon_body* body) {
  const uint32_t one = 1;
  const int little = *(const uint8_t*)&one;
  uint32_t size;
  if (body->size < 4) return NULL;
  memcpy(&size, body->data, 4);
  if (body->format.little_endian != little) size = __builtin_bswap32(size);
  if (size == 0 || size > body->size - 4 || body->data[4 + size - 1] != '\0') return NULL;
  return (const char*)body->data + 4;
}

static tenon_status greet(void* context, tenon_request* request, uint32_t operation, const tenon_body* arguments,
                          tenon_body* results, tenon_error* error) {
  static _Thread_local uint8_t room[1024]; /* stays until this thread's next upcall */
  const char* const name = get_string(arguments);
  char text[900];
  (void)context, (void)request, (void)operation; /* there is only one */
  if (name == NULL) {
    error->exception = tenon_exception_number("IDL:omg.org/CORBA/MARSHAL:1.0");
    error->minor = 0;
    error->completed = 1; /* COMPLETED_NO */
    strcpy(error->text, "the name is no string");
    return TENON_SYSTEM_EXCEPTION;
  }
  snprintf(text, sizeof text, "Hello, %s!", name);
  results->data = room;
  results->size = put_string(room, text);
  return TENON_OK;
}

static int serve(tenon_orb* orb, const char* file) {
  static const char* const ids[] = {"IDL:Greeter:1.0"};
  static const char* const operations[] = {"greet"};
  tenon_error error;
  tenon_adapter* adapter;
  tenon_interface* greeter;
  tenon_servant* servant;
  tenon_reference* reference;
  char text[8192];
  uint64_t size;
  FILE* out;
  if (tenon_root_adapter(orb, &adapter, &error) != TENON_OK) return failed("the adapter", &error);
  if (tenon_interface_new(ids, 1, operations, 1, &greeter, &error) != TENON_OK) return failed("the interface", &error);
  if (tenon_servant_new(greeter, greet, NULL, NULL, &servant, &error) != TENON_OK) return failed("the servant", &error);
  if (tenon_adapter_activate(adapter, servant, NULL, 0, &reference, &error) != TENON_OK)
    return failed("activation", &error);
  if (tenon_adapter_set_state(adapter, TENON_ACTIVE, &error) != TENON_OK) return failed("the adapter", &error);
  if (tenon_reference_to_text(reference, text, sizeof text, &size, &error) != TENON_OK)
    return failed("the reference", &error);
  if ((out = fopen(file, "w")) == NULL || fputs(text, out) == EOF || fclose(out) != 0) return perror(file), 1;
  if (tenon_orb_run(orb, &error) != TENON_OK) return failed("serving", &error);
  tenon_reference_free(reference);
  tenon_servant_free(servant);
  tenon_interface_free(greeter);
  tenon_adapter_free(adapter);
  return 0;
}

static int call(tenon_orb* orb, const char* file, const char* name) {
  static const tenon_operation operation = {"greet", 5, 0, 0};
  char url[4096];
  uint8_t room[1024];
  tenon_error error;
  tenon_reference* greeter;
  tenon_reply* reply;
  tenon_body arguments, results;
  tenon_status status;
  int tries = 0;
  if (strlen(name) > 500) return fputs("greeter: the name is too long\n", stderr), 2;
  snprintf(url, sizeof url, "file://%s%s", file[0] == '/' ? "" : "./", file);
  if (tenon_reference_from_text(orb, url, &greeter, &error) != TENON_OK) return failed(url, &error);
  memset(&arguments, 0, sizeof arguments);
  arguments.data = room;
  tenon_reference_format(greeter, &arguments.format);
  do {
    /* What the format says of code sets and of the first octet's phase counts here, where a program does more than ASCII in GIOP 1.2. */
    arguments.size = put_string(room, name);
    status = tenon_invoke(greeter, &operation, &arguments, 0, &reply, &results, &error);
    if (status == TENON_WRITE_AGAIN) arguments.format = results.format;
  } while (status == TENON_WRITE_AGAIN && ++tries < 8);
  if (status != TENON_OK) return failed("greet", &error);
  puts(get_string(&results) != NULL ? get_string(&results) : "(no string)");
  tenon_reply_free(reply);
  tenon_reference_free(greeter);
  return 0;
}

int main(int argc, char** argv) {
  tenon_error error;
  tenon_orb* orb;
  uint32_t count = 0;
  int status;
  const char** const arguments = (const char**)argv + 1;
  if (tenon_orb_init((uint32_t)argc - 1, arguments, &count, NULL, &orb, &error) != TENON_OK)
    return failed("ORB_init", &error);
  if (count == 2 && strcmp(arguments[0], "server") == 0) {
    status = serve(orb, arguments[1]);
  } else if (count == 3 && strcmp(arguments[0], "client") == 0) {
    status = call(orb, arguments[1], arguments[2]);
  } else {
    fputs("usage: greeter server FILE | greeter client FILE NAME; -ORB options may come anywhere\n", stderr);
    status = 2;
  }
  tenon_orb_destroy(orb, &error);
  tenon_orb_free(orb);
  return status;
}
