"""What a removal really frees: each scene makes a situation on a live broker, asks us what removing subscriptions would free, removes them, and measures.

A file holds scenes of one kind. `test_truth.py` plays all of them at once. To add one: a class with `build` and `play` and a line in `ALL`.
"""
from truth.abandoned import Abandoned, Batches, Border, Deleted, Partitions, Staggered, Tie
from truth.compaction import Compaction
from truth.retention import BySize, ByTime, Unlimited
from truth.unloaded import HeldUnloaded, Unloaded, UnloadedWatched

ALL = [Abandoned, Deleted, Tie, Staggered, Border, Batches, Partitions, Compaction, BySize, ByTime, Unlimited, Unloaded, UnloadedWatched, HeldUnloaded]
