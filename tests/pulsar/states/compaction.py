"""A compacted topic that grew past twice its threshold, and the broker's check that should start the compaction does not run (its interval is a week here)."""
from states.scenario import Scenario, Want
from waiting import wait_until

THRESHOLD = 1000  # bytes


class StalledCompaction(Scenario):
    def play(self):
        self.admin.call("PUT", f"namespaces/{self.namespace}/compactionThreshold", THRESHOLD)
        topic = self.new_topic("changelog")
        self.publish(topic, 10)
        self.compact(topic)  # the first one makes the cursor
        self.publish(topic, 60)
        self.expect([Want(topic, "__compaction", "stalled", kind="compaction", pinned_entries=60)])

        self.compact(topic)
        self.expect([Want(topic, "__compaction", "ok", kind="compaction")])

    def publish(self, topic, count):
        producer = self.clients.producer(topic)
        for i in range(count):
            producer.send(b"k" * 150, partition_key=f"key-{i % 7}")
        producer.close()

    def compact(self, topic):
        self.admin.compact(topic)
        wait_until(lambda: self.admin.compaction(topic)["status"] == "SUCCESS", 60, "the compaction ends well")
        wait_until(lambda: self.admin.stats(topic)["subscriptions"]["__compaction"]["msgBacklog"] == 0, 60, "its cursor is at the end")
