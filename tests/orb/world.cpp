// SPDX-License-Identifier: Apache-2.0
#include "tests/orb/world.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace tenon::suite {
namespace {
constexpr auto patience = std::chrono::seconds(60);
std::atomic<int> numbers{0};

/// Of LogLines. It is never destroyed, since a thread of an ORB may still log when nobody asks for its lines any more.
struct KeptLines {
  static KeptLines& all() {
    static auto* const kept = new KeptLines;
    return *kept;
  }
  std::mutex mutex;
  Words lines;
};
}  // namespace

LogLines::LogLines(LogLevel least) {
  KeptLines& kept = KeptLines::all();
  {
    const std::lock_guard lock(kept.mutex);
    kept.lines.clear();
  }
  const LogSink keep = [](void* context, LogLevel, std::string_view component, std::string_view text) {
    auto& into = *static_cast<KeptLines*>(context);
    const std::lock_guard lock(into.mutex);
    into.lines.push_back(std::string(component) + ": " + std::string(text));
  };
  set_log_sink(keep, &kept);
  set_log_level(least);
}

LogLines::~LogLines() {
  set_log_level(LogLevel::off);
  set_log_sink(nullptr, nullptr);
}

Words LogLines::all() const {
  KeptLines& kept = KeptLines::all();
  const std::lock_guard lock(kept.mutex);
  return kept.lines;
}

int LogLines::count(std::string_view part) const {
  KeptLines& kept = KeptLines::all();
  const std::lock_guard lock(kept.mutex);
  const auto has_it = [part](const std::string& each) { return each.find(part) != std::string::npos; };
  return static_cast<int>(std::ranges::count_if(kept.lines, has_it));
}

void Gate::open(int times) {
  std::lock_guard lock(mutex_);
  openings_ += times;
  changed_.notify_all();
}

void Gate::pass() {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.notify_all();
  changed_.wait_for(lock, patience, [this] { return openings_ > 0; });
  --waiting_;
  if (openings_ > 0) --openings_;
}

bool Gate::wait_for_waiters(int count) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, patience, [&] { return waiting_ >= count; });
}

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

// --- servant ---

std::string TestServant::title() {
  std::lock_guard lock(mutex_);
  return title_;
}

void TestServant::title(const std::string& value) {
  std::lock_guard lock(mutex_);
  title_ = value;
}

Suite::Point TestServant::mix(std::int32_t a, std::string& text, const Suite::Point& given,
                              Suite::Point& copy, std::uint32_t& count) {
  const Suite::Point made(a, a / 2.0, text);
  text = {text.rbegin(), text.rend()};
  copy = given;
  count = static_cast<std::uint32_t>(given.label().size());
  return made;
}

Suite::Blob TestServant::make(std::uint32_t size) {
  Suite::Blob blob(size);
  for (std::size_t i = 0; i < blob.size(); ++i) blob[i] = static_cast<std::uint8_t>(i % 251);
  return blob;
}

std::uint64_t TestServant::sum(const Suite::Blob& data) {
  return std::accumulate(data.begin(), data.end(), std::uint64_t{0});
}

void TestServant::note(std::int32_t number) {
  std::lock_guard lock(mutex_);
  notes_.push_back(number);
}

std::vector<std::int32_t> TestServant::notes() {
  std::lock_guard lock(mutex_);
  return notes_;
}

void TestServant::hold_note(std::int32_t number) {
  gate.pass();
  note(number);
}

std::int32_t TestServant::hold(std::int32_t number) {
  gate.pass();
  return number;
}

void TestServant::fail(Suite::Failure kind) {
  switch (kind) {
    case Suite::Failure::listed_one: throw Suite::Refused("on request", 42);
    case Suite::Failure::unlisted_one: throw Suite::Unlisted(7);
    case Suite::Failure::an_int: throw 42;
    case Suite::Failure::a_runtime_error: throw std::runtime_error("out of range");
    case Suite::Failure::no_memory: throw std::bad_alloc();
    case Suite::Failure::transient_with_minor:
      throw CORBA::TRANSIENT(0x12345678, CORBA::CompletionStatus::COMPLETED_MAYBE);
    case Suite::Failure::completed_bad_param:
      throw CORBA::BAD_PARAM(99, CORBA::CompletionStatus::COMPLETED_YES);
  }
}

ObjectRef TestServant::pass(ObjectRef given, bool& was_nil) {
  was_nil = !given;
  return given;
}

// --- ORBs ---

OrbRef init_orb(const Words& options, const std::string& id) {
  return tenon::init_orb(options, protocols_to_use(), id);
}

ScopedOrb::ScopedOrb(const Words& options)
    : orb_(init_orb(options, "test-" + std::to_string(numbers.fetch_add(1)))) {}

void ScopedOrb::destroy() {
  if (!orb_) return;
  orb_->destroy();
  orb_ = nullptr;
}

std::ptrdiff_t open_descriptors() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                       std::filesystem::directory_iterator());
}

std::string descriptor_names() {
  std::string names;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code none;
    names += ' ' + std::filesystem::read_symlink(each, none).string();
  }
  return names;
}

std::string name_of(const Case& which) {
  std::string name = which.protocol + "_" + which.serving;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases = remote_cases();
  for (const char* protocol : {"collocated", "iiop-same-orb"}) {
    cases.push_back({protocol, "thread-per-connection"});
    cases.push_back({protocol, "pool"});
  }
  return cases;
}

std::vector<Case> remote_cases() {
  std::vector<Case> cases;
  for (const char* protocol : {"iiop", "uiop", "shmiop", "torture"}) {
    cases.push_back({protocol, "thread-per-connection"});
    cases.push_back({protocol, "pool"});
  }
  return cases;
}

RunThread::RunThread(const ScopedOrb& orb, const std::string& serving) : orb_(orb.ref()) {
  if (serving == "single-thread") thread_ = std::thread([this] { outcome_of([this] { orb_->run(); }); });
}

RunThread::~RunThread() {
  if (!thread_.joinable()) return;
  outcome_of([this] { orb_->shutdown(false); });
  thread_.join();
}

Pair::Pair(const Case& which, const Words& server_options, const Words& client_options) {
  Words options{"-ORBListenEndpoints", endpoint_of(which.protocol), "-ORBServing", which.serving};
  if (which.protocol == "iiop-same-orb") options.insert(options.end(), {"-ORBCollocation", "no"});
  const bool one_orb = which.protocol == "collocated" || which.protocol == "iiop-same-orb";
  options.insert(options.end(), server_options.begin(), server_options.end());
  if (one_orb) options.insert(options.end(), client_options.begin(), client_options.end());
  server_orb = std::make_unique<ScopedOrb>(options);
  if (!one_orb) {
    // A client that is called back listens as the server does.
    Words for_client{"-ORBServing",
                     which.serving == "single-thread" ? "thread-per-connection" : which.serving};
    if (std::ranges::find(client_options, "-ORBListenEndpoints") == client_options.end())
      for_client.insert(for_client.end(), {"-ORBListenEndpoints", endpoint_of(which.protocol)});
    for_client.insert(for_client.end(), client_options.begin(), client_options.end());
    client_orb = std::make_unique<ScopedOrb>(for_client);
  }
  servant = CORBA::make_reference<TestServant>(**server_orb);
  test = at_client(tenon::publish<Suite::Test_skeleton>(server_orb->ref(), servant));
  run_thread = std::make_unique<RunThread>(*server_orb, which.serving);
}

Pair::~Pair() {
  servant->gate.open(1000);
  test = nullptr;
  if (client_orb) client_orb->destroy();
  run_thread.reset();
  server_orb->destroy();
}

void World::SetUp() { pair = std::make_unique<Pair>(GetParam()); }

void World::TearDown() { pair.reset(); }

std::string outcome_of(const std::function<void()>& call) {
  try {
    call();
    return "";
  } catch (const CORBA::SystemException& exception) {
    constexpr const char* completions[] = {"YES", "NO", "MAYBE"};
    char minor[16];
    std::snprintf(minor, sizeof minor, "0x%08x", exception.minor());
    return std::string(exception._name()) + " " + minor + " " +
           completions[static_cast<int>(exception.completed())];
  } catch (const CORBA::UserException& exception) {
    return std::string(exception._name());
  }
}

std::string text_of(tenon::Error error) {
  return outcome_of([error] { gen::raise(error); });
}

std::uint16_t tcp_port_of(CORBA::ORB& server) {
  const std::string endpoint = server._endpoints().front();
  return static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1)));
}

std::string key_of(const TestRef& test) {
  const auto& key = test->_reference()->profiles().front().view.object_key;
  return {key.begin(), key.end()};
}

}  // namespace tenon::suite
