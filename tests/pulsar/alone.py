"""One part of the live tests as a program of its own, on a broker of its own, and what all of these programs are told and say."""
import argparse
import os
import pathlib
import signal
import sys

from broker import Broker
from checks import Checks
from client import Clients


def arguments():
    """A parser of what every such program is told."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--version", required=True)
    parser.add_argument("--tidemark", required=True)
    parser.add_argument("--jars", help="default: where jars.sh puts them")
    return parser


def told(parser):
    """The options, with the program's whole path and the folder of the jars. From here on a signal goes through every `finally`, so that no broker stays."""
    options = parser.parse_args()
    options.tidemark = str(pathlib.Path(options.tidemark).resolve())
    cache = os.environ.get("TIDEMARK_CACHE") or pathlib.Path.home() / ".cache" / "tidemark"
    options.jars = options.jars or pathlib.Path(cache) / "pulsar" / options.version
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    return options


def ended(checks):
    """Says how it went; the exit status."""
    print(f"{checks.passed} passed, {checks.failed} failed, {checks.skipped} skipped")
    return 1 if checks.failed else 0


def run_alone(part, parser=None):
    """Runs `part(checks, broker, clients, options)` alone; the exit status."""
    options = told(parser or arguments())
    checks = Checks(options.version)
    with checks.section("broker"), Broker(options.version, options.jars) as broker, Clients(broker) as clients:
        part(checks, broker, clients, options)
    return ended(checks)


def names(text):
    """"A,B" as a list; nothing stays nothing, which means all."""
    return text.split(",") if text else None
