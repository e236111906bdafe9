"""Somebody moves a subscription back: the consumer by a seek, an operator by a reset. It is their work in progress until it moves forward, or nobody does."""
import pulsar

from client import receive
from states.scenario import Scenario, Want


class Rewound(Scenario):
    def play(self):
        topic = self.new_topic("replays", ["keeper", "seeker", "reset-and-read", "reset-and-left"], 70)  # what nobody keeps is deleted, and nobody can go back to it
        seeker = self.clients.subscribe(topic, "seeker")
        seeker.acknowledge_cumulative(receive(seeker, 45)[-1])
        ledger = self.admin.internal_stats(topic)["ledgers"][0]["ledgerId"]
        for name in ("reset-and-read", "reset-and-left"):
            self.leave(topic, name, 45)
        self.expect([Want(topic, "seeker", ("ok", "lagging"), pinned_entries=25, consumers=1)] + [
                   Want(topic, name, "idle", pinned_entries=25, consumers=0) for name in ("reset-and-read", "reset-and-left")])

        seeker.seek(pulsar.MessageId.earliest)
        self.expect([Want(topic, "seeker", "rewound", pinned_entries=70)])
        seeker.acknowledge_cumulative(receive(seeker, 70)[-1])
        self.expect([Want(topic, "seeker", "ok", consumers=1)])

        for name in ("reset-and-read", "reset-and-left"):
            self.admin.reset_cursor(topic, name, ledger, 4)
        self.expect([Want(topic, name, "rewound", consumers=0) for name in ("reset-and-read", "reset-and-left")])
        self.reader = self.clients.live(topic, "reset-and-read")
        self.expect([Want(topic, "reset-and-read", "ok", consumers=1), Want(topic, "reset-and-left", "idle", consumers=0)])
