"""Subscriptions whose names are written differently in every document: a slash, a percent sign, a plus, a blank, a quote, a letter that is not ASCII."""
from client import consume_and_vanish
from states.scenario import Scenario, Want

NAMES = ["team/a", "50%off", "a%2Fb", "a+b", "two words", 'say "hi"', "back\\slash", "été"]
MESSAGES, ACKED = 25, 5


class Names(Scenario):
    def play(self):
        made = {self.topic("client"): NAMES, self.topic("admin"): []}
        for topic in made:
            self.new_topic(topic.rsplit("/", 1)[1])
        for name in NAMES:
            self.clients.subscribe(self.topic("client"), name).close()
            if self.make_by_admin(self.topic("admin"), name):
                made[self.topic("admin")].append(name)
        for topic, names in made.items():
            self.clients.publish(topic, MESSAGES)
            for name in names:
                consume_and_vanish(self.clients, topic, name, ACKED)
        self.expect([Want(topic, name, "abandoned", daemon="short", consumers=0, pinned_entries=MESSAGES - ACKED) for topic, names in made.items() for name in names])

        self.workers = [self.clients.live(topic, name) for topic, names in made.items() for name in names]
        self.expect([Want(topic, name, "ok", daemon="short", consumers=1) for topic, names in made.items() for name in names])

    def make_by_admin(self, topic, name):
        self.admin.make_subscription(topic, name)
        there = self.admin.subscriptions(topic)
        if name not in there:
            self.cannot(f"a subscription {name!r} made by an admin call", f"the broker made another of it: {there}")
        return name in there
