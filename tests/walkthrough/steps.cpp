// SPDX-License-Identifier: Apache-2.0
#include "steps.hpp"

namespace tenon::walk {
namespace {

constexpr Step all[] = {
    {"Walk::Calc::add", "",
     "the stub that `tenon-idl` wrote: constants of the operation, and how to write and read its values"},
    {"tenon::gen::make_call", "src/mapping/cpp11/calls/call.cpp",
     "writes the arguments behind the header, reads the results; turns errors and user exceptions into C++ "
     "exceptions"},
    {"tenon::orb::Invocation::begin", "src/orb/client/invocation.hpp",
     "takes an idle connection and begins the request there; follows forwards, tries again where allowed"},
    {"tenon::orb::Invocation::send", "src/orb/client/invocation.hpp",
     "sends the request and waits for the reply"},
    {"tenon::giop::CallingConnection::invoke", "plugins/giop/calling_connection.cpp",
     "completes the message, sends it, sees to the reply"},
    {"tenon::giop::Outbox::send", "plugins/giop/outbox.hpp",
     "sends one whole message, with no other thread's in between"},
    {"tenon::stream::StreamTransport::send", "plugins/stream/stream_transport.cpp",
     "the transport plug-in: where another protocol would take over"},
    {"tenon::net::Stream::send", "src/net/stream.hpp", "the system call `sendto`"},
    {"tenon::giop::CallingConnection::await_reply", "plugins/giop/calling_connection.cpp",
     "waits for the reply, or for the right to read it, where another call's thread reads"},
    {"tenon::giop::CallingConnection::read_own_reply", "plugins/giop/calling_connection.cpp",
     "reads messages until its own reply is among them; hands others' replies to their threads"},
    {"tenon::giop::Receiver::next", "plugins/giop/receiver.cpp",
     "the next whole message, its header checked once"},
    {"tenon::giop::Receiver::fill", "plugins/giop/receiver.cpp",
     "room for a message that is large, or has come in parts"},
    {"tenon::stream::BulkTransport::receive", "plugins/stream/bulk_transport.cpp",
     "looks again before it sleeps, while large messages come; not now"},
    {"tenon::stream::StreamTransport::receive", "plugins/stream/stream_transport.cpp",
     "the transport plug-in"},
    {"tenon::net::Stream::receive", "src/net/stream.hpp", "the system call `recvfrom`"},
    {"tenon::orb::ThreadServer::serve_lane", "src/orb/server/thread_server.cpp",
     "the loop of the thread that has this connection"},
    {"tenon::giop::BidirectionalConnection::serve", "plugins/giop/serve.cpp",
     "reads one message and does what it asks for"},
    {"tenon::giop::Connection::handle_request", "plugins/giop/serve.cpp",
     "reads the request header where it lies"},
    {"tenon::orb::Server::dispatch", "src/orb/server/server.cpp",
     "keeps requests behind earlier oneways to the same object"},
    {"tenon::orb::Orb::dispatch", "src/orb/orb.cpp", "notes on the thread which ORB and which call it runs"},
    {"tenon::poa::RootAdapter::upcall", "src/poa/root_adapter.cpp",
     "from a key of the ORB's own making to the servant: two array look-ups, no lock"},
    {"tenon::poa::WholeAdapter::find_and_upcall", "src/poa/whole_adapter.cpp",
     "other keys, such as this published name; still without a lock"},
    {"tenon::poa::WholeAdapter::serve", "src/poa/whole_adapter.cpp",
     "where the POA says so, asks a servant manager, or runs one upcall at a time"},
    {"PortableServer::Servant::upcall", "src/mapping/cpp11/calls/skeleton.cpp",
     "turns whatever a servant throws into a reply"},
    {"Walk::Calc_skeleton::_dispatch", "", "the skeleton that `tenon-idl` wrote"},
    {"tenon::gen::dispatch", "src/mapping/cpp11/calls/skeleton.hpp", "finds the operation by a perfect hash"},
    {"Walk::Calc_skeleton::_upcall_add", "", "reads `a` and `b`, calls the servant, writes the sum"},
    {"tenon::walk::CalcServant::add", "tests/walkthrough/world.cpp", "the servant"},
    {"tenon::gen::Upcall::reply", "src/mapping/cpp11/calls/skeleton.cpp",
     "begins the reply, has the results written, sends it"},
    {"tenon::giop::Incoming::finish_reply", "plugins/giop/serve.cpp", "completes the reply"},
};

}  // namespace

std::span<const Step> steps() noexcept { return all; }

}  // namespace tenon::walk
