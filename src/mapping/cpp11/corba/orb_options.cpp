// SPDX-License-Identifier: Apache-2.0
#include "mapping/cpp11/corba/orb_options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/log.hpp"
#include "cdr/char_sets.hpp"
#include "cdr/compatibility.hpp"
#include "ior/object_url.hpp"
#include "mapping/cpp11/calls/kept.hpp"
#include "mapping/cpp11/corba/configuration_check.hpp"
#include "mapping/cpp11/corba/option_values.hpp"
#include "mapping/cpp11/corba/usage.hpp"
#include "net/address.hpp"

namespace tenon::gen {

namespace {

bool giop_version(std::string_view value, orb::Options& options, std::string& why) {
  return read_word<std::uint8_t>(
      value, options.messaging.highest_minor, why,
      {{"1.0", std::uint8_t{0}}, {"1.1", std::uint8_t{1}}, {"1.2", std::uint8_t{2}}});
}

bool char_code_set(std::string_view value, cdr::CodeSet& into, std::string& why) {
  const cdr::CharSet* const set = cdr::find_char_set(value);
  if (set == nullptr) {
    why = "wants UTF-8, ISO-8859-1 or another code set that extends ASCII, such as windows-1252 or EUC-JP";
  } else if (!cdr::can_convert(*set)) {
    why = "wants a code set that the C library converts; this one has no " + std::string(set->name);
  } else {
    into = set->id;
    return true;
  }
  return false;
}

bool wchar_code_set(std::string_view value, cdr::CodeSet& into, std::string& why) {
  return read_word<cdr::CodeSet>(value, into, why,
                                 {{"UTF-16", cdr::CodeSet::utf16}, {"UCS-2", cdr::CodeSet::ucs2}});
}

/// Whether a text is a URL of an object, as far as can be told without looking anything up.
bool object_url(std::string_view text, std::string& why) {
  if (begins_with_word(text, "file:")) {
    if (text.find_first_not_of('/', 5) != std::string_view::npos) return true;
    why = "wants the path of a file behind file:";
    return false;
  }
  const auto url = ior::parse_object_url(text);
  if (!url) why = "wrong URL, at position " + std::to_string(url.error().position) + ": " + url.error().text;
  return static_cast<bool>(url);
}

bool initial_reference(std::string_view value, orb::Options& options, std::string& why) {
  const std::size_t equals = value.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == value.size()) {
    why = "wants name=url, such as NameService=corbaloc::host:2809/NameService";
    return false;
  }
  if (!object_url(value.substr(equals + 1), why)) return false;
  options.initial_references.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return true;
}

bool endpoints(std::string_view value, orb::Options& options, std::string& why) {
  const std::size_t before = options.endpoints.size();
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(';'), value.size());
    if (end != 0) options.endpoints.emplace_back(value.substr(0, end));
    value.remove_prefix(std::min(end + 1, value.size()));
  }
  if (options.endpoints.size() != before) return true;
  why = "wants endpoints, such as iiop://127.0.0.1:2809 (several: separated by ';')";
  return false;
}

bool log_setting(std::string_view value, std::string& why) {
  LogLevel level = LogLevel::off;
  if (!read_word<LogLevel>(value, level, why,
                           {{"off", LogLevel::off},
                            {"error", LogLevel::error},
                            {"warning", LogLevel::warning},
                            {"info", LogLevel::info},
                            {"debug", LogLevel::debug},
                            {"trace", LogLevel::trace}}))
    return false;
  set_log_level(level);
  return true;
}

bool log_file(std::string_view value, std::string& why) {
  if (log_to_file(std::string(value).c_str())) return true;
  why = "cannot be opened for writing: " + net::error_text(errno);
  return false;
}

bool collocation(std::string_view value, bool& into, std::string& why) {
  if (same_word(value, "per-orb")) return into = true;
  if (read_yes_no(value, into, why)) return true;
  why = same_word(value, "global")
            ? "wants per-orb: calls from one ORB of a process to objects of another one "
              "go over a connection"
            : "wants yes or no, or per-orb for yes";
  return false;
}

bool socket_buffer(std::string_view value, std::uint32_t& into, std::string& why) {
  constexpr std::size_t most = bounds::send_buffer.most;
  std::size_t bytes = 0;
  if (!read_size(value, bytes, why)) return false;
  if (bytes > most) {
    why = "wants at most 1G";
    return false;
  }
  into = static_cast<std::uint32_t>(bytes);
  return true;
}

using orb::Options;
using View = std::string_view;
constexpr bool of_process = true;

constexpr OptionRow rows[] = {
    {"-ORBid", "name", "Identifies this ORB: ORB_init with the same id gives the same ORB (default: empty).",
     [](Options& o, View v, std::string&) {
       o.id = v;
       return true;
     }},
    {"-ORBConfigFile", "file",
     "Settings, one in a line: key = value, as in omniORB.cfg; see below (default: the variable "
     "TENON_ORB_CONFIG; without it there are none).",
     // option_sources.cpp reads it, before all others.
     [](Options&, View, std::string&) { return true; }},
    {"-ORBServerId", "name",
     "Identifies the server, whatever its ORBs: what interceptors and object reference templates say as "
     "server_id (default: empty).",
     [](Options& o, View v, std::string&) {
       o.server_id = v;
       return true;
     }},
    {"-ORBListenEndpoints", "endpoint[;endpoint...]",
     "Where to listen: iiop://[1.2@][host][:port[-port]][/publish=host:port,...] or uiop://path; may be "
     "repeated (default: any free TCP port, opened when the first object is published).",
     [](Options& o, View v, std::string& w) { return endpoints(v, o, w); }},
    {"-ORBDottedDecimalAddresses", "yes|no",
     "Whether references have the address in numbers where an endpoint names a host; what publish or "
     "hostname_in_ior says stays as it is (default: no).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.transports.publish_numbers, w); }},
    {"-ORBObjRefStyle", "ior|url",
     "What object_to_string gives: an IOR, or a corbaloc for references that hold nothing else (default: "
     "ior).",
     [](Options& o, View v, std::string& w) {
       return read_word<bool>(v, o.references_as_urls, w, {{"ior", false}, {"url", true}});
     }},
    {"-ORBInitRef", "name=url", "What resolve_initial_references(name) gives; may be repeated.",
     [](Options& o, View v, std::string& w) { return initial_reference(v, o, w); }},
    {"-ORBDefaultInitRef", "url", "Other names are looked up at url/name.",
     [](Options& o, View v, std::string& w) {
       o.default_initial_reference = v;
       return v.empty() || object_url(default_initial_url(v, "name"), w);
     }},
    {"-ORBServing", "thread-per-connection|pool|single-thread",
     "Which threads serve connections: one thread for each, a pool of threads over one poller, or only the "
     "thread in run() or perform_work(), which also serves while it waits for a reply (default: "
     "thread-per-connection).",
     [](Options& o, View v, std::string& w) {
       return read_word<orb::Serving>(v, o.serving, w,
                                      {{"thread-per-connection", orb::Serving::thread_per_connection},
                                       {"pool", orb::Serving::pool},
                                       {"single-thread", orb::Serving::single_thread}});
     }},
    {"-ORBPoolThreads", "n", "Threads of the pool (default: 4).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.pool_threads, w, bounds::pool_threads);
     }},
    {"-ORBPoolStay", "yes|no",
     "Up to half of the pool's threads may each stay for a while with a connection over which requests come "
     "one right after the other (default: yes).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.pool_stay, w); }},
    {"-ORBPoolThreadsMost", "n",
     "Pool: how many threads may replace threads that wait inside an upcall. Single thread: how many waits "
     "inside each other it may have. One more wait raises TRANSIENT (default: 64).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.pool_threads_most, w, bounds::pool_threads_most);
     }},
    {"-ORBSpin", "us",
     "How many microseconds a wait for a reply or a request polls before it sleeps, as long as polling "
     "pays off; for two or more processors. 0: only where tenon::SpinScope says so. Not given: never.",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.transports.spin_us.emplace(), w, bounds::spin_us);
     }},
    {"-ORBMaxServerConnections", "n",
     "Most connections that are open after being accepted. One more takes the place of one that is idle, "
     "or is closed (default: 10000).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.connections_most, w, bounds::connections_most);
     }},
    {"-ORBConnectionsPerEndpoint", "n",
     "Connections opened to one address before calls share them (default: 8).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.connections_per_endpoint, w, bounds::connections_per_endpoint);
     }},
    {"-ORBMaxClientConnections", "n",
     "Most connections that this process has opened, to all addresses. For one more, an idle one is "
     "closed; if none is idle, calls share connections, or wait for one and raise TRANSIENT after "
     "-ORBConnectTimeout; 0: no limit (default: 10000).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.client_connections_most, w, bounds::client_connections_most);
     }},
    {"-ORBClientIdle", "ms",
     "A connection that this process has opened is closed when nothing has been sent or received over it "
     "for this time; TCP only; 0: never (default: 0).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.client_idle_ms, w); }},
    {"-ORBServerIdle", "ms",
     "As -ORBClientIdle, for connections that this process has accepted (default: 0).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.server_idle_ms, w); }},
    {"-ORBKeepAlive", "yes|no",
     "Whether TCP probes peers that have been silent for long, and ends connections whose peers do not "
     "answer (default: yes).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.transports.keep_alive.on, w); }},
    {"-ORBKeepAliveIdle", "ms",
     "Silence before the first probe, in whole seconds rounded up; 0: as the system has it (default: 0).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.transports.keep_alive.idle_ms, w); }},
    {"-ORBKeepAliveInterval", "ms",
     "Time between probes, in whole seconds rounded up; 0: as the system has it (default: 0).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.transports.keep_alive.interval_ms, w);
     }},
    {"-ORBKeepAliveCount", "n",
     "Probes without an answer after which the connection ends; 0: as the system has it (default: 0).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.transports.keep_alive.probes, w, bounds::probes);
     }},
    {"-ORBNodelay", "yes|no",
     "Whether TCP sends small messages at once (TCP_NODELAY), instead of collecting them while the peer has "
     "not acknowledged earlier ones (default: yes).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.transports.no_delay, w); }},
    {"-ORBSndSock", "bytes",
     "The send buffer of sockets (SO_SNDBUF), up to what the system allows; 0: the system chooses, and "
     "adapts it to the connection (default: 0).",
     [](Options& o, View v, std::string& w) {
       return socket_buffer(v, o.transports.socket_buffers.send, w);
     }},
    {"-ORBRcvSock", "bytes", "The same for the receive buffer (SO_RCVBUF; default: 0).",
     [](Options& o, View v, std::string& w) {
       return socket_buffer(v, o.transports.socket_buffers.receive, w);
     }},
    {"-ORBBidirectional", "no|offer|accept|both",
     "Connections that carry requests in both directions: offer them to servers, accept them from clients, "
     "whose statements about their addresses are then believed (default: no; a POA with the "
     "BidirectionalPolicy BOTH means both).",
     [](Options& o, View v, std::string& w) {
       o.offer_bidirectional = v == "offer" || v == "both";
       o.accept_bidirectional = v == "accept" || v == "both";
       if (v == "no" || o.offer_bidirectional || o.accept_bidirectional) return true;
       w = "wants no, offer, accept or both";
       return false;
     }},
    {"-ORBGIOPVersion", "1.0|1.1|1.2", "The highest GIOP version to use and to publish (default: 1.2).",
     [](Options& o, View v, std::string& w) { return giop_version(v, o, w); }},
    {"-ORBNativeCharCodeSet", "name",
     "The code set of char and std::string in this process: UTF-8, ISO-8859-1, or one that the C library "
     "converts: ISO-8859-2 to 16, windows-1250 to 1258, KOI8-R, KOI8-U, IBM437, 850, 852, 855, 857, 866, "
     "TIS-620, EUC-JP, EUC-KR, EUC-TW, EUC-CN, Shift_JIS, Big5, GBK, GB18030; in any case (default: UTF-8).",
     [](Options& o, View v, std::string& w) { return char_code_set(v, o.messaging.native.chars, w); }},
    {"-ORBNativeWCharCodeSet", "UTF-16|UCS-2",
     "The code set of wide text that this process announces; with UCS-2, each wchar_t is a unit of it, and "
     "surrogates (D800 to DFFF) pass alone in both directions (default: UTF-16).",
     [](Options& o, View v, std::string& w) { return wchar_code_set(v, o.messaging.native.wchars, w); }},
    {"-ORBPreferUTF8", "yes|no",
     "Text of calls goes as UTF-8 if both sides know it; no: as the standard's negotiation says, which "
     "prefers the server's native code set, such as ISO 8859-1, which has no euro sign (default: no).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.messaging.prefer_utf8, w); }},
    {"-ORBUnstatedCharCodeSet", "name",
     "The code set of text to and from peers that do not state one, such as those behind a corbaloc; names "
     "as for -ORBNativeCharCodeSet (default: ISO-8859-1).",
     [](Options& o, View v, std::string& w) { return char_code_set(v, o.messaging.unstated_chars, w); }},
    {"-ORBUnstatedWCharCodeSet", "UTF-16|UCS-2|none",
     "The same for wide text; none: it is refused (default: none).",
     [](Options& o, View v, std::string& w) {
       o.messaging.unstated_wchars = cdr::CodeSet::none;
       if (same_word(v, "none") || wchar_code_set(v, o.messaging.unstated_wchars, w)) return true;
       w += " or none";
       return false;
     }},
    {"-ORBAnyOctetIsBoolean", "yes|no",
     "Every octet but 0 is read as true, for VisiBroker and ORBacus; else only 0 and 1 are booleans. For "
     "the whole process (default: no).",
     [](Options&, View v, std::string& w) {
       return read_yes_no(v, cdr::compatibility().any_octet_is_boolean, true, w);
     },
     of_process},
    {"-ORBLongDouble", "binary128|x87",
     "What a long double is in messages: the standard's format, or the one of omniORB and TAO on x86. For "
     "the whole process (default: binary128).",
     [](Options&, View v, std::string& w) {
       return read_word<bool>(v, cdr::compatibility().x87_long_double, w,
                              {{"binary128", false}, {"x87", true}});
     },
     of_process},
    {"-ORBEndTagsPerBase", "yes|no",
     "In values that are read in chunks, end tags deeper than what is open end nothing, for TAO, which has a "
     "nesting level for each base class; no: they are MARSHAL. For the whole process (default: no).",
     [](Options&, View v, std::string& w) {
       return read_word<bool>(v, cdr::compatibility().end_tags_per_base, w, {{"no", false}, {"yes", true}});
     },
     of_process},
    {"-ORBTypeCodeOffsets", "yes|no",
     "A struct, union, value, event or alias that occurs again in a TypeCode is written as an offset (other "
     "kinds in full: TAO and Orbix 2000 follow no other offsets); no: only where a type holds itself. For "
     "the whole process (default: yes).",
     [](Options&, View v, std::string& w) {
       return read_yes_no(v, cdr::compatibility().typecodes_without_offsets, false, w);
     },
     of_process},
    {"-ORBTypeCodeAliases", "yes|no",
     "TypeCodes are written with the names of typedefs; no: without, for peers that compare them too "
     "strictly. For the whole process (default: yes).",
     [](Options&, View v, std::string& w) {
       return read_yes_no(v, cdr::compatibility().typecodes_without_aliases, false, w);
     },
     of_process},
    {"-ORBMaxMessageSize", "bytes", "The largest message sent or received, at least 1k (default: 256M).",
     [](Options& o, View v, std::string& w) {
       std::size_t octets = 0;
       if (!read_size(v, octets, w)) return false;
       if (octets < bounds::largest_message.least) {
         w = "wants at least 1k bytes, so that replies which say what is wrong fit";
         return false;
       }
       o.messaging.limits.largest_message =
           static_cast<std::uint32_t>(std::min<std::size_t>(octets, UINT32_MAX));
       return true;
     }},
    {"-ORBMemoryPerConnection", "bytes",
     "Most memory for messages that come in over one connection: unfinished ones, fragmented or not, and "
     "requests that wait for their turn. A peer that sends more gets MessageError, and its connection "
     "ends; 0: no limit (default: 512M).",
     [](Options& o, View v, std::string& w) { return read_size(v, o.messaging.limits.memory, w); }},
    {"-ORBMemory", "bytes",
     "As -ORBMemoryPerConnection, for all connections together; 0: no limit (default: 1G).",
     [](Options& o, View v, std::string& w) { return read_size(v, o.memory_most, w); }},
    {"-ORBFragmentAbove", "bytes",
     "Send GIOP 1.2 messages larger than this in fragments, the first ones while the rest is still being "
     "written; 0: never (default: 0).",
     [](Options& o, View v, std::string& w) { return read_size(v, o.messaging.limits.fragment_above, w); }},
    {"-ORBCancelRequests", "yes|no",
     "Whether a call that times out sends CancelRequest to its server; omniORB's servers cannot handle "
     "that (default: no).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.messaging.cancel_requests, w); }},
    {"-ORBConnectTimeout", "ms",
     "How long making a connection may take; 0: as long as the system tries (default: 10000).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.connect_timeout_ms, w); }},
    {"-ORBHostNamesFresh", "ms",
     "How long the addresses of a host name are used before they are looked up again, in the background "
     "for ten times as long; 0: once per connection (default: 60000).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.transports.host_names_fresh_ms, w); }},
    {"-ORBCallTimeout", "ms", "How long a call waits for its reply; 0: for ever (default: 30000).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.messaging.limits.receive_timeout_ms, w);
     }},
    {"-ORBSendTimeout", "ms",
     "How long sending a message may take while the peer does not read; 0: for ever (default: 30000).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.messaging.limits.send_timeout_ms, w);
     }},
    {"-ORBMessageTimeout", "ms",
     "How long a peer may take from the first to the last octet of a message, plus 1 ms for every 16 "
     "octets; then its connection ends; 0: for ever (default: 60000).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.messaging.limits.message_timeout_ms, w);
     }},
    {"-ORBCompletionThreads", "n",
     "Threads that run what follows asynchronous calls: reply handlers, coroutines (default: 4).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.completion_threads, w, bounds::completion_threads);
     }},
    {"-ORBOrderAfterOneway", "yes|no",
     "A request starts after earlier oneways to its object on its connection have returned (default: yes).",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.messaging.order_after_oneway, w); }},
    {"-ORBBufferMessages", "n",
     "A connection sends its buffered oneways (SYNC_NONE) when there are this many; 0: any number "
     "(default: 0).",
     [](Options& o, View v, std::string& w) { return read_number(v, o.messaging.buffering.messages, w); }},
    {"-ORBBufferSize", "bytes",
     "A connection sends its buffered oneways when they reach this size; 0: nothing is buffered (default: "
     "64k).",
     [](Options& o, View v, std::string& w) {
       std::size_t most = 0;
       if (!read_size(v, most, w)) return false;
       o.messaging.buffering.octets = static_cast<std::uint32_t>(std::min<std::size_t>(most, UINT32_MAX));
       return true;
     }},
    {"-ORBBufferTime", "ms",
     "A connection sends its buffered oneways this long after the first of them; 0: at any time (default: "
     "5).",
     [](Options& o, View v, std::string& w) {
       std::int64_t time_ms = 0;
       if (!read_number(v, time_ms, w, std::int64_t{0}, std::int64_t{UINT32_MAX})) return false;
       o.messaging.buffering.time_ns = time_ms * 1'000'000;
       return true;
     }},
    {"-ORBCollocation", "yes|per-orb|no",
     "Calls to objects of this process use no socket, if the object belongs to the ORB that calls: yes and "
     "per-orb are the same (default: yes).",
     [](Options& o, View v, std::string& w) { return collocation(v, o.call_own_objects_directly, w); }},
    {"-ORBForwardsMost", "n",
     "How many LOCATION_FORWARDs one call follows before it raises TRANSIENT (default: 10).",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.forwards_most, w, bounds::forwards_most);
     }},
    {"-ORBExceptionDetail", "none|meaning|full",
     "What a server sends with a system exception (ExceptionDetailMessage): nothing, what the minor code "
     "means, or all that it knows, including texts of C++ exceptions, which may name files and hosts "
     "(default: meaning).",
     [](Options& o, View v, std::string& w) {
       return read_word<orb::ExceptionDetail>(v, o.exception_detail, w,
                                              {{"none", orb::ExceptionDetail::none},
                                               {"meaning", orb::ExceptionDetail::meaning},
                                               {"full", orb::ExceptionDetail::full}});
     }},
    {"-ORBKeepArguments", "bytes",
     "How much memory of arguments each thread that makes upcalls may keep for the arguments of later "
     "upcalls; 0: none. For the whole process (default: 64k).",
     [](Options&, View v, std::string& w) {
       std::size_t most = 0;
       if (!read_size(v, most, w)) return false;
       set_kept_bytes_most(most);
       return true;
     },
     of_process},
    {"-ORBUsage", "file",
     "Counts calls and octets per operation and adds them to the file at the end, for tenon-idl "
     "--stubs=auto (default: the variable TENON_USAGE; without it nothing is counted).",
     [](Options&, View v, std::string& w) { return count_usage(std::string(v), w); }, of_process},
    {"-ORBLog", "off|error|warning|info|debug|trace",
     "What is logged, to standard error or -ORBLogFile; trace shows every message, decoded and as octets. "
     "For the whole "
     "process (default: the variable TENON_LOG, else off).",
     [](Options&, View v, std::string& w) { return log_setting(v, w); }, of_process},
    {"-ORBLogFile", "file",
     "Where the log goes: to the end of this file. For the whole process (default: standard error).",
     [](Options&, View v, std::string& w) { return log_file(v, w); }, of_process},
    {"-ORBHelp", "",
     "Prints these options to standard output. ORB_init then returns as always, and the program goes on.",
     [](Options&, View, std::string&) { return std::fputs(options_help().c_str(), stdout) >= 0; },
     of_process},
};

}  // namespace

std::span<const OptionRow> own_options() noexcept { return rows; }

std::string options_help() {
  std::string text;
  for (const OptionRow& row : option_rows()) {
    text += "  " + std::string(row.name) + (row.argument.empty() ? "" : " ") + std::string(row.argument) +
            "\n      " + std::string(row.text) + "\n";
  }
  return text;
}

std::string options_markdown(std::span<const OptionRow> options) {
  std::string text = "| option | argument | meaning |\n| --- | --- | --- |\n";
  for (const OptionRow& row : options) {
    std::string argument(row.argument);
    for (std::size_t at = 0; (at = argument.find('|', at)) != std::string::npos; at += 2)
      argument.insert(at, 1, '\\');
    text += "| `" + std::string(row.name) + "` | " + (argument.empty() ? "" : "`" + argument + "`") + " | " +
            std::string(row.text) + " |\n";
  }
  return text;
}

}  // namespace tenon::gen
