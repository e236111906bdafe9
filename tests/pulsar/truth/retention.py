"""What retention keeps is not freed: by size, by time, for ever."""
import time

from client import positions
from truth.scene import Scene
from waiting import wait_until


class BySize(Scene):
    """Ledgers of 0.4 MB under a limit of 1 MB, which the open ledger counts in."""
    retention = (-1, 1)

    def build(self):
        self.at = self.new_topic("large", ["slow", "left", "works"], 170, size=20000)
        self.leave(self.at, slow=5, left=45)
        self.work(self.at)

    def play(self):
        both = self.together(self.at, ["slow", "left"])
        slow = self.remove_alone("retention by size: the slower of two", "slow")
        left = self.remove_alone("retention by size: then the other", "left")
        self.frees("retention by size: both", both, slow + left)

    def remove_alone(self, scenario, name):
        predicted = self.alone(self.at, name)
        freed = self.remove(self.at, [name])
        self.frees(scenario, predicted, freed)
        return freed


class ByTime(Scene):
    """Ledgers that were closed more than a minute ago, and younger ones. 2.x do not tell when: there only a daemon that saw it knows."""
    watched = True
    retention = (1, -1)

    def build(self):
        self.at = self.new_topic("dated", ["left"], 5)
        self.leave(self.at, left=2)
        self.wait_seen(1)
        self.clients.publish(self.at, 65)
        self.wait_seen(4)
        self.old_since = time.time()

    def wait_seen(self, ledgers):
        """Until the daemon's newest documents have so many ledgers."""
        wait_until(lambda: len(self.ledgers(self.at)) == ledgers, 60, f"{self.at} has {ledgers} ledgers")
        entries = positions(self.admin, self.at, ["left"])["left"].entries
        wait_until(lambda: self.daemon.report().cursors.get((self.at, "left"), {}).get("pinned_entries") == entries, 60, f"the daemon sees {entries} entries")

    def play(self):
        wait_until(lambda: time.time() - self.old_since > 63, 120, "the old ledgers are old enough")
        self.clients.publish(self.at, 45)
        self.wait_seen(6)
        watched = self.alone(self.at, "left", self.daemon.report)
        told = self.alone(self.at, "left")
        freed = self.remove(self.at, ["left"])
        self.frees("retention by time, watched", watched, freed)
        if self.tells_close_times():
            self.frees("retention by time, one scan", told, freed)
        else:
            self.checks.equal(told, None, "ByTime: without close times one scan gives no figure")
        self.checks.that(0 < freed and len(self.ledgers(self.at)) >= 3, "ByTime: old ledgers went and young ones stayed", freed)

    def tells_close_times(self):
        return any(one.get("timestamp") for one in self.admin.internal_info(self.at)["ledgers"][:-1])


class Unlimited(Scene):
    retention = (-1, -1)
    def build(self):
        self.at = self.new_topic("forever", ["left"], 70)
        self.leave(self.at, left=25)

    def play(self):
        self.frees("retention without end", self.alone(self.at, "left"), self.remove(self.at, ["left"]))
