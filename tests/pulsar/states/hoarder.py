"""A consumer that keeps some of what it gets to itself, until it is told to let go."""
import threading


class Hoarder:
    """Acknowledges whatever comes except what `keeps(message, index)` accepts; `release` acknowledges that too, and from then on all."""

    def __init__(self, clients, topic, name, keeps=lambda message, index: True, consumer_name=None):
        self.keeps = keeps
        self.lock = threading.Lock()
        self.count = 0
        self.held = []
        self.consumer = clients.subscribe(topic, name, shared=True, listener=self._take, consumer_name=consumer_name)

    def _take(self, consumer, message):
        with self.lock:
            index, self.count = self.count, self.count + 1
            if self.keeps(message, index):
                self.held.append(message)
                return
        consumer.acknowledge(message)

    def release(self):
        with self.lock:
            self.keeps = lambda message, index: False
            held, self.held = self.held, []
        for message in held:
            self.consumer.acknowledge(message)

    def close(self):
        self.consumer.close()
