// SPDX-License-Identifier: Apache-2.0
//
// Makes docs/one-request.md out of a real call and compares it with the one that is checked in. With TENON_UPDATE_PAGES set in
// the environment it writes the page instead. What differs between builds of one source (which functions are inlined) is made
// and compared in the dev preset only; nothing on the page differs between runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/absent_test_support.hpp"
#include "dissect.hpp"
#include "giop/reply.hpp"
#include "giop/request.hpp"
#include "one_request.hpp"
#include "plugins/stream/bulk_transport.hpp"
#include "steps.hpp"

namespace tenon::walk {
namespace {

const std::string root = TENON_SOURCE_ROOT;
#ifdef TENON_PAGE_BUILD
constexpr bool page_build = true;
#else
constexpr bool page_build = false;
#endif
const std::string page_path = root + "/docs/one-request.md";

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

const Step* step_of(const std::string& function) {
  const auto found = std::ranges::find(steps(), function, &Step::function);
  return found == steps().end() ? nullptr : &*found;
}

std::string list(const Names& names, std::size_t from = 0) {
  std::string out;
  std::size_t number = from;
  for (std::size_t i = from; i < names.size(); ++i) {
    if (i > 0 && names[i] == names[i - 1]) continue;  // an overload of the same name
    const Step* step = step_of(names[i]);
    EXPECT_TRUE(step != nullptr || !page_build)
        << names[i] << " is on a request's path: say in steps.cpp what it does";
    if (step == nullptr) continue;
    const std::string where = step->file.empty() ? "generated" : "`" + std::string(step->file) + "`";
    out +=
        std::to_string(++number) + ". `" + names[i] + "` (" + where + "): " + std::string(step->does) + "\n";
  }
  return out;
}

std::string as_written(const std::vector<WrittenFunction>& functions, const std::string& way) {
  std::string out = "\n" + way + ", as the sources have it: " + std::to_string(functions.size()) +
                    " functions, those that were inlined counted.\n";
  int longest = 0;
  for (const WrittenFunction& each : functions) {
    out += "`" + each.name + "`" + (&each == &functions.back() ? ".\n" : ",\n");
    longest = std::max(longest, lines_of(each));
  }
  return out + "The longest has " + std::to_string(longest) + " lines.\n";
}

std::size_t common_start(const Names& a, const Names& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

std::string functions_section(const OneRequest& seen) {
  std::string out = "<!-- functions: begin -->\n\nThe client, to the request's way out: " +
                    std::to_string(seen.client_send.size()) + " functions.\n\n" + list(seen.client_send);
  out += "\nThen, below `" + seen.client_send[common_start(seen.client_send, seen.client_receive) - 1] +
         "`, it waits for the reply:\n\n" +
         list(seen.client_receive, common_start(seen.client_send, seen.client_receive));
  out += "\nThe server, where the request comes in:\n\n" + list(seen.server_receive);
  const std::size_t serving = common_start(seen.server_receive, seen.server_servant);
  out += "\nFrom there to the servant, below `" + seen.server_receive[serving - 1] + "`:\n\n" +
         list(seen.server_servant, serving);
  const std::size_t skeleton = common_start(seen.server_servant, seen.server_send);
  out += "\nThe servant has returned; below `" + seen.server_servant[skeleton - 1] +
         "` the reply goes out:\n\n" + list(seen.server_send, skeleton);
  out +=
      "\nOn its way out a message passes `tenon::giop::SendGate` (`plugins/giop/send_gate.hpp`): one atomic "
      "step in and one out as\nlong as no other thread sends over the same connection.\n";
  out += as_written(seen.stub_to_syscall, "From the stub to the system call");
  out += as_written(seen.syscall_to_servant, "From where the message has been received to the servant");
  if (seen.client_locks.empty() && seen.server_locks.empty())
    return out + "\nNeither side locks a mutex.\n\n<!-- functions: end -->\n";
  out += "\nMutexes that one call locks, each of them its connection's own:\n\n";
  for (const auto& [side, names] :
       {std::pair{"the client", seen.client_locks}, std::pair{"the server", seen.server_locks}}) {
    for (const std::string& name : names) out += std::string("* ") + side + " in `" + name + "`\n";
  }
  return out + "\n<!-- functions: end -->\n";
}

/// Per call, in the order of their numbers; whole numbers, because the budget test has no slack for more.
std::string system_calls(const CallCounts& counts, int calls) {
  std::string out;
  for (const auto& [number, times] : counts) {
    const auto per_call = (times + static_cast<unsigned>(calls) / 2) / static_cast<unsigned>(calls);
    out += (out.empty() ? "" : ", ") + std::to_string(per_call) + " `" + system_call_name(number) + "`";
  }
  return out;
}

std::string make_page(const OneRequest& seen, const Trace& trace, int calls) {
  const std::string idl = read_text(root + "/tests/walkthrough/calc.idl");
  std::string out = R"(# One request

What happens between `calc->add(2, 40)` and its result, over TCP, when everything is warm. This page is made by
`tests/walkthrough` out of a real call, and the test fails when it is out of date; do not edit it by hand. Words are explained in
the [glossary](glossary.md), the folders in [architecture](architecture.md).

```idl
)" + idl.substr(idl.find("module")) +
                    R"(```

The server published its object under a plain name, so the object key is that name:

```cpp
tenon::publish(orb, CORBA::make_reference<CalcServant>(), "Calc");
```

## The bytes

The request, )" + std::to_string(seen.request.size()) +
                    " octets:\n\n```\n" + annotated(seen.request, dissect_request(seen.request)) +
                    "```\n\nThe reply, " + std::to_string(seen.reply.size()) + " octets:\n\n```\n" +
                    annotated(seen.reply, dissect_reply(seen.reply)) +
                    "```\n\nThe first request of a connection may also carry a service context that says "
                    "which code sets the client "
                    "chose; this one\nneed not, because a `corbaloc` URL says nothing about code sets.\n\n## "
                    "The functions\n\n"
                    "Outermost first, as the stack shows them at the system call in the dev preset, where "
                    "functions that were "
                    "inlined are not seen.\n\n" +
                    functions_section(seen) + "\n## System calls and threads\n\n";
  const auto& threads = trace.intervals.at(0);
  out += "Of " + std::to_string(trace.threads) + " threads in a process that has both sides, " +
         std::to_string(
             std::ranges::count_if(threads, [](const auto& thread) { return takes_part(thread.second); })) +
         " took part in " + std::to_string(calls) + " calls. Per call:\n\n";
  for (const bool caller : {true, false}) {
    for (const auto& [thread, counts] : threads) {
      if (!takes_part(counts) || (thread == trace.main_thread) != caller) continue;
      out += std::string("* ") +
             (caller ? "the thread that calls, and reads its own reply: "
                     : "the server's thread for this connection: ") +
             system_calls(counts, calls) + "\n";
    }
  }
  out += R"(
The others wait: each ORB that listens has a thread that accepts connections, each other connection a thread that serves it,
and an ORB that has opened connections one that watches those that rest and keeps time; while connections are in use it wakes
eight times a second. No thread is handed a message by another one.

## Heap and locks

Neither side allocates memory for such a call, or locks a mutex: while no other call is in flight on its connection, a call begins, reads
its reply and ends with an atomic step each. Others that join it use the connection's mutex; calls over different
connections do not wait for each other.
)";
  return out;
}

std::string without_functions(std::string page) {
  const std::size_t begin = page.find("<!-- functions: begin -->");
  const std::size_t end = page.find("<!-- functions: end -->");
  if (begin != std::string::npos && end != std::string::npos && begin < end) page.erase(begin, end - begin);
  return page;
}

TEST(Page, IsWhatACallDoes) {
  constexpr int calls = 100;
  const Trace trace = trace_calls(calls);
  if (!trace.problem.empty()) TENON_ABSENT("THE PAGE WAS NOT CHECKED: ptrace: " + trace.problem);
  if (page_build && !stream::BulkTransport::pays())
    GTEST_SKIP() << "the page shows the functions of a machine with two processors";
  const OneRequest seen = observe_one_request();
  std::string made = make_page(seen, trace, calls);
  std::string checked_in = read_text(page_path);
  if (page_build && std::getenv("TENON_UPDATE_PAGES") != nullptr) {
    std::ofstream(page_path) << made;
    checked_in = made;
  }
  if (!page_build) {
    made = without_functions(made);
    checked_in = without_functions(checked_in);
  }
  EXPECT_EQ(checked_in, made)
      << "docs/one-request.md no longer tells what happens. If the change is meant, make it anew:\n"
         "  TENON_UPDATE_PAGES=1 build/dev/tests/walkthrough/walkthrough_tests --gtest_filter=Page.*";
}

// The octets mean to the engine's own readers what the page says.
TEST(Page, TheEngineReadsTheSame) {
  const OneRequest seen = observe_one_request();
  ASSERT_FALSE(dissect_request(seen.request).empty());
  ASSERT_FALSE(dissect_reply(seen.reply).empty());

  cdr::Reader request(ByteView(seen.request).subspan(giop::header_size), {}, giop::body_phase);
  giop::RequestHeader asked;
  ASSERT_TRUE(giop::read_request(request, asked));
  EXPECT_EQ(asked.operation, "add");
  EXPECT_EQ(request.get<std::int32_t>(), 2);
  EXPECT_EQ(request.get<std::int32_t>(), 40);
  EXPECT_TRUE(request.good());

  cdr::Reader reply(ByteView(seen.reply).subspan(giop::header_size), {}, giop::body_phase);
  giop::ReplyHeader answered;
  ASSERT_TRUE(giop::read_reply(reply, answered));
  EXPECT_EQ(answered.request_id, asked.request_id);
  EXPECT_EQ(reply.get<std::int32_t>(), 42);
  EXPECT_TRUE(reply.good());
}

// The page sends its reader to files that have what it says.
TEST(Page, NamesFilesThatHaveTheFunctions) {
  for (const Step& step : steps()) {
    if (step.file.empty()) continue;
    const std::string_view name = step.function.substr(step.function.rfind(':') + 1);
    EXPECT_NE(read_text(root + "/" + std::string(step.file)).find(std::string(name) + "("), std::string::npos)
        << step.file << " has no function " << name;
  }
}

}  // namespace
}  // namespace tenon::walk
