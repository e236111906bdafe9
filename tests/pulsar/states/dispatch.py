"""A consumer asks for more, there is more, and the broker sends nothing. The faults that do it in life cannot be made at will; a dispatch rate of one message
an hour shows the same picture: permits, deliverable backlog, a read position that stands."""
from client import receive
from jvm import number
from states.scenario import Scenario, Want

ONE_AN_HOUR = {"dispatchThrottlingRateInMsg": 1, "dispatchThrottlingRateInByte": -1, "ratePeriodInSecond": 3600, "relativeToPublishRate": False}


class StalledDispatch(Scenario):
    def play(self):
        self.cannot("a false block flag", "it comes from a race inside the broker that no client makes at will")
        if number(self.admin.version) < (2, 10):
            self.cannot("a dispatch that stands", "2.8 look at the rate only before a read, and then send all that was read")
            return
        self.admin.set_policy(self.namespace, "subscriptionDispatchRate", ONE_AN_HOUR)
        topic = self.new_topic("throttled", ["starved"], 50)
        consumer = self.clients.subscribe(topic, "starved")
        consumer.acknowledge(receive(consumer, 1)[0])
        self.expect([Want(topic, "starved", "stalled", consumers=1)])

        self.admin.call("DELETE", f"namespaces/{self.namespace}/subscriptionDispatchRate")
        consumer.close()
        self.worker = self.clients.live(topic, "starved")
        self.expect([Want(topic, "starved", "ok", consumers=1)])
