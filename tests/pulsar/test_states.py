"""Plays every scenario of states/ at once on one broker and holds two daemons against it: one that calls what is left behind abandoned within seconds, and
one so patient that it never does, which shows the states that come before.

    test_states.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--jars DIR] [--only NAME,NAME]     these checks alone, on a broker of their own
"""
import contextlib
import sys
import threading
import time

import program
from alone import arguments, names, run_alone
from background import Background
from client import Admin
from states import ALL
from waiting import wait_until

WINDOWS = {"detect.stuck_after": "9s", "detect.lag_window": "6s", "detect.lag_floor": "2s", "poll.suspect_rate": 100}
PATIENCE = {"patient": "1h", "short": "8s"}  # detect.abandoned_after


class Watched(Background):
    """Reads every report of a daemon as it comes."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.report = daemon.report()
        self.fault = None
        self._seen = {}
        super().__init__()

    def moment(self):
        """When the newest report was taken, seconds."""
        if self.fault:
            raise self.fault
        return self.report.at

    def states_of(self, topic, cursor):
        return set(self._seen.get((topic, cursor), ()))

    def _run(self):
        try:
            while not self._end.wait(0.3):
                report = self.daemon.report()
                for key, cursor in report.cursors.items():
                    self._seen.setdefault(key, set()).add(cursor["state"])
                self.report = report
        except Exception as fault:  # told by whoever waits for a report
            self.fault = fault


def check_states(checks, binary, broker, clients, only=None):
    began = time.monotonic()
    watched = {}
    scenarios = [kind(checks, Admin(broker), clients, watched) for kind in ALL if not only or kind.__name__ in only]
    threads = [threading.Thread(target=one.run, daemon=True) for one in scenarios]
    with contextlib.ExitStack() as stack:
        for one in scenarios:
            one.admin.make_namespace(one.namespace)
            stack.callback(one.close)
        for thread in threads:
            thread.start()
        wait_until(lambda: all(one.made.is_set() for one in scenarios), 300, "every scenario is made")
        print(f"     {len(scenarios)} scenarios are made after {time.monotonic() - began:.1f} s", flush=True)
        for name, patience in PATIENCE.items():
            daemon = stack.enter_context(program.Daemon(binary, broker.url, abandoned_after=patience, settings=WINDOWS))
            daemon.wait_ready()
            watched[name] = stack.enter_context(Watched(daemon))
        for one in scenarios:
            one.watching.set()
        for thread in threads:
            thread.join()
        for name, one in watched.items():
            checks.that(one.fault is None, f"states: every report of the {name} daemon is readable", one.fault)
            # Delayed's topic is unloaded while it is asked about: such a call may be the one that loads it, and is counted.
            loaded = one.daemon.total("tidemark_topics_loaded_total")
            checks.that(loaded <= 1, f"states: the {name} daemon loaded no topic but the one that was unloaded under its hands", loaded)
    print(f"     states are over after {time.monotonic() - began:.1f} s", flush=True)


def alone(checks, broker, clients, options):
    check_states(checks, options.tidemark, broker, clients, names(options.only))


def main():
    parser = arguments()
    parser.add_argument("--only", help="names of scenarios, with commas between them")
    return run_alone(alone, parser)


if __name__ == "__main__":
    sys.exit(main())
