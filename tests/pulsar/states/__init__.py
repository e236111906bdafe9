"""The troubles that an operator meets, each made by real clients and admin calls on a live broker, judged by us before and after its remedy.

A file is one trouble and holds one `Scenario` of it, or two. `test_states.py` plays all of them at once against two daemons. To add one: a class with a `play` and a
line in `ALL`.
"""
from states.ack_hole import AckHole
from states.compaction import StalledCompaction
from states.delayed import Delayed
from states.dispatch import StalledDispatch
from states.lagging import Lagging
from states.moved_by_admin import MovedByAdmin
from states.names import Names
from states.partitions import Partitions
from states.rewound import Rewound
from states.ttl import TtlDrain
from states.unacked import BlockedConsumer, BlockedSubscription

ALL = [AckHole, Rewound, TtlDrain, Delayed, BlockedConsumer, BlockedSubscription, StalledCompaction, StalledDispatch, Lagging, MovedByAdmin, Names, Partitions]
