"""A topic of three partitions: each has cursors and verdicts of its own, and the subscription over all of them counts once, with the worst."""
from states.hoarder import Hoarder
from states.scenario import Counted, Scenario, Want
from waiting import wait_until

COUNT = 30  # a partition


class Partitions(Scenario):
    def play(self):
        topic = self.topic("parts")
        self.admin.make_topic(topic, partitions=3)
        parts = [f"{topic}-partition-{i}" for i in range(3)]
        for name in ("left", "holed", "works"):
            for part in parts:
                self.admin.make_subscription(part, name)
        for part in parts:
            self.clients.publish(part, COUNT)
            self.leave(part, "left", 5)
        holder = Hoarder(self.clients, topic, "holed", first_of(parts[1]))
        wait_until(lambda: holder.count == 3 * COUNT, 60, "the holder has all messages")
        self.worker = self.clients.live(topic, "works")
        self.expect([Want(part, "left", "abandoned", daemon="short", pinned_entries=COUNT - 5) for part in parts] +
                     [Want(parts[0], "holed", "ok"), Want(parts[1], "holed", "ack_hole", hole__entries=1, pinned_entries=COUNT), Want(parts[2], "holed", "ok")] +
                     [Want(part, "works", "ok", consumers=1) for part in parts] +
                     [Counted(self.namespace, "ack_hole", 1), Counted(self.namespace, "idle", 1), Counted(self.namespace, "ok", 1),
                      Counted(self.namespace, "abandoned", 1, daemon="short")])

        holder.release()
        self.successor = self.clients.live(topic, "left")
        self.expect([Want(part, name, "ok", consumers=1) for part in parts for name in ("left", "holed", "works")] +
                     [Counted(self.namespace, "ok", 3), Counted(self.namespace, "ack_hole", None), Counted(self.namespace, "idle", None),
                      Counted(self.namespace, "abandoned", None, daemon="short")])


def first_of(part):
    seen = []

    def keeps(message, _):
        seen.append(message.topic_name())
        return seen[-1] == part and seen.count(part) == 1
    return keeps
