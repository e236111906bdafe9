"""Jobs that keep a subscription, never a consumer, and commit from outside, as Spark's and Flink's connectors do. No clock of the broker's moves with it."""
from client import Committer
from states.repeated import Repeated
from states.scenario import Scenario, Want


class MovedByAdmin(Scenario):
    movers = ()

    def play(self):
        topic = self.new_topic("committed", ["by-reset", "by-skip"], 400)
        job = Committer(self.admin, topic, "by-reset", every=1)
        self.movers = [Repeated(1, job.commit), Repeated(1, lambda: self.admin.skip(topic, "by-skip", 1))]
        alive = [Want(topic, name, "idle", daemon="short", consumers=0) for name in ("by-reset", "by-skip")]
        self.expect(alive, polls=10)  # longer than the short daemon's patience
        for name in ("by-reset", "by-skip"):
            self.never(topic, name, ("abandoned", "unused"), daemon="short")

        self.close()
        # A move over the border of a ledger leaves some brokers' own count wrong, for good, from the moment on that the ledger is deleted.
        self.expect([Want(topic, name, "abandoned", daemon="short", consumers=0, maybe=["counter_mismatch"]) for name in ("by-reset", "by-skip")])

    def close(self):
        for one in self.movers:
            one.stop()
