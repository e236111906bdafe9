"""What a scenario is made of: a `play` that makes the trouble, and the wants that must come true before it goes on.

All scenarios play at once, each in a thread of its own; so one waits while the others go on. What a scenario does before its first `expect` is there before
the daemons start. Consumers that must stay are kept in attributes, else they are collected and close.
"""
import contextlib
import threading
import time

from client import consume_and_vanish
from waiting import wait_until

TENANT = "troubled"
ACCUSATIONS = {"abandoned", "ack_hole", "unacked_blocked", "stalled"}
DEADLINE = 150  # seconds for a want; on two quiet cores all come true within 40


class Missed(Exception):
    """A want did not come true; said already. The rest of the scenario would tell nothing."""


class Want:
    """A cursor that a daemon must report in this state (or one of these), and whose other fields ("hole.entries" reaches inside) must be these.
    A state that is a finding needs its finding too, and `ok` must have none; `maybe`: rules that may be found as well."""

    def __init__(self, topic, cursor, state, daemon="patient", maybe=(), **fields):
        self.topic, self.cursor, self.daemon = topic, cursor, daemon
        self.states = {state} if isinstance(state, str) else set(state)
        self.maybe = set(maybe)
        self.fields = {name.replace("__", "."): value for name, value in fields.items()}

    def fault(self, watched):
        """None when it holds in the newest report, else what is there instead."""
        report = watched.report
        cursor = report.cursors.get((self.topic, self.cursor))
        if cursor is None:
            return "not reported"
        got = {name: member(cursor, name) for name in self.fields}
        rules = report.rules_of(self.topic, self.cursor)
        expected_rules = {cursor["state"]} - {"ok", "unknown"}
        if cursor["state"] in self.states and got == self.fields and rules - self.maybe == expected_rules:
            return None
        return f"{cursor['state']}, findings {sorted(rules)}, {got}, age {cursor['age_seconds']}, drain {cursor['drain']}, at {cursor['mark_delete']}"

    def __str__(self):
        fields = "".join(f", {name} {value}" for name, value in self.fields.items())
        return f"{short(self.topic)} [{self.cursor}] is {' or '.join(sorted(self.states))}{fields}"


class Counted:
    """How many logical subscriptions of a namespace the metrics count in a state; None: none, no series."""

    def __init__(self, namespace, state, count, daemon="patient"):
        self.namespace, self.state, self.count, self.daemon = namespace, state, count, daemon

    def fault(self, watched):
        got = watched.daemon.total("tidemark_subscriptions", pulsar_namespace=self.namespace, state=self.state)
        return None if got == self.count else f"counted {got}"

    def __str__(self):
        return f"{self.namespace} counts {self.count} {self.state}"


def short(topic):
    return topic.removeprefix(f"persistent://{TENANT}/")


def member(document, path):
    for name in path.split("."):
        document = (document or {}).get(name)
    return document


class Scenario:
    def __init__(self, checks, admin, clients, watched):
        self.checks, self.admin, self.clients = checks, admin, clients
        self.watched = watched  # daemon -> Watched, from the moment on that `watching` is set
        self.watching = threading.Event()
        self.made = threading.Event()
        self.wanted = {}  # (daemon, topic, cursor) -> the states that were right at some time
        self.name = type(self).__name__
        self.namespace = f"{TENANT}/{self.name}"

    def play(self):
        raise NotImplementedError

    def close(self):
        """Ends what `play` left running, threads above all. Called whatever happened."""

    def run(self):
        """Plays it; whatever goes wrong is a failed check."""
        try:
            with self.checks.section(self.name), contextlib.suppress(Missed):
                self.play()
                self.close()
                self._check_accusations()
        finally:
            self.made.set()

    def expect(self, wants, polls=1):
        """Waits until all wants hold at once, in `polls` reports one after the other that are newer than this call."""
        self.made.set()
        self.watching.wait()
        for want in wants:
            if isinstance(want, Want):
                self.wanted.setdefault((want.daemon, want.topic, want.cursor), set()).update(want.states)
        daemons = {name: self.watched[name] for name in {want.daemon for want in wants}}
        begun = time.time()
        held, last, faults = 0, None, {}

        def look():
            nonlocal held, last, faults
            moments = [one.moment() for one in daemons.values()]
            if moments != last and min(moments) > begun:
                last = moments
                faults = {want: want.fault(daemons[want.daemon]) for want in wants}
                held = 0 if any(faults.values()) else held + 1
            return held >= polls
        try:
            wait_until(look, DEADLINE, f"{self.name}: {polls} polls of what is wanted", every=0.2)
        except TimeoutError:
            for want in wants:
                self.checks.that(faults.get(want) is None, f"{self.name}: {want}", f"not within {DEADLINE} s: {faults.get(want)}")
            if not any(faults.values()):
                raise
            raise Missed from None
        for want in wants:
            self.checks.that(True, f"{self.name}: {want}")

    def _check_accusations(self):
        """No report on the way, however unsettled things were, may accuse a cursor of what it never did."""
        false = {f"{daemon}: {short(topic)} [{cursor}]": seen for (daemon, topic, cursor), states in self.wanted.items()
                 if (seen := self.watched[daemon].states_of(topic, cursor) & ACCUSATIONS - states)}
        if self.wanted:
            self.checks.that(not false, f"{self.name}: no false accusation on the way", false)

    def never(self, topic, name, states, daemon="patient"):
        """That no report so far had the cursor in one of these states."""
        seen = self.watched[daemon].states_of(topic, name) & set(states)
        self.checks.that(not seen, f"{self.name}: {short(topic)} [{name}] was never {' or '.join(sorted(states))}", seen)

    def topic(self, name):
        return f"persistent://{self.namespace}/{name}"

    def cannot(self, what, why):
        """What this version does not do, by name."""
        self.checks.skip(f"{self.name}: {what}", why)

    def new_topic(self, name, subscriptions=(), messages=0):
        topic = self.topic(name)
        self.admin.make_topic(topic)
        for one in subscriptions:  # first: without one a topic's closed ledgers are deleted as they fill
            self.admin.make_subscription(topic, one)
        if messages:
            self.clients.publish(topic, messages)
        return topic

    def leave(self, topic, name, count):
        consume_and_vanish(self.clients, topic, name, count)
