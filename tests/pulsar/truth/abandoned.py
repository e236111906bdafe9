"""Leftovers beside a live subscription: one, two in one ledger, five behind each other, on a border, of batches, over partitions."""
from truth.scene import DEADLINE, Scene
from waiting import wait_until


class Abandoned(Scene):
    smoke = True

    def build(self):
        self.at = self.new_topic("orders", ["left", "works"], 110)
        self.leave(self.at, left=25)
        self.work(self.at)

    def play(self):
        self.frees("one abandoned", self.alone(self.at, "left"), self.remove(self.at, ["left"]))


class Deleted(Scene):
    """The topic as a whole, by admin: its open ledger goes as well, which no prediction has, and the receipt tells of both."""
    watched = True

    def build(self):
        self.at = self.new_topic("doomed", ["left"], 110)
        self.leave(self.at, left=25)

    def receipt(self):
        found = [one for one in self.daemon.report().document["removed"] if one["topic"] == self.at]
        return found[0] if found and found[0]["freed_open_bytes"] else None

    def play(self):
        predicted = self.together(self.at, ["left"], self.daemon.report)
        before = self.ledgers(self.at)
        last = before[max(before)]
        self.admin.remove_topic(self.at)
        told = wait_until(self.receipt, DEADLINE, f"Deleted: the receipt of {self.at}")
        self.frees("a topic deleted as a whole, but its open ledger", predicted, sum(before.values()) - last)
        wanted = {"cursor": "left", "state": "abandoned", "topic_reclaimable_bytes": predicted, "freed_bytes": sum(before.values()), "freed_open_bytes": last}
        self.checks.equal({key: told[key] for key in wanted}, wanted, "Deleted: the receipt")


class Tie(Scene):
    smoke = True

    def build(self):
        self.at = self.new_topic("orders", ["first", "second", "works"], 110)
        self.leave(self.at, first=25, second=33)
        self.work(self.at)

    def play(self):
        found = self.figures(self.at, ["first", "second"])
        both = found["first"]["topic_reclaimable_bytes"]
        self.checks.that(both, "Tie: together they free something", both)
        for name, other in (("first", "second"), ("second", "first")):
            self.checks.equal((found[name]["reclaimable_bytes"], found[name]["reclaimable_shared_with"]), (both, [other]), f"Tie: {name} shares what both free")
        one = self.remove(self.at, ["first"])
        self.frees("a tie of two: one of them alone", self.alone_of(found["first"]), one)
        self.frees("a tie of two: both", both, one + self.remove(self.at, ["second"]))


class Staggered(Scene):
    names = ["a", "b", "c", "d", "e"]

    def build(self):
        self.at = self.new_topic("orders", [*self.names, "works"], 110)
        self.leave(self.at, a=5, b=25, c=45, d=65, e=85)
        self.work(self.at)

    def play(self):
        found = self.figures(self.at, self.names)
        total = found["a"]["topic_reclaimable_bytes"]
        self.checks.equal([bool(found[name]["reclaimable_bytes"]) for name in self.names], [True, False, False, False, False], "Staggered: only the slowest frees anything")
        third = self.remove(self.at, ["c"])
        self.frees("five staggered: the third alone", self.alone_of(found["c"]), third)
        second = self.remove(self.at, ["b"])
        self.frees("five staggered: the second alone", self.alone_of(found["b"]), second)
        predicted = self.alone(self.at, "a")
        slowest = self.remove(self.at, ["a"])
        self.frees("five staggered: then the slowest", predicted, slowest)
        self.frees("five staggered: all", total, third + second + slowest + self.remove(self.at, ["d", "e"]))


class Border(Scene):
    """On the last entry of a closed ledger, where the versions differ, and nobody else there."""
    smoke = True

    def build(self):
        self.at = self.new_topic("orders", ["left"], 70)
        self.leave(self.at, left=40)

    def play(self):
        self.frees("the last one, on the border of a ledger", self.alone(self.at, "left"), self.remove(self.at, ["left"]))


class Batches(Scene):
    def build(self):
        self.at = self.new_topic("batched", ["left", "works"], 900, batch=10)
        self.leave(self.at, left=250)
        self.work(self.at)

    def play(self):
        self.frees("batches", self.alone(self.at, "left"), self.remove(self.at, ["left"]))


class Partitions(Scene):
    """One of the three partitions never had a message."""
    messages = [70, 50, 0]

    def build(self):
        self.at = self.topic("parts")
        self.admin.make_topic(self.at, partitions=len(self.messages))
        self.parts = [f"{self.at}-partition-{i}" for i in range(len(self.messages))]
        for part, count in zip(self.parts, self.messages):
            self.admin.make_subscription(part, "left")
            self.clients.publish(part, count)
        for part in self.parts[:2]:
            self.leave(part, left=5)

    def play(self):
        predicted = [self.together(part, ["left"]) for part in self.parts]
        before = [self.ledgers(part) for part in self.parts]
        self.admin.remove_subscription(self.at, "left")
        self.frees("a partitioned topic, all partitions", sum(predicted), sum(self.trimmed(*one) for one in zip(self.parts, before)))
