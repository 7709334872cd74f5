// SPDX-License-Identifier: Apache-2.0
//
// Options and properties of TAO, omniORB and JacORB: those that Tenon takes, with the meaning that they have there, and those that it
// refuses, with what to write instead. docs/migrating-options.md tells them; a test compares.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "cdr/compatibility.hpp"
#include "ior/iiop_profile.hpp"
#include "mapping/cpp11/corba/option_values.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "net/address.hpp"
#include "net/address_mask.hpp"

namespace tenon::gen {

namespace {

/// Levels of the log that are numbers: from `debug_from` on it is our level debug, from `trace_from` on our level trace.
bool log_number(std::string_view value, unsigned debug_from, unsigned trace_from, std::string& why) {
  unsigned level = 0;
  if (!read_number(value, level, why)) return false;
  set_log_level(level == 0            ? LogLevel::off
                : level >= trace_from ? LogLevel::trace
                : level >= debug_from ? LogLevel::debug
                                      : LogLevel::info);
  return true;
}

bool verbosity(std::string_view value, std::string& why) {
  unsigned level = 0;
  if (!read_number(value, level, why, 0, 4)) return false;
  set_log_level(static_cast<LogLevel>(level));
  return true;
}

/// "giop:tcp:host:port" of an address that references shall have.
bool published(std::string_view value, bool with_port, std::vector<std::string>& into, std::string& why) {
  constexpr std::string_view scheme = "giop:tcp:";
  std::string wrong;
  const auto where = begins_with_word(value, scheme)
                         ? net::parse_host_port(value.substr(scheme.size()), 0, wrong)
                         : std::nullopt;
  if (where && ior::publishable(where->host) && (!with_port || where->port != 0)) {
    into.push_back(where->text());
    return true;
  }
  why = "wants giop:tcp:host:port with a host that clients can reach, such as giop:tcp:gw.example.org:4000";
  if (!wrong.empty()) why.append("; ").append(wrong);
  return false;
}

bool publish(std::string_view value, orb::Options& options, std::string& why) {
  std::vector<std::string> addresses;
  while (!value.empty()) {
    const std::string_view one = value.substr(0, value.find(','));
    if (same_word(one, protocol::own_addresses)) {
      addresses.emplace_back(protocol::own_addresses);
    } else if (!published(one, false, addresses, why)) {
      why = worded(
          "wants addr, or %; for other rules write publish=HOST or hostname_in_ior=HOST behind the endpoint",
          {std::string_view(why).substr(6)});
      return false;
    }
    value.remove_prefix(one.size() == value.size() ? one.size() : one.size() + 1);
  }
  if (addresses.empty()) why = "wants addr or giop:tcp:host:port";
  options.transports.publish.insert(options.transports.publish.end(), addresses.begin(), addresses.end());
  return !addresses.empty();
}

/// "10.0.0.0/8 tcp,unix": which transports are served for these peers.
bool peer_rule(std::string_view value, std::vector<protocol::PeerRule>& into, std::string& why) {
  const std::size_t blank = std::min(value.find_first_of(" \t"), value.size());
  const auto peers = net::AddressMask::parse(value.substr(0, blank), why);
  if (!peers) return false;
  protocol::PeerRule rule{.peers = *peers};
  bool understood = false;
  for (std::string_view left = value.substr(blank); !left.empty();) {
    const std::string_view word = left.substr(0, left.find_first_of(" \t,"));
    left.remove_prefix(std::min(word.size() + 1, left.size()));
    if (word.empty()) continue;
    rule.tcp |= same_word(word, "tcp");
    rule.unix_sockets |= same_word(word, "unix");
    understood = same_word(word, "tcp") || same_word(word, "unix") || same_word(word, "ssl") ||
                 same_word(word, "none");
    if (!understood) break;
  }
  if (!understood) {
    why =
        "wants peers and what they may use: tcp, unix, ssl or none, such as '10.0.0.0/8 tcp'; who may offer "
        "bidirectional connections is for all peers: -ORBBidirectional";
    return false;
  }
  into.push_back(rule);
  return true;
}

using orb::Options;
using View = std::string_view;
constexpr bool for_process = true;

consteval WrittenOption same_as(View name, View argument, View as, View text) {
  WrittenOption made(name, argument, text, OptionSetting{});
  made.as = as;
  return made;
}

#define AT TENON_OPTION_MEMBER

constexpr WrittenOption others[] = {
    same_as("-ORBEndpoint", "endpoint", "-ORBListenEndpoints",
            "As -ORBListenEndpoints, under TAO's older name; an endpoint may say portspan=n, "
            "hostname_in_ior=host and reuse_addr, and have & between options."),
    {"-ORBDebugLevel", "n", "As -ORBLog, with TAO's numbers: 3 is debug, 10 is trace.",
     [](Options&, View v, std::string& w) { return log_number(v, 3, 10, w); }, for_process},
    same_as("-ORBendPoint", "endpoint", "-ORBListenEndpoints",
            "As -ORBListenEndpoints, under omniORB's name; giop:tcp:host:port, giop:tcp:host:first-last and "
            "giop:unix:path are understood too."),
    {"-ORBendPointPublish", "addr|giop:tcp:host:port[,...]",
     "Of omniORB: what references say in place of the addresses that TCP endpoints listen on, unless "
     "publish or hostname_in_ior says it; addr: those; may be repeated (default: addr).",
     [](Options& o, View v, std::string& w) { return publish(v, o, w); }},
    {"-ORBendPointNoListen", "giop:tcp:host:port",
     "Of omniORB: a further address that references to TCP endpoints have; may be repeated.",
     [](Options& o, View v, std::string& w) { return published(v, true, o.transports.publish_also, w); }},
    {"-ORBserverTransportRule", "peers tcp|unix|none[,...]",
     "Of omniORB: which peers are served, over what; may be repeated: the first rule that covers a peer "
     "counts, "
     "and one that none covers is not served. Peers are *, localhost, an address, or a network such as "
     "10.0.0.0/8 or 10.0.0.0/255.0.0.0 (default: all are served).",
     [](Options& o, View v, std::string& w) { return peer_rule(v, o.transports.peer_rules, w); }},
    {"-ORBNoProprietaryActivation", "", "Accepted for compatibility; there is no such activation.",
     [](Options&, View, std::string&) { return true; }},
    {"-ORBthreadPerConnectionPolicy", "0|1",
     "Of omniORB: 1 is -ORBServing thread-per-connection, 0 is -ORBServing pool.",
     [](Options& o, View v, std::string& w) {
       bool each = true;
       if (!read_yes_no(v, each, w)) return false;
       o.serving = each ? orb::Serving::thread_per_connection : orb::Serving::pool;
       return true;
     }},
    same_as("-ORBmaxServerThreadPoolSize", "n", "-ORBPoolThreads",
            "As -ORBPoolThreads, under omniORB's name."),
    same_as("-ORBmaxGIOPConnectionPerServer", "n", "-ORBConnectionsPerEndpoint",
            "As -ORBConnectionsPerEndpoint, under omniORB's name."),
    {"-ORBoutConScanPeriod", "s", "As -ORBClientIdle, in seconds, under omniORB's name.",
     seconds_setting(AT(client_idle_ms))},
    {"-ORBinConScanPeriod", "s", "As -ORBServerIdle, in seconds, under omniORB's name.",
     seconds_setting(AT(server_idle_ms))},
    {"-ORBscanGranularity", "s",
     "Of omniORB, accepted above 0: idle connections are looked for as often as their times need.",
     [](Options&, View v, std::string& w) {
       unsigned ignored = 0;
       if (read_number(v, ignored, w, 1)) return true;
       if (v == "0")
         w = "wants 1 or more; to keep idle connections write -ORBClientIdle 0 and -ORBServerIdle 0";
       return false;
     }},
    {"-ORBofferBiDirectionalGIOP", "0|1", "Whether to offer bidirectional connections, under omniORB's name.",
     yes_no_setting(AT(offer_bidirectional))},
    {"-ORBacceptBiDirectionalGIOP", "0|1",
     "Whether to accept bidirectional connections, under omniORB's name.",
     yes_no_setting(AT(accept_bidirectional))},
    same_as("-ORBmaxGIOPVersion", "1.0|1.1|1.2", "-ORBGIOPVersion",
            "As -ORBGIOPVersion, under omniORB's name."),
    same_as("-ORBgiopMaxMsgSize", "bytes", "-ORBMaxMessageSize",
            "As -ORBMaxMessageSize, under omniORB's name."),
    same_as("-ORBdefaultCharCodeSet", "UTF-8|ISO-8859-1", "-ORBUnstatedCharCodeSet",
            "As -ORBUnstatedCharCodeSet, under omniORB's name."),
    same_as("-ORBdefaultWCharCodeSet", "UTF-16|UCS-2|none", "-ORBUnstatedWCharCodeSet",
            "As -ORBUnstatedWCharCodeSet, under omniORB's name."),
    {"-ORBuseTypeCodeIndirections", "0|1",
     "As -ORBTypeCodeOffsets, under omniORB's name. For the whole process.",
     TENON_OPTION_FLAG(typecodes_without_offsets, false)},
    {"-ORBtcAliasExpand", "0|1", "Of omniORB: 1 is -ORBTypeCodeAliases no, 0 is yes. For the whole process.",
     TENON_OPTION_FLAG(typecodes_without_aliases, true)},
    same_as("-ORBclientCallTimeOutPeriod", "ms", "-ORBCallTimeout",
            "As -ORBCallTimeout, under omniORB's name."),
    same_as("-ORBclientConnectTimeOutPeriod", "ms", "-ORBConnectTimeout",
            "As -ORBConnectTimeout, under omniORB's name."),
    {"-ORBsocketSendBuffer", "bytes|-1", "As -ORBSndSock, under omniORB's name; -1 is 0 there.",
     [](Options& o, View v, std::string& w) {
       return read_number(v == "-1" ? "0" : v, o.transports.socket_buffers.send, w, 0, 1u << 30);
     }},
    same_as("-ORBtraceFile", "file", "-ORBLogFile", "As -ORBLogFile, under omniORB's name."),
    {"-ORBtraceLevel", "n", "As -ORBLog, with omniORB's numbers: 10 is debug, 25 is trace.",
     [](Options&, View v, std::string& w) { return log_number(v, 10, 25, w); }, for_process},
};

constexpr WrittenOption jacorb[] = {
    same_as("OAAddress", "endpoint", "-ORBListenEndpoints", "As -ORBListenEndpoints."),
    same_as("jacorb.connection.client.connect_timeout", "ms", "-ORBConnectTimeout", "As -ORBConnectTimeout."),
    same_as("jacorb.connection.client.pending_reply_timeout", "ms", "-ORBCallTimeout", "As -ORBCallTimeout."),
    same_as("jacorb.connection.client.idle_timeout", "ms", "-ORBClientIdle", "As -ORBClientIdle."),
    same_as("jacorb.connection.server.timeout", "ms", "-ORBServerIdle", "As -ORBServerIdle."),
    same_as("jacorb.connection.max_server_connections", "n", "-ORBMaxServerConnections",
            "As -ORBMaxServerConnections."),
    {"jacorb.native_char_codeset", "UTF8|ISO8859_1",
     "As -ORBNativeCharCodeSet, with the names that Java has.",
     [](Options& o, View v, std::string& w) {
       unsigned set = 0;
       if (!read_choice("UTF8|ISO8859_1", v, set, w)) return false;
       o.messaging.native.chars = set == 0 ? cdr::CodeSet::utf8 : cdr::CodeSet::iso8859_1;
       return true;
     }},
    {"jacorb.native_wchar_codeset", "UTF16|UCS2", "As -ORBNativeWCharCodeSet, with the names that Java has.",
     wide_code_set_setting(AT(messaging.native.wchars))},
    same_as("jacorb.logfile", "file", "-ORBLogFile", "As -ORBLogFile."),
    {"jacorb.giop_minor_version", "0|1|2", "As -ORBGIOPVersion, without 1. in front.",
     choice_setting(AT(messaging.highest_minor))},
    {"jacorb.log.default.verbosity", "0|1|2|3|4", "As -ORBLog: off, error, warning, info, debug.",
     [](Options&, View v, std::string& w) { return verbosity(v, w); }, for_process},
};

#undef AT

constexpr View multicast =
    "services are not looked for by multicast; write -ORBInitRef NAME=corbaloc::HOST:PORT/KEY";
constexpr View for_waiting = "write -ORBServing thread-per-connection, pool or single-thread";
constexpr View name_service = "write -ORBInitRef NameService=corbaloc::HOST:PORT/NameService";
constexpr View tables_grow = "tables grow as they are needed";
constexpr View pool = "write -ORBServing pool and -ORBPoolThreads n";
constexpr View many_connections = "write -ORBServing pool if there are many connections";
constexpr View told_at_once = "leave it out: the system tells at once what has come";
constexpr View lines_have_it = "lines of the log have it from the level debug on";
constexpr View trace = "write -ORBLog trace";
constexpr View no_repository = "there is no implementation repository; let servers listen on fixed ports";
constexpr View no_configurator = "leave it out: there is no service configurator";
constexpr View routes = "the system's routes choose the interface";
constexpr View behind_gateway = "write ORBListenEndpoints = iiop://:PORT/publish=HOST:PORT";
constexpr View connect_time = "write ORBConnectTimeout: how long making a connection may take";

/// As it is written.
struct WrittenRefusal {
  View name;
  View orb;
  View unless;
  View instead;
};

constexpr WrittenRefusal refused[] = {
    {"-ORBSvcConf", "TAO", "",
     "its file configures parts that Tenon does not have; write options into a file for -ORBConfigFile, and "
     "-ORBServing for its strategies"},
    {"-ORBSvcConfDirective", "TAO", "", "write -ORBServing for strategies of threads"},
    {"-ORBSkipServiceConfigOpen", "TAO", "", no_configurator},
    {"-ORBServiceConfigLoggerKey", "TAO", "", "write -ORBLogFile file"},
    {"-ORBGestalt", "TAO", "", no_configurator},
    {"-ORBDaemon", "TAO", "", "leave it out, and let the system's service manager start the program"},
    {"-ORBDebug", "TAO", "", "write -ORBLog debug"},
    {"-ORBVerboseLogging", "TAO", "0|1|2", lines_have_it},
    {"-ORBNegotiateCodesets", "TAO", "1",
     "code sets are always negotiated; -ORBUnstatedCharCodeSet is for peers without"},
    {"-ORBUseSharedProfile", "TAO", "0",
     "each endpoint has a profile of its own; publish= may name several addresses for one"},
    {"-ORBUseIMR", "TAO", "0", no_repository},
    {"-ORBNameServicePort", "TAO", "", multicast},
    {"-ORBTradingServicePort", "TAO", "", multicast},
    {"-ORBImplRepoServicePort", "TAO", "", multicast},
    {"-ORBMulticastDiscoveryEndpoint", "TAO", "", multicast},
    {"-ORBPreferredInterfaces", "TAO", "", routes},
    {"-ORBEnforcePreferredInterfaces", "TAO", "0", routes},
    {"-ORBUseParallelConnect", "TAO", "1", "addresses are tried beside each other (RFC 8305)"},
    {"-ORBCDRTradeoff", "TAO", "", "write -ORBCopyBelow n"},
    {"-ORBStdProfileComponents", "TAO", "1", "references have the components of their GIOP version"},
    {"-ORBSingleReadOptimization", "TAO", "1", "a message is read in as few steps as it can be"},
    {"-ORBRunThreads", "TAO", "", pool},
    {"-ORBConcurrency", "TAO", "", for_waiting},
    {"-ORBReactorType", "TAO", "", for_waiting},
    {"-ORBClientConnectionHandler", "TAO", "", for_waiting},
    {"-ORBTransportMuxStrategy", "TAO", "",
     "write -ORBConnectionsPerEndpoint: 1 lets all calls share a connection"},
    {"-ORBConnectionCacheMax", "TAO", "", "write -ORBMaxClientConnections and -ORBMaxServerConnections"},
    {"-ORBCollocationStrategy", "TAO", "thru_poa",
     "calls inside the process go through the POA; -ORBCollocation no makes them use sockets"},
    {"-ORBActiveObjectMapSize", "TAO", "", tables_grow},
    {"-ORBclientTransportRule", "omniORB", "",
     "the addresses of a reference are tried in its order; let servers publish those that clients shall use"},
    {"-ORBresolveNamesForTransportRules", "omniORB", "0", "rules have addresses, not names"},
    {"-ORBretainAddressOrder", "omniORB", "1", "the addresses of a reference are tried in its order"},
    {"-ORBimmediateAddressSwitch", "omniORB", "1", "if an address fails, the next one is tried at once"},
    {"-ORBmaxServerThreadPerConnection", "omniORB", "",
     "write -ORBServing thread-per-connection to serve one request of a connection at a time, -ORBServing "
     "pool "
     "to serve several"},
    {"-ORBthreadPerConnectionUpperLimit", "omniORB", "", many_connections},
    {"-ORBthreadPerConnectionLowerLimit", "omniORB", "", many_connections},
    {"-ORBthreadPoolWatchConnection", "omniORB", "", "write -ORBPoolStay yes or no"},
    {"-ORBconnectionWatchPeriod", "omniORB", "", told_at_once},
    {"-ORBconnectionWatchImmediate", "omniORB", "", told_at_once},
    {"-ORBidleThreadTimeout", "omniORB", "", "leave it out: it needs no setting how long threads are kept"},
    {"-ORBmaxClientThreadPoolSize", "omniORB", "", "write -ORBCompletionThreads n"},
    {"-ORBoneCallPerConnection", "omniORB", "0",
     "so many connections are opened before calls share them: write -ORBConnectionsPerEndpoint"},
    {"-ORBmaxInterleavedCallsPerConnection", "omniORB", "",
     "write -ORBConnectionsPerEndpoint: calls take the connection that is least busy"},
    {"-ORBlistenBacklog", "omniORB", "",
     "write backlog=n behind the endpoint: -ORBListenEndpoints iiop://:2809/backlog=n"},
    {"-ORBendPointPublishAllIFs", "omniORB", "0",
     "write each address behind the endpoint: iiop://:2809/publish=HOST,publish=HOST"},
    {"-ORBendPointNoPublish", "omniORB", "",
     "write publish=HOST:PORT behind the endpoint, with what to publish"},
    {"-ORBunixTransportDirectory", "omniORB", "", "write the path: -ORBListenEndpoints uiop:///run/app.sock"},
    {"-ORBunixTransportPermission", "omniORB", "",
     "write mode=0660 behind the path: -ORBListenEndpoints 'uiop:///run/app.sock|mode=0660'"},
    {"-ORBserverCallTimeOutPeriod", "omniORB", "", "write -ORBMessageTimeout and -ORBSendTimeout"},
    {"-ORBsupportPerThreadTimeOut", "omniORB", "0|1", "tenon::TimeoutScope always works"},
    {"-ORBresetTimeOutOnRetries", "omniORB", "",
     "leave it out: a time that tenon::set_timeout() gives is for the whole call"},
    {"-ORBthrowTransientOnTimeOut", "omniORB", "0", "a call whose time is over raises TIMEOUT"},
    {"-ORBpoaHoldRequestTimeout", "omniORB", "0", "the caller's own time-out ends the call"},
    {"-ORBverifyObjectExistsAndType", "omniORB", "0",
     "the first call of an object tells whether it exists; _non_existent() asks before"},
    {"-ORBgiopTargetAddressMode", "omniORB", "0", "a server that wants more than the key says so"},
    {"-ORBstrictIIOP", "omniORB", "0", "messages that are longer than their body are always read"},
    {"-ORBlcdMode", "omniORB", "0", "there is no such mode; -ORBGIOPVersion 1.0 is what old peers need most"},
    {"-ORBacceptMisalignedTcIndirections", "omniORB", "1", "such TypeCodes are always read"},
    {"-ORBmaxSocketSend", "omniORB", "", "leave it out: the system takes as much as it can"},
    {"-ORBmaxSocketRecv", "omniORB", "", "leave it out: as much is read as there is room for"},
    {"-ORBsupportCurrent", "omniORB", "1",
     "PortableServer::Current always works, and costs nothing that could be saved"},
    {"-ORBcopyValuesInLocalCalls", "omniORB", "1", "arguments of calls inside the process are always copied"},
    {"-ORBobjectTableSize", "omniORB", "0", tables_grow},
    {"-ORBabortOnInternalError", "omniORB", "0", "an ORB does not end the program"},
    {"-ORBabortOnNativeException", "omniORB", "0",
     "C++ exceptions that servants let out become UNKNOWN, and stand in the log"},
    {"-ORBsupportBootstrapAgent", "omniORB", "0",
     "there is no such agent; clients write -ORBInitRef NameService=corbaloc:..."},
    {"-ORBbootstrapAgentHostname", "omniORB", "", name_service},
    {"-ORBbootstrapAgentPort", "omniORB", "", name_service},
    {"-ORBdumpConfiguration", "omniORB", "0", "write -ORBHelp, which prints the options"},
    {"-ORBtraceInvocations", "omniORB", "0", trace},
    {"-ORBtraceInvocationReturns", "omniORB", "0", trace},
    {"-ORBtraceExceptions", "omniORB", "0", "write -ORBLog warning"},
    {"-ORBtraceLocking", "omniORB", "0", "leave it out: locks are not logged"},
    {"-ORBtraceThreadId", "omniORB", "0|1", lines_have_it},
    {"-ORBtraceTime", "omniORB", "0|1", lines_have_it},
    {"-ORBInitialHost", "JDK", "", name_service},
    {"-ORBInitialPort", "JDK", "", name_service},
    {"OAPort", "JacORB", "", "write ORBListenEndpoints = iiop://:PORT"},
    {"OAIAddr", "JacORB", "", "write ORBListenEndpoints = iiop://HOST:PORT"},
    {"jacorb.ior_proxy_host", "JacORB", "", behind_gateway},
    {"jacorb.ior_proxy_port", "JacORB", "", behind_gateway},
    {"jacorb.ior_proxy_address", "JacORB", "", behind_gateway},
    {"jacorb.dns.enable", "JacORB", "", "write ORBDottedDecimalAddresses = yes, or no for names"},
    {"jacorb.poa.thread_pool_max", "JacORB", "", pool},
    {"jacorb.poa.thread_pool_min", "JacORB", "", pool},
    {"jacorb.connection.client.keepalive", "JacORB", "on|true", "write ORBKeepAlive = no"},
    {"jacorb.connection.server.keepalive", "JacORB", "on|true", "write ORBKeepAlive = no"},
    {"jacorb.retries", "JacORB", "", connect_time},
    {"jacorb.retry_interval", "JacORB", "", connect_time},
    {"jacorb.use_imr", "JacORB", "off|false", no_repository},
    {"jacorb.implname", "JacORB", "", "write ORBServerId for the name of the server"},
    {"jacorb.codeset", "JacORB", "on|true", "code sets are always negotiated"},
    {"jacorb.maxManagedBufSize", "JacORB", "", "write ORBMemory and ORBMemoryPerConnection"},
};

constexpr std::size_t refusals = std::size(refused);
constexpr View orbs[] = {"TAO", "omniORB", "JDK", "JacORB"};

/// Of each a letter for its ORB, its name and the values that are taken.
consteval std::size_t octets_of_refusals() {
  std::size_t octets = 0;
  for (const WrittenRefusal& each : refused) octets += each.name.size() + each.unless.size() + 3;
  return octets;
}
constexpr auto written_names = [] {
  PackedTexts<octets_of_refusals()> all;
  std::size_t to = 0;
  for (const WrittenRefusal& each : refused) {
    all.octets[to++] = static_cast<char>('0' + (std::ranges::find(orbs, each.orb) - std::begin(orbs)));
    for (const View word : {each.name, each.unless}) {
      for (const char letter : word) all.octets[to++] = letter;
      ++to;
    }
  }
  return all;
}();
constexpr auto packed_names = pack_all<words_of<written_names, 2 * refusals>>();
char names_room[octets_of_refusals()];
constinit PackedWords refused_names{packed_names.octets, 2 * refusals, names_room};

/// What to write instead, packed; several options have the same text.
struct Advice {
  std::uint8_t of[refusals]{};    ///< the number of each one's text
  std::size_t first[refusals]{};  ///< of each text, who has it first
  std::size_t count = 0;
};
constexpr Advice advice = [] {
  Advice made;
  for (std::size_t i = 0; i < refusals; ++i) {
    std::size_t text = 0;
    while (text < made.count && refused[made.first[text]].instead != refused[i].instead) ++text;
    if (text == made.count) made.first[made.count++] = i;
    made.of[i] = static_cast<std::uint8_t>(text);
  }
  return made;
}();
constexpr auto written_advice = [] {
  std::array<View, advice.count> made;
  for (std::size_t i = 0; i < advice.count; ++i) made[i] = refused[advice.first[i]].instead;
  return made;
}();
constexpr auto advice_texts = pack_all<written_advice>();
struct AdviceOf {
  std::uint8_t of[refusals]{};
};
constexpr AdviceOf advice_of = [] {
  AdviceOf made;
  std::ranges::copy(advice.of, made.of);
  return made;
}();

/// One after the other, until `take` returns true. Those that it is shown lack `instead`.
bool find_refused(FunctionRef<bool(const RefusedOption&)> take, RefusedOption& option) {
  const char* at = unpacked_words(refused_names);
  for (const std::uint8_t text : advice_of.of) {
    option.orb = orbs[*at++ - '0'];
    for (View* word : {&option.name, &option.unless}) {
      *word = at;
      at += word->size() + 1;
    }
    if (!take(option)) continue;
    option.instead = unpacked(packed_at(advice_texts.octets, text));
    return true;
  }
  return false;
}

}  // namespace

constinit const OptionTable other_orbs_table = PackedOptions<others>::table;
constinit const OptionTable property_table = PackedOptions<jacorb>::table;

bool find_refused(std::string_view name, RefusedOption& found) {
  return find_refused([&](const RefusedOption& each) { return same_word(each.name, name); }, found);
}

std::vector<RefusedOption> refused_options() {
  std::vector<RefusedOption> all(refusals);
  for (std::size_t i = 0; i < refusals; ++i) {
    find_refused([left = i](const RefusedOption&) mutable { return left-- == 0; }, all[i]);
  }
  return all;
}

}  // namespace tenon::gen
