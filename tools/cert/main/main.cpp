// SPDX-License-Identifier: Apache-2.0
//
// The command line of tenon-cert.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "base/hex.hpp"
#include "net/address.hpp"
#include "tools/cert/commands.hpp"
#include "tools/cert/openssl.hpp"
#include "tools/cert/trial.hpp"
#include "tools/orb_options.hpp"

namespace {

using namespace tenon;

enum Status : int { done = 0, not_good = 1, wrong_usage = 2 };

/// What the command line said.
struct Said {
  cert::Place place;
  std::string name;
  std::string file;
  std::string key_file;
  std::string path;
  std::vector<std::string> words;
  cert::Trial trial;
  double seconds = 3;
  std::string object_key;
  std::vector<std::string> options;  // "ssliop.OPTION=VALUE"
};

/// For messages: tenon-ior starts this program under its own name.
std::string name_of(const char* started_as) {
  const std::string path = started_as != nullptr ? started_as : "";
  const std::string name = path.substr(path.rfind('/') + 1);
  return name.empty() ? "tenon-cert" : name;
}

void add_folder(CLI::App& command, Said& said) {
  command.add_option("--dir", said.place.folder, "The folder of the authority, which also gets what is made")
      ->capture_default_str()
      ->type_name("DIR");
}

void add_days(CLI::App& command, Said& said, const char* preset) {
  command.add_option("--days", said.place.days, "For how many days it is valid")
      ->check(CLI::Range(1L, 36500L))
      ->type_name("N")
      ->default_str(preset);
}

void add_making(CLI::App& command, Said& said) {
  command.add_flag("--force", said.place.replace, "Replace files that are there");
  command.add_option("--key-type", said.place.kind, "ec (P-256), or rsa (3072 bits)")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, cert::KeyKind>{{"ec", cert::KeyKind::ec}, {"rsa", cert::KeyKind::rsa}}))
      ->default_str("ec")
      ->type_name("TYPE");
  command
      .add_option("--password-file", said.place.password_file,
                  "Its first line is the password of the new key")
      ->type_name("FILE");
}

void add_authority_password(CLI::App& command, Said& said) {
  command
      .add_option("--authority-password-file", said.place.authority_password_file,
                  "Its first line is the password of the authority's key")
      ->type_name("FILE");
}

void add_out(CLI::App& command, Said& said, const char* preset) {
  command.add_option("--out", said.file, "The files' name, before .pem and .key")
      ->type_name("NAME")
      ->default_str(preset);
}

long days_or(const Said& said, long preset) { return said.place.days != 0 ? said.place.days : preset; }

void add_try(CLI::App& command, Said& said) {
  command.add_option("address", said.path, "The server's address: host:port")
      ->required()
      ->type_name("HOST:PORT");
  command.add_option("--authorities", said.trial.authorities, "As ssliop.authorities")->type_name("FILE");
  command.add_option("--certificate", said.trial.certificate, "As ssliop.certificate")->type_name("FILE");
  command.add_option("--key", said.trial.key, "As ssliop.key")->type_name("FILE");
  command.add_option("--object-key", said.object_key, "Ask for this object, in hexadecimal")
      ->type_name("HEX");
  command.add_option("--giop", said.trial.minor, "The minor version of GIOP to ask in")
      ->check(CLI::Range(0, 2));
  command.add_option("--timeout", said.seconds, "Seconds for connecting, and for each answer")
      ->check(CLI::Range(0.001, 3600.0))
      ->capture_default_str()
      ->type_name("SECONDS");
  command.footer("A client's -ORBProtocolOption ssliop.OPTION=VALUE can be given as it is.");
}

struct Commands {
  CLI::App* authority;
  CLI::App* server;
  CLI::App* client;
  CLI::App* revoke;
  CLI::App* show;
  CLI::App* attempt;
};

Commands add_commands(CLI::App& app, Said& said) {
  Commands all{};
  all.authority = app.add_subcommand("authority", "Make an authority: authority.pem and authority.key");
  all.authority->add_option("--name", said.name, "Its common name")
      ->default_str("Tenon lab authority")
      ->type_name("CN");
  all.server = app.add_subcommand("server", "Make a server's certificate and key, for hosts");
  all.server
      ->add_option("hosts", said.words,
                   "DNS names and IP addresses that references to it have (default: this machine)")
      ->type_name("HOST");
  all.server->add_option("--name", said.name, "Its common name (default: the first host)")->type_name("CN");
  all.client = app.add_subcommand("client", "Make a client's certificate and key");
  all.client->add_option("name", said.name, "Its common name: who calls")->required()->type_name("NAME");
  all.client
      ->add_option("hosts", said.words, "Its hosts, for a client whose objects are called over TLS, too")
      ->type_name("HOST");
  all.revoke = app.add_subcommand(
      "revoke", "Put a certificate on the authority's list, authority.crl; without one, renew the list");
  all.revoke->add_option("certificate", said.path, "The certificate that is to be refused from now on")
      ->type_name("FILE");
  all.show = app.add_subcommand(
      "show", "Say what certificates, keys and revocation lists are, and whether a key fits");
  all.show->add_option("files", said.words, "Files of PEM")->required()->type_name("FILE");
  all.show->add_option("--key", said.key_file, "The key (default: in the same file, or FILE with .key)")
      ->type_name("FILE");
  all.show->add_option("--password-file", said.place.password_file, "Its first line is the key's password")
      ->type_name("FILE");
  all.attempt = app.add_subcommand("try", "Try TLS with a server, and say who refuses what");
  add_try(*all.attempt, said);
  for (CLI::App* each : {all.authority, all.server, all.client, all.revoke}) add_folder(*each, said);
  for (CLI::App* each : {all.authority, all.server, all.client}) add_making(*each, said);
  for (CLI::App* each : {all.server, all.client, all.revoke}) add_authority_password(*each, said);
  add_out(*all.server, said, "the first host");
  add_out(*all.client, said, "NAME");
  add_days(*all.authority, said, "3650");
  add_days(*all.server, said, "365");
  add_days(*all.client, said, "365");
  add_days(*all.revoke, said, "30");
  return all;
}

std::string try_server(Said& said, bool& reached) {
  cert::Trial& trial = said.trial;
  std::string why;
  const auto where = net::parse_host_port(said.path, 0, why);
  if (!where || where->host.empty() || where->port == 0)
    throw cert::Problem(said.path + ": " + (why.empty() ? "write the server's address as host:port" : why));
  if (!from_hex(said.object_key, trial.object_key))
    throw cert::Problem("--object-key: wants pairs of hexadecimal digits");
  trial.host = where->host;
  trial.port = where->port;
  trial.timeout_ms = static_cast<std::int64_t>(said.seconds * 1000);
  std::string notes;
  for (const std::string& each : said.options) {
    if (!cert::set_option(trial, each)) notes += "  option " + each + " has no effect here\n";
  }
  return cert::try_tls(trial, reached) + notes;
}

Status run(const Commands& all, Said& said) {
  bool good = true;
  std::string text;
  if (all.authority->parsed()) {
    said.place.days = days_or(said, 3650);
    text = cert::new_authority(said.place, said.name.empty() ? "Tenon lab authority" : said.name);
  } else if (all.server->parsed()) {
    said.place.days = days_or(said, 365);
    text = cert::new_server(said.place, said.words, said.name, said.file);
  } else if (all.client->parsed()) {
    said.place.days = days_or(said, 365);
    text = cert::new_client(said.place, said.name, said.words, said.file);
  } else if (all.revoke->parsed()) {
    said.place.days = days_or(said, 30);
    text = cert::revoke(said.place, said.path);
  } else if (all.attempt->parsed()) {
    text = try_server(said, good);
  } else {
    for (const std::string& each : said.words)
      text += cert::show(each, said.key_file, said.place.password_file, good);
  }
  std::fputs(text.c_str(), stdout);
  return good ? done : not_good;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Certificates for TLS between CORBA programs: a small authority for a lab.", "tenon-cert");
  app.set_version_flag("--version", "tenon-cert " TENON_VERSION);
  app.require_subcommand(1);
  Said said;
  const Commands all = add_commands(app, said);
  app.footer(
      "Exit status: 0 done, 1 something that is shown or tried cannot be used now, 2 it could not be done.");
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets that may be closed
  try {
    app.parse(tools::without_orb_options(argc, argv, "", said.options));
    return run(all, said);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : wrong_usage;
  } catch (const cert::Problem& problem) {
    std::fprintf(stderr, "%s: %s\n", name_of(argv[0]).c_str(), problem.what());
  } catch (const std::bad_alloc&) {
    std::fputs("tenon-cert: no memory\n", stderr);
  }
  return wrong_usage;
}
