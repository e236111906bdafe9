"""One real Pulsar standalone (broker, bookie and metadata store in one JVM) on free loopback ports in a folder of its own.

Its ledgers are short and its statistics quick, so that minutes of a test show what takes days on a cluster. The whole process group is killed at the end,
whatever the end is: a forgotten JVM of 700 MB spoils every later test on the machine.
"""
import atexit
import base64
import hashlib
import hmac
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import urllib.error
import urllib.request

from jvm import Skip, checked_jars, folder_that_java_can_place, free_ports, java_command, java_for, kill_group, number, print_log_tail, start_process, write_settings
from waiting import wait_until

# Later lines win, so an override is simply appended. 2.8 to 5.0 accept all of these.
CONFIG = {
    "clusterName": "standalone",
    "bindAddress": "127.0.0.1",
    "advertisedAddress": "127.0.0.1",
    "managedLedgerDefaultEnsembleSize": 1,
    "managedLedgerDefaultWriteQuorum": 1,
    "managedLedgerDefaultAckQuorum": 1,
    "allowAutoTopicCreationType": "non-partitioned",
    "brokerDeleteInactiveTopicsEnabled": "false",
    "managedLedgerMaxEntriesPerLedger": 20,
    "managedLedgerMinLedgerRolloverTimeMinutes": 0,
    "retentionCheckIntervalInSeconds": 2,
    "statsUpdateInitialDelayInSecs": 1,  # by default the bulk document is empty for a minute
    "statsUpdateFrequencyInSecs": 2,
    "messageExpiryCheckIntervalInMinutes": 1,
    "subscriptionExpiryCheckIntervalInMinutes": 1,
    "brokerServiceCompactionMonitorIntervalInSeconds": 7 * 86400,  # who wants a compaction asks for it
    "loadBalancerEnabled": "false",
    "loadBalancerOverrideBrokerNicSpeedGbps": 1,
    "allowLoopback": "true",
    "webSocketServiceEnabled": "false",
}


def make_token(key, subject):
    """A JSON Web Token (HS256), as Pulsar's own `tokens create` writes it."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")
    signed = part(b'{"alg":"HS256"}') + b"." + part(json.dumps({"sub": subject}).encode())
    return (signed + b"." + part(hmac.new(key, signed, hashlib.sha256).digest())).decode()


class Broker:
    """Use it as a context manager. With `auth`, only tokens are let in: `token` is a super-user's, `weak_token` a valid one without any right."""

    cluster = "standalone"

    def __init__(self, version, jars, auth=False, heap_mb=500, config=None):
        self.version = version
        self.jars = pathlib.Path(jars)
        self.auth = auth
        self.heap_mb = heap_mb
        self.config = config or {}
        self.process = None
        self.folder = None
        self.token = self.weak_token = self.foreign_token = None
        self.start_seconds = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, kind, *_):
        if kind is not None and not issubclass(kind, KeyboardInterrupt):
            self.print_log_tail()
        self.stop()

    def start(self):
        java = java_for(self.version)
        checked_jars(self.version, self.jars)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tidemark-pulsar-{self.version}-", dir=folder_that_java_can_place()))
        atexit.register(self.stop)
        (self.folder / "data").mkdir()
        web, binary, bookie, zookeeper = free_ports(4)
        self.url = f"http://127.0.0.1:{web}"
        self.binary_url = f"pulsar://127.0.0.1:{binary}"

        settings = dict(CONFIG, webServicePort=web, brokerServicePort=binary)
        if self.auth:
            settings.update(self._auth_settings())
        settings.update(self.config)
        conf = self.folder / "broker.conf"
        write_settings(conf, settings)

        command = java_command(java, self.jars, self.heap_mb, self.heap_mb, "org.apache.pulsar.PulsarStandaloneStarter", "--config", str(conf),
                               "--no-functions-worker", "--no-stream-storage", "--bookkeeper-port", str(bookie))
        if number(self.version) < (2, 11):  # later ones keep their metadata in RocksDB
            command += ["--zookeeper-port", str(zookeeper)]

        began = time.monotonic()
        self.process = start_process(command, self.folder, self.log_path)
        try:
            # The port opens and answers long before the namespace exists, which a standalone makes last.
            wait_until(self._is_ready, 180, f"Pulsar {self.version} ready at {self.url}")
        except (TimeoutError, RuntimeError):
            self.print_log_tail()
            raise
        self.start_seconds = time.monotonic() - began

    def stop(self):
        atexit.unregister(self.stop)
        if self.process is not None:
            kill_group(self.process)
            self.process = None
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    @property
    def log_path(self):
        return self.folder / "broker.log"

    def print_log_tail(self):
        if self.folder is not None:
            print_log_tail(f"Pulsar {self.version}", self.log_path)

    def _is_ready(self):
        if self.process.poll() is not None:
            raise RuntimeError(f"Pulsar {self.version} ended with {self.process.returncode} while starting")
        request = urllib.request.Request(f"{self.url}/admin/v2/namespaces/public")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return "public/default" in json.load(answer)
        except (urllib.error.URLError, OSError, ValueError):
            return False

    def _auth_settings(self):
        key = os.urandom(32)
        self.token = make_token(key, "admin")
        self.weak_token = make_token(key, "nobody")
        self.foreign_token = make_token(os.urandom(32), "admin")  # signed by somebody else
        return {
            "authenticationEnabled": "true",
            "authenticationProviders": "org.apache.pulsar.broker.authentication.AuthenticationProviderToken",
            "authorizationEnabled": "true",
            "superUserRoles": "admin",
            "tokenSecretKey": "data:;base64," + base64.b64encode(key).decode(),
            "brokerClientAuthenticationPlugin": "org.apache.pulsar.client.impl.auth.AuthenticationToken",
            "brokerClientAuthenticationParameters": "token:" + self.token,
        }


if __name__ == "__main__":  # broker.py VERSION: whether this machine can run it
    try:
        java_for(sys.argv[1])
    except Skip as reason:
        print(f"skip {sys.argv[1]} {reason}\n0 passed, 0 failed, 1 skipped")
        sys.exit(1)
