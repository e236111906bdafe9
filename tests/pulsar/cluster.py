"""A real cluster on loopback: one ZooKeeper, bookies and brokers, each a process of its own that can be frozen or killed. For what one broker alone
cannot show: disks that fill, bookies that go, topics that move.

Every bookie has a disk of its own: a tmpfs in a mount namespace that only they see, and that is gone with the cluster. Memory is taken as it is filled.
Checks, collections and statistics are quick, so that minutes show what takes days.
"""
import atexit
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from client import Admin, path_of
from jvm import (Skip, checked_jars, folder_that_java_can_place, free_ports, java_command, java_for, kill_group, print_log_tail, start_process,
                 write_settings)
from waiting import wait_until

START_DEADLINE = 240  # seconds; a minute on an idle machine for all of it

# A key that is given twice is a list to BookKeeper, so an override replaces.
BOOKIE = {
    "allowLoopback": "true",
    "zkLedgersRootPath": "/ledgers",
    "zkTimeout": 10000,
    "ledgerStorageClass": "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage",
    "dbStorage_writeCacheMaxSizeMb": 16,
    "dbStorage_readAheadCacheMaxSizeMb": 16,
    "dbStorage_rocksDB_blockCacheSize": 8388608,
    "dbStorage_rocksDB_writeBufferSizeMB": 4,
    "logSizeLimit": 8388608,
    "flushInterval": 1000,  # each sorts by ledger: several in a log, or what is written now and then is in some logs only
    "journalMaxSizeMB": 32,
    "journalMaxBackups": 1,
    "journalPreAllocSizeMB": 4,
    "journalSyncData": "false",
    "gcWaitTime": 10000,
    "minorCompactionThreshold": 0.2,
    "minorCompactionInterval": 20,
    "majorCompactionThreshold": 0.8,
    "majorCompactionInterval": 40,
    "diskUsageThreshold": 0.90,
    "diskUsageWarnThreshold": 0.80,
    "diskUsageLwmThreshold": 0.85,
    "diskCheckInterval": 2000,
    "isForceGCAllowWhenNoSpace": "false",  # as by default
    "autoRecoveryDaemonEnabled": "false",
    "httpServerEnabled": "true",
    "httpServerClass": "org.apache.bookkeeper.http.vertx.VertxHttpServer",
    "statsProviderClass": "org.apache.bookkeeper.stats.prometheus.PrometheusMetricsProvider",
    "numAddWorkerThreads": 1,
    "numReadWorkerThreads": 1,
    "numHighPriorityWorkerThreads": 1,
    "serverNumIOThreads": 2,
}

BROKER = {
    "advertisedAddress": "127.0.0.1",
    "bindAddress": "127.0.0.1",
    "managedLedgerMaxEntriesPerLedger": 100,  # of all bookies alike, also within seconds
    "managedLedgerMinLedgerRolloverTimeMinutes": 0,
    "managedLedgerMaxLedgerRolloverTimeMinutes": 1,
    "managedLedgerCacheSizeMB": 32,
    "allowAutoTopicCreationType": "non-partitioned",
    "brokerDeleteInactiveTopicsEnabled": "false",
    "functionsWorkerEnabled": "false",
    "webSocketServiceEnabled": "false",
    "loadBalancerOverrideBrokerNicSpeedGbps": 1,
    "loadBalancerAutoBundleSplitEnabled": "false",  # a test's bursts are no reason to move its topics
    "loadBalancerSheddingEnabled": "false",
    "numHttpServerThreads": 8,
    "bookkeeperNumberOfChannelsPerBookie": 2,
    "retentionCheckIntervalInSeconds": 5,
    "statsUpdateInitialDelayInSecs": 1,
    "statsUpdateFrequencyInSecs": 2,
}


class Process:
    """One of the cluster's processes. `frozen` it keeps its connections and answers nothing, as in a long garbage collection."""

    def __init__(self, name, folder, command, is_ready):
        self.name = name
        self.folder = folder
        self.log_path = folder / "log"
        self._command = command
        self._is_ready = is_ready
        self._process = None

    @property
    def pid(self):
        return self._process.pid

    def start(self):
        command = self._command() if callable(self._command) else self._command
        self._process = start_process(command, self.folder, self.log_path)

    def wait_ready(self):
        wait_until(self._came_up, START_DEADLINE, f"{self.name} is ready")

    def freeze(self):
        os.killpg(self._process.pid, signal.SIGSTOP)

    def resume(self):
        os.killpg(self._process.pid, signal.SIGCONT)

    def kill(self):
        """It has no time to say good-bye: ZooKeeper lists it until its session ends."""
        if self._process is not None:
            kill_group(self._process)
            self._process = None

    def _came_up(self):
        if self._process.poll() is not None:
            raise RuntimeError(f"{self.name} ended with {self._process.returncode} while starting")
        return self._is_ready()


class Bookie(Process):
    """`url` serves its metrics and admin API; `address` is what brokers call it. Each has a host of its own, as in life."""

    def __init__(self, index, folder, host, port, http_port, command):
        self.url = f"http://{host}:{http_port}"
        self.address = f"{host}:{port}"
        super().__init__(f"bookie {index}", folder, command, lambda: get(f"{self.url}/api/v1/bookie/is_ready") is not None)


class ClusterBroker(Process):
    """As `Broker`, to what asks one broker: `Admin(broker)`, `Clients(broker)`."""

    cluster = "c1"
    token = None

    def __init__(self, index, folder, version, web, binary, command):
        self.version = version
        self.url = f"http://127.0.0.1:{web}"
        self.address = f"127.0.0.1:{web}"
        self.binary_url = f"pulsar://127.0.0.1:{binary}"
        super().__init__(f"broker {index}", folder, command, lambda: "public" in (get(f"{self.url}/admin/v2/tenants") or ""))


class Cluster:
    """A context manager. `disks_mb`: one bookie for each, 160 at least (RocksDB takes 77 at the first write); an entry is kept `copies` times, on as many
    bookies. `bookie_config` and `broker_config` override what stands above."""

    def __init__(self, version, jars, disks_mb=(1024, 1024, 1024), brokers=2, copies=2, bookie_config=None, broker_config=None):
        self.version = version
        self.jars = jars
        self.disks_mb = disks_mb
        self.copies = copies
        self.broker_count = brokers
        self.bookie_config = bookie_config or {}
        self.broker_config = broker_config or {}
        self.folder = None
        self.zookeeper = self._disks = None
        self.bookies = []
        self.brokers = []
        self.start_seconds = None

    def __enter__(self):
        try:
            self.start()
        except BaseException as error:
            if not isinstance(error, Skip):
                self.print_log_tails()
            self.stop()
            raise
        return self

    def __exit__(self, kind, *_):
        if kind is not None and not issubclass(kind, KeyboardInterrupt):
            self.print_log_tails()
        self.stop()

    def start(self):
        began = time.monotonic()
        self._java = java_for(self.version)
        checked_jars(self.version, self.jars)
        self._unshare = unshare_command()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"tidemark-cluster-{self.version}-", dir=folder_that_java_can_place()))
        atexit.register(self.stop)
        zookeeper, self.bookie_http_port, *ports = free_ports(2 + len(self.disks_mb) + 2 * self.broker_count)
        self._zookeeper_address = f"127.0.0.1:{zookeeper}"
        self._disks = self._make_disks()
        self.zookeeper = self._make_zookeeper(zookeeper)
        self.bookies = [self._make_bookie(i, f"127.0.0.{2 + i}", ports.pop()) for i in range(len(self.disks_mb))]
        self.brokers = [self._make_broker(i, *pair) for i, pair in enumerate(zip(ports[::2], ports[1::2]))]
        for group in ([self._disks, self.zookeeper], self.bookies, self.brokers):
            for one in group:
                one.start()
            for one in group:
                one.wait_ready()
            if self.zookeeper in group:
                self._write_metadata()
        self.start_seconds = time.monotonic() - began

    def stop(self):
        atexit.unregister(self.stop)
        for one in self._processes():
            one.kill()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    def print_log_tails(self):
        for one in self._processes():
            print_log_tail(one.name, one.log_path, lines=15)

    def move(self, topic, broker):
        """The bundle of `topic` is served by `broker` from here on, with whatever else is in it. Topics without clients stay unloaded."""
        namespace = "/".join(path_of(topic).split("/")[1:3])

        def is_there():
            Admin(broker).call("PUT", f"namespaces/{namespace}/{self.bundle(topic)}/unload?destinationBroker={broker.address}")
            with contextlib.suppress(TimeoutError):  # on a busy machine another broker may be asked first, and then has it
                return wait_until(lambda: self.owner(topic) is broker, 15, "the bundle is where it was sent")
            return False
        wait_until(is_there, 120, f"{broker.name} serves {topic}")

    def bundle(self, topic):
        return get(f"{self.brokers[0].url}/lookup/v2/topic/{path_of(topic)}/bundle")

    def owner(self, topic):
        """The broker that serves it; one is found for a topic that none serves."""
        answer = get(f"{self.brokers[0].url}/lookup/v2/topic/{path_of(topic)}")
        found = [one for one in self.brokers if answer and json.loads(answer)["httpUrl"] == one.url]
        return found[0] if found else None

    def bookie_settings(self):
        """What tells a daemon, by `--set`, where the bookies' metrics are, whose hosts the brokers name."""
        return {"clusters.0.bookies.metrics_port": self.bookie_http_port}

    def _processes(self):
        return [*self.brokers, *self.bookies, *(one for one in (self.zookeeper, self._disks) if one)]

    def _folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder

    def _make_zookeeper(self, port):
        folder = self._folder("zookeeper")
        write_settings(folder / "zoo.cfg", {"tickTime": 2000, "dataDir": folder / "data", "clientPortAddress": "127.0.0.1", "clientPort": port,
                                            "admin.enableServer": "false", "maxClientCnxns": 0})
        command = java_command(self._java, self.jars, 128, 64, "org.apache.zookeeper.server.quorum.QuorumPeerMain", str(folder / "zoo.cfg"))
        return Process("ZooKeeper", folder, command, lambda: listens(port))

    def _write_metadata(self):
        log = self.folder / "metadata.log"
        # The URLs are the cluster's for others; which of the brokers they name makes no difference here.
        command = java_command(self._java, self.jars, 128, 64, "org.apache.pulsar.PulsarClusterMetadataSetup", "--cluster", ClusterBroker.cluster,
                               "--metadata-store", f"zk:{self._zookeeper_address}", "--configuration-metadata-store", f"zk:{self._zookeeper_address}",
                               "--web-service-url", self.brokers[0].url, "--broker-service-url", self.brokers[0].binary_url)
        done = start_process(command, self.folder, log)
        try:
            status = done.wait(START_DEADLINE)
        finally:
            kill_group(done)
        if status != 0:
            print_log_tail("the metadata setup", log)
            raise RuntimeError(f"PulsarClusterMetadataSetup ended with {status}")

    def _make_disks(self):
        """They outlive a bookie that is killed: who comes back without its data is refused."""
        folder = self._folder("disks")
        mounts = "".join(f"mkdir {i} && mount -t tmpfs -o size={size}m tmpfs {i} && " for i, size in enumerate(self.disks_mb))
        command = [*self._unshare, "sh", "-c", mounts + "touch mounted && exec sleep infinity"]
        return Process("the disks' mount namespace", folder, command, (folder / "mounted").exists)

    def _make_bookie(self, index, host, port):
        folder = self._folder(f"bookie-{index}")
        disk = self.folder / "disks" / str(index)
        write_settings(folder / "conf", {**BOOKIE, "advertisedAddress": host, "bookiePort": port,
                                         "httpServerHost": host, "httpServerPort": self.bookie_http_port,
                                         "prometheusStatsHttpPort": self.bookie_http_port, "zkServers": self._zookeeper_address, "journalDirectory": folder / "journal", "ledgerDirectories": disk / "ledgers",
                                         **self.bookie_config})
        java = java_command(self._java, self.jars, 200, 200, "org.apache.bookkeeper.server.Main", "-c", str(folder / "conf"))
        return Bookie(index, folder, host, port, self.bookie_http_port, lambda: [*enter_command(self._disks.pid), *java])

    def _make_broker(self, index, web, binary):
        folder = self._folder(f"broker-{index}")
        store = f"zk:{self._zookeeper_address}"
        write_settings(folder / "conf", {**BROKER, "clusterName": ClusterBroker.cluster, "metadataStoreUrl": store, "configurationMetadataStoreUrl": store,
                                         "webServicePort": web, "brokerServicePort": binary, "managedLedgerDefaultEnsembleSize": self.copies,
                                         "managedLedgerDefaultWriteQuorum": self.copies, "managedLedgerDefaultAckQuorum": self.copies,
                                         **self.broker_config})
        command = java_command(self._java, self.jars, 400, 256, "org.apache.pulsar.PulsarBrokerStarter", "-c", str(folder / "conf"))
        return ClusterBroker(index, folder, self.version, web, binary, command)


def unshare_command():
    """What gives a process mounts of its own; who is not root needs user namespaces for that."""
    command = ["unshare", "--mount", "--propagation", "private"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(OSError):
        if subprocess.run([*command, "mount", "-t", "tmpfs", "tmpfs", folder], capture_output=True, check=False).returncode == 0:
            return command
    raise Skip("bookies need small disks of their own, and no tmpfs may be mounted here: neither root nor user namespaces")


def enter_command(pid):
    """What starts a process among the mounts of that one, which unshare_command() made."""
    more = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
    return ["nsenter", "--target", str(pid), "--mount", *more, "--wdns=/", "--"]


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return True
    return False


def get(url):
    """The body as text; None while it cannot be had."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.read().decode(errors="replace")
    except (urllib.error.URLError, OSError):
        return None
