#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program tenon-cert from outside: what it makes is accepted by OpenSSL's own program and by Java's, and what it cannot do it says.

cert_test.py TENON_CERT TENON_IOR
"""
import os
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM, EXPLAINS = (os.path.abspath(word) for word in sys.argv[1:3])


class Cert(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tenon-cert-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def text(self, name):
        with open(self.path(name), encoding="ascii") as file:
            return file.read()

    def run_it(self, *words, status=0, folder=None):
        done = subprocess.run([PROGRAM, *words], cwd=folder or self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        if status == 2:
            self.assertEqual(done.stdout, "")
        return done.stdout if status != 2 else done.stderr

    def openssl(self, *words, good=True):
        if shutil.which("openssl") is None:
            self.skipTest("openssl is not installed")
        done = subprocess.run(["openssl", *words], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode == 0, good, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_openssl_accepts_what_is_made(self):
        for kind in "ec", "rsa":
            with self.subTest(kind):
                self.run_it("authority", "--force", "--key-type", kind)
                self.run_it("server", "App.example.org", "192.0.2.1", "[2001:db8::1]", "--force", "--key-type", kind)
                self.run_it("client", "operator", "--force", "--key-type", kind)
                verify = ("verify", "-x509_strict", "-CAfile", "authority.pem")
                for host in ("-verify_hostname", "app.example.org"), ("-verify_ip", "192.0.2.1"), ("-verify_ip", "2001:db8::1"):
                    self.openssl(*verify, "-purpose", "sslserver", *host, "app.example.org.pem")
                self.openssl(*verify, "-purpose", "sslclient", "app.example.org.pem")
                self.openssl(*verify, "-purpose", "sslclient", "operator.pem")
                self.openssl(*verify, "-purpose", "sslserver", "operator.pem", good=False)
                self.openssl(*verify, "-verify_hostname", "other.example.org", "app.example.org.pem", good=False)
                text = self.openssl("x509", "-in", "app.example.org.pem", "-noout", "-text")
                self.assertIn("NIST CURVE: P-256" if kind == "ec" else "(3072 bit)", text)
                self.assertRegex(text, r"X509v3 Basic Constraints: critical\s+CA:FALSE")
                self.assertRegex(text, r"X509v3 Key Usage: critical\s+Digital Signature")
                self.assertIn("X509v3 Authority Key Identifier", text)

    def test_java_reads_what_is_made(self):
        if shutil.which("keytool") is None:
            self.skipTest("no JDK is installed")
        self.run_it("authority")
        self.run_it("server", "app.example.org")
        store = ("-keystore", self.path("store.p12"), "-storepass", "changeit", "-noprompt")
        for alias, name in ("authority", "authority.pem"), ("server", "app.example.org.pem"):
            done = subprocess.run(["keytool", "-importcert", *store, "-alias", alias, "-file", self.path(name)],
                                  capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shown = subprocess.run(["keytool", "-printcert", "-file", self.path("app.example.org.pem")], capture_output=True, text=True,
                               timeout=60, check=False).stdout
        for what in "CN=app.example.org", "DNSName: app.example.org", "serverAuth":
            self.assertIn(what, shown)

    def test_modes_and_files_that_are_there(self):
        self.run_it("authority", "--dir", "lab")
        self.run_it("client", "--dir", "lab", "operator")
        for name, mode in ("authority.key", 0o600), ("authority.pem", 0o644), ("operator.key", 0o600), ("operator.pem", 0o644):
            self.assertEqual(stat.S_IMODE(os.stat(self.path("lab/" + name)).st_mode), mode, name)
        before = self.text("lab/operator.pem")
        said = self.run_it("client", "--dir", "lab", "operator", status=2)
        self.assertIn("lab/operator.pem: is there already; --force replaces it", said)
        self.assertIn("lab/authority.pem: is there already", self.run_it("authority", "--dir", "lab", status=2))
        os.remove(self.path("lab/operator.pem"))  # a key alone is not lost either
        self.assertIn("lab/operator.key: is there already", self.run_it("client", "--dir", "lab", "operator", status=2))
        self.run_it("client", "--dir", "lab", "operator", "--force")
        self.assertNotEqual(before, self.text("lab/operator.pem"))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("lab/operator.key")).st_mode), 0o600)
        self.assertEqual(sorted(os.listdir(self.path("lab"))), ["authority.key", "authority.pem", "operator.key", "operator.pem"])

    def test_what_cannot_be_done_is_said_with_file_and_cause(self):
        self.assertIn("authority.pem: there is no authority yet", self.run_it("server", "localhost", status=2))
        with open(self.path("plain"), "w", encoding="ascii") as file:
            file.write("text")
        self.assertIn("plain/x: the folder cannot be made: Not a directory", self.run_it("authority", "--dir", "plain/x", status=2))
        self.run_it("authority")
        for host, cause in (("host:2810", "without its port"), ("https://host", "it is a URL"), ("300.1.1.1", "not an IPv4 address"),
                            ("a..b", "an empty part"), ("-x.org", None), ("münchen.test", "xn--"), ("x" * 64, "63 characters"),
                            ("a b", "neither letter"), ("2001:db8::x", "not an IPv6 address")):
            with self.subTest(host):
                said = self.run_it("server", host, status=2)
                if cause is not None:
                    self.assertIn("is no host: ", said)
                    self.assertIn(cause, said)
        self.assertIn("at most 64 characters", self.run_it("client", "x" * 65, status=2))
        self.assertIn("it has a '/'", self.run_it("client", "operator", "--out", "../x", status=2))
        self.assertIn("authority's own files", self.run_it("client", "authority", "--force", status=2))
        self.assertIn("plain: no key", self.run_it("show", "authority.pem", "--key", "plain", status=2))
        self.assertIn("plain: has no certificate", self.run_it("show", "plain", status=2))
        self.assertIn("nothing.pem: cannot be read: No such file", self.run_it("show", "nothing.pem", status=2))
        self.assertIn(".: cannot be read: Is a directory", self.run_it("show", ".", status=2))
        self.assertEqual(sorted(os.listdir(self.folder)), ["authority.key", "authority.pem", "plain"])
        self.run_it("client", "a", "--days", "0", status=2)

    def test_a_folder_that_nobody_may_write(self):
        if os.geteuid() == 0:
            self.skipTest("root may write everywhere")
        self.run_it("authority")
        os.chmod(self.folder, 0o500)
        self.addCleanup(os.chmod, self.folder, 0o700)
        self.assertIn("operator.key: cannot be written: Permission denied", self.run_it("client", "operator", status=2))

    def test_a_folder_that_does_not_take_files(self):
        """Root, too."""
        self.run_it("authority")
        os.mkdir(self.path("operator.key"))
        said = self.run_it("client", "operator", "--force", status=2)
        self.assertIn("operator.key: cannot be written: it is a folder", said)
        self.assertFalse(os.path.exists(self.path("operator.pem")))
        self.assertIn("/proc/authority.key: cannot be written: ", self.run_it("authority", "--dir", "/proc", status=2))

    def test_localhost_and_this_machine(self):
        self.run_it("authority")
        self.assertIn("It is for DNS:localhost, IP:127.0.0.1, IP:::1.", self.run_it("server", "localhost"))
        for host, endpoint in ("app.test", "ssliop://:2810/publish=app.test:2810"), ("2001:db8::1", "ssliop://:2810/publish=[2001:db8::1]:2810"):
            self.assertIn("-ORBListenEndpoints " + endpoint + "\n", self.run_it("server", host))
        said = self.run_it("server", "--out", "here")
        self.assertIn("-ORBListenEndpoints ssliop://:2810\n", said)
        self.assertIn("DNS:localhost, IP:127.0.0.1, IP:::1", said)
        if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]", socket.gethostname()):
            self.assertIn("DNS:" + socket.gethostname().lower(), said)

    def test_options_are_printed_as_a_shell_takes_them(self):
        self.run_it("authority", "--dir", "my lab")
        said = self.run_it("server", "--dir", "my lab", "localhost")
        self.assertIn("-ORBProtocolOption ssliop.certificate='%s'" % self.path("my lab/localhost.pem"), said)
        for option in "-ORBProtocolLibrary ", "-ORBListenEndpoints ssliop://localhost:2810\n", "ssliop.key=", "ssliop.authorities=", "ssliop.verify=required":
            self.assertIn(option, said)

    def test_show(self):
        self.run_it("authority")
        self.run_it("client", "anna@example.org")
        said = self.run_it("show", "anna@example.org.pem", "authority.pem")
        for what in ("subject:     CN=anna@example.org", "names:       email:anna@example.org", "for:         a client\n",
                     "issuer:      CN=Tenon lab authority\n", "valid until ", "key:         anna@example.org.key is its key",
                     "for:         an authority", "CN=Tenon lab authority (itself)", "public key:  EC P-256"):
            self.assertIn(what, said)
        print_ = self.openssl("x509", "-in", "anna@example.org.pem", "-noout", "-fingerprint", "-sha256", "-serial")
        self.assertIn(re.search("Fingerprint=(.*)", print_).group(1).replace(":", "").lower(), said)
        self.assertIn(re.search("serial=(.*)", print_).group(1), said)
        said = self.run_it("show", "anna@example.org.pem", "--key", "authority.key", status=1)
        self.assertIn("authority.key is NOT ITS KEY", said)
        os.chmod(self.path("authority.key"), 0o644)
        self.assertIn("chmod 600", self.run_it("show", "authority.pem"))
        self.assertIn("a key, EC P-256", self.run_it("show", "authority.key"))

    def test_show_goes_on_where_a_key_has_a_password(self):
        with open(self.path("word"), "w", encoding="ascii") as file:
            file.write("s3cret\n")
        self.run_it("authority", "--days", "3")
        self.run_it("client", "locked", "--password-file", "word")
        said = self.run_it("show", "locked.pem", "authority.pem")
        self.assertIn("subject:     CN=locked\n", said)
        self.assertIn("key:         locked.key has a password, so it was not compared (--password-file FILE)\n", said)
        self.assertIn("authority.key is its key", said)
        said = self.run_it("show", "locked.key", "authority.pem")
        self.assertIn("locked.key: a key that has a password (--password-file FILE)\n", said)
        self.assertIn("authority.key is its key", said)
        self.assertIn("locked.key: the key has a password; give --password-file FILE\n",
                      self.run_it("show", "locked.pem", "--key", "locked.key", status=2))
        self.assertIn("locked.key is its key", self.run_it("show", "locked.pem", "--password-file", "word"))

    def test_an_empty_list(self):
        self.run_it("authority", "--dir", "lab")
        self.assertIn("lab/authority.crl: the authority's list, with 0 certificates, until ", self.run_it("revoke", "--dir", "lab"))

    def test_revoke(self):
        self.run_it("authority")
        self.run_it("client", "operator")
        self.run_it("client", "other")
        self.assertIn("operator.pem: revoked is CN=operator", self.run_it("revoke", "operator.pem"))
        self.assertIn("it is revoked already, since 2", self.run_it("revoke", "operator.pem", status=2))
        check = ("verify", "-CAfile", "authority.pem", "-crl_check", "-CRLfile", "authority.crl")
        self.assertIn("certificate revoked", self.openssl(*check, "operator.pem", good=False))
        self.openssl(*check, "other.pem")
        self.assertIn("with 2 certificates", self.run_it("revoke", "other.pem"))
        said = self.run_it("revoke")  # the same, for longer
        self.assertIn("with 2 certificates", said)
        self.assertIn("certificate revoked", self.openssl(*check, "operator.pem", good=False))
        self.assertIn("CRL Number: \n                3", self.openssl("crl", "-in", "authority.crl", "-noout", "-text"))
        shown = self.run_it("show", "authority.crl")
        self.assertEqual(shown.count("revoked:"), 2)
        self.run_it("authority", "--dir", "elsewhere")
        self.run_it("client", "--dir", "elsewhere", "stranger")
        said = self.run_it("revoke", "elsewhere/stranger.pem", status=2)
        self.assertIn("not by this authority", said)
        shutil.copy(self.path("authority.crl"), self.path("elsewhere/authority.crl"))
        self.assertIn("this list is not of", self.run_it("revoke", "--dir", "elsewhere", "elsewhere/stranger.pem", status=2))

    def test_passwords(self):
        for name, word in ("one", "s3cret\n"), ("two", "other\n"), ("empty", "\n"):
            with open(self.path(name), "w", encoding="ascii") as file:
                file.write(word)
        self.run_it("authority", "--password-file", "one")
        self.assertIn("ENCRYPTED PRIVATE KEY", self.text("authority.key"))
        self.assertIn("authority.key: the key has a password; give --authority-password-file FILE", self.run_it("client", "a", status=2))
        self.assertIn("the password in two is not that of the key",
                      self.run_it("client", "a", "--authority-password-file", "two", status=2))
        self.assertIn("empty: its first line is empty", self.run_it("client", "a", "--authority-password-file", "empty", status=2))
        said = self.run_it("client", "a", "--authority-password-file", "one", "--password-file", "two")
        self.assertIn("ssliop.key_password_file=" + self.path("two"), said)
        self.assertIn("is its key", self.run_it("show", "a.pem", "--password-file", "two"))

    def test_a_foreign_key_of_the_authority(self):
        self.run_it("authority")
        self.run_it("authority", "--dir", "elsewhere")
        shutil.copy(self.path("elsewhere/authority.key"), self.path("authority.key"))
        self.assertIn("authority.key: this is not the key of authority.pem", self.run_it("client", "a", status=2))
        self.run_it("client", "--dir", "elsewhere", "b")
        for name in "authority.pem", "authority.key":
            shutil.copy(self.path("elsewhere/b" + name[-4:]), self.path(name))
        self.assertIn("authority.pem: this is not the certificate of an authority", self.run_it("client", "a", status=2))

    def test_no_certificate_outlives_its_authority(self):
        self.run_it("authority", "--days", "3")
        self.assertIn("It ends with its authority, on ", self.run_it("client", "operator"))
        ends = [self.openssl("x509", "-in", name, "-noout", "-enddate") for name in ("operator.pem", "authority.pem")]
        self.assertEqual(*ends)

    def explain(self, program, *words, path="/nowhere"):
        done = subprocess.run([program, "explain", *words], cwd=self.folder, capture_output=True, text=True, timeout=60, check=False,
                              env=dict(os.environ, PATH=path))
        return done.returncode, done.stdout + done.stderr

    def test_tenon_ior_alone(self):
        """It explains, and says that it cannot try."""
        alone = self.path("tenon-ior")
        shutil.copy(EXPLAINS, alone)
        status, said = self.explain(alone, "corbaloc:ssliop:127.0.0.1:9/key")
        self.assertEqual(status, 1)
        self.assertIn("port 0: nothing but TLS", said)
        self.assertIn("not tried over TLS: the program tenon-cert", said)
        os.symlink(PROGRAM, self.path("tenon-cert"))
        self.assertIn("no connection: Connection refused", self.explain(alone, "corbaloc:ssliop:127.0.0.1:9/key")[1])
        os.remove(self.path("tenon-cert"))
        status, said = self.explain(alone, "corbaloc:ssliop:127.0.0.1:9/key", path="/nowhere:" + os.path.dirname(PROGRAM))
        self.assertIn("TLS at 127.0.0.1:9:\n  no connection: Connection refused", said)
        self.assertEqual(status, 1)
        status, said = self.explain(EXPLAINS, "corbaloc:ssliop:127.0.0.1:9/key", "--authorities", "none.pem")
        self.assertIn("none.pem: cannot be read: No such file", said)
        self.assertEqual(status, 2)

    def test_tenon_ior_takes_passwords_of_keys(self):
        with open(self.path("word"), "w", encoding="ascii") as file:
            file.write("s3cret\n")
        self.run_it("authority")
        self.run_it("client", "locked", "--password-file", "word")
        words = ("corbaloc:ssliop:127.0.0.1:9/key", "--authorities", "authority.pem", "--certificate", "locked.pem", "--key", "locked.key")
        os.environ["TENON_TEST_WORD"] = "s3cret"
        os.environ["TENON_TEST_OTHER"] = "other"
        self.addCleanup(os.environ.pop, "TENON_TEST_WORD")
        self.addCleanup(os.environ.pop, "TENON_TEST_OTHER")
        for option in "key_password_env=TENON_TEST_WORD", "key_password_file=word":
            said = self.explain(EXPLAINS, *words, "-ORBProtocolOption", "ssliop." + option)[1]
            self.assertIn("TLS at 127.0.0.1:9:\n  no connection: Connection refused", said)
            self.assertNotIn("has no effect", said)
        for given, what in (((), "locked.key: the key has a password; give -ORBProtocolOption ssliop.key_password_file=FILE, "
                                 "or ssliop.key_password_env=NAME\n"),
                            (("-ORBProtocolOption", "ssliop.key_password_env=TENON_TEST_OTHER"),
                             "locked.key: the password in the variable TENON_TEST_OTHER is not that of the key"),
                            (("-ORBProtocolOption", "ssliop.key_password_env=TENON_TEST_NONE"),
                             "option ssliop.key_password_env=TENON_TEST_NONE: there is no such variable in the environment")):
            status, said = self.explain(EXPLAINS, *words, *given)
            self.assertEqual(status, 2)
            self.assertIn("tenon-ior: " + what, said)
            self.assertNotIn("tenon-cert", said)

    def test_tenon_ior_refuses_what_a_client_refuses(self):
        for option, what in (("min_version=9", "option ssliop.min_version=9: wants 1.2 or 1.3"),
                             ("nonsense=1", "option ssliop.nonsense: ssliop has no such option; it has certificate, key, "),
                             ("crl=nothere.crl", "option ssliop.crl=nothere.crl: cannot be read: No such file or directory")):
            status, said = self.explain(EXPLAINS, "corbaloc:ssliop:127.0.0.1:9,ssliop:127.0.0.1:9/key", "-ORBProtocolOption", "ssliop." + option)
            self.assertEqual(status, 2)
            self.assertEqual(said.count("tenon-ior: " + what), 1, said)

    def test_try_wants_an_address(self):
        self.assertIn("host:port", self.run_it("try", "localhost", status=2))
        self.assertIn("hexadecimal", self.run_it("try", "localhost:1", "--object-key", "xyz", status=2))
        said = self.run_it("try", "127.0.0.1:9", "-ORBProtocol", "ssliop", "-ORBProtocolOption", "ssliop.resumption=0", status=1)
        self.assertIn("option ssliop.resumption=0 has no effect here", said)
        self.assertIn("write ssliop.OPTION=VALUE", self.run_it("try", "127.0.0.1:9", "-ORBProtocolOption", "x", status=2))

    def test_help(self):
        self.assertIn("authority", self.run_it("--help"))
        self.assertIn("--days", self.run_it("server", "--help"))
        self.assertTrue(self.run_it("--version").startswith("tenon-cert "))
        self.run_it("server", "--nonsense", status=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
