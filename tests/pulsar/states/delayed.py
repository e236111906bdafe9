"""All that waits is not due yet. A topic that is loaded anew with nobody connected no longer says so: the broker then counts none as delayed."""
import datetime

from states.scenario import Scenario, Want
from waiting import wait_until

COUNT = 30


class Delayed(Scenario):
    def play(self):
        topic = self.new_topic("later", ["waits", "left"])
        waiter, leaver = (self.clients.live(topic, name) for name in ("waits", "left"))
        producer = self.clients.producer(topic)
        for _ in range(COUNT):
            producer.send(b"later" * 20, deliver_after=datetime.timedelta(hours=1))
        producer.close()
        wait_until(lambda: all(self.delayed(topic, name) == COUNT for name in ("waits", "left")), 60, "the broker counts all of them as delayed")
        leaver.close()
        both = [Want(topic, "waits", "delayed", consumers=1, pinned_entries=COUNT), Want(topic, "left", "delayed", consumers=0, pinned_entries=COUNT)]
        self.expect(both + [Want(topic, "waits", "delayed", daemon="short"), Want(topic, "left", "abandoned", daemon="short")])

        ledgers = self.admin.internal_stats(topic)["ledgers"]
        self.admin.unload(topic)
        self.admin.wait_loaded([topic])  # by the client that waits
        wait_until(lambda: self.admin.internal_stats(topic)["ledgers"] != ledgers and self.delayed(topic, "waits") == COUNT, 60, "the topic is loaded anew")
        if self.delayed(topic, "left") != 0:
            self.cannot("a load that forgets who is delayed", "this version still knows after it")
        self.expect(both, polls=5)
        self.never(topic, "left", ("abandoned", "ack_hole", "unused"))

        for name in ("waits", "left"):
            self.admin.skip_all(topic, name)
        self.expect([Want(topic, "waits", "ok", consumers=1), Want(topic, "left", "ok", consumers=0)])
        waiter.close()

    def delayed(self, topic, name):
        return self.admin.stats(topic)["subscriptions"][name]["msgDelayed"]
