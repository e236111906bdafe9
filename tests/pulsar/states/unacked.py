"""Consumers that take and never acknowledge, until a limit stops them: of the consumer, whose own flag alone says so, and of the whole subscription."""
from states.hoarder import Hoarder
from states.scenario import Scenario, Want
from waiting import wait_until

LIMIT = 20
MESSAGES = 70


class BlockedConsumer(Scenario):
    policies = {"maxUnackedMessagesPerConsumer": LIMIT, "maxUnackedMessagesPerSubscription": 0}
    consumers = 1

    def play(self):
        for policy, limit in self.policies.items():
            self.admin.set_policy(self.namespace, policy, limit)
        topic = self.new_topic("hoarded", ["hoarders"])
        hoarders = [Hoarder(self.clients, topic, "hoarders", consumer_name=f"hoarder-{i}") for i in range(self.consumers)]
        producer = self.clients.producer(topic)
        for _ in range(MESSAGES):  # one by one: a broker looks at the limits between two dispatches
            producer.send(b"h" * 100)
        producer.close()
        wait_until(lambda: self.is_blocked(topic), 60, "the broker says that it is blocked")
        self.expect([Want(topic, "hoarders", "unacked_blocked", consumers=self.consumers, pinned_entries=MESSAGES)])

        for one in hoarders:
            one.release()
        self.expect([Want(topic, "hoarders", "ok", consumers=self.consumers)])

    def is_blocked(self, topic):
        return any(one["blockedConsumerOnUnackedMsgs"] for one in self.admin.stats(topic)["subscriptions"]["hoarders"]["consumers"])


class BlockedSubscription(BlockedConsumer):
    policies = {"maxUnackedMessagesPerConsumer": 0, "maxUnackedMessagesPerSubscription": LIMIT}
    consumers = 2

    def is_blocked(self, topic):
        return self.admin.stats(topic)["subscriptions"]["hoarders"]["blockedSubscriptionOnUnackedMsgs"]
