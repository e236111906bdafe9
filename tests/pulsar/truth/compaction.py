"""The cursor of a compaction holds ledgers as any other: one leftover is behind it, one before it."""
from truth.scene import Scene
from waiting import wait_until


class Compaction(Scene):
    def build(self):
        self.at = self.new_topic("changelog", ["before", "after"])
        self.publish(50)
        self.compact()
        self.publish(60)
        self.leave(self.at, before=5, after=70)

    def play(self):
        self.frees("one behind the last compaction", self.alone(self.at, "before"), self.remove(self.at, ["before"]))
        self.compact()
        self.passes.wait()
        self.frees("one that a compaction has passed", self.alone(self.at, "after"), self.remove(self.at, ["after"]))

    def publish(self, count):
        producer = self.clients.producer(self.at)
        for i in range(count):
            producer.send(b"k" * (150 + 11 * (i % 5)), partition_key=f"key-{i % 7}")
        producer.close()

    def compact(self):
        self.admin.compact(self.at)
        wait_until(lambda: self.admin.compaction(self.at)["status"] == "SUCCESS", 60, "the compaction ends well")
        wait_until(lambda: self.admin.stats(self.at)["subscriptions"]["__compaction"]["msgBacklog"] == 0, 60, "its cursor is at the end")
