"""Tells when the broker has trimmed, without a guess at how long that takes."""
from background import Background
from waiting import wait_until

TENANT = "truth"


class Passes(Background):
    """Counts the broker's rounds of trimming by a topic that nobody subscribes to: of its ledgers each closed one goes at the next round."""

    def __init__(self, admin, clients):
        self.admin, self.clients = admin, clients
        self.topic = f"persistent://{TENANT}/passes/nobody"
        self.count = 0
        self.fault = None
        super().__init__()

    def __enter__(self):
        self.admin.make_namespace(f"{TENANT}/passes")
        self.admin.make_topic(self.topic)
        return super().__enter__()

    def wait(self):
        """Until whatever is free at this moment is gone. The round that is under way may have passed by already; the next one ends before the one after it
        begins, and deletes in the background."""
        enough = self.count + 3

        def seen():
            if self.fault:
                raise self.fault
            return self.count >= enough
        wait_until(seen, 120, "three rounds of trimming")

    def _run(self):
        try:
            closed = set()
            while not self._end.wait(0.2):
                if closed & set(self._ledgers()):
                    continue
                self.count += bool(closed)
                self.clients.publish(self.topic, 21)  # one more than a ledger holds
                closed = set(self._ledgers()[:-1])
        except Exception as fault:  # told by whoever waits
            self.fault = fault

    def _ledgers(self):
        return [one["ledgerId"] for one in self.admin.internal_stats(self.topic)["ledgers"]]


def sizes(internal):
    """Ledger -> bytes of a loaded topic; an open one is listed with 0."""
    listed = {one["ledgerId"]: one["size"] for one in internal["ledgers"]}
    last = internal["ledgers"][-1]
    if last["entries"] == 0:
        listed[last["ledgerId"]] = internal["currentLedgerSize"]
    return listed
