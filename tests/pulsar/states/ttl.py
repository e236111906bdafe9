"""Nobody reads, and the time to live of the messages moves the subscription all the same: a dead one that must not look alive by that."""
from states.repeated import Repeated
from states.scenario import Scenario, Want

TTL_SECONDS = 2


class TtlDrain(Scenario):
    traffic = expiry = None

    def play(self):
        topic = self.new_topic("expiring", ["dead"], 30)
        self.leave(topic, "dead", 10)
        producer = self.clients.producer(topic)
        self.traffic = Repeated(0.2, lambda: producer.send(b"z" * 100))
        # A broker looks for expired messages once a minute, and when the policy is set; 4.2.4 not always then.
        self.expiry = Repeated(1, lambda: self.admin.set_policy(self.namespace, "messageTTL", TTL_SECONDS))
        self.expect([Want(topic, "dead", "abandoned", daemon="short", drain="ttl", consumers=0), Want(topic, "dead", "idle", drain="ttl", consumers=0)])

        self.close()
        self.worker = self.clients.live(topic, "dead")
        self.expect([Want(topic, "dead", "ok", daemon=daemon, drain="none", consumers=1) for daemon in ("short", "patient")])

    def close(self):
        for one in (self.traffic, self.expiry):
            if one:
                one.stop()
