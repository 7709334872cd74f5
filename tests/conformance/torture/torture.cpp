// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/torture/torture.hpp"

#include <charconv>
#include <deque>
#include <map>

#include "base/minor_codes.hpp"
#include "cdr/reader.hpp"
#include "cdr/writer.hpp"
#include "protocol/endpoint_text.hpp"
#include "tests/conformance/torture/connection.hpp"

namespace tenon::torture {
namespace {

using protocol::Transport;

/// An endpoint that listens: where connect() leaves the acceptor's end.
class Port {
 public:
  Port(Settings settings, std::shared_ptr<Faults> faults) : settings_(settings), faults_(std::move(faults)) {}

  const Settings& settings() const { return settings_; }
  const std::shared_ptr<Faults>& faults() const { return faults_; }

  bool put(std::unique_ptr<Transport> transport) {
    const LockGuard lock(mutex_);
    if (closed_) return false;
    waiting_.push_back(std::move(transport));
    changed_.notify_one();
    return true;
  }
  std::unique_ptr<Transport> take() {
    LockGuard lock(mutex_);
    while (waiting_.empty() && !closed_) changed_.wait(mutex_);
    if (closed_) return nullptr;
    std::unique_ptr<Transport> first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  void close() {
    const LockGuard lock(mutex_);
    closed_ = true;
    waiting_.clear();
    changed_.notify_all();
  }

 private:
  const Settings settings_;
  const std::shared_ptr<Faults> faults_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::unique_ptr<Transport>> waiting_ TENON_GUARDED_BY(mutex_);
  bool closed_ TENON_GUARDED_BY(mutex_) = false;
};

/// The names of this process: two ORBs with a plug-in each must find one another.
class Names {
 public:
  static Names& all() {
    static Names names;
    return names;
  }
  bool add(std::string& name, const std::shared_ptr<Port>& port) {
    const LockGuard lock(mutex_);
    if (name.empty()) name = "port-" + std::to_string(++made_);
    return ports_.emplace(name, port).second;
  }
  void remove(const std::string& name, const Port* port) {
    const LockGuard lock(mutex_);
    const auto at = ports_.find(name);
    if (at != ports_.end() && at->second.get() == port) ports_.erase(at);
  }
  std::shared_ptr<Port> find(const std::string& name) {
    const LockGuard lock(mutex_);
    const auto at = ports_.find(name);
    return at == ports_.end() ? nullptr : at->second;
  }

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Port>> ports_ TENON_GUARDED_BY(mutex_);
  unsigned made_ TENON_GUARDED_BY(mutex_) = 0;
};

class NamedAcceptor final : public protocol::Acceptor {
 public:
  NamedAcceptor(std::string name, std::shared_ptr<Port> port)
      : name_(std::move(name)), port_(std::move(port)) {}
  ~NamedAcceptor() override { shut_down(); }

  Result<std::unique_ptr<Transport>> accept() override {
    std::unique_ptr<Transport> transport = port_->take();
    if (!transport) return errors::listener_closed;
    return transport;
  }
  void shut_down() noexcept override {
    Names::all().remove(name_, port_.get());
    port_->close();
  }
  std::string endpoint() const override { return "torture://" + name_; }
  std::vector<std::string> published() const override { return {name_}; }

 private:
  const std::string name_;
  const std::shared_ptr<Port> port_;
};

bool read_number(std::string_view digits, std::size_t& into) {
  const char* const begin = digits.data();
  const char* const end = begin + digits.size();
  const auto [stop, code] = std::from_chars(begin, end, into);
  return code == std::errc() && stop == end && into != 0;
}

bool read_option(std::string_view text, const protocol::EndpointOption& option, Settings& into,
                 std::string& why) {
  if (option.name == "lend") {
    const std::optional<bool> value = protocol::read_switch(option.value);
    into.lends = value.value_or(into.lends);
    if (!value) why = protocol::option_error(text, option, "write yes or no");
    return value.has_value();
  }
  std::size_t number = 0;
  if (!read_number(option.value, number)) {
    why = protocol::option_error(text, option, "write a number from 1 up");
    return false;
  }
  if (option.name == "read") {
    into.most_read = number;
  } else if (option.name == "write") {
    into.most_written = number;
  } else if (option.name == "seed") {
    into.seed = static_cast<std::uint32_t>(number);
  } else {
    why = protocol::option_error(text, option, "torture has the options read, write, seed and lend");
    return false;
  }
  return true;
}

class TorturePlugin final : public Plugin {
 public:
  std::string_view name() const noexcept override { return "torture"; }
  std::uint32_t profile_tag() const noexcept override { return torture::profile_tag; }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view endpoint, std::string& why) override {
    protocol::EndpointText parts;
    if (!protocol::read_endpoint(endpoint, {"torture://"}, '/', "torture://", parts, why)) return nullptr;
    Settings settings = current();
    for (const protocol::EndpointOption& option : parts.options) {
      if (!read_option(endpoint, option, settings, why)) return nullptr;
    }
    std::string name(parts.address);
    const auto port = std::make_shared<Port>(settings, acceptor_faults_);
    if (!Names::all().add(name, port)) {
      why = protocol::endpoint_error(endpoint, "the name is taken; choose another one");
      return nullptr;
    }
    return std::make_unique<NamedAcceptor>(name, port);
  }

  Result<std::unique_ptr<Transport>> connect(std::string_view address, Deadline /*deadline*/) override {
    const std::shared_ptr<Port> port = Names::all().find(std::string(address));
    if (!port) return errors::cannot_connect;
    const auto link = std::make_shared<Link>();
    auto far = std::make_unique<Connection>(link, Side::acceptor, port->settings(), port->faults(),
                                            std::string(address));
    if (!port->put(std::move(far))) return errors::cannot_connect;
    return std::unique_ptr<Transport>(std::make_unique<Connection>(link, Side::connector, current(),
                                                                   connector_faults_, std::string(address)));
  }

  Result<protocol::ProfileView> read_profile(ByteView profile_data) const override {
    cdr::Reader reader = cdr::Reader::encapsulation(profile_data);
    protocol::ProfileView view;
    view.minor = reader.get<std::uint8_t>();
    for (std::size_t left = reader.get_length(5); left != 0; --left) {
      view.addresses.push_back({std::string(reader.get_raw_string())});
    }
    const ByteView key = reader.get_octet_sequence();
    view.object_key.assign(key.begin(), key.end());
    for (std::size_t left = reader.get_length(8); left != 0; --left) {
      ior::TaggedComponent component;
      component.tag = reader.get<std::uint32_t>();
      const ByteView data = reader.get_octet_sequence();
      component.data.assign(data.begin(), data.end());
      view.components.push_back(std::move(component));
    }
    if (!reader.good()) return reader.error();
    return view;
  }

  ior::TaggedProfile make_profile(const protocol::ProfileView& view) const override {
    cdr::Encapsulation body;
    cdr::Writer& writer = body.content();
    writer.put(view.minor);
    writer.put_length(view.addresses.size());
    for (const protocol::Address& address : view.addresses) writer.put_raw_string(address.text);
    writer.put_octet_sequence(view.object_key);
    writer.put_length(view.components.size());
    for (const ior::TaggedComponent& component : view.components) {
      writer.put(component.tag);
      writer.put_octet_sequence(component.data);
    }
    const ByteView bytes = body.bytes();
    return {torture::profile_tag, {bytes.begin(), bytes.end()}};
  }

  bool read_url_address(std::string_view text, protocol::ProfileView& into, std::string& why) const override {
    if (text.empty()) {
      why = "the address of a torture reference is a name, for example corbaloc:torture:port-1/key";
      return false;
    }
    into.minor = 2;
    into.addresses.push_back({std::string(text)});
    return true;
  }
  std::string url_address(const protocol::ProfileView& view, std::size_t index) const override {
    return view.addresses[index].text;
  }

  void set_settings(const Settings& settings) override {
    const LockGuard lock(mutex_);
    settings_ = settings;
  }
  void set_fault(Side side, Fault fault, std::uint64_t bytes) override {
    (side == Side::connector ? connector_faults_ : acceptor_faults_)->set(fault, bytes);
  }

 private:
  Settings current() {
    const LockGuard lock(mutex_);
    return settings_;
  }

  Mutex mutex_;
  Settings settings_ TENON_GUARDED_BY(mutex_);
  const std::shared_ptr<Faults> connector_faults_ = std::make_shared<Faults>();
  const std::shared_ptr<Faults> acceptor_faults_ = std::make_shared<Faults>();
};

}  // namespace

std::unique_ptr<Plugin> make_plugin() { return std::make_unique<TorturePlugin>(); }

}  // namespace tenon::torture
