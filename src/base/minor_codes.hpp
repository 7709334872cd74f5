// SPDX-License-Identifier: Apache-2.0
//
// The one table of minor codes: a ready-made Error per row (tenon::errors::...), its code, what it means and
// the clause that asks for it. Adding a row is one line here. Numbers of vendor rows are published on the
// wire: never reuse or change one. A constant's completion status is `no`; callers set another one with
// Error::with().
#pragma once

#include "base/error.hpp"

// X(constant, system exception, code, text, clause)
#define TENON_OMG_MINOR_CODES(X)                                                                             \
  X(unlisted_user_exception, unknown, 1, "the server raised a user exception the operation does not list",   \
    "A.5")                                                                                                   \
  X(nonstandard_system_exception, unknown, 2, "a system exception that is not of the standard", "A.5")       \
  X(value_factory_registration, bad_param, 1, "a value factory could not be registered or looked up", "A.5") \
  X(wrong_abstract_type, bad_param, 6, "the type does not fit the abstract interface", "A.5")                \
  X(url_bad_scheme, bad_param, 7, "string_to_object: unknown URL scheme", "part 2 §7.6.10")                  \
  X(url_bad_address, bad_param, 8, "string_to_object: malformed address", "part 2 §7.6.10")                  \
  X(url_bad_schema_specific, bad_param, 9, "string_to_object: malformed part after the scheme",              \
    "part 2 §7.6.10")                                                                                        \
  X(url_other, bad_param, 10, "string_to_object: the reference cannot be made", "part 2 §7.6.10")            \
  X(incomplete_typecode_parameter, bad_param, 13, "an incomplete TypeCode as a parameter", "A.5")            \
  X(bad_object_id, bad_param, 14, "the object id does not fit the POA", "part 1 §15.3.9")                    \
  X(bad_typecode_name, bad_param, 15, "a TypeCode operation was given a bad name", "A.5")                    \
  X(bad_typecode_repository_id, bad_param, 16, "a TypeCode operation was given a bad repository id", "A.5")  \
  X(bad_member_name, bad_param, 17, "a TypeCode operation was given a bad member name", "A.5")               \
  X(duplicate_label, bad_param, 18, "a union label occurs twice", "A.5")                                     \
  X(incompatible_label, bad_param, 19, "a union label does not have the discriminator's type", "A.5")        \
  X(bad_discriminator_type, bad_param, 20, "this type cannot discriminate a union", "A.5")                   \
  X(not_an_exception, bad_param, 21, "the value or TypeCode is not an exception's", "A.5")                   \
  X(wchar_not_in_context, bad_param, 23, "wide characters without a wchar code set in the service context",  \
    "part 2 §7.10.2.6")                                                                                      \
  X(bad_service_context_id, bad_param, 24, "the service context id is not in the standard's range", "A.5")   \
  X(enum_out_of_range, bad_param, 25, "an enum value that its type does not have", "A.5")                    \
  X(no_such_service_context, bad_param, 26, "there is no service context of that id", "part 1 §16.4.12")     \
  X(nil_initial_reference, bad_param, 27, "register_initial_reference was given a nil reference",            \
    "part 1 §8.5.3.2")                                                                                       \
  X(no_such_component, bad_param, 28, "there is no component of that id", "part 1 §16.4.13")                 \
  X(no_such_profile, bad_param, 29, "there is no profile of that id", "part 1 §16.5.3")                      \
  X(duplicate_policy, bad_param, 30, "two policies of one type", "A.5")                                      \
  X(bad_case_label, bad_param, 34, "the discriminator does not select this union member", "A.5")             \
  X(chars_limited_to_latin1, bad_param, 42, "this reference only takes ISO 8859-1 characters", "A.5")        \
  X(in_another_set, bad_param, 43, "the pollable is in a set already", "A.5")                                \
  X(no_usable_profile_limit, imp_limit, 1, "no profile of the reference can be used here", "A.5")            \
  X(wchar_not_supported, inv_objref, 1, "the reference does not say that its server takes wide characters",  \
    "part 2 §7.10.2.6")                                                                                      \
  X(code_set_component_missing, inv_objref, 2,                                                               \
    "a reference whose interface uses wide characters has no code sets", "part 2 §7.10.2.4")                 \
  X(no_value_factory, marshal, 1, "no factory for the value type", "A.5")                                    \
  X(local_object, marshal, 4, "a local object cannot be sent", "A.5")                                        \
  X(wchar_sent_in_giop_1_0, marshal, 5, "wide characters in a GIOP 1.0 request", "part 2 §9.3.1.6")          \
  X(wchar_returned_in_giop_1_0, marshal, 6, "wide characters in a GIOP 1.0 reply", "part 2 §9.3.1.6")        \
  X(code_set_context_changed, marshal, 9, "a later request names other code sets for the same connection",   \
    "A.5")                                                                                                   \
  X(incomplete_typecode, bad_typecode, 1, "an incomplete TypeCode cannot be sent", "A.5")                    \
  X(bad_member_typecode, bad_typecode, 2, "this TypeCode cannot be a member", "A.5")                         \
  X(no_usable_profile_implemented, no_implement, 3, "no profile of the reference is implemented here",       \
    "A.5")                                                                                                   \
  X(dii_on_local_object, no_implement, 4, "a local object takes no dynamic requests", "A.5")                 \
  X(local_operation, no_implement, 8, "a local object does not implement this operation", "A.5")             \
  X(not_in_this_binding, no_resources, 1, "interceptors cannot see this here", "part 1 §16.4.12")            \
  X(no_connection_for_priority, no_resources, 2, "no connection for the priority of the request", "A.5")     \
  X(would_deadlock, bad_inv_order, 3, "the operation would wait for itself", "part 1 §8.2.3")                \
  X(orb_has_shut_down, bad_inv_order, 4, "the ORB has been shut down", "part 1 §8.2.3")                      \
  X(servant_manager_set, bad_inv_order, 6, "the POA already has a servant manager", "part 1 §15.3.9")        \
  X(arguments_called_before, bad_inv_order, 7,                                                               \
    "ServerRequest::arguments was called before, or after set_exception", "A.5")                             \
  X(result_set_before, bad_inv_order, 9, "ServerRequest::set_result was called before, or before arguments", \
    "A.5")                                                                                                   \
  X(request_sent_before, bad_inv_order, 10, "the request has been sent before", "A.5")                       \
  X(request_not_sent, bad_inv_order, 11, "the request has not been sent", "A.5")                             \
  X(response_received, bad_inv_order, 12, "the response to the request has been received", "A.5")            \
  X(request_was_synchronous, bad_inv_order, 13, "the request was sent synchronously", "A.5")                 \
  X(wrong_interception_point, bad_inv_order, 14, "not valid at this interception point", "part 1 §16.4.12")  \
  X(duplicate_service_context, bad_inv_order, 15, "there is a service context of that id already",           \
    "part 1 §16.4.13")                                                                                       \
  X(duplicate_policy_factory, bad_inv_order, 16, "there is a policy factory of that type already",           \
    "part 1 §16.9.2")                                                                                        \
  X(poa_in_destruction, bad_inv_order, 17, "the POA is being destroyed", "part 1 §15.3.9")                   \
  X(not_polled_yet, bad_inv_order, 22, "the poller has not been polled yet", "A.5")                          \
  X(request_discarded, transient, 1, "the POA discards requests", "part 1 §15.3.2")                          \
  X(no_usable_profile, transient, 2, "no profile of the reference could be used", "A.5")                     \
  X(request_cancelled, transient, 3, "the request was cancelled", "A.5")                                     \
  X(poa_destroyed, transient, 4, "the POA has been destroyed", "A.5")                                        \
  X(adapter_activator_failed, obj_adapter, 1, "an adapter activator raised a system exception",              \
    "part 1 §15.3.3")                                                                                        \
  X(wrong_servant_type, obj_adapter, 2, "the servant manager returned a servant of another interface",       \
    "A.5")                                                                                                   \
  X(no_default_servant, obj_adapter, 3, "the POA has no default servant", "part 1 §15.3.8")                  \
  X(no_servant_manager, obj_adapter, 4, "the POA has no servant manager", "part 1 §15.3.8")                  \
  X(incarnate_violated_policy, obj_adapter, 5, "incarnate() violated a policy of the POA", "part 1 §15.3.6") \
  X(components_not_established, obj_adapter, 6, "an IOR interceptor did not want the POA", "part 1 §16.5.2") \
  X(null_servant, obj_adapter, 7, "the servant manager returned no servant", "A.5")                          \
  X(char_not_in_code_set, data_conversion, 1, "a character has no place in the transmission code set",       \
    "part 2 §7.10.2.6")                                                                                      \
  X(priority_mapping_failed, data_conversion, 2, "the priority mapping failed", "A.5")                       \
  X(not_activated, object_not_exist, 1, "the value is not an activated object", "A.5")                       \
  X(no_such_adapter, object_not_exist, 2, "the object's adapter does not exist and could not be made",       \
    "part 1 §15.3.3")                                                                                        \
  X(adapter_inactive, object_not_exist, 4, "the object adapter is inactive", "A.5")                          \
  X(reply_taken, object_not_exist, 5, "the reply has been taken, or goes to a handler", "A.5")               \
  X(no_reply_yet, no_response, 1, "the reply is not there yet", "A.5")                                       \
  X(reply_not_in_time, timeout, 1, "the reply did not come while the poller waited", "A.5")                  \
  X(no_interface_repository, intf_repos, 1, "no interface repository is available", "A.5")                   \
  X(irreconcilable_policy, inv_policy, 1, "the reference's policy contradicts the override", "A.5")          \
  X(bad_policy_type, inv_policy, 2, "no such policy type", "A.5")                                            \
  X(no_policy_factory, inv_policy, 3, "no factory makes policies of this type", "A.5")                       \
  X(unknown_operation, bad_operation, 2, "the target has no such operation", "A.5")                          \
  X(code_sets_incompatible, codeset_incompatible, 1, "client and server share no code set",                  \
    "part 2 §7.10.2.6")                                                                                      \
  X(code_set_not_supported, codeset_incompatible, 2,                                                         \
    "the code sets that the client chose are not supported", "part 2 §7.10.2.6")

#define TENON_VENDOR_MINOR_CODES(X)                                                                          \
  X(out_of_data, marshal, 1, "a value ends beyond the message", "part 2 §9.3")                               \
  X(bad_boolean, marshal, 2, "a boolean that is neither 0 nor 1", "part 2 §9.3.1.4")                         \
  X(length_beyond_data, marshal, 3, "a sequence is longer than the bytes that are left", "part 2 §9.3.2.5")  \
  X(length_above_bound, marshal, 4, "a string or sequence is longer than its type allows",                   \
    "part 2 §9.3.2.5")                                                                                       \
  X(string_without_nul, marshal, 5, "a string does not end in NUL", "part 2 §9.3.2.7")                       \
  X(nul_in_string, marshal, 6, "a NUL inside a string", "part 2 §9.3.2.7")                                   \
  X(bad_wide_text, marshal, 7, "malformed wide characters", "part 2 §9.3.1.6")                               \
  X(bad_fixed, marshal, 8, "malformed fixed-point digits", "part 2 §9.3.2.8")                                \
  X(bad_encapsulation, marshal, 9, "a malformed encapsulation", "part 2 §9.3.3")                             \
  X(nested_too_deep, marshal, 10, "values are nested too deeply", "Tenon")                                   \
  X(block_across_fragments, marshal, 11, "a block cannot be read across GIOP 1.1 fragments",                 \
    "part 2 §9.4.9")                                                                                         \
  X(nul_in_argument, bad_param, 20, "a NUL inside a string that is to be sent", "part 2 §9.3.2.7")           \
  X(count_above_ulong, bad_param, 21, "more elements than a sequence length can state", "part 2 §9.3.2.5")   \
  X(message_above_limit, imp_limit, 30, "the message is larger than the limit", "Tenon")                     \
  X(out_of_memory, no_memory, 40, "no memory for the message or for a value in it", "Tenon")                 \
  X(fixed_overflow, data_conversion, 50, "a fixed-point value does not fit its digits", "part 1 §7.4.1.4.3") \
  X(fixed_division_by_zero, data_conversion, 51, "fixed-point division by zero", "part 1 §7.4.1.4.3")        \
  X(bad_fixed_text, data_conversion, 52, "not a fixed-point number", "IDL to C++11 §6.14")                   \
  X(malformed_chars, data_conversion, 53, "the bytes are not text of their code set", "part 2 §7.10.2.6")    \
  X(char_not_in_native_set, data_conversion, 54,                                                             \
    "a character that came has no place in the receiver's native code set", "part 2 §7.10.2.6")              \
  X(giop_bad_magic, comm_failure, 60, "the peer sent something that is not GIOP", "part 2 §9.4.1")           \
  X(giop_unsupported_version, comm_failure, 61, "the peer speaks a GIOP version that we do not",             \
    "part 2 §9.4.1")                                                                                         \
  X(giop_bad_flags, comm_failure, 62, "reserved flags are set in a GIOP header", "part 2 §9.4.1")            \
  X(giop_bad_type, comm_failure, 63, "a GIOP message type that its version does not have", "part 2 §9.4.1")  \
  X(giop_message_too_large, imp_limit, 64, "a GIOP message is larger than the limit", "Tenon")               \
  X(giop_bad_addressing, marshal, 65, "an unknown addressing disposition", "part 2 §9.4.2")                  \
  X(giop_bad_status, marshal, 66, "a reply status that its GIOP version does not have", "part 2 §9.4.3")     \
  X(giop_bad_response_flags, marshal, 67, "response flags that GIOP does not define", "part 2 §9.4.2")       \
  X(giop_key_addressing_only, internal, 68, "GIOP 1.0 and 1.1 address an object by its key only",            \
    "part 2 §9.4.2")                                                                                         \
  X(fragment_without_start, comm_failure, 70, "a fragment that continues no message", "part 2 §9.4.9")       \
  X(fragment_mismatch, comm_failure, 71, "a fragment with another version or byte order than its message",   \
    "part 2 §9.4.9")                                                                                         \
  X(fragment_unaligned, comm_failure, 72, "a fragment that is not the last and not a multiple of 8",         \
    "part 2 §9.4.9")                                                                                         \
  X(fragment_id_in_use, comm_failure, 73, "a second fragmented message with the same request id",            \
    "part 2 §9.4.9")                                                                                         \
  X(fragments_above_limit, imp_limit, 74, "unfinished fragmented messages exceed the limit", "Tenon")        \
  X(peer_closed_connection, transient, 75, "the peer closed the connection before it handled the request",   \
    "part 2 §9.5.1")                                                                                         \
  X(peer_sent_message_error, comm_failure, 76, "the peer answered MessageError", "part 2 §9.4.8")            \
  X(connection_lost, comm_failure, 77, "the connection was lost", "part 2 §9.5.1")                           \
  X(unexpected_message, comm_failure, 78, "a message that this side of the connection may not send",         \
    "part 2 §9.4")                                                                                           \
  X(bad_reference, inv_objref, 81, "a malformed object reference", "part 2 §7.6.2")                          \
  X(bad_profile, inv_objref, 82, "a malformed profile in an object reference", "part 2 §9.7.2")              \
  X(cannot_connect, transient, 90, "no connection could be made to the address", "Tenon")                    \
  X(connect_timed_out, timeout, 91, "no connection could be made in time", "Tenon")                          \
  X(host_not_found, transient, 92, "the host name of the address has no address", "Tenon")                   \
  X(look_up_timed_out, timeout, 190, "the name service had not said in time what addresses the host has",    \
    "Tenon")                                                                                                 \
  X(out_of_descriptors, no_resources, 93, "no file descriptor or memory is left for a connection", "Tenon")  \
  X(listener_closed, bad_inv_order, 94, "the endpoint has been shut down", "Tenon")                          \
  X(bad_address, inv_objref, 95, "an address that its transport does not understand", "Tenon")               \
  X(send_timed_out, timeout, 96, "the request could not be sent in time", "Tenon")                           \
  X(reply_timed_out, timeout, 97, "no reply came in time", "Tenon")                                          \
  X(connection_taken, transient, 201, "another call has begun on the connection", "Tenon")                   \
  X(too_many_forwards, transient, 98, "the call was forwarded too often", "Tenon")                           \
  X(no_thread_left, transient, 99, "no thread is left to serve while this call waits", "Tenon")              \
  X(calls_nested_too_deep, transient, 260, "too many calls of the only thread wait inside each other",       \
    "Tenon")                                                                                                 \
  X(only_thread_would_wait, transient, 261,                                                                  \
    "the only thread would wait for what only it can do; calls inside upcalls want "                         \
    "tenon::parts::single_thread_calls",                                                                     \
    "Tenon")                                                                                                 \
  X(only_thread_would_hold, transient, 263,                                                                  \
    "the only thread would wait for a POA that takes no requests now", "Tenon")                              \
  X(oneways_only, no_implement, 262, "the protocol carries oneways only", "Tenon")                           \
  X(not_a_policy_of_calls, no_permission, 230, "only policies of calls can be set here", "part 1 §8.9.2")    \
  X(access_refused, no_permission, 590, "the server's rules of access refuse the call", "Tenon")             \
  X(bad_access_rules, bad_param, 591, "a text that is no rules of access", "Tenon")                          \
  X(no_access_part, no_implement, 592,                                                                       \
    "the ORB has no rules of access: its start-up does not name tenon::parts::access", "Tenon")              \
  X(unknown_policy_value, inv_policy, 231, "a policy with a value that the standard does not have",          \
    "part 1 §17.2")                                                                                          \
  X(rebind_refused, rebind, 300,                                                                             \
    "the object is elsewhere or its connection is gone, and RebindPolicy says stop", "part 1 §17.2")         \
  X(orb_is_initialised, object_not_exist, 240, "ORBInitInfo is for ORB initializers only", "part 1 §16.9.2") \
  X(nil_interceptor, bad_param, 241, "a nil interceptor or initializer", "part 1 §16.9.2")                   \
  X(slots_not_ready, bad_inv_order, 242, "PICurrent has no slots inside ORB initializers", "part 1 §16.6.3") \
  X(interceptor_raised, unknown, 243, "an interceptor threw something that is not a system exception",       \
    "part 1 §16.3")                                                                                          \
  X(wrong_poller_operation, bad_operation, 340, "the poller waits for the reply of another operation",       \
    "part 1 §17.12.1")                                                                                       \
  X(wrong_reply_handler, bad_param, 341, "a reply handler of another interface", "part 1 §17.11.3")          \
  X(no_adapter, obj_adapter, 100, "this process serves no objects", "Tenon")                                 \
  X(cannot_listen, initialize, 101, "an endpoint could not be opened", "Tenon")                              \
  X(orb_destroyed, object_not_exist, 102, "the ORB has been destroyed", "part 1 §8.2.3")                     \
  X(bad_reply, marshal, 103, "the reply does not fit the operation", "part 2 §9.4.3")                        \
  X(bad_option, bad_param, 104, "a wrong option of ORB_init", "part 1 §8.5.1")                               \
  X(no_orb, initialize, 105, "no ORB has been initialised", "part 1 §8.5.1")                                 \
  X(object_not_active, object_not_exist, 110, "no servant is active for the object", "part 1 §15.3.8")       \
  X(manager_inactive, obj_adapter, 111, "the POAManager is inactive", "part 1 §15.3.2")                      \
  X(foreign_manager, bad_param, 112, "a POAManager of another ORB", "part 1 §15.3.9")                        \
  X(too_many_objects, no_resources, 113, "the POA has no place for another object", "Tenon")                 \
  X(no_domain_managers, no_implement, 114, "security domains are not supported", "part 1 §8.3")              \
  X(root_poa_alone, no_implement, 490,                                                                       \
    "the ORB has its root POA alone: its start-up does not name tenon::parts::poa", "Tenon")                 \
  X(no_calls_part, no_implement, 491,                                                                        \
    "a call, though no start-up of this process names tenon::parts::calls", "Tenon")                         \
  X(foreign_exception, unknown, 115, "the servant threw something that is not a CORBA exception", "Tenon")   \
  X(no_default_poa, obj_adapter, 116, "the servant has no default POA", "part 1 §15.3.7")                    \
  X(nil_servant, bad_param, 117, "a nil servant", "part 1 §15.3.9")                                          \
  X(nil_object, bad_param, 118, "a nil object reference", "part 1 §15.3.9")                                  \
  X(unusable_name, bad_param, 119, "a name that no object can be published under", "Tenon")                  \
  X(nil_called, inv_objref, 120, "an operation of a nil object reference was called", "IDL to C++11 §6.7.2") \
  X(bad_argument_flags, bad_param, 170, "an argument is ARG_IN, ARG_OUT or ARG_INOUT", "part 1 §11.1.1")     \
  X(dyn_any_destroyed, object_not_exist, 171, "the DynAny has been destroyed", "part 1 §8.12")               \
  X(too_many_deferred, no_resources, 172, "no thread could be made for a deferred request", "Tenon")         \
  X(oneway_has_no_response, bad_inv_order, 173, "the request was sent without waiting for a response",       \
    "part 1 §11.2")                                                                                          \
  X(value_out_of_range, marshal, 140, "an enum or a bit field that its type does not have",                  \
    "part 2 §9.3.2.6")                                                                                       \
  X(duplicate_key, marshal, 141, "a map with the same key twice", "Tenon")                                   \
  X(over_bound, bad_param, 143, "a string, sequence or map is longer than its bound", "IDL to C++11 §6.13")  \
  X(bit_field_overflow, bad_param, 144, "a number does not fit its bit field", "IDL 4.2 §7.4.13.4.3.3")      \
  X(bad_typecode_kind, marshal, 150, "a TypeCode of a kind that does not exist", "part 2 §9.3.5.1")          \
  X(bad_typecode_parameters, marshal, 151, "a TypeCode with parameters that make no type",                   \
    "part 2 §9.3.5.1")                                                                                       \
  X(bad_typecode_indirection, marshal, 152, "an offset in a TypeCode that leads to no TypeCode",             \
    "part 2 §9.3.5.1.3")                                                                                     \
  X(endless_typecode, marshal, 153, "a TypeCode of a type that contains itself without end",                 \
    "part 2 §9.3.5.1.3")                                                                                     \
  X(typecode_bad_kind, bad_typecode, 154, "TypeCode::BadKind: this kind does not have that",                 \
    "part 1 §8.11.1")                                                                                        \
  X(typecode_bounds, bad_typecode, 155, "TypeCode::Bounds: there is no member of that number",               \
    "part 1 §8.11.1")                                                                                        \
  X(no_values_in_any, no_implement, 156, "a value type, native or local object cannot be carried in an Any", \
    "Tenon")                                                                                                 \
  X(type_too_large, imp_limit, 220, "a type above 16 MiB in memory", "Tenon")                                \
  X(type_mismatch, bad_typecode, 157, "the value is not of that type", "part 1 §8.11.1")                     \
  X(bad_value_header, marshal, 210,                                                                          \
    "a value begins with a tag, a code base or repository ids that are none", "part 2 §9.3.4")               \
  X(bad_value_indirection, marshal, 211, "an offset that leads to no value or repository id before it",      \
    "part 2 §9.3.4.3")                                                                                       \
  X(bad_value_end, marshal, 212, "a value in chunks does not end where its type does", "part 2 §9.3.4.6")    \
  X(end_tag_too_deep, marshal, 218,                                                                          \
    "a value's end tag names a nesting level that is not open: TAO has such (-ORBEndTagsPerBase)",           \
    "part 2 §9.3.4.6")                                                                                       \
  X(wrong_value_type, marshal, 213, "a value of a type that is not expected here", "part 2 §9.3.4")          \
  X(value_in_fragments, marshal, 214,                                                                        \
    "chunked or shared values, or a shared TypeCode, in fragments of GIOP 1.1", "Tenon")                     \
  X(too_much_sharing, marshal, 215, "offsets to earlier values or TypeCodes would make much of little",      \
    "Tenon")                                                                                                 \
  X(bad_stream_range, bad_param, 217, "elements that the sequence does not have", "part 1 §9.4.3")           \
  X(chunk_too_large, imp_limit, 216, "a value with a chunk of 2 GiB", "part 2 §9.3.4.6")                     \
  X(no_connecting_part, no_implement, 500,                                                                   \
    "connections: this program's start-up names neither tenon::parts::iiop_client nor uiop_client", "Tenon") \
  X(no_host_names_part, no_implement, 501,                                                                   \
    "host names: this program's start-up does not name tenon::parts::host_names", "Tenon")                   \
  X(peer_connection_gone, transient, 280,                                                                    \
    "the peer's connection, over which its objects are called, has ended", "part 2 §9.8.1")                  \
  X(message_stalled, comm_failure, 380, "the peer stopped in the middle of a message", "Tenon")              \
  X(too_many_connections, transient, 381,                                                                    \
    "as many connections are open as may be, and none has become idle", "Tenon")                             \
  X(connection_wait_timed_out, timeout, 382, "no other connection has become idle in time", "Tenon")         \
  X(not_begun_in_time, timeout, 460,                                                                         \
    "the object's POA did not let the call begin in time: it holds requests, or others have the turn",       \
    "Tenon")                                                                                                 \
  X(no_asynchronous_part, no_implement, 480,                                                                 \
    "asynchronous calls: this program's start-up does not name tenon::parts::asynchronous_calls "            \
    "(single_thread_calls where a single thread serves)",                                                    \
    "Tenon")                                                                                                 \
  X(no_bidirectional_part, no_implement, 481,                                                                \
    "bidirectional connections: this program's start-up does not name tenon::parts::bidirectional", "Tenon") \
  X(memory_limit_reached, no_resources, 510,                                                                 \
    "the memory that the ORB has taken at its start is used up (Configuration::limits)", "Tenon")            \
  X(not_where_memory_is_known, no_implement, 511,                                                            \
    "asynchronous calls and host names that are looked up take memory of the heap, and this ORB has "        \
    "limits (Configuration::limits)",                                                                        \
    "Tenon")                                                                                                 \
  X(no_protocol_of_policy, inv_policy, 530,                                                                  \
    "the object cannot be reached over any of the protocols that ClientProtocolPolicy or "                   \
    "ServerProtocolPolicy names",                                                                            \
    "RT-CORBA 1.2")                                                                                          \
  X(no_protected_way, no_permission, 580,                                                                    \
    "this side refused to call: QOPPolicy or EstablishTrustPolicy wants a protected connection, and none "   \
    "can be opened to the object",                                                                           \
    "Security Service 1.8")                                                                                  \
  X(no_certificate_to_show, no_permission, 581,                                                              \
    "this side refused to call: the object's server, or EstablishTrustPolicy, wants it to show a "           \
    "certificate, and it has none",                                                                          \
    "Security Service 1.8")                                                                                  \
  X(nobody_is_asked, no_permission, 582,                                                                     \
    "this side refused to call: EstablishTrustPolicy wants it to be known, and the object's server asks "    \
    "nobody for a certificate",                                                                              \
    "Security Service 1.8")                                                                                  \
  X(came_unprotected, no_permission, 583,                                                                    \
    "the server refused the call: it came in the clear, and the policies of its POA want it protected",      \
    "Security Service 1.8")                                                                                  \
  X(caller_not_known, no_permission, 584,                                                                    \
    "the server refused the call: its caller has shown no certificate, which EstablishTrustPolicy of its "   \
    "POA wants",                                                                                             \
    "Security Service 1.8")                                                                                  \
  X(protocol_removed, transient, 566, "the protocol was removed from the ORB", "Tenon")                      \
  X(no_upcall_here, bad_inv_order, 540, "this thread serves no call", "Tenon")                               \
  X(no_such_protocol, bad_param, 560, "the ORB has no protocol of that name", "Tenon")                       \
  X(protocol_is_there, bad_param, 561,                                                                       \
    "the ORB has a protocol of that name, or of its profile tag, already", "Tenon")                          \
  X(protocol_not_provided, bad_param, 562,                                                                   \
    "neither the program's start-up nor its protocol libraries bring a protocol of that name", "Tenon")      \
  X(protocol_does_not_fit, bad_param, 563, "the transport lacks what the messaging over it needs", "Tenon")  \
  X(bad_protocol_option, bad_param, 564,                                                                     \
    "the protocol has no such option, does not take the value, or cannot change it while it is in use",      \
    "Tenon")                                                                                                 \
  X(no_such_endpoint, bad_param, 565, "the ORB does not listen on that endpoint", "Tenon")                   \
  X(protocols_do_not_change, no_implement, 567,                                                              \
    "the protocols of this ORB cannot change while it runs: it has limits of memory, its start-up does not " \
    "name tenon::parts::protocol_choice, or Tenon was built with TENON_DYNAMIC_PROTOCOLS=OFF",               \
    "Tenon")                                                                                                 \
  X(not_a_poller, bad_param, 383, "only pollers of sendp_ operations can be in a set", "part 1 §11.4.3")     \
  X(bad_typecode_argument, bad_param, 158, "no TypeCode can be made of these arguments", "part 1 §8.11.3")

namespace tenon {

/// One row, as data: for listings and for text about an error.
struct MinorCode {
  SystemException id;
  std::uint32_t code;  ///< complete, with the vendor's part
  std::string_view name;
  std::string_view text;
  std::string_view clause;
};

/// All rows, the standard's first.
const MinorCode* begin_minor_codes() noexcept;
const MinorCode* end_minor_codes() noexcept;
/// The row of an error, or null.
const MinorCode* minor_code(const Error& error) noexcept;

namespace errors {

#define TENON_ERROR_CONSTANT(constant, exception, code, text, clause) \
  inline constexpr Error constant{SystemException::exception, Completion::no, TENON_ERROR_BASE | (code)};
#define TENON_ERROR_BASE omg_vmcid
TENON_OMG_MINOR_CODES(TENON_ERROR_CONSTANT)
#undef TENON_ERROR_BASE
#define TENON_ERROR_BASE tenon_vmcid
TENON_VENDOR_MINOR_CODES(TENON_ERROR_CONSTANT)
#undef TENON_ERROR_BASE
#undef TENON_ERROR_CONSTANT

}  // namespace errors
}  // namespace tenon
