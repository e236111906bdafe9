"""What the tests of the daemon share: a fake broker that can be told to misbehave on any path, the program under test, and waiting for
conditions instead of for time. Every port is the kernel's choice. The program is named by the environment variable TIDEMARK."""
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BINARY = os.environ["TIDEMARK"]
SANITIZED = bool(os.environ.get("TIDEMARK_SANITIZE"))
PATIENCE = 15  # seconds until something that must happen is called missing

NAMESPACE = "acme/shop"
CLUSTER = "fake"
DAY = 86400
SWEEP = "/admin/v2/broker-stats/topics"
LOADED_TOPICS = "/admin/v2/broker-stats/bookieops"
FAST = {"poll.interval": "300ms", "poll.suspect_rate": "1000", "poll.internal_info_rate": "1000"}


def wait_until(condition, what, deadline=PATIENCE):
    """Returns the first true value of `condition`. `what`: said when none comes; a text, or a function that makes it then."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= end:
            raise AssertionError(f"not within {deadline} s: {what() if callable(what) else what}")
        threading.Event().wait(0.02)


def topic_name(local, ns=NAMESPACE):
    return f"persistent://{ns}/{local}"


def topic_path(local, document, ns=NAMESPACE):
    return f"/admin/v2/persistent/{ns}/{local}/{document}"


# --- What is asked, and ways to spoil it ------------------------------------------------------------------------------------------------

TOPOLOGY = {
    "version": "/admin/v2/brokers/version",
    "runtime_configuration": "/admin/v2/brokers/configuration/runtime",
    "clusters": "/admin/v2/clusters",
    "brokers": "/admin/v2/brokers/fake",
    "bookies": "/admin/v2/bookies/all",
    "tenants": "/admin/v2/tenants",
    "namespaces": "/admin/v2/namespaces/acme",
    "policies": "/admin/v2/namespaces/acme/shop",
    "topics": "/admin/v2/persistent/acme/shop",
}
OF_A_TOPIC = {
    "stats": topic_path("orders", "stats"),
    "internal_stats": topic_path("orders", "internalStats"),
    "internal_info": topic_path("orders", "internal-info"),
}
ALL = {**TOPOLOGY, **OF_A_TOPIC, "sweep": SWEEP}
HTML = {"body": "<html><body>Sign in</body></html>", "content_type": "text/html"}
HASTE = {"poll__document_timeout": "300ms", "poll__sweep_idle_timeout": "300ms", "poll__sweep_timeout": "1s"}  # for what hangs


# --- The documents of a small cluster ------------------------------------------------------------------------------------------------


class Subscription:
    """`idle_days`: since when nobody consumed."""

    def __init__(self, name, consumers=0, backlog=0, idle_days=0.0, properties=None):
        self.name, self.consumers, self.backlog, self.idle_days = name, consumers, backlog, idle_days
        self.properties = properties or {}
        self.connected = time.time() - 60

    def consumer_list(self):
        return [{"address": "/192.0.2.77:40000", "consumerName": f"client-{i}", "availablePermits": 900, "unackedMessages": 0,
                 "blockedConsumerOnUnackedMsgs": False, "msgRateOut": 1.0, "connectedSince": iso(self.connected),
                 "clientVersion": "Pulsar-CPP-v4.2.0", "metadata": {"host": "secret-host"}} for i in range(self.consumers)]

    def sweep(self):
        return {"consumers": self.consumer_list(), "msgBacklog": self.backlog, "msgRateExpired": 0.0,
                "msgRateOut": float(self.consumers), "numberOfEntriesSinceFirstNotAckedMessage": self.backlog + 1,
                "totalNonContiguousDeletedMessagesRange": 0, "type": "Exclusive"}

    def stats(self):
        moved = int((time.time() - self.idle_days * DAY) * 1000)
        return {"msgBacklog": self.backlog, "msgDelayed": 0, "unackedMessages": 0, "type": "Exclusive", "msgRateOut": float(self.consumers),
                "blockedSubscriptionOnUnackedMsgs": False, "msgRateExpired": 0.0, "totalMsgExpired": 0, "lastExpireTimestamp": 0,
                "lastConsumedFlowTimestamp": moved, "lastConsumedTimestamp": moved, "lastAckedTimestamp": moved,
                "lastMarkDeleteAdvancedTimestamp": moved, "consumers": self.consumer_list(), "isDurable": True, "isReplicated": False,
                "subscriptionProperties": self.properties}


class Topic:
    """Two closed ledgers of 100 entries and an empty open one. `parked`: it was unloaded gracefully."""

    SIZE = 100

    def __init__(self, local, *subscriptions, first_ledger=10, ns=NAMESPACE, parked=False):
        self.local, self.first, self.ns, self.parked = local, first_ledger, ns, parked
        self.subscriptions = list(subscriptions)

    @property
    def name(self):
        return topic_name(self.local, self.ns)

    @property
    def ids(self):
        return [self.first, self.first + 1, self.first + 2]

    def mark_delete(self, subscription):
        acked = 2 * self.SIZE - subscription.backlog
        if acked <= self.SIZE:
            return self.ids[0], acked - 1
        return self.ids[1], acked - self.SIZE - 1

    def sweep(self):
        bytes_of = 200 * max([one.backlog for one in self.subscriptions], default=0)
        return {"publishers": [], "replication": {}, "subscriptions": {one.name: one.sweep() for one in self.subscriptions},
                "producerCount": 0, "averageMsgSize": 0.0, "msgRateIn": 0.0, "msgRateOut": 0.0, "msgInCount": 200, "bytesInCount": 40000,
                "msgOutCount": 0, "bytesOutCount": 0, "storageSize": 40000, "backlogSize": bytes_of, "pendingAddEntriesCount": 0}

    def stats(self):
        return {"msgRateIn": 0.0, "msgRateOut": 0.0, "bytesInCounter": 40000, "msgInCounter": 200, "storageSize": 40000,
                "backlogSize": 200 * max([one.backlog for one in self.subscriptions], default=0), "publishers": [],
                "subscriptions": {one.name: one.stats() for one in self.subscriptions}, "replication": {},
                "ownerBroker": "192.0.2.99:8080", "metadata": {}}

    def internal_stats(self):
        cursors = {}
        for one in self.subscriptions:
            ledger, entry = self.mark_delete(one)
            cursors[encoded(one.name)] = {"markDeletePosition": f"{ledger}:{entry}", "readPosition": f"{ledger}:{entry + 1}", "waitingReadOp": False,
                                 "pendingReadOps": 0, "messagesConsumedCounter": 200 - one.backlog, "cursorLedger": 5,
                                 "cursorLedgerLastEntry": 3, "individuallyDeletedMessages": "[]",
                                 "lastLedgerSwitchTimestamp": iso(time.time() - 40 * DAY), "state": "Open",
                                 "numberOfEntriesSinceFirstNotAckedMessage": one.backlog + 1,
                                 "totalNonContiguousDeletedMessagesRange": 0, "properties": {}}
        ledgers = [{"ledgerId": one, "entries": self.SIZE, "size": 20000, "offloaded": False} for one in self.ids[:2]]
        ledgers.append({"ledgerId": self.ids[2], "entries": 0, "size": 0, "offloaded": False})
        return {"entriesAddedCounter": 200, "numberOfEntries": 200, "totalSize": 40000, "currentLedgerEntries": 0, "currentLedgerSize": 0,
                "lastLedgerCreatedTimestamp": iso(time.time() - 35 * DAY), "waitingCursorsCount": 0, "pendingAddEntriesCount": 0,
                "lastConfirmedEntry": f"{self.ids[1]}:{self.SIZE - 1}", "state": "LedgerOpened", "ledgers": ledgers, "cursors": cursors,
                "schemaLedgers": [], "compactedLedger": {"ledgerId": -1, "entries": -1, "size": -1, "offloaded": False}}

    def internal_info(self):
        cursors = {}
        for one in self.subscriptions:
            ledger, entry = self.mark_delete(one)
            cursors[encoded(one.name)] = {"version": 1, "creationDate": iso(time.time() - 60 * DAY), "modificationDate": iso(time.time() - 40 * DAY),
                                 "cursorsLedgerId": -1 if self.parked else 5, "markDelete": {"ledgerId": ledger, "entryId": entry}}
        closed = [{"ledgerId": one, "entries": self.SIZE, "size": 20000, "timestamp": int((time.time() - (38 - i) * DAY) * 1000),
                   "isOffloaded": False} for i, one in enumerate(self.ids[:2])]
        return {"version": 4, "creationDate": iso(time.time() - 60 * DAY), "modificationDate": iso(time.time() - 35 * DAY),
                "ledgers": closed + [{"ledgerId": self.ids[2], "timestamp": int(time.time() * 1000), "isOffloaded": False}],
                "cursors": cursors}


def encoded(cursor):
    """As Java's URLEncoder writes it."""
    return urllib.parse.quote_plus(cursor, safe="*-._")


def iso(at):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at)) + f".{int(at * 1000) % 1000:03d}Z"


def default_topics():
    """One left behind, one alive beside it, one healthy topic."""
    return [Topic("orders", Subscription("gone", backlog=120, idle_days=30), Subscription("live", consumers=1, backlog=3), first_ledger=10),
            Topic("payments", Subscription("billing", consumers=2, backlog=1), first_ledger=20)]


# --- The fake broker -----------------------------------------------------------------------------------------------------------------


class Override:
    """What one path answers instead. `pieces`: a function of the broker that yields the body; `cut`: the body ends, and the connection
    with it, after so many bytes; `hang`: the request is read and nothing is ever sent; `raw`: these bytes, and the end of the connection."""

    def __init__(self, status=200, body=None, content_type="application/json", hang=False, delay=0.0, cut=None, chunked=False, location=None,
                 pieces=None, times=None, raw=None):
        self.status, self.content_type, self.hang, self.delay = status, content_type, hang, delay
        self.body = body.encode() if isinstance(body, str) else body
        self.cut, self.chunked, self.location, self.pieces, self.times, self.raw = cut, chunked, location, pieces, times, raw


class Broker:
    """Serves the admin paths of one tenant with the namespaces of its topics. A context manager."""

    def __init__(self, topics=None, token=None, tls=None, cluster=CLUSTER):
        self.topics = default_topics() if topics is None else topics
        self.token = token
        self.cluster = cluster
        self.brokers = None  # "host:port" of each; None: only this one
        self.loaded = None  # None: every topic is in the sweep, else their local names
        self.stats_seconds = 60  # how old the sweep may be, as it says
        self.requests = []  # (path, Authorization)
        self.removed = []  # (local topic, subscription), by DELETE as an operator sends it
        self.closing = threading.Event()
        self._overrides = []
        self._lock = threading.Lock()
        broker = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self):
                broker._answer(self)

            def do_DELETE(self):
                broker._answer(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):  # a client that leaves in the middle is what is tested
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.tls = bool(tls)
        self.port = self.server.server_address[1]
        self.authority = f"127.0.0.1:{self.port}"
        self.url = f"{'https' if tls else 'http'}://{self.authority}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()

    def override(self, path, **how):
        """`path`: a regular expression for the whole path without its query. The newest that fits is used."""
        with self._lock:
            self._overrides.insert(0, (re.compile(path), Override(**how)))

    def behave(self):
        with self._lock:
            self._overrides.clear()

    def asked(self, path):
        with self._lock:
            return [one for one in self.requests if re.fullmatch(path, one[0].partition("?")[0])]

    def sweep(self):
        namespaces = {}
        for one in self.loaded_topics():
            bundle = namespaces.setdefault(one.ns, {"0x00000000_0xffffffff": {"persistent": {}}})["0x00000000_0xffffffff"]
            bundle["persistent"][one.name] = one.sweep()
        return namespaces

    def loaded_topics(self):
        return [one for one in self.topics if self.loaded is None or one.local in self.loaded]

    def names_of_loaded(self):
        namespaces = {}
        for one in self.loaded_topics():
            namespaces.setdefault(one.ns, {})[one.name] = {"dataLedgerOpenOp": 0, "cursorLedgerCreateOp": -1}
        return namespaces

    def remove(self, path):
        """A subscription, as the broker does it: its name is decoded twice."""
        for one in self.topics:
            begin = urllib.parse.unquote(topic_path(one.local, "subscription/", one.ns))
            if not path.startswith(begin):
                continue
            name = urllib.parse.unquote_plus(path[len(begin):])
            for subscription in one.subscriptions:
                if subscription.name == name:
                    if subscription.consumers:
                        return 412, "application/json", b'{"reason":"Subscription has active connected consumers"}'
                    one.subscriptions.remove(subscription)
                    self.removed.append((one.local, name))
                    return 204, "application/json", b""
        return 404, "application/json", b'{"reason":"Subscription not found"}'

    def document(self, path):
        """Status, content type, body."""
        namespaces = sorted({NAMESPACE} | {one.ns for one in self.topics})
        fixed = {
            "/admin/v2/clusters": [self.cluster],
            f"/admin/v2/brokers/{self.cluster}": self.brokers or [self.authority],
            "/admin/v2/brokers/configuration/runtime": {"clusterName": self.cluster, "statsUpdateFrequencyInSecs": str(self.stats_seconds),
                                                        "defaultRetentionTimeInMinutes": "0", "defaultRetentionSizeInMB": "0",
                                                        "ttlDurationDefaultInSeconds": "0", "subscriptionExpirationTimeMinutes": "0",
                                                        "brokerClientAuthenticationParameters": "token:eyCluster.Secret"},
            "/admin/v2/bookies/all": {"bookies": []},
            "/admin/v2/tenants": ["acme"],
            "/admin/v2/namespaces/acme": namespaces,
            LOADED_TOPICS: self.names_of_loaded(),
        }
        for ns in namespaces:
            fixed[f"/admin/v2/namespaces/{ns}"] = {"replication_clusters": [self.cluster], "deleted": False, "backlog_quota_map": {},
                                                   "retention_policies": {"retentionTimeInMinutes": 0, "retentionSizeInMB": 0}}
            fixed[f"/admin/v2/persistent/{ns}"] = [one.name for one in self.topics if one.ns == ns]
            partitioned = Counter(one.local.partition("-partition-")[0] for one in self.topics if one.ns == ns and "-partition-" in one.local)
            fixed[f"/admin/v2/persistent/{ns}/partitioned"] = [topic_name(local, ns) for local in partitioned]
            for local, count in partitioned.items():
                fixed[topic_path(local, "partitions", ns)] = {"partitions": count, "deleted": False}
        if path == "/admin/v2/brokers/version":
            return 200, "text/plain", b"4.0.7"
        if path == SWEEP:
            return 200, "application/json", json.dumps(self.sweep()).encode()
        if path in fixed:
            return 200, "application/json", json.dumps(fixed[path]).encode()
        for one in self.topics:
            made = {"stats": one.stats, "internalStats": one.internal_stats, "internal-info": one.internal_info}
            for document, make in made.items():
                if path == topic_path(one.local, document, one.ns):
                    return 200, "application/json", json.dumps(make()).encode()
        return 404, "application/json", b'{"reason":"no such thing"}'

    def _answer(self, handler):
        path = urllib.parse.unquote(handler.path.partition("?")[0])
        authorization = handler.headers.get("Authorization")
        with self._lock:
            self.requests.append((handler.path, authorization))
            how = None
            for pattern, override in self._overrides:
                if pattern.fullmatch(path) and override.times != 0:
                    how = override
                    if override.times:
                        override.times -= 1
                    break
        if self.token is not None and authorization != f"Bearer {self.token}":
            how = Override(status=401, body='{"reason":"HTTP 401 Unauthorized"}')
        if how is None:
            how = Override()
        with contextlib.suppress(OSError):
            self._send(handler, path, how)

    def _send(self, handler, path, how):
        if how.hang or how.delay:
            self.closing.wait(None if how.hang else how.delay)
        if how.hang:
            handler.close_connection = True
            return
        if how.raw is not None:
            handler.wfile.write(how.raw)
            handler.close_connection = True
            return
        status, kind, body = how.status, how.content_type, how.body
        if body is None and how.pieces is None:
            known, kind, body = self.remove(path) if handler.command == "DELETE" else self.document(path)
            status = known if status == 200 else status
            body = body if status == known else b""
        pieces = how.pieces(self) if how.pieces else [body]
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        if how.location:
            handler.send_header("Location", how.location)
        if how.chunked:
            handler.send_header("Transfer-Encoding", "chunked")
        elif how.pieces:
            handler.send_header("Connection", "close")
        else:
            handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        left = how.cut
        for piece in pieces:
            if self.closing.is_set():
                break
            part = piece if left is None else piece[:left]
            if left is not None:
                left -= len(part)
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part) if how.chunked and part else part)
            if left == 0:
                break
        else:
            if how.chunked:
                handler.wfile.write(b"0\r\n\r\n")
        if how.cut is not None or (how.pieces and not how.chunked):
            handler.close_connection = True
            with contextlib.suppress(OSError):
                handler.connection.shutdown(socket.SHUT_RDWR)


def refusing_url():
    """A port on which nothing listens: bound, and so nobody else's, for the life of the process."""
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    _holders.append(holder)
    return f"http://127.0.0.1:{holder.getsockname()[1]}"


_holders = []


# --- The program ---------------------------------------------------------------------------------------------------------------------


def options(settings):
    return [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]


class Ran:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.out[:3000]}\n--- stderr\n{self.err[:3000]}"


def run(*arguments, timeout=60):
    return Ran(subprocess.run([BINARY, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=timeout, check=False))


def scan(url, *arguments, **settings):
    """One pass in JSON, as fast as the broker answers. Settings have __ for the dot."""
    dotted = {**FAST, **{key.replace("__", "."): value for key, value in settings.items()}}
    return run("scan", url, "--format", "json", *options(dotted), *arguments)


def states(document):
    """{(local topic, cursor): state}"""
    return {(one["topic"].rpartition("/")[2], one["cursor"]): one["state"] for one in document["cursors"]}


class Folder:
    """A folder for a test's files, removed afterwards."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="tidemark-test-"))
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def write(self, name, text):
        path = self.path / name
        fresh = self.path / (name + ".new")
        fresh.write_text(text)
        fresh.replace(path)
        return path


class Daemon:
    """`tidemark serve` on a free port; a context manager. Leaving it ends the daemon, which must then exit with 0."""

    def __init__(self, url, config=None, url_settings="", environment=None, **settings):
        self.settings = {**FAST, **{key.replace("__", "."): value for key, value in settings.items()}}
        self.folder = Folder()
        self.text = config
        self.url = url
        self.url_settings = url_settings
        self.environment = {**os.environ, **(environment or {})}
        self.port = None

    def config_text(self, extra=""):
        nested = {}
        for key, value in self.settings.items():
            room, _, name = key.partition(".")
            nested.setdefault(room, []).append(f"  {name}: {value}")
        lines = ["listen: 127.0.0.1:0", "clusters:", f"  - url: {self.url}", *self.url_settings.splitlines()]
        for room, rows in nested.items():
            lines += [f"{room}:", *rows]
        return "\n".join(lines) + "\n" + extra

    def __enter__(self):
        self.folder.__enter__()
        self.config = self.folder.write("tidemark.yaml", self.text or self.config_text())
        self.log = open(self.folder.path / "stderr", "wb")
        self.out = open(self.folder.path / "stdout", "wb")
        self.process = subprocess.Popen([BINARY, "serve", "--config", str(self.config)], stdin=subprocess.DEVNULL, stdout=self.out,
                                        stderr=self.log, env=self.environment)
        try:
            found = wait_until(self._listening, "the daemon listens")
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise
        self.port = int(found.group(1))
        return self

    def _listening(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the daemon ended with {self.process.returncode}: {self.log_text()}")
        return re.search(r"listening on .*port (\d+)", self.log_text())

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if kind is not None:
            print(f"--- the daemon's log:\n{self.log_text()[-4000:]}")
        text = self.log_text()
        self._tidy_up()
        if kind is None and self.process.returncode != 0:
            raise AssertionError(f"the daemon ended with {self.process.returncode}: {text[-3000:]}")

    def kill(self):
        """As a crash ends it; what it was told and said is gone with it."""
        self.process.kill()
        self.process.wait()
        self._tidy_up()

    def _tidy_up(self):
        self.log.close()
        self.out.close()
        self.folder.__exit__()

    def end(self, number=signal.SIGTERM):
        """Sends the signal; seconds until the end and the exit status."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - began, self.process.returncode

    def log_text(self):
        return (self.folder.path / "stderr").read_text(errors="replace")

    def out_text(self):
        return (self.folder.path / "stdout").read_text(errors="replace")

    def log_lines(self, word):
        return [line for line in self.log_text().splitlines() if word in line]

    def ask(self, path, method="GET", headers=None):
        """Status, headers in lower case, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path):
        status, _, body = self.ask(path)
        return status, body.decode()

    def wait_ready(self):
        wait_until(lambda: self.get("/-/ready")[0] == 200, "/-/ready answers 200")

    def findings(self):
        status, text = self.get("/api/v1/findings")
        if status != 200:
            raise AssertionError(f"/api/v1/findings: {status} {text[:300]}")
        return json.loads(text)

    def wait_states(self, **wanted):
        """Names of cursors and their states; waits for a poll in which all are so. Returns its document."""
        def look():
            status, text = self.get("/api/v1/findings")
            document = json.loads(text)
            has = {cursor: state for (_, cursor), state in states(document).items()} if status == 200 else {}
            return document if all(has.get(one) == state for one, state in wanted.items()) else None
        return wait_until(look, lambda: f"{wanted}; now {self.get('/api/v1/findings')}")

    def wait_polls(self, count=1):
        """Until `count` polls that began from now on are published."""
        began = time.time() * 1000
        seen = set()

        def look():
            status, text = self.get("/api/v1/findings")
            at = json.loads(text)["at_ms"] if status == 200 else 0
            if at >= began:
                seen.add(at)
            return len(seen) >= count
        wait_until(look, f"{count} more polls")

    def samples(self):
        return parse_metrics(self.get("/metrics")[1])

    def total(self, name, **labels):
        """The sum of the samples that carry these labels; 0 without any."""
        return sum(value for found, has, value in self.samples() if found == name and labels.items() <= has.items())

    def wait_total(self, above, name, **labels):
        wait_until(lambda: self.total(name, **labels) > above, f"{name}{labels} above {above}")

    def peak_kb(self):
        """The largest resident memory so far."""
        return int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text()).group(1))


class Onlooker:
    """Looks at every published poll while it is entered and keeps which states each cursor was ever given."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.ever = {}  # cursor: set of states
        self.rules = {}  # cursor: set of rules
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def _look(self):
        while not self._stop.wait(0.05):
            with contextlib.suppress(OSError, AssertionError, http.client.HTTPException):
                document = self.daemon.findings()
                for one in document["cursors"]:
                    self.ever.setdefault(one["cursor"], set()).add(one["state"])
                for one in document["findings"]:
                    self.rules.setdefault(one["cursor"], set()).add(one["rule"])

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()


def parse_metrics(text):
    """[(name, labels, value)]"""
    found = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            match = re.fullmatch(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+\d+)?", line)
            if not match:
                raise AssertionError(f"no sample: {line!r}")
            name, labels, value = match.groups()
            found.append((name, dict(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', labels or "")), float(value)))
    return found


def families(text):
    return set(re.findall(r"^# TYPE (\S+)", text, re.M))


def gunzip(body):
    return gzip.decompress(body).decode()  # takes several members


def query(**parameters):
    return urllib.parse.urlencode(parameters)
