// SPDX-License-Identifier: Apache-2.0
//
// Options and properties of TAO, omniORB and JacORB: those that Tenon takes, with the meaning that they have there, and those that it
// refuses, with what to write instead. docs/migrating-options.md tells them; a test compares.
#include <cstdint>
#include <iterator>

#include "base/log.hpp"
#include "cdr/compatibility.hpp"
#include "ior/iiop_profile.hpp"
#include "mapping/cpp11/corba/option_values.hpp"
#include "mapping/cpp11/corba/orb_options.hpp"
#include "net/address.hpp"

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
  if (!read_number(value, level, why, 0u, 4u)) return false;
  set_log_level(static_cast<LogLevel>(level));
  return true;
}

/// An option that may say only what Tenon does anyway.
bool only(std::string_view value, std::string_view right, std::string_view because, std::string& why) {
  if (same_word(value, right)) return true;
  why = "wants " + std::string(right) + ": " + std::string(because);
  return false;
}

bool seconds(std::string_view value, std::uint32_t& into_ms, std::string& why) {
  std::uint32_t read = 0;
  if (!read_number(value, read, why, 0u, UINT32_MAX / 1000)) return false;
  into_ms = read * 1000;
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
  if (!wrong.empty()) why += "; " + wrong;
  return false;
}

bool publish(std::string_view value, orb::Options& options, std::string& why) {
  std::vector<std::string> addresses;
  while (!value.empty()) {
    const std::string_view one = value.substr(0, value.find(','));
    if (same_word(one, protocol::own_addresses)) {
      addresses.emplace_back(protocol::own_addresses);
    } else if (!published(one, false, addresses, why)) {
      why = "wants addr, or " + why.substr(6) +
            "; for other rules write publish=HOST or hostname_in_ior=HOST behind the endpoint";
      return false;
    }
    value.remove_prefix(one.size() == value.size() ? one.size() : one.size() + 1);
  }
  if (addresses.empty()) why = "wants addr or giop:tcp:host:port";
  options.transports.publish.insert(options.transports.publish.end(), addresses.begin(), addresses.end());
  return !addresses.empty();
}

using orb::Options;
using View = std::string_view;
constexpr bool for_process = true;

constexpr OptionRow same_as(View name, View argument, View as, View text) {
  return {name, argument, text, nullptr, false, as};
}

constexpr OptionRow others[] = {
    same_as("-ORBEndpoint", "endpoint", "-ORBListenEndpoints",
            "As -ORBListenEndpoints, under TAO's older name; an endpoint may say portspan=n, "
            "hostname_in_ior=host and reuse_addr, and have & between options."),
    {"-ORBVerboseLogging", "0|1|2",
     "Of TAO, accepted: lines of the log have time and thread from the level debug on, whatever it says.",
     [](Options&, View v, std::string& w) {
       unsigned ignored = 0;
       return read_number(v, ignored, w, 0u, 2u);
     }},
    {"-ORBNegotiateCodesets", "1", "Of TAO: code sets are always negotiated.",
     [](Options&, View v, std::string& w) {
       return only(v, "1", "code sets are always negotiated; -ORBUnstatedCharCodeSet is for peers without",
                   w);
     }},
    {"-ORBUseSharedProfile", "0", "Of TAO: each endpoint has a profile of its own in references.",
     [](Options&, View v, std::string& w) {
       return only(v, "0",
                   "each endpoint has a profile of its own; publish= may name several addresses for one", w);
     }},
    {"-ORBUseIMR", "0", "Of TAO: there is no implementation repository.",
     [](Options&, View v, std::string& w) {
       return only(v, "0", "there is no implementation repository; let servers listen on fixed ports", w);
     }},
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
     [](Options& o, View v, std::string& w) { return seconds(v, o.client_idle_ms, w); }},
    {"-ORBinConScanPeriod", "s", "As -ORBServerIdle, in seconds, under omniORB's name.",
     [](Options& o, View v, std::string& w) { return seconds(v, o.server_idle_ms, w); }},
    {"-ORBscanGranularity", "s",
     "Of omniORB, accepted above 0: idle connections are looked for as often as their times need.",
     [](Options&, View v, std::string& w) {
       unsigned ignored = 0;
       if (read_number(v, ignored, w, 1u)) return true;
       if (v == "0")
         w = "wants 1 or more; to keep idle connections write -ORBClientIdle 0 and -ORBServerIdle 0";
       return false;
     }},
    {"-ORBofferBiDirectionalGIOP", "0|1", "Whether to offer bidirectional connections, under omniORB's name.",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.offer_bidirectional, w); }},
    {"-ORBacceptBiDirectionalGIOP", "0|1",
     "Whether to accept bidirectional connections, under omniORB's name.",
     [](Options& o, View v, std::string& w) { return read_yes_no(v, o.accept_bidirectional, w); }},
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
     [](Options&, View v, std::string& w) {
       return read_yes_no(v, cdr::compatibility().typecodes_without_offsets, false, w);
     },
     for_process},
    {"-ORBtcAliasExpand", "0|1", "Of omniORB: 1 is -ORBTypeCodeAliases no, 0 is yes. For the whole process.",
     [](Options&, View v, std::string& w) {
       return read_yes_no(v, cdr::compatibility().typecodes_without_aliases, true, w);
     },
     for_process},
    same_as("-ORBclientCallTimeOutPeriod", "ms", "-ORBCallTimeout",
            "As -ORBCallTimeout, under omniORB's name."),
    same_as("-ORBclientConnectTimeOutPeriod", "ms", "-ORBConnectTimeout",
            "As -ORBConnectTimeout, under omniORB's name."),
    same_as("-ORBsocketSendBuffer", "bytes", "-ORBSndSock", "As -ORBSndSock, under omniORB's name."),
    {"-ORBverifyObjectExistsAndType", "0",
     "Of omniORB: no object is asked before its first call whether it exists.",
     [](Options&, View v, std::string& w) {
       return only(v, "0", "the first call of an object tells whether it exists; _non_existent() asks before",
                   w);
     }},
    {"-ORBsupportCurrent", "1", "Of omniORB: PortableServer::Current always works.",
     [](Options&, View v, std::string& w) {
       return only(v, "1", "PortableServer::Current always works, and costs nothing that could be saved", w);
     }},
    {"-ORBstrictIIOP", "0", "Of omniORB: messages that are longer than their body are read.",
     [](Options&, View v, std::string& w) {
       return only(v, "0", "messages that are longer than their body are always read", w);
     }},
    {"-ORBlcdMode", "0", "Of omniORB: there is no such mode.",
     [](Options&, View v, std::string& w) {
       return only(v, "0", "there is no such mode; -ORBGIOPVersion 1.0 is what old peers need most", w);
     }},
    {"-ORBsupportBootstrapAgent", "0", "Of omniORB: there is no such agent.",
     [](Options&, View v, std::string& w) {
       return only(v, "0", "there is no such agent; clients write -ORBInitRef NameService=corbaloc:...", w);
     }},
    {"-ORBcopyValuesInLocalCalls", "1",
     "Of omniORB: values that pass between objects of a process are copied.",
     [](Options&, View v, std::string& w) {
       return only(v, "1", "arguments of calls inside the process are always copied", w);
     }},
    same_as("-ORBtraceFile", "file", "-ORBLogFile", "As -ORBLogFile, under omniORB's name."),
    {"-ORBtraceLevel", "n", "As -ORBLog, with omniORB's numbers: 10 is debug, 25 is trace.",
     [](Options&, View v, std::string& w) { return log_number(v, 10, 25, w); }, for_process},
};

constexpr OptionRow jacorb[] = {
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
       return read_word<cdr::CodeSet>(v, o.messaging.native.chars, w,
                                      {{"UTF8", cdr::CodeSet::utf8}, {"ISO8859_1", cdr::CodeSet::iso8859_1}});
     }},
    {"jacorb.native_wchar_codeset", "UTF16|UCS2", "As -ORBNativeWCharCodeSet, with the names that Java has.",
     [](Options& o, View v, std::string& w) {
       return read_word<cdr::CodeSet>(v, o.messaging.native.wchars, w,
                                      {{"UTF16", cdr::CodeSet::utf16}, {"UCS2", cdr::CodeSet::ucs2}});
     }},
    same_as("jacorb.logfile", "file", "-ORBLogFile", "As -ORBLogFile."),
    {"jacorb.giop_minor_version", "0|1|2", "As -ORBGIOPVersion, without 1. in front.",
     [](Options& o, View v, std::string& w) {
       return read_number<std::uint8_t>(v, o.messaging.highest_minor, w, 0, 2);
     }},
    {"jacorb.log.default.verbosity", "0|1|2|3|4", "As -ORBLog: off, error, warning, info, debug.",
     [](Options&, View v, std::string& w) { return verbosity(v, w); }, for_process},
};

constexpr View multicast =
    "services are not looked for by multicast; write -ORBInitRef NAME=corbaloc::HOST:PORT/KEY";
constexpr View for_waiting = "write -ORBServing thread-per-connection, pool or single-thread";
constexpr View rules =
    "write which addresses to listen on (-ORBListenEndpoints), and let a firewall say who may connect";
constexpr View name_service = "write -ORBInitRef NameService=corbaloc::HOST:PORT/NameService";
constexpr View tables_grow = "leave it out: tables grow as they are needed";
constexpr View pool = "write -ORBServing pool and -ORBPoolThreads n";

constexpr RefusedOption refused[] = {
    {"-ORBSvcConf", "TAO",
     "its file configures parts that Tenon does not have; write options into a file for -ORBConfigFile, and "
     "-ORBServing for its strategies"},
    {"-ORBSvcConfDirective", "TAO", "write -ORBServing for strategies of threads"},
    {"-ORBSkipServiceConfigOpen", "TAO", "leave it out: there is no service configurator"},
    {"-ORBServiceConfigLoggerKey", "TAO", "write -ORBLogFile file"},
    {"-ORBGestalt", "TAO", "leave it out: there is no service configurator"},
    {"-ORBDaemon", "TAO", "leave it out, and let the system's service manager start the program"},
    {"-ORBDebug", "TAO", "write -ORBLog debug"},
    {"-ORBNameServicePort", "TAO", multicast},
    {"-ORBTradingServicePort", "TAO", multicast},
    {"-ORBImplRepoServicePort", "TAO", multicast},
    {"-ORBMulticastDiscoveryEndpoint", "TAO", multicast},
    {"-ORBPreferredInterfaces", "TAO", "the system's routes choose the interface"},
    {"-ORBEnforcePreferredInterfaces", "TAO", "the system's routes choose the interface"},
    {"-ORBUseParallelConnect", "TAO", "leave it out: addresses are tried beside each other (RFC 8305)"},
    {"-ORBCDRTradeoff", "TAO", "leave it out: it needs no setting which sequences are copied"},
    {"-ORBStdProfileComponents", "TAO", "leave it out: references have the components of their GIOP version"},
    {"-ORBSingleReadOptimization", "TAO", "leave it out: a message is read in as few steps as it can be"},
    {"-ORBRunThreads", "TAO", pool},
    {"-ORBConcurrency", "TAO", for_waiting},
    {"-ORBReactorType", "TAO", for_waiting},
    {"-ORBClientConnectionHandler", "TAO", for_waiting},
    {"-ORBTransportMuxStrategy", "TAO",
     "write -ORBConnectionsPerEndpoint: 1 lets all calls share a connection"},
    {"-ORBConnectionCacheMax", "TAO", "write -ORBMaxClientConnections and -ORBMaxServerConnections"},
    {"-ORBCollocationStrategy", "TAO",
     "leave it out: calls inside the process go through the POA; -ORBCollocation no makes them use sockets"},
    {"-ORBclientTransportRule", "omniORB",
     "the addresses of a reference are tried in its order; let servers publish those that clients shall use"},
    {"-ORBserverTransportRule", "omniORB", rules},
    {"-ORBmaxServerThreadPerConnection", "omniORB",
     "write -ORBServing thread-per-connection to serve one request of a connection at a time, -ORBServing "
     "pool "
     "to serve several"},
    {"-ORBthreadPerConnectionUpperLimit", "omniORB", "write -ORBServing pool if there are many connections"},
    {"-ORBthreadPerConnectionLowerLimit", "omniORB", "write -ORBServing pool if there are many connections"},
    {"-ORBthreadPoolWatchConnection", "omniORB", "write -ORBPoolStay yes or no"},
    {"-ORBconnectionWatchPeriod", "omniORB", "leave it out: the system tells at once what has come"},
    {"-ORBconnectionWatchImmediate", "omniORB", "leave it out: the system tells at once what has come"},
    {"-ORBoneCallPerConnection", "omniORB",
     "write -ORBConnectionsPerEndpoint: so many connections are opened before calls share them"},
    {"-ORBlistenBacklog", "omniORB",
     "write backlog=n behind the endpoint: -ORBListenEndpoints iiop://:2809/backlog=n"},
    {"-ORBendPointPublishAllIFs", "omniORB",
     "write each address behind the endpoint: iiop://:2809/publish=HOST,publish=HOST"},
    {"-ORBendPointNoPublish", "omniORB", "write publish=HOST:PORT behind the endpoint, with what to publish"},
    {"-ORBunixTransportDirectory", "omniORB", "write the path: -ORBListenEndpoints uiop:///run/app.sock"},
    {"-ORBunixTransportPermission", "omniORB",
     "write mode=0660 behind the path: -ORBListenEndpoints 'uiop:///run/app.sock|mode=0660'"},
    {"-ORBserverCallTimeOutPeriod", "omniORB", "write -ORBMessageTimeout and -ORBSendTimeout"},
    {"-ORBpoaHoldRequestTimeout", "omniORB", "leave it out: the caller's own time-out ends the call"},
    {"-ORBbootstrapAgentHostname", "omniORB", name_service},
    {"-ORBbootstrapAgentPort", "omniORB", name_service},
    {"-ORBInitialHost", "JDK", name_service},
    {"-ORBInitialPort", "JDK", name_service},
    {"-ORBdumpConfiguration", "omniORB", "write -ORBHelp, which prints the options"},
    {"-ORBtraceInvocations", "omniORB", "write -ORBLog trace"},
    {"-ORBtraceInvocationReturns", "omniORB", "write -ORBLog trace"},
    {"-ORBtraceExceptions", "omniORB", "write -ORBLog warning"},
    {"-ORBtraceThreadId", "omniORB", "leave it out: lines have it from the level debug on"},
    {"-ORBtraceTime", "omniORB", "leave it out: lines have it from the level debug on"},
    {"-ORBobjectTableSize", "omniORB", tables_grow},
    {"-ORBActiveObjectMapSize", "TAO", tables_grow},
    {"OAPort", "JacORB", "write ORBListenEndpoints = iiop://:PORT"},
    {"OAIAddr", "JacORB", "write ORBListenEndpoints = iiop://HOST:PORT"},
    {"jacorb.ior_proxy_host", "JacORB", "write ORBListenEndpoints = iiop://:PORT/publish=HOST:PORT"},
    {"jacorb.ior_proxy_port", "JacORB", "write ORBListenEndpoints = iiop://:PORT/publish=HOST:PORT"},
    {"jacorb.ior_proxy_address", "JacORB", "write ORBListenEndpoints = iiop://:PORT/publish=HOST:PORT"},
    {"jacorb.dns.enable", "JacORB", "write ORBDottedDecimalAddresses = yes, or no for names"},
    {"jacorb.poa.thread_pool_max", "JacORB", pool},
    {"jacorb.poa.thread_pool_min", "JacORB", pool},
    {"jacorb.connection.client.keepalive", "JacORB", "write ORBKeepAlive = yes"},
    {"jacorb.connection.server.keepalive", "JacORB", "write ORBKeepAlive = yes"},
    {"jacorb.retries", "JacORB", "write ORBConnectTimeout: how long making a connection may take"},
    {"jacorb.retry_interval", "JacORB", "write ORBConnectTimeout: how long making a connection may take"},
    {"jacorb.use_imr", "JacORB", "there is no implementation repository; let servers listen on fixed ports"},
    {"jacorb.implname", "JacORB", "write ORBServerId for the name of the server"},
    {"jacorb.codeset", "JacORB", "leave it out: code sets are always negotiated"},
    {"jacorb.maxManagedBufSize", "JacORB", "write ORBMemory and ORBMemoryPerConnection"},
};

}  // namespace

std::span<const OptionRow> other_orbs_options() noexcept { return others; }
std::span<const OptionRow> properties() noexcept { return jacorb; }
std::span<const RefusedOption> refused_options() noexcept { return refused; }

std::span<const OptionRow> option_rows() {
  static const std::vector<OptionRow> all = [] {
    std::vector<OptionRow> both(own_options().begin(), own_options().end());
    both.insert(both.end(), others, others + std::size(others));
    return both;
  }();
  return all;
}

}  // namespace tenon::gen
