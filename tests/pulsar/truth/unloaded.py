"""Unloaded topics: a removal loads them first, which closes the ledger that was the last one."""
import contextlib

from client import positions
from truth.scene import Scene
from waiting import wait_until


class Unloaded(Scene):
    """From the metadata alone."""
    smoke = True

    def build(self):
        self.at = self.new_topic("parked", ["left", "ahead"], 110)
        self.leave(self.at, left=25, ahead=70)

    def unload(self):
        self.admin.wait_loaded([self.at])
        wait_until(self.is_gone, 120, f"{self.at} stays unloaded")

    def is_gone(self):
        """A daemon that asks of a topic in the moment of its unload loads it again."""
        self.before = self.ledgers(self.at)
        self.admin.unload(self.at)
        with contextlib.suppress(TimeoutError):
            self.admin.wait_unloaded([self.at], deadline=6)
            return True

    def play(self):
        self.unload()
        self.frees("an unloaded topic", self.alone(self.at, "left"), self.remove(self.at, ["left"], self.before))


class UnloadedWatched(Unloaded):
    """Nobody else is there, so the ledger that was the last one goes too. Its size is in no document of an unloaded topic: only who saw it loaded knows."""
    smoke = False
    watched = True

    def prepare(self):
        super().prepare()
        self.at = self.new_topic("parked", ["left"])  # unloaded topics are found by lists, which a daemon asks for at its start and then only now and then

    def build(self):
        self.clients.publish(self.at, 70)
        self.leave(self.at, left=25)

    def is_gone(self):
        self.clients.publish(self.at, 5)  # a load makes a ledger that is empty
        entries = positions(self.admin, self.at, ["left"])["left"].entries
        self.daemon.follow(lambda report: report.cursors.get((self.at, "left"), {}).get("pinned_entries") == entries, 60, f"the daemon sees {entries} entries")
        return super().is_gone()

    def play(self):
        self.unload()
        last = self.before[max(self.before)]
        self.checks.that(last, "UnloadedWatched: the last ledger is not empty", self.before)
        self.daemon.follow(self.knows_unloaded, 60, "the daemon takes it for unloaded")
        watched = self.alone(self.at, "left", self.daemon.report)
        told = self.alone(self.at, "left")
        freed = self.remove(self.at, ["left"], self.before)
        self.frees("an unloaded topic, nobody else there, watched", watched, freed)
        # A daemon that asks late loads it, and then one scan is told too.
        self.checks.that(told in (freed - last, freed), "UnloadedWatched: one scan leaves out the last ledger at most", f"{told} of {freed}, {last} of these in the last")

    def knows_unloaded(self, report):
        """It is missing from the broker's list for a whole period."""
        return any(one["topic"] == self.at and one["evidence"].get("topic_loaded") is False for one in report.findings)


class HeldUnloaded(Unloaded):
    """Retention kept what nobody needed; it was lifted while the topic was unloaded. The next load frees it."""
    smoke = False
    retention = (-1, -1)

    def build(self):
        self.at = self.new_topic("parked", ["left"], 50)
        self.leave(self.at, left=45)

    def play(self):
        self.unload()
        self.keep(0, 0)
        found = wait_until(self.held, 60, "the unloaded topic holds bytes")
        self.admin.stats(self.at)  # loads it
        self.frees("held by an unloaded topic: loaded", found["evidence"]["bytes"], self.trimmed(self.at, self.before))

    def held(self):
        return next((one for one in self.report().findings if one["rule"] == "held_without_cursor" and one["topic"] == self.at and one["evidence"]["cause"] == "unloaded"), None)
