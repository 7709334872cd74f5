# SPDX-License-Identifier: Apache-2.0
"""Calls over TLS between peers: certificates, and what each kind of program is told about them.

Certificates are made when they are needed, so that none expires in the repository, and go with their folder.
"""
import os
import subprocess

PASSWORD = "secret"  # of Java's key stores, which must have one

HOSTS = "DNS:localhost,IP:127.0.0.1,IP:127.0.0.2,IP:127.0.0.3"
# Security::AssociationOptions in hexadecimal, as JacORB reads them: EstablishTrustInTarget, EstablishTrustInClient, NoProtection.
TARGET, CLIENT, NONE = 0x20, 0x40, 0x01


class Unavailable(Exception):
    """Something that is needed is not installed."""


def run(*command):
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    except FileNotFoundError as missing:
        raise Unavailable(f"{command[0]} is not installed") from missing
    except subprocess.CalledProcessError as failed:
        raise RuntimeError(f"{' '.join(command)}: {failed.stderr or failed.stdout}") from failed


class World:
    """An authority, "server" and "client" that it has signed, and "stranger", whom an authority of its own has signed."""

    def __init__(self, folder):
        self.folder = folder
        for authority in ("ca", "other"):
            self._make(authority, "-addext", "basicConstraints=critical,CA:TRUE",
                       "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        for name, authority in (("server", "ca"), ("client", "ca"), ("stranger", "other")):
            self._make(name, "-CA", self.path(authority, "pem"), "-CAkey", self.path(authority, "key"),
                       "-addext", f"subjectAltName={HOSTS}", "-addext", "basicConstraints=critical,CA:FALSE")
            # omniORB has certificate and key in one file.
            with open(self.path(name, "both"), "w", encoding="ascii") as both:
                for ending in ("pem", "key"):
                    with open(self.path(name, ending), encoding="ascii") as part:
                        both.write(part.read())

    def side(self, *about, **more):
        return Side(self, *about, **more)

    def path(self, name, ending):
        return os.path.join(self.folder, f"{name}.{ending}")

    def _make(self, name, *more):
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", f"/CN=tenon {name}", "-keyout", self.path(name, "key"), "-out", self.path(name, "pem"), *more)

    def key_store(self, name):
        """For Java; made once."""
        store = self.path(name, "p12")
        if not os.path.exists(store):
            run("openssl", "pkcs12", "-export", "-in", self.path(name, "pem"), "-inkey", self.path(name, "key"), "-name", name,
                "-out", store, "-passout", f"pass:{PASSWORD}")
        return store

    def trust_store(self, authority):
        store = self.path(authority, "trust")
        if not os.path.exists(store):
            run("keytool", "-importcert", "-noprompt", "-alias", authority, "-file", self.path(authority, "pem"), "-keystore", store,
                "-storetype", "PKCS12", "-storepass", PASSWORD)
        return store


class Side:
    """What one program is told: its certificate (None: none), whom it trusts, whether its clients must have certificates, and where it
    listens: over TLS, in the clear, or both; `also_at`: over TLS on this host, too."""

    def __init__(self, world, certificate, port, authority="ca", mutual=False, clear_port=None, also_at=None):
        self.world, self.certificate, self.port, self.authority = world, certificate, port, authority
        self.mutual, self.clear_port = mutual, clear_port
        self.hosts = ["127.0.0.1"] + ([also_at] if also_at else [])

    def options(self, kind, library):
        """Of a program of this kind; `library`: Tenon's plug-in."""
        if kind == "tenon":
            return self._tenon(library)
        return {"omniorb": self._omniorb, "jacorb": self._jacorb}[kind]()

    def _tenon(self, library):
        said = [f"authorities={self.world.path(self.authority, 'pem')}", f"verify={'required' if self.mutual else 'peer'}"]
        endpoints = [f"iiop://127.0.0.1:{self.clear_port}"] if self.clear_port else []
        if self.certificate:
            said += [f"{name}={self.world.path(self.certificate, ending)}" for name, ending in (("certificate", "pem"), ("key", "key"))]
            endpoints += [f"ssliop://{host}:{self.port}" for host in self.hosts]
        options = ["-ORBProtocolLibrary", library]
        for text in said:
            options += ["-ORBProtocolOption", f"ssliop.{text}"]
        return options + (["--endpoint", ";".join(endpoints)] if endpoints else [])

    def _omniorb(self):
        options = ["-ORBsslCAFile", self.world.path(self.authority, "pem"), "-ORBsslVerifyMode", "peer,fail" if self.mutual else "peer"]
        if self.clear_port:
            options += ["-ORBendPoint", f"giop:tcp:127.0.0.1:{self.clear_port}"]
        if self.certificate:
            # Without a password it takes no key, though this one has none.
            options += ["-ORBsslKeyFile", self.world.path(self.certificate, "both"), "-ORBsslKeyPassword", PASSWORD]
            for host in self.hosts:
                options += ["-ORBendPoint", f"giop:ssl:{host}:{self.port}"]
        return options

    def _jacorb(self):
        needs = TARGET | (CLIENT if self.mutual else 0)
        said = {"jacorb.security.support_ssl": "on",
                "jacorb.ssl.socket_factory": "org.jacorb.security.ssl.sun_jsse.SSLSocketFactory",
                "jacorb.ssl.server_socket_factory": "org.jacorb.security.ssl.sun_jsse.SSLServerSocketFactory",
                "jacorb.security.truststore": self.world.trust_store(self.authority),
                # JacORB reads no file of another type; Java's JKS also reads what is PKCS #12.
                "jacorb.security.truststore_type": "JKS",
                "jacorb.security.truststore_password": PASSWORD,
                "jacorb.security.ssl.client.supported_options": f"{TARGET | (CLIENT if self.certificate else 0):x}",
                # A server's calls back may go in the clear, to clients without certificates.
                "jacorb.security.ssl.client.required_options": f"{0 if self.certificate and not self.mutual else TARGET:x}"}
        if self.certificate:
            said |= {"jacorb.security.keystore": self.world.key_store(self.certificate),
                     "jacorb.security.keystore_type": "JKS",
                     "jacorb.security.keystore_password": PASSWORD,
                     "jacorb.security.ssl.server.supported_options": f"{needs:x}",
                     "jacorb.security.ssl.server.required_options": f"{NONE if self.clear_port else needs:x}",
                     "OASSLPort": str(self.port)}
            if len(self.hosts) > 1:
                said["jacorb.iiop.alternate_addresses"] = ",".join(f"{host}:{self.port}" for host in self.hosts[1:])
        else:
            # It must have one, so it gets one without keys; and it listens in the clear.
            said |= {"jacorb.security.keystore": self.world.trust_store(self.authority),
                     "jacorb.security.keystore_password": PASSWORD,
                     "jacorb.security.ssl.server.supported_options": "0",
                     "jacorb.security.ssl.always_open_unsecured_address": "on"}
        if self.clear_port:
            said["OAPort"] = str(self.clear_port)
        return [word for name, value in said.items() for word in ("--set", f"{name}={value}")]
