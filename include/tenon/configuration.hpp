// SPDX-License-Identifier: Apache-2.0
//
// The settings of an ORB in code, for a program that has no options in text:
//
//   tenon::Configuration configuration;
//   configuration.endpoints = {"iiop://192.0.2.7:2809"};
//   configuration.serving = tenon::Serving::single_thread;
//   configuration.messaging.limits.receive_timeout_ms = 2000;
//   auto orb = tenon::init_orb(configuration, {tenon::micro});
//
// It is plain data. Each member says what the option beside it says as text (docs/options.md tells more of each) and has its default. Times
// are milliseconds and sizes octets; 0 is no limit unless the table says otherwise. A member that is out of its range, or asks for a part
// that the ORB lacks, is refused by init_orb() with BAD_PARAM (minor 0x544e0068), which names the member.
//
//   member                                  option                       default, range
//   id                                      -ORBid                       "": ORBs of one process have ids that differ
//   server_id                               -ORBServerId                 "": shown to interceptors
//   endpoints                               -ORBListenEndpoints          {}: any free TCP port and shared memory, once an object is published
//   protocols                               -ORBProtocol                 {}: all of the parts; wants tenon::parts::protocol_choice
//   protocol_libraries                      -ORBProtocolLibrary          {}: files; wants tenon::parts::protocol_libraries
//   protocol_options                        -ORBProtocolOption           {}: pairs, {"shm.ring", "1M"}; wants protocol_choice
//   initial_references                      -ORBInitRef                  {}: pairs of name and URL; wants tenon::parts::naming
//   default_initial_reference               -ORBDefaultInitRef           "": a URL; wants tenon::parts::naming
//   given                                   -ORBAccessRules             {}: "-ORBAccessRules FILE"; wants tenon::parts::access; see <tenon/access.hpp>
//   references_as_urls                      -ORBObjRefStyle              false; true wants tenon::parts::corbaloc
//   serving                                 -ORBServing                  Serving::unsaid: a thread per connection, if that is a part
//   pool_threads                            -ORBPoolThreads              4, from 1 to 4096
//   pool_threads_most                       -ORBPoolThreadsMost          64, to 65536; 0: none besides the pool's own
//   pool_stay                               -ORBPoolStay                 true
//   completion_threads                      -ORBCompletionThreads        4, from 1 to 1000
//   connections_most                        -ORBMaxServerConnections     10000, from 1 to 1000000
//   connections_per_endpoint                -ORBConnectionsPerEndpoint   8, from 1 to 1024
//   client_connections_most                 -ORBMaxClientConnections     10000, to 1000000
//   client_idle_ms                          -ORBClientIdle               0: never closed
//   server_idle_ms                          -ORBServerIdle               0: never closed
//   memory_most                             -ORBMemory                   1073741824: of all connections' incoming messages
//   connect_timeout_ms                      -ORBConnectTimeout           10000
//   call_own_objects_directly               -ORBCollocation              true
//   offer_bidirectional                     -ORBBidirectional            false
//   accept_bidirectional                    -ORBBidirectional            false
//   exception_detail                        -ORBExceptionDetail          ExceptionDetail::meaning
//   forwards_most                           -ORBForwardsMost             10, to 1000; 0: none is followed
//   limits.connections                      none                         0: no limits; else wants tenon::parts::known_memory,
//   limits.requests                         none                         as the next three do, and then all four are set; see
//   limits.buffers                          none                         <tenon/memory.hpp>; buffers are octets
//   limits.objects                          none
//
//   messaging.highest_minor                 -ORBGIOPVersion              2: GIOP 1.2; 0, 1 or 2
//   messaging.native.chars                  -ORBNativeCharCodeSet        CodeSet::utf8
//   messaging.native.wchars                 -ORBNativeWCharCodeSet       CodeSet::utf16; or ucs2
//   messaging.unstated_chars                -ORBUnstatedCharCodeSet      CodeSet::iso8859_1
//   messaging.unstated_wchars               -ORBUnstatedWCharCodeSet     CodeSet::none; or utf16, ucs2
//   messaging.prefer_utf8                   -ORBPreferUTF8               false
//   messaging.order_after_oneway            -ORBOrderAfterOneway         true
//   messaging.cancel_requests               -ORBCancelRequests           false
//   messaging.buffering.messages            -ORBBufferMessages           0
//   messaging.buffering.octets              -ORBBufferSize               65536; 0: nothing is buffered
//   messaging.buffering.time_ns             -ORBBufferTime               5000000: nanoseconds
//   messaging.limits.largest_message        -ORBMaxMessageSize           268435456, from 1024
//   messaging.limits.memory                 -ORBMemoryPerConnection      536870912
//   messaging.limits.fragment_above         -ORBFragmentAbove            0: never
//   messaging.limits.copy_below             -ORBCopyBelow                4096
//   messaging.limits.receive_timeout_ms     -ORBCallTimeout              30000
//   messaging.limits.send_timeout_ms        -ORBSendTimeout              30000
//   messaging.limits.message_timeout_ms     -ORBMessageTimeout           60000
//
//   transports.host_names_fresh_ms          -ORBHostNamesFresh           60000; 0: a look-up for each connection
//   transports.spin_us                      -ORBSpin                     nullopt: for large messages only; microseconds, to 1000000
//   transports.keep_alive.on                -ORBKeepAlive                true
//   transports.keep_alive.idle_ms           -ORBKeepAliveIdle            0: as the system has it
//   transports.keep_alive.interval_ms       -ORBKeepAliveInterval        0: as the system has it
//   transports.keep_alive.probes            -ORBKeepAliveCount           0: as the system has it; to 127
//   transports.no_delay                     -ORBNodelay                  true
//   transports.socket_buffers.send          -ORBSndSock                  0: as the system has it; to 1073741824
//   transports.socket_buffers.receive       -ORBRcvSock                  0: as the system has it; to 1073741824
//   transports.publish_numbers              -ORBDottedDecimalAddresses   false
//
// transports.publish, publish_also and peer_rules (whose masks net::AddressMask::parse() reads) are what the options of other ORBs set that
// docs/migrating-options.md lists. The other members are the ORB's own. What concerns the process has functions instead: the log (tenon/log.hpp), counting
// (tenon::parts::usage).
#pragma once

#include <tenon/language.hpp>

#include <string>
#include <vector>

#include "orb/options.hpp"

namespace tenon {

using Configuration = orb::Options;
using cdr::CodeSet;
using orb::ExceptionDetail;
using orb::Serving;

/// The Configuration that options in text say: those of the configuration file, of TENON_ORB_OPTIONS and of the arguments, as ORB_init
/// reads them (docs/options.md); for a program that chooses its parts and has options all the same. Takes the options out of the arguments
/// (argv[0], the program, is passed over; the vector has none); those of the whole process, such as -ORBLog and -ORBUsage, take effect at
/// once. `orb_identifier` comes before -ORBid. Raises BAD_PARAM (minor 0x544e0068) for a wrong option: what() names it and says what would be
/// right; the arguments are then as they were.
Configuration read_options(int& argc, char* argv[], const std::string& orb_identifier = "");
Configuration read_options(std::vector<std::string>& arguments, const std::string& orb_identifier = "");

}  // namespace tenon
