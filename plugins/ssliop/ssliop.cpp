// SPDX-License-Identifier: Apache-2.0
//
// The plug-in: TCP is that of iiop's plug-in, whose endpoints, host names, rules and options of sockets count here too.
#include "plugins/ssliop/ssliop.hpp"

#include <utility>

#include "base/joined.hpp"
#include "base/log.hpp"
#include "base/memory.hpp"
#include "base/minor_codes.hpp"
#include "base/thread_annotations.hpp"
#include "base/trail.hpp"
#include "ior/object_url.hpp"
#include "plugins/iiop/iiop.hpp"
#include "plugins/ssliop/context.hpp"
#include "plugins/ssliop/profile.hpp"
#include "plugins/ssliop/reload.hpp"
#include "plugins/ssliop/tls_transport.hpp"
#include "protocol/connecting_handshake.hpp"
#include "protocol/endpoint_text.hpp"

namespace tenon::ssliop {
namespace {

using protocol::ProfileView;
using protocol::Transport;

constexpr std::string_view scheme = "ssliop://";
constexpr std::string_view tcp_scheme = "iiop://";

constexpr protocol::PluginOption tls_options[] = {
    {"certificate", "file",
     "This side's certificate in PEM, and those between it and its authority behind it."},
    {"key", "file", "The certificate's key in PEM (default: in the file of the certificate)."},
    {"key_password_file", "file", "A file whose first line is the password of the key."},
    {"key_password_env", "name", "The environment variable that holds the password of the key."},
    {"authorities", "file-or-folder",
     "Certificates in PEM of the authorities that peers' certificates must lead to: a file, or a folder with "
     "hashed names (default: those of the system)."},
    {"verify", "none|peer|required",
     "Whether peers must have good certificates: no; servers must, and clients that show one; clients must "
     "show "
     "one (default: peer)."},
    {"verify_host", "0|1",
     "Whether a server's certificate must be for the host that the reference names (default: 1)."},
    {"min_version", "1.2|1.3", "The lowest version of TLS (default: 1.2)."},
    {"ciphers", "list", "Ciphers of TLS 1.2, as OpenSSL names them (default: OpenSSL's)."},
    {"ciphersuites", "list", "Cipher suites of TLS 1.3 (default: OpenSSL's)."},
    {"groups", "list", "Groups for the exchange of keys, as OpenSSL names them (default: OpenSSL's)."},
    {"crl", "file",
     "Lists of revoked certificates in PEM, one of each authority in the chain of a peer (default: none is "
     "looked at)."},
    {"ocsp_response", "file", "An OCSP response in DER that a server shows of its certificate (stapling)."},
    {"ocsp", "off|if_stapled|required",
     "Whether a client asks for an OCSP response: no; one that is shown must be good; it must be shown "
     "(default: off)."},
    {"resumption", "0|1",
     "Whether sessions are resumed, up to 300 s after the peers have verified each other (default: 1)."},
};

/// What the TCP plug-in says of an endpoint, in the words of this one.
std::string in_own_words(std::string text) {
  for (std::size_t at = 0; (at = text.find(tcp_scheme, at)) != std::string::npos; at += scheme.size()) {
    if (at >= 3 && text.compare(at - 3, 3, "ssl") == 0) continue;
    text.replace(at, tcp_scheme.size(), scheme);
  }
  return text;
}

class TlsAcceptor final : public protocol::Acceptor {
 public:
  TlsAcceptor(std::unique_ptr<protocol::Acceptor> tcp, std::shared_ptr<Contexts> contexts)
      : tcp_(std::move(tcp)), contexts_(std::move(contexts)) {}

  Result<std::unique_ptr<Transport>> accept() override { return over(tcp_->accept()); }
  Result<std::unique_ptr<Transport>> accept_now() override { return over(tcp_->accept_now()); }
  std::optional<int> poll_descriptor() const noexcept override { return tcp_->poll_descriptor(); }
  void shut_down() noexcept override { tcp_->shut_down(); }
  void close() noexcept override { tcp_->close(); }
  std::string endpoint() const override { return in_own_words(tcp_->endpoint()); }
  std::vector<std::string> published() const override { return tcp_->published(); }
  bool fixed() const noexcept override { return tcp_->fixed(); }
  std::optional<std::uint8_t> highest_minor() const noexcept override { return tcp_->highest_minor(); }

  const Settings& settings() const noexcept { return contexts_->settings(); }

 private:
  Result<std::unique_ptr<Transport>> over(Result<std::unique_ptr<Transport>> accepted) const {
    if (!accepted || *accepted == nullptr) return accepted;
    std::string why;  // there is a context, since this listens
    return TlsTransport::over(std::move(*accepted), contexts_->current(why), Side::accepts, {});
  }

  const std::unique_ptr<protocol::Acceptor> tcp_;
  const std::shared_ptr<Contexts> contexts_;
};

class Plugin final : public protocol::TransportPlugin {
 public:
  Plugin() noexcept {
    protocol::note_protection(
        {.profile_tag = ssliop::profile_tag, .standing = standing, .offer = offer, .demand = ssliop::demand});
  }
  std::string_view name() const noexcept override { return "ssliop"; }
  std::uint32_t profile_tag() const noexcept override { return ssliop::profile_tag; }
  protocol::Properties properties() const noexcept override {
    protocol::Properties properties;
    properties.handshake = true;
    return properties;
  }
  std::span<const protocol::PluginOption> own_options() const noexcept override { return tls_options; }
  bool set_option(std::string_view name, std::string_view value, std::string& why) override {
    return settings_.set(name, value, why);
  }
  void configure(const protocol::TransportOptions& options) override { tcp_->configure(options); }
  void expect(const protocol::Address& address) override { tcp_->expect(address); }

  std::unique_ptr<protocol::Acceptor> listen(std::string_view text, std::string& why) override;
  Result<std::unique_ptr<Transport>> connect(std::string_view address, Deadline deadline) override {
    return Plugin::connect_with({}, address, deadline);
  }
  Result<std::unique_ptr<Transport>> connect_with(std::string_view properties, std::string_view address,
                                                  Deadline deadline) override;

  Result<ProfileView> read_profile(ByteView data) const override { return ssliop::read_profile(data); }
  ior::TaggedProfile make_profile(const ProfileView& view) const override {
    return ssliop::make_profile(view);
  }
  bool compose(const protocol::Acceptor& acceptor, ior::Ior& made) const override {
    const Settings& settings = static_cast<const TlsAcceptor&>(acceptor).settings();
    const bool wants_clients = settings.verify == Verify::required;
    place_profile(made,
                  static_cast<std::uint16_t>(protects | trust_in_target |
                                             (settings.asks_clients() ? trust_in_client : 0)),
                  static_cast<std::uint16_t>(protects | (wants_clients ? trust_in_client : 0)));
    return true;
  }
  std::optional<ProfileView> addresses_in(std::uint32_t tag, const ProfileView& profile) const override {
    return tag == ior::tag_internet_iop ? ssliop::addresses_in(profile) : std::nullopt;
  }
  bool read_url_address(std::string_view text, ProfileView& into, std::string& why) const override;
  std::string url_address(const ProfileView& view, std::size_t index) const override {
    return tcp_->url_address(view, index);
  }

 private:
  static constexpr unsigned protects = integrity | confidentiality | detect_replay | detect_misordering;

  // What policies ask (protocol/protection.hpp).
  static protocol::Protection::Standing standing(const protocol::TransportPlugin& plugin) noexcept {
    const Settings& settings = static_cast<const Plugin&>(plugin).settings_;
    return {.shows_certificate = !settings.certificate.empty(),
            .verifies_targets = settings.verify != Verify::none,
            .asks_clients = settings.asks_clients()};
  }
  static std::optional<protocol::Protection::Offer> offer(const ProfileView& profile) {
    const auto what = read_offer(profile.components);
    if (!what) return std::nullopt;
    return protocol::Protection::Offer{what->supports, what->requires_};
  }

  std::shared_ptr<Contexts> contexts() TENON_EXCLUDES(mutex_);

  const std::unique_ptr<protocol::TransportPlugin> tcp_ = iiop::make_plugin();
  Settings settings_;  // constant from configure() on
  Mutex mutex_;
  std::shared_ptr<Contexts> contexts_ TENON_GUARDED_BY(mutex_);
};

/// Made when they are first needed: a program that has the plug-in and does not use it needs no certificates.
std::shared_ptr<Contexts> Plugin::contexts() {
  const LockGuard lock(mutex_);
  if (!contexts_) contexts_ = std::make_shared<Contexts>(settings_);
  return contexts_;
}

std::unique_ptr<protocol::Acceptor> Plugin::listen(std::string_view text, std::string& why) {
  if (!text.starts_with(scheme)) {
    why = protocol::endpoint_error(text, "write ssliop://[host][:port], for example ssliop://127.0.0.1:2810");
    return nullptr;
  }
  if (memory::is_known()) {
    why = protocol::endpoint_error(text, "TLS takes memory of the heap, which this ORB must not");
    return nullptr;
  }
  std::string broken;
  std::shared_ptr<Contexts> all = contexts();
  if (all->current(broken) && settings_.certificate.empty())
    broken =
        "a server of TLS needs a certificate: give ssliop.certificate and ssliop.key (-ORBProtocolOption)";
  if (!broken.empty()) {
    why = protocol::endpoint_error(text, broken);
    return nullptr;
  }
  auto tcp = tcp_->listen(joined({tcp_scheme, text.substr(scheme.size())}), why);
  if (tcp == nullptr) {
    why = in_own_words(std::move(why));
    return nullptr;
  }
  return std::make_unique<TlsAcceptor>(std::move(tcp), std::move(all));
}

/// What a call's EstablishTrustPolicy says of its connections.
Trust trust_in(std::string_view properties) noexcept {
  if (properties.ends_with(protocol::unverified_target)) return Trust::none;
  return properties.ends_with(protocol::verified_target) ? Trust::verified : Trust::as_configured;
}

Result<std::unique_ptr<Transport>> Plugin::connect_with(std::string_view properties, std::string_view address,
                                                        Deadline deadline) {
  if (memory::is_known()) return errors::not_where_memory_is_known;
  const HostAndPort where = host_and_port(address);
  if (where.host.empty()) return errors::bad_address;
  std::string broken;
  std::shared_ptr<const Context> made = contexts()->current(broken);
  if (!made) {
    Trail::mine().add({.step = Step::connect, .error = errors::cannot_connect, .said = std::move(broken)});
    return errors::cannot_connect;
  }
  auto tcp = tcp_->connect_with(properties, address, deadline);
  if (!tcp || *tcp == nullptr) return tcp;
  auto path = TlsTransport::over(std::move(*tcp), std::move(made), Side::connects, where.host,
                                 trust_in(properties), joined({properties, "\n", address}));
  if (path == nullptr) return memory::shortage();
  if (const Status done = protocol::connecting_handshake(*path, deadline); !done) return done.error();
  return path;
}

/// What stands behind "ssliop:" is as for iiop. A server of TLS understands GIOP 1.2, so that is the version unless the URL says another.
bool Plugin::read_url_address(std::string_view text, ProfileView& into, std::string& why) const {
  const ior::Parsed<ior::ParsedIiopAddress> parsed = ior::parse_iiop_address(text);
  if (!parsed) {
    why = joined({"address '", text, "': ", parsed.error().text});
    return false;
  }
  const std::uint8_t minor = text.find('@') == std::string_view::npos ? std::uint8_t{2} : parsed->minor;
  into.minor = into.addresses.empty() || minor < into.minor ? minor : into.minor;
  into.addresses.push_back({ior::to_text(parsed->address)});
  // Whether the server asks for certificates, a URL does not say.
  const SecTrans what{protects | trust_in_target | trust_in_client, protects, parsed->address.port};
  if (into.components.empty()) into.components.push_back(sec_trans_component(what));
  return true;
}

}  // namespace

std::unique_ptr<protocol::TransportPlugin> make_plugin() { return std::make_unique<Plugin>(); }

}  // namespace tenon::ssliop
