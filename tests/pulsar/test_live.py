"""Real Pulsar: starts one broker of a version, makes the situation with real clients and holds the program against it.

    test_live.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--smoke] [--jars DIR] [--truth FILE]

--smoke: only what `scan` finds, its bounds and its positions, and some scenes of truth/. --truth: the table of what was predicted and freed. Ends with `N passed, M failed`; exit code 1 when a check failed.
"""
import contextlib
import sys

from alone import arguments, ended, told
from broker import Broker
from checks import Checks
from client import Admin, Clients
from situation import Situation
from test_expiration import Expiration
from test_plan import check_plan
from test_scan import check_scan
from test_serve import check_serve
from test_states import check_states
from test_token import check_token
from test_truth import Truth

TOKEN_VERSION = "4.0.7"  # authentication does not differ between the lines as far as we see it: one is enough


def check_long(checks, binary, broker, clients, truth, expirations):
    """What takes minutes goes on beside the rest: ledgers become old, subscriptions expire (which CI has no time for)."""
    with checks.section("states"):
        check_states(checks, binary, broker, clients)
    with contextlib.ExitStack() as beside:  # not earlier: the states count loads
        expiration = beside.enter_context(Expiration(checks, binary, broker, clients)) if expirations else None
        with checks.section("plan"):
            check_plan(checks, binary, broker, clients)
        truth.check()
        if expiration:
            expiration.check()


def main():
    parser = arguments()
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--expirations", action="store_true")
    parser.add_argument("--truth", help="the file whose lines of this version are written")
    options = told(parser)
    binary = options.tidemark
    checks = Checks(options.version)
    try:
        with checks.section("broker"), Broker(options.version, options.jars) as broker, Clients(broker) as clients:
            print(f"     {options.version} is up after {broker.start_seconds:.1f} s", flush=True)
            situation = Situation(Admin(broker), clients)
            situation.build()
            with checks.section("scan"):
                check_scan(checks, binary, broker, situation, full=not options.smoke)
            if not options.smoke:
                with checks.section("serve"):
                    check_serve(checks, binary, broker, situation)
            with checks.section("truth"), Truth(checks, binary, broker, clients, options.smoke) as truth:
                if options.smoke:
                    truth.check()
                else:
                    check_long(checks, binary, broker, clients, truth, options.expirations)
                if options.truth:
                    truth.write(options.truth, options.version)
        if not options.smoke and options.version == TOKEN_VERSION:
            with checks.section("token"), Broker(options.version, options.jars, auth=True) as broker:
                check_token(checks, binary, broker)
    except Skip as reason:
        print(f"skip {options.version} {reason}")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    return ended(checks)


if __name__ == "__main__":
    sys.exit(main())
