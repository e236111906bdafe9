"""Proves that nobody loads an unloaded topic: the broker's own list of loaded topics and the topic's metadata, before and after.

Neither look loads anything. The list is up to one statistics period late, so a load that is over before the next list is seen by the metadata only:
a load makes a ledger and a new metadata version.
"""
from background import Background


def fingerprint(admin, topic):
    """Version, ledgers and cursors of a topic's metadata. The last ledger's timestamp is the moment of the request on 3.0 and later: left out."""
    info = admin.internal_info(topic)
    ledgers = [(one["ledgerId"], one.get("entries"), one.get("size")) for one in info["ledgers"]]
    cursors = {name: (one["version"], one["cursorsLedgerId"], one.get("markDelete")) for name, one in info["cursors"].items()}
    return info["version"], info["modificationDate"], ledgers, cursors


class Watch(Background):
    """From its start on, which of these topics the broker listed as loaded; started only once none of them is listed."""

    def __init__(self, admin, topics):
        self.admin = admin
        self.topics = list(topics)
        self.before = {topic: fingerprint(admin, topic) for topic in self.topics}
        self.listed = set()
        self.looks = 0
        super().__init__()

    def changed(self):
        """Topic -> (before, now) of those whose metadata is not what it was."""
        now = {topic: fingerprint(self.admin, topic) for topic in self.topics}
        return {topic: (self.before[topic], now[topic]) for topic in self.topics if self.before[topic] != now[topic]}

    def _run(self):
        ended = False
        while not ended:  # at least one look, and the last one is after the end
            ended = self._end.wait(0.5)
            self.listed |= self.admin.sweep().keys() & set(self.topics)
            self.looks += 1
