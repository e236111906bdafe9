"""Plays every scene of truth/ at once on one broker: what we say that a removal frees must be what the broker then frees, to the byte.

    test_truth.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--jars DIR] [--only NAME,NAME] [--smoke] [--truth FILE]     on a broker of its own
"""
import contextlib
import pathlib
import sys
import threading
import time

import program
from alone import arguments, names, run_alone
from client import Admin
from truth import ALL
from truth.passes import Passes
from truth.scene import ABANDONED_AFTER, SETTINGS
from truth.table import write


class Truth(contextlib.ExitStack):
    """From `with` on the scenes are built; `check` plays them. In between other tests may go on: ledgers have to become old for some scenes."""

    def __init__(self, checks, binary, broker, clients, smoke=False, only=None):
        super().__init__()
        self.checks = checks
        self.passes = Passes(Admin(broker), clients)
        self.scenes = [kind(checks, Admin(broker), clients, self.passes, binary, broker.url) for kind in ALL
                       if (kind.smoke or not smoke) and (not only or kind.__name__ in only)]
        self.watched = any(one.watched for one in self.scenes)
        # Not in step with the broker's statistics: else an unload in the moment of a poll would meet one again at each try.
        # Only topic lists tell that one was deleted.
        settings = {**SETTINGS, "poll.topology_interval": "10s"}
        self.daemon = program.Daemon(binary, broker.url, abandoned_after=ABANDONED_AFTER, interval="1700ms", settings=settings)
        self.began = time.monotonic()
        self.go = threading.Event()
        self.threads = [threading.Thread(target=self._run, args=(one,), daemon=True) for one in self.scenes]

    def __enter__(self):
        super().__enter__()
        self.enter_context(self.passes)
        for one in self.scenes:
            one.prepare()
        if self.watched:
            self.enter_context(self.daemon).wait_ready()
        for one, thread in zip(self.scenes, self.threads):
            one.daemon = self.daemon
            thread.start()
        return self

    def _run(self, scene):
        with self.checks.section(scene.name):
            scene.build()
            self.go.wait()
            self.passes.wait()  # what was free before anything is removed is gone
            scene.play()

    def check(self):
        asked = time.monotonic()
        self.go.set()
        for thread in self.threads:
            thread.join()
        now = time.monotonic()
        print(f"     {len(self.scenes)} scenes of truth are over after {now - self.began:.1f} s, {now - asked:.1f} s of these waited for", flush=True)

    def write(self, path, version):
        write(pathlib.Path(path), version, [row for scene in self.scenes for row in scene.rows])


def alone(checks, broker, clients, options):
    with Truth(checks, options.tidemark, broker, clients, options.smoke, names(options.only)) as truth:
        truth.check()
    if options.truth:
        truth.write(options.truth, options.version)


def main():
    parser = arguments()
    parser.add_argument("--only", help="names of scenes, with commas between them")
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--truth", help="the file whose lines of this version are written")
    return run_alone(alone, parser)


if __name__ == "__main__":
    sys.exit(main())
