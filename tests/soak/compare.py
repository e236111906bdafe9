"""What two daemons that watch one cluster at the very same moments say of it, one that runs through and one that is restarted now and then: the same,
but for what the one cannot know. Each such thing has its reason here, and ends.
"""


def by_cursor(document):
    return {(one["topic"], one["cursor"]): one for one in document["cursors"]}


VERDICT = ("kind", "state", "last_state", "severity", "drain", "evidence", "origin", "group", "exception")
# What comes with the documents that were read last.
FIGURES = ("since_ms", "mark_delete", "pinned_bytes", "reclaimable_bytes", "topic_reclaimable_bytes")

# Documents are not kept. Until those of a cursor are read again, who was restarted can say no more of it than it said last: while a broker is
# away or its sweep is empty, and two polls more, for which a broker in motion is left alone.
UNREAD_POLLS = 4


def read_at(one):
    """When its place was read; what is well shows none that is old, and no time."""
    return one["mark_delete"] if one["state"] == "ok" else one["evidence_facts"].get("position_document_ms")


def overlap(one, other):
    """Two ages, each an interval in which the last activity lies. Who read a place later, or its metadata, as is done anew after a restart, may have
    a narrower one."""
    low = max(each["low"] or 0 for each in (one, other))
    return all(each["high"] is None or low <= each["high"] for each in (one, other))


def of_cursor(one, other, as_exact):
    """Lines about a cursor that both list, one that runs through and one that was restarted; `as_exact`: since when it stands is known equally well."""
    same_reading = read_at(one) == read_at(other)
    if one["kind"] == "reader" or (one["state"] == other["state"] == "ok" and not same_reading):
        # It has no history; or it is well, and of when it moved who read its place knows more.
        return [f"{key} {one[key]} through, {other[key]} restarted" for key in ("kind", "state") if one[key] != other[key]]
    keys = VERDICT
    if same_reading:
        keys += ("since_ms",) if one["state"] == "ok" else FIGURES
    if not as_exact:
        keys = tuple(key for key in keys if key != "since_ms")
    found = [f"{key} {one[key]} through, {other[key]} restarted; state {one['state']}" for key in keys if one[key] != other[key]]
    ages = one["age_seconds"], other["age_seconds"]
    same = "since_ms" not in keys or ages[0]["low"] == ages[1]["low"]
    if not (same and overlap(*ages)):
        found.append(f"ages {ages[0]} through, {ages[1]} restarted; state {one['state']}")
    return found


def concluded(one):
    return {**one, "state": one["last_state"]} if one["state"] == "unknown" and one["last_state"] else one


def of_unread(last, now):
    """Lines about a cursor whose place was not read: it says what it said last, whatever it now is. Only whether what waits is due may be newer:
    statistics tell that, and they may have come alone."""
    if last is None or last["state"] == "unknown":  # nothing was ever concluded of it
        return []
    now = concluded(now)
    if {last["state"], now["state"]} == {"ok", "delayed"}:
        return []
    return [f"{key} {last[key]} before, {now[key]} kept" for key in ("state", "severity", "drain") if last[key] != now[key]]


def subjects(cursor):
    """Of findings that rest on it: its own, its topic's and its namespace's."""
    topic, name = cursor
    return {topic, f"{topic} [{name}]", "/".join(topic.split("/")[2:4])}


def newest_reading(cursors, topic):
    """A topic's own documents show who came and went this very minute, a sweep does a poll later. When they are read again, and which broker is
    left alone because it lost many topics, begins anew with a restart."""
    return max((one["evidence_facts"].get("position_document_ms", 0) for (name, _), one in cursors.items() if name == topic), default=0)


class Counts:
    """Who read a topic's own statistics counts the backlog of now, who did not that of a sweep, which is up to a minute older. Who is asked for
    them depends on since when a backlog stands, which is not kept; so of one at the very limit the two may say different things, as long as such
    counts are in the window by which they say it."""
    WINDOW_POLLS = 3  # detect.lag_window, and the look before it

    def __init__(self):
        self.poll = 0
        self.differ = {}  # by cursor: the poll in which they did last
        self.listed_by_one = set()  # in this poll, ...
        self.before = set()  # ... and in the last one

    def take(self, a, b):
        self.poll += 1
        self.before, self.listed_by_one = self.listed_by_one, a.keys() ^ b.keys()
        for cursor in a.keys() & b.keys():
            if a[cursor]["backlog_entries"] != b[cursor]["backlog_entries"]:
                self.differ[cursor] = self.poll

    def alone(self, cursor):
        """For the first poll."""
        return cursor in self.listed_by_one - self.before

    def excuse(self, cursor, one, other):
        lately = cursor in self.differ and self.poll - self.differ[cursor] <= self.WINDOW_POLLS
        return lately and {one["state"], other["state"]} == {"ok", "lagging"}


class LeftAlone:
    """A broker of which many topics were loaded anew, or went, is left alone for two polls. Whether a sweep is the first to show a load depends on what was
    read just before, so at the very limit one daemon leaves a broker alone and the other does not. What the one does not read it says as it said last; and
    until it moves again, it knows less exactly since when it stands."""

    def __init__(self):
        self.poll = 0
        self.polls = 0  # in which it was so
        self.newest = None  # of these
        self.who = 0  # 0 = the one that runs through, 1 = the one that is restarted
        self.less_exact = set()  # cursors

    def take(self, waiting):
        self.poll += 1
        if (waiting[0] > 0) != (waiting[1] > 0):
            self.newest, self.who = self.poll, int(waiting[1] > 0)
            self.polls += 1

    def look(self, cursor, pair):
        """True: one of them did not read it."""
        same_reading = read_at(pair[0]) == read_at(pair[1])
        lately = self.newest is not None and self.poll - self.newest < UNREAD_POLLS
        if lately and not same_reading:
            self.less_exact.add(cursor)
        elif same_reading and pair[0]["since_ms"] == pair[1]["since_ms"]:
            self.less_exact.discard(cursor)
        return lately and not same_reading


class Comparison:
    """Of one poll after the other."""

    def __init__(self):
        self.counts = Counts()
        self.left_alone = LeftAlone()
        self.last = [{}, {}]  # by cursor: what each concluded last

    def differences(self, through, restarted, waiting, polls):
        """Lines, empty where both say the same. `waiting`: topics that each was to ask and did not; `polls`: since the restart."""
        both = by_cursor(through), by_cursor(restarted)
        self.counts.take(*both)
        self.left_alone.take(waiting)
        found, unread = self._of_cursors(both, polls)
        rules = [{(one["rule"], one["subject"], one["severity"]) for one in document["findings"]} for document in (through, restarted)]
        found += [f"finding {one}: only {'through' if one in rules[0] else 'restarted'}"
                  for one in sorted(rules[0] ^ rules[1], key=str) if one[1] not in unread]
        self.last = [{cursor: concluded(one) for cursor, one in cursors.items()} for cursors in both]
        return found

    def _of_cursors(self, both, polls):
        found = []
        unread = set()  # subjects of findings that rest on them
        a, b = both
        for cursor in sorted(a.keys() ^ b.keys()):
            if cursor in a and a[cursor]["kind"] == "reader" and polls < UNREAD_POLLS:  # it has no history that could list it
                continue
            if self.counts.alone(cursor) and newest_reading(b, cursor[0]) != newest_reading(a, cursor[0]):
                unread |= subjects(cursor)
                continue
            found.append(f"{cursor}: only the one that {'runs through' if cursor in a else 'was restarted'} lists it")
        for cursor in sorted(a.keys() & b.keys()):
            lines = self._of_both(cursor, (a[cursor], b[cursor]), polls)
            if lines is None:
                unread |= subjects(cursor)
            found += [f"{cursor}: {line}" for line in lines or []]
        return found, unread

    def _of_both(self, cursor, pair, polls):
        """Lines; None = they differ, as they may."""
        not_read = self.left_alone.look(cursor, pair)
        lines = of_cursor(*pair, as_exact=cursor not in self.left_alone.less_exact)
        if not lines:
            return []
        if self.counts.excuse(cursor, *pair):
            return None
        who = None
        if not_read:
            who = self.left_alone.who
        elif polls < UNREAD_POLLS and pair[0]["kind"] != "reader" and not pair[1]["evidence_facts"].get("position_document_ms"):
            who = 1
        if who is not None:
            return of_unread(self.last[who].get(cursor), pair[who]) or None
        return lines
