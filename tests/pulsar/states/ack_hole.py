"""A consumer sits on a few messages while all after them are acknowledged: the mark-delete stands in front of the first. It ends when the consumer
acknowledges them, or leaves, for then they go to somebody else."""
from states.hoarder import Hoarder
from states.scenario import Scenario, Want
from waiting import wait_until

KEPT = {10, 11, 12, 45}  # of 70 in ledgers of 20: what is acknowledged behind the first hole crosses two borders


class AckHole(Scenario):
    def play(self):
        topic = self.new_topic("holes", ["acknowledges", "leaves"], 70)
        holders = {name: Hoarder(self.clients, topic, name, lambda _, index: index in KEPT, consumer_name=f"holder-that-{name}") for name in ("acknowledges", "leaves")}
        wait_until(lambda: all(one.count == 70 for one in holders.values()), 60, "both consumers have all messages")
        self.expect([Want(topic, name, "ack_hole", consumers=1, pinned_entries=60, hole__entries=4, hole__holes=2, hole__acked_entries_behind=56,
                           hole__holder=f"holder-that-{name}") for name in holders])

        holders["acknowledges"].release()
        holders["leaves"].close()
        self.expect([Want(topic, "acknowledges", "ok", consumers=1), Want(topic, "leaves", "idle", consumers=0, hole__entries=4, hole__holder=None)])

        self.successor = self.clients.live(topic, "leaves")
        self.expect([Want(topic, "leaves", "ok", consumers=1)])
