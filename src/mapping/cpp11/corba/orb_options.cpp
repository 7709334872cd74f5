// SPDX-License-Identifier: Apache-2.0
//
// Long because it is the table of all options.
#include "mapping/cpp11/corba/orb_options.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/joined.hpp"
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

bool char_code_set(std::string_view value, cdr::CodeSet& into, std::string& why) {
  const cdr::CharSet* const set = cdr::find_char_set(value);
  if (set == nullptr) {
    why = "wants UTF-8, ISO-8859-1 or another code set that extends ASCII, such as windows-1252 or EUC-JP";
  } else if (!cdr::can_convert(*set)) {
    why = worded("wants a code set that the C library converts; this one has no %", {set->name});
  } else {
    into = set->id;
    return true;
  }
  return false;
}

/// Whether a text is a URL of an object, as far as can be told without looking anything up.
bool object_url(std::string_view text, std::string& why) {
  if (begins_with_word(text, "file:")) {
    if (text.find_first_not_of('/', 5) != std::string_view::npos) return true;
    why = "wants the path of a file behind file:";
    return false;
  }
  const auto url = ior::parse_object_url(text);
  if (!url) why = worded("wrong URL, at position %: %", {decimal(url.error().position), url.error().text});
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
  if (read_list(value, ';', options.endpoints)) return true;
  why = "wants endpoints, such as iiop://127.0.0.1:2809 (several: separated by ';')";
  return false;
}

bool protocols(std::string_view value, orb::Options& options, std::string& why) {
  options.protocols.clear();
  const bool gap = value.starts_with(',') || value.ends_with(',') || value.find(",,") != value.npos;
  if (!gap && read_list(value, ',', options.protocols)) return true;
  why = "wants names of protocols, such as uiop,iiop";
  return false;
}

bool protocol_option(std::string_view value, orb::Options& options, std::string& why) {
  const std::size_t equals = value.find('=');
  const std::size_t dot = value.find('.');
  if (equals == std::string_view::npos || dot == 0 || dot >= equals || dot + 1 == equals) {
    why = "wants protocol.option=value";
    return false;
  }
  options.protocol_options.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return true;
}

bool log_setting(std::string_view value, std::string& why) {
  unsigned level = 0;
  if (!read_choice("off|error|warning|info|debug|trace", value, level, why)) return false;
  set_log_level(static_cast<LogLevel>(level));
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

using orb::Options;
using View = std::string_view;
constexpr bool of_process = true;

#define AT TENON_OPTION_MEMBER

constexpr WrittenOption rows[] = {
    {"-ORBid", "name", "Identifies this ORB: ORB_init with the same id gives the same ORB (default: empty).",
     text_setting(AT(id))},
    {"-ORBConfigFile", "file",
     "Settings, one in a line: key = value, as in omniORB.cfg; see below (default: the variable "
     "TENON_ORB_CONFIG; without it there are none).",
     // option_sources.cpp reads it, before all others.
     [](Options&, View, std::string&) { return true; }},
    {"-ORBServerId", "name",
     "Identifies the server, whatever its ORBs: what interceptors and object reference templates say as "
     "server_id (default: empty).",
     text_setting(AT(server_id))},
    {"-ORBListenEndpoints", "endpoint[;endpoint...]",
     "Where to listen: iiop://[1.2@][host][:port[-port]][/publish=host:port,...], uiop://path or "
     "shmiop://[@name]; may be "
     "repeated (default: any free TCP port and shared memory, opened when the first object is published).",
     [](Options& o, View v, std::string& w) { return endpoints(v, o, w); }},
    {"-ORBProtocol", "name[,name...]",
     "The protocols of the ORB, in order of preference: the first listens where no endpoint is given, and of "
     "a "
     "reference that several can reach the first is taken (default: all that there are, iiop first).",
     [](Options& o, View v, std::string& w) { return protocols(v, o, w); }},
    {"-ORBProtocolLibrary", "file",
     "A shared object that brings protocols; a name without a folder is looked for among Tenon's plug-ins, "
     "too; may be repeated (default: none).",
     [](Options& o, View v, std::string&) {
       o.protocol_libraries.emplace_back(v);
       return true;
     }},
    {"-ORBProtocolOption", "protocol.option=value",
     "Sets an option of a protocol's plug-in; may be repeated (docs/protocols.md).",
     [](Options& o, View v, std::string& w) { return protocol_option(v, o, w); }},
#ifdef TENON_WITH_ACCESS
    {"-ORBAccessRules", "file",
     "Who may call what: rules, one in a line, for all objects of the ORB; what no rule allows is refused, "
     "and so is everything if the file cannot be read (docs/security.md; default: none, everybody may call).",
     // Options::given has it, where the adapter looks for it (poa/access/guarded_adapter.hpp): few programs have rules, all have Options.
     [](Options&, View v, std::string& w) {
       if (!v.empty()) return true;
       w = "wants the path of a file with rules of access";
       return false;
     }},
#endif
    {"-ORBDottedDecimalAddresses", "yes|no",
     "Whether references have the address in numbers where an endpoint names a host; what publish or "
     "hostname_in_ior says stays as it is (default: no).",
     yes_no_setting(AT(transports.publish_numbers))},
    {"-ORBObjRefStyle", "ior|url",
     "What object_to_string gives: an IOR, or a corbaloc for references that hold nothing else (default: "
     "ior).",
     choice_setting(AT(references_as_urls))},
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
     choice_setting(AT(serving), 1)},
    {"-ORBPoolThreads", "n", "Threads of the pool (default: 4).",
     number_setting(AT(pool_threads), bounds::pool_threads)},
    {"-ORBPoolStay", "yes|no",
     "Up to half of the pool's threads may each stay for a while with a connection over which requests come "
     "one right after the other (default: yes).",
     yes_no_setting(AT(pool_stay))},
    {"-ORBPoolThreadsMost", "n",
     "Pool: how many threads may replace threads that wait inside an upcall. Single thread: how many waits "
     "inside each other it may have. One more wait raises TRANSIENT (default: 64).",
     number_setting(AT(pool_threads_most), bounds::pool_threads_most)},
    {"-ORBSpin", "us",
     "How many microseconds a wait for a reply or a request polls before it sleeps, as long as polling "
     "pays off; for two or more processors. 0: only where tenon::SpinScope says so. Not given: only while "
     "messages of 32 KiB and more come, for 50 us, where the process may use two processors.",
     [](Options& o, View v, std::string& w) {
       return read_number(v, o.transports.spin_us.emplace(), w, bounds::spin_us.least, bounds::spin_us.most);
     }},
    {"-ORBMaxServerConnections", "n",
     "Most connections that are open after being accepted. One more takes the place of one that is idle, "
     "or is closed (default: 10000).",
     number_setting(AT(connections_most), bounds::connections_most)},
    {"-ORBConnectionsPerEndpoint", "n",
     "Connections opened to one address before calls share them (default: 8).",
     number_setting(AT(connections_per_endpoint), bounds::connections_per_endpoint)},
    {"-ORBMaxClientConnections", "n",
     "Most connections that this process has opened, to all addresses. For one more, an idle one is "
     "closed; if none is idle, calls share connections, or wait for one and raise TRANSIENT after "
     "-ORBConnectTimeout; 0: no limit (default: 10000).",
     number_setting(AT(client_connections_most), bounds::client_connections_most)},
    {"-ORBClientIdle", "ms",
     "A connection that this process has opened is closed when nothing has been sent or received over it "
     "for this time; TCP only; 0: never (default: 0).",
     number_setting(AT(client_idle_ms))},
    {"-ORBServerIdle", "ms",
     "As -ORBClientIdle, for connections that this process has accepted (default: 0).",
     number_setting(AT(server_idle_ms))},
    {"-ORBKeepAlive", "yes|no",
     "Whether TCP probes peers that have been silent for long, and ends connections whose peers do not "
     "answer (default: yes).",
     yes_no_setting(AT(transports.keep_alive.on))},
    {"-ORBKeepAliveIdle", "ms",
     "Silence before the first probe, in whole seconds rounded up; 0: as the system has it (default: 0).",
     number_setting(AT(transports.keep_alive.idle_ms))},
    {"-ORBKeepAliveInterval", "ms",
     "Time between probes, in whole seconds rounded up; 0: as the system has it (default: 0).",
     number_setting(AT(transports.keep_alive.interval_ms))},
    {"-ORBKeepAliveCount", "n",
     "Probes without an answer after which the connection ends; 0: as the system has it (default: 0).",
     number_setting(AT(transports.keep_alive.probes), bounds::probes)},
    {"-ORBNodelay", "yes|no",
     "Whether TCP sends small messages at once (TCP_NODELAY), instead of collecting them while the peer has "
     "not acknowledged earlier ones (default: yes).",
     yes_no_setting(AT(transports.no_delay))},
    {"-ORBSndSock", "bytes",
     "The send buffer of sockets (SO_SNDBUF), up to what the system allows; 0: the system chooses, and "
     "adapts it to the connection (default: 0).",
     octets_setting_32(AT(transports.socket_buffers.send), bounds::send_buffer)},
    {"-ORBRcvSock", "bytes", "The same for the receive buffer (SO_RCVBUF; default: 0).",
     octets_setting_32(AT(transports.socket_buffers.receive), bounds::send_buffer)},
    {"-ORBBidirectional", "no|offer|accept|both",
     "Connections that carry requests in both directions: offer them to servers, accept them from clients, "
     "whose statements about their addresses are then believed (default: no; a POA with the "
     "BidirectionalPolicy BOTH means both).",
     [](Options& o, View v, std::string& w) {
       unsigned ways = 0;
       if (!read_choice("no|offer|accept|both", v, ways, w)) return false;
       o.offer_bidirectional = (ways & 1) != 0;
       o.accept_bidirectional = (ways & 2) != 0;
       return true;
     }},
    {"-ORBGIOPVersion", "1.0|1.1|1.2", "The highest GIOP version to use and to publish (default: 1.2).",
     choice_setting(AT(messaging.highest_minor))},
    {"-ORBNativeCharCodeSet", "name",
     "The code set of char and std::string in this process: UTF-8, ISO-8859-1, or one that the C library "
     "converts: ISO-8859-2 to 16, windows-1250 to 1258, KOI8-R, KOI8-U, IBM437, 850, 852, 855, 857, 866, "
     "TIS-620, EUC-JP, EUC-KR, EUC-TW, EUC-CN, Shift_JIS, Big5, GBK, GB18030; in any case (default: UTF-8).",
     [](Options& o, View v, std::string& w) { return char_code_set(v, o.messaging.native.chars, w); }},
    {"-ORBNativeWCharCodeSet", "UTF-16|UCS-2",
     "The code set of wide text that this process announces; with UCS-2, each wchar_t is a unit of it, and "
     "surrogates (D800 to DFFF) pass alone in both directions (default: UTF-16).",
     wide_code_set_setting(AT(messaging.native.wchars))},
    {"-ORBPreferUTF8", "yes|no",
     "Text of calls goes as UTF-8 if both sides know it; no: as the standard's negotiation says, which "
     "prefers the server's native code set, such as ISO 8859-1, which has no euro sign (default: no).",
     yes_no_setting(AT(messaging.prefer_utf8))},
    {"-ORBUnstatedCharCodeSet", "name",
     "The code set of text to and from peers that do not state one, such as those behind a corbaloc; names "
     "as for -ORBNativeCharCodeSet (default: ISO-8859-1).",
     [](Options& o, View v, std::string& w) { return char_code_set(v, o.messaging.unstated_chars, w); }},
    {"-ORBUnstatedWCharCodeSet", "UTF-16|UCS-2|none",
     "The same for wide text; none: it is refused (default: none).",
     wide_code_set_setting(AT(messaging.unstated_wchars))},
    {"-ORBAnyOctetIsBoolean", "yes|no",
     "Every octet but 0 is read as true, for VisiBroker and ORBacus; else only 0 and 1 are booleans. For "
     "the whole process (default: no).",
     TENON_OPTION_FLAG(any_octet_is_boolean, true)},
    {"-ORBLongDouble", "binary128|x87",
     "What a long double is in messages: the standard's format, or the one of omniORB and TAO on x86. For "
     "the whole process (default: binary128).",
     [](Options&, View v, std::string& w) {
       unsigned format = 0;
       if (!read_choice("binary128|x87", v, format, w)) return false;
       cdr::compatibility().x87_long_double = format != 0;
       return true;
     },
     of_process},
    {"-ORBEndTagsPerBase", "yes|no",
     "In values that are read in chunks, end tags deeper than what is open end nothing, for TAO, which has a "
     "nesting level for each base class; no: they are MARSHAL. For the whole process (default: no).",
     TENON_OPTION_FLAG(end_tags_per_base, true)},
    {"-ORBTypeCodeOffsets", "yes|no",
     "A struct, union, value, event or alias that occurs again in a TypeCode is written as an offset (other "
     "kinds in full: TAO and Orbix 2000 follow no other offsets); no: only where a type holds itself. For "
     "the whole process (default: yes).",
     TENON_OPTION_FLAG(typecodes_without_offsets, false)},
    {"-ORBTypeCodeAliases", "yes|no",
     "TypeCodes are written with the names of typedefs; no: without, for peers that compare them too "
     "strictly. For the whole process (default: yes).",
     TENON_OPTION_FLAG(typecodes_without_aliases, false)},
    {"-ORBMaxMessageSize", "bytes", "The largest message sent or received, at least 1k (default: 256M).",
     octets_setting_32(AT(messaging.limits.largest_message), bounds::largest_message)},
    {"-ORBMemoryPerConnection", "bytes",
     "Most memory for messages that come in over one connection: unfinished ones, fragmented or not, and "
     "requests that wait for their turn. A peer that sends more gets MessageError, and its connection "
     "ends; 0: no limit (default: 512M).",
     octets_setting(AT(messaging.limits.memory))},
    {"-ORBMemory", "bytes",
     "As -ORBMemoryPerConnection, for all connections together; 0: no limit (default: 1G).",
     octets_setting(AT(memory_most))},
    {"-ORBFragmentAbove", "bytes",
     "Send GIOP 1.2 messages larger than this in fragments, the first ones while the rest is still being "
     "written; 0: never (default: 0).",
     octets_setting(AT(messaging.limits.fragment_above))},
    {"-ORBCopyBelow", "bytes",
     "Sequences and arrays of numbers, octets, characters or plain structs that are smaller are copied into "
     "the message; larger ones are sent from where they are. Above -ORBMaxMessageSize: all are copied "
     "(default: 4k).",
     octets_setting_32(AT(messaging.limits.copy_below))},
    {"-ORBCancelRequests", "yes|no",
     "Whether a call that times out sends CancelRequest to its server; omniORB's servers cannot handle "
     "that (default: no).",
     yes_no_setting(AT(messaging.cancel_requests))},
    {"-ORBConnectTimeout", "ms",
     "How long making a connection may take; 0: as long as the system tries (default: 10000).",
     number_setting(AT(connect_timeout_ms))},
    {"-ORBHostNamesFresh", "ms",
     "How long the addresses of a host name are used before they are looked up again, in the background "
     "for ten times as long; 0: once per connection (default: 60000).",
     number_setting(AT(transports.host_names_fresh_ms))},
    {"-ORBCallTimeout", "ms",
     "How long a two-way call may take from when its request begins to be sent until its reply is there; 0: "
     "for ever (default: 30000).",
     number_setting(AT(messaging.limits.receive_timeout_ms))},
    {"-ORBSendTimeout", "ms",
     "How long sending a message may wait for a peer that does not read; of calls and oneways at most "
     "-ORBCallTimeout; 0: for ever (default: 30000).",
     number_setting(AT(messaging.limits.send_timeout_ms))},
    {"-ORBMessageTimeout", "ms",
     "How long a peer may take from the first to the last octet of a message, plus 1 ms for every 16 "
     "octets, and for a handshake; then its connection ends; 0: for ever (default: 60000).",
     number_setting(AT(messaging.limits.message_timeout_ms))},
    {"-ORBCompletionThreads", "n",
     "Threads that run what follows asynchronous calls: reply handlers, coroutines (default: 4).",
     number_setting(AT(completion_threads), bounds::completion_threads)},
    {"-ORBOrderAfterOneway", "yes|no",
     "A request starts after earlier oneways to its object on its connection have returned (default: yes).",
     yes_no_setting(AT(messaging.order_after_oneway))},
    {"-ORBBufferMessages", "n",
     "A connection sends its buffered oneways (SYNC_NONE) when there are this many; 0: any number "
     "(default: 0).",
     number_setting(AT(messaging.buffering.messages))},
    {"-ORBBufferSize", "bytes",
     "A connection sends its buffered oneways when they reach this size; 0: nothing is buffered (default: "
     "64k).",
     octets_setting_32(AT(messaging.buffering.octets))},
    {"-ORBBufferTime", "ms",
     "A connection sends its buffered oneways this long after the first of them; 0: at any time (default: "
     "5).",
     [](Options& o, View v, std::string& w) {
       std::uint32_t time_ms = 0;
       if (!read_number(v, time_ms, w)) return false;
       o.messaging.buffering.time_ns = std::int64_t{time_ms} * 1'000'000;
       return true;
     }},
    {"-ORBCollocation", "yes|per-orb|no",
     "Calls to objects of this process use no socket, if the object belongs to the ORB that calls: yes and "
     "per-orb are the same (default: yes).",
     [](Options& o, View v, std::string& w) { return collocation(v, o.call_own_objects_directly, w); }},
    {"-ORBForwardsMost", "n",
     "How many LOCATION_FORWARDs one call follows before it raises TRANSIENT (default: 10).",
     number_setting(AT(forwards_most), bounds::forwards_most)},
    {"-ORBExceptionDetail", "none|meaning|full",
     "What a server sends with a system exception (ExceptionDetailMessage): nothing, what the minor code "
     "means, or all that it knows, including texts of C++ exceptions, which may name files and hosts "
     "(default: meaning).",
     choice_setting(AT(exception_detail))},
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
     "Prints these options and those of the protocols' plug-ins to standard output. ORB_init then returns as "
     "always, and the program "
     "goes on.",
     [](Options& o, View, std::string&) {
       o.print_protocol_options = true;
       return std::fputs(options_help().c_str(), stdout) >= 0;
     },
     of_process},
};

#undef AT

OptionRow row_of(const Option& option) {
  return {option.name,
          option.argument,
          unpacked(packed_at(option.table->texts, option.index)),
          option.as.empty() ? &option.setting() : nullptr,
          option.setting().of_process,
          option.as};
}

std::vector<OptionRow> rows_of(const OptionTable& table) {
  std::vector<OptionRow> made;
  find_option(table, [&](const Option& option) {
    made.push_back(row_of(option));
    return false;
  });
  return made;
}

bool set_octets_32(const OptionSetting& setting, std::string_view value, std::uint32_t& into,
                   std::string& why) {
  std::size_t read = 0;
  if (!read_size(value, read, why)) return false;
  if (read < setting.least) {
    why = "wants at least 1k bytes, so that replies which say what is wrong fit";
  } else if (read > setting.most && setting.most != UINT32_MAX) {
    why = "wants at most 1G";
  } else {
    into = static_cast<std::uint32_t>(std::min<std::size_t>(read, UINT32_MAX));
    return true;
  }
  return false;
}

bool set_choice(const Option& option, std::string_view value, void* into, std::string& why) {
  unsigned chosen = 0;
  if (!read_choice(option.argument, value, chosen, why)) return false;
  if (option.setting().how == How::wide_code_set) {
    constexpr cdr::CodeSet sets[] = {cdr::CodeSet::utf16, cdr::CodeSet::ucs2, cdr::CodeSet::none};
    *static_cast<cdr::CodeSet*>(into) = sets[chosen];
  } else {
    *static_cast<unsigned char*>(into) = static_cast<unsigned char>(chosen + option.setting().least);
  }
  return true;
}

bool set_flag(const OptionSetting& setting, std::string_view value, std::string& why) {
  bool yes = false;
  if (!read_yes_no(value, yes, why)) return false;
  void* const flag = reinterpret_cast<char*>(&cdr::compatibility()) + setting.place;
  *static_cast<std::atomic<bool>*>(flag) = yes == (setting.least != 0);
  return true;
}

}  // namespace

constinit const OptionTable own_table = PackedOptions<rows>::table;

Option find_option(const OptionTable& table, FunctionRef<bool(const Option&)> take) {
  Option option{.table = &table};
  const char* at = unpacked_words(*table.names);
  for (; option.index < table.count; ++option.index) {
    for (std::string_view* word : {&option.name, &option.argument, &option.as}) {
      *word = at;
      at += word->size() + 1;
    }
    if (take(option)) return option;
  }
  return {};
}

bool set_option(const Option& option, orb::Options& options, std::string_view value, std::string& why) {
  const OptionSetting& setting = option.setting();
  void* const into = reinterpret_cast<char*>(&options) + setting.place;
  const auto number = [into]() -> std::uint32_t& { return *static_cast<std::uint32_t*>(into); };
  switch (setting.how) {
    case How::alias: break;
    case How::function: return option.table->functions[setting.place](options, value, why);
    case How::text: *static_cast<std::string*>(into) = value; break;
    case How::yes_no: return read_yes_no(value, *static_cast<bool*>(into), why);
    case How::number: return read_number(value, number(), why, setting.least, setting.most);
    case How::seconds:
      if (!read_number(value, number(), why, setting.least, setting.most)) return false;
      number() *= 1000;
      break;
    case How::octets: return read_size(value, *static_cast<std::size_t*>(into), why);
    case How::octets_32: return set_octets_32(setting, value, number(), why);
    case How::choice:
    case How::wide_code_set: return set_choice(option, value, into, why);
    case How::flag: return set_flag(setting, value, why);
  }
  return true;
}

std::vector<OptionRow> own_options() { return rows_of(own_table); }
std::vector<OptionRow> other_orbs_options() { return rows_of(other_orbs_table); }
std::vector<OptionRow> properties() { return rows_of(property_table); }

std::vector<OptionRow> option_rows() {
  std::vector<OptionRow> all = own_options();
  for (OptionRow& each : other_orbs_options()) all.push_back(std::move(each));
  return all;
}

std::string options_help() {
  std::string text;
  for (const OptionTable* table : {&own_table, &other_orbs_table}) {
    find_option(*table, [&](const Option& option) {
      const std::string says = unpacked(packed_at(table->texts, option.index));
      text += joined(
          {"  ", option.name, option.argument.empty() ? "" : " ", option.argument, "\n      ", says, "\n"});
      return false;
    });
  }
  return text;
}

std::string options_markdown(const std::vector<OptionRow>& options) {
  std::string text = "| option | argument | meaning |\n| --- | --- | --- |\n";
  for (const OptionRow& row : options) {
    std::string argument(row.argument);
    for (std::size_t at = 0; (at = argument.find('|', at)) != std::string::npos; at += 2)
      argument.insert(at, 1, '\\');
    text += "| `" + std::string(row.name) + "` | " + (argument.empty() ? "" : "`" + argument + "`") + " | " +
            row.text + " |\n";
  }
  return text;
}

}  // namespace tenon::gen
