"""A consumer that works, and slower than the publishers."""
from states.repeated import Repeated
from states.scenario import Scenario, Want


class Lagging(Scenario):
    traffic = work = None

    def play(self):
        topic = self.new_topic("busy", ["slow"], 100)
        producer = self.clients.producer(topic)
        consumer = self.clients.subscribe(topic, "slow")
        self.traffic = Repeated(0.2, lambda: producer.send(b"l" * 100))
        self.work = Repeated(1, lambda: consumer.acknowledge(consumer.receive(10000)))
        self.expect([Want(topic, "slow", "lagging", consumers=1)], polls=3)

        self.work.stop()
        consumer.close()
        self.worker = self.clients.live(topic, "slow")
        self.expect([Want(topic, "slow", "ok", consumers=1)], polls=3)

    def close(self):
        for one in (self.traffic, self.work):
            if one:
                one.stop()
