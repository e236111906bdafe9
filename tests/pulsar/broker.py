"""One real Pulsar standalone (broker, bookie and metadata store in one JVM) on free loopback ports in a folder of its own.

Its ledgers are short and its statistics quick, so that minutes of a test show what takes days on a cluster. The whole process group is killed at the end,
whatever the end is: a forgotten JVM of 700 MB spoils every later test on the machine.
"""
import atexit
import base64
import ctypes
import hashlib
import hmac
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from waiting import wait_until

HERE = pathlib.Path(__file__).resolve().parent

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

OPENS = [f"java.base/{package}" for package in (
    "jdk.internal.loader", "java.lang", "sun.net", "java.nio", "jdk.internal.misc", "jdk.internal.platform", "java.util.concurrent")]
OPENS.append("java.management/sun.management")


def is_on_a_listed_mount(folder):
    """Whether the mount point of `folder` is listed. Java looks there for the file store of a bookie's disk."""
    place = pathlib.Path(folder).resolve()
    while place != place.parent and place.stat().st_dev == place.parent.stat().st_dev:
        place = place.parent
    mounts = pathlib.Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    return any(line.split(" ")[1] == str(place) for line in mounts.splitlines())


def folder_that_java_can_place():
    """Where a bookie can start: the usual folder for temporary files, or in a bare chroot, whose root is no mount point and where
    bookies end with 'Mount point not found', the shared memory that every /dev has."""
    usual = tempfile.gettempdir()
    if is_on_a_listed_mount(usual):
        return usual
    shared = "/dev/shm"
    return shared if os.path.isdir(shared) and is_on_a_listed_mount(shared) else usual


class Skip(Exception):
    """The machine lacks something this version needs; the message says what."""


def number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def java_for(version):
    """The java program to use, checked: class files of 5.x need 21, the other lines run on 17."""
    java = os.environ.get("TIDEMARK_JAVA") or shutil.which("java")
    wanted = 21 if number(version) >= (5,) else 17
    if not java:
        raise Skip(f"Pulsar {version} needs Java {wanted} or newer and there is no java on the PATH")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    if not found or int(found[1]) < wanted:
        raise Skip(f"Pulsar {version} needs Java {wanted} or newer; {java} is {found[1] if found else 'unreadable'} (TIDEMARK_JAVA names another one)")
    return java


def free_ports(count):
    """All are held until all are chosen, so that none is given twice."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def make_token(key, subject):
    """A JSON Web Token (HS256), as Pulsar's own `tokens create` writes it."""
    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")
    signed = part(b'{"alg":"HS256"}') + b"." + part(json.dumps({"sub": subject}).encode())
    return (signed + b"." + part(hmac.new(key, signed, hashlib.sha256).digest())).decode()


def _die_with_parent():
    # Even a test that is killed outright must not leave its broker behind. 1 = PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Broker:
    """Use it as a context manager. With `auth`, only tokens are let in: `token` is a super-user's, `weak_token` a valid one without any right."""

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
        if not (self.jars / ".complete").exists():
            raise RuntimeError(f"no complete jars of Pulsar {self.version} in {self.jars}: run jars.sh {self.version}")
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
        conf.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))

        command = [java, f"-Xmx{self.heap_mb}m", f"-XX:MaxDirectMemorySize={self.heap_mb}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
        for opened in OPENS:
            command += ["--add-opens", f"{opened}=ALL-UNNAMED"]
        command += ["-Dio.netty.tryReflectionSetAccessible=true", f"-Dlog4j2.configurationFile={HERE / 'log4j2.xml'}", "-cp", f"{self.jars}/*",
                    "org.apache.pulsar.PulsarStandaloneStarter", "--config", str(conf), "--no-functions-worker", "--no-stream-storage",
                    "--bookkeeper-port", str(bookie)]
        if number(self.version) < (2, 11):  # later ones keep their metadata in RocksDB
            command += ["--zookeeper-port", str(zookeeper)]

        began = time.monotonic()
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                                            start_new_session=True, preexec_fn=_die_with_parent)
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
            try:
                os.killpg(self.process.pid, signal.SIGKILL)  # nothing here is worth an orderly end of 10 s
            except ProcessLookupError:
                pass
            self.process.wait()
            self.process = None
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    @property
    def log_path(self):
        return self.folder / "broker.log"

    def print_log_tail(self, lines=40):
        if self.folder is not None and self.log_path.exists():
            print(f"--- last lines of the log of Pulsar {self.version}:")
            told = [line for line in self.log_path.read_text(errors="replace").splitlines() if "WADL" not in line and "WadlFeature" not in line]
            for line in told[-lines:]:
                print("    " + line[:300])

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
