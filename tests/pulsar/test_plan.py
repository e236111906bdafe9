"""A clean-up on a live broker, as its operator runs it: the script of `tidemark plan`, by curl and by the real pulsar-admin. Who came back between plan and run
survives, names inject nothing, and what goes frees what was said.

    test_plan.py --version 4.0.7 --tidemark build/dev/daemon/tidemark [--jars DIR]     this alone, on a broker of its own
"""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

import program
from alone import run_alone
from client import Admin, consume_and_vanish
from jvm import java_for, number
from waiting import wait_until

HERE = pathlib.Path(__file__).resolve().parent
ADMIN_TOOL = "4.0.8"  # the version of pulsar-admin that Maven has; it serves every line
ADMIN_TRIED_ON = "4.0.7"  # its Java starts four times a subscription, so one line and few of them are enough
TENANT = "cleaned"
BACK = ["revived", "came-by", "moved"]  # a consumer is there, one was there, an admin call moved it
SURVIVORS = {*BACK, "worker"}
NAMES = ["plain", "$(touch injected)", "`touch injected`", "; touch injected #", "' touch injected '", "two\nlines", "two words", "a+b", "a b", "50%off", "team/a", "été"]
CURL_ONLY = ["-f", "@/etc/hostname", "..", " blank"]
SETTINGS = ("--set", "detect.abandoned_after=3s", "--set", "poll.suspect_rate=100")
ENTRIES = 90  # ledgers of 20


class Place:
    """A namespace with leftovers. On `mixed` some come back; `staggered` is all leftovers; `parked` is unloaded."""

    def __init__(self, admin, clients, via):
        self.admin, self.clients, self.via = admin, clients, via
        self.namespace = f"{TENANT}/{via}"
        admin.make_namespace(self.namespace)
        self.mixed, self.staggered, self.parked = (f"persistent://{self.namespace}/{one}" for one in ("mixed", "staggered", "parked"))
        if via != "curl":
            self.taken = NAMES[1:2] + ["a+b", "été"]
        elif number(admin.version) < (2, 11):  # these keep metadata in ZooKeeper, which has no node of this name: nobody can subscribe
            self.taken = NAMES + [name for name in CURL_ONLY if name != ".."]
        else:
            self.taken = NAMES + CURL_ONLY
        self.stages = range(3 if via == "curl" else 1)
        for topic in (self.mixed, self.staggered, self.parked):
            admin.make_topic(topic)
        for name in self.taken + BACK + ["removed-by-hand"]:
            clients.subscribe(self.mixed, name).close()
        for index in self.stages:
            clients.subscribe(self.staggered, f"stage-{index}").close()
        clients.subscribe(self.parked, "parked").close()
        self.worker = clients.live(self.mixed, "worker")
        for topic in (self.mixed, self.staggered, self.parked):
            clients.publish(topic, ENTRIES)
        for index in self.stages:
            consume_and_vanish(clients, self.staggered, f"stage-{index}", 5 + 25 * index)
        admin.wait_loaded([self.parked])
        admin.unload_for_good(self.parked)

    def names(self, topic):
        return set(self.admin.subscriptions(topic))

    def leftovers(self):
        """`parked` too where the metadata tell its position."""
        return {(self.mixed, name) for name in self.taken + BACK + ["removed-by-hand"]} | {(self.staggered, f"stage-{i}") for i in self.stages}


def subscriptions_in(script):
    """What a shell makes of the script's commands."""
    if "\n# --- " not in script:
        return {}
    told = subprocess.run(["bash", "-c", 'unsubscribe() { printf "%s\\0%s\\0%s\\0" "$1" "$2" "$4"; }\n' + script[script.index("\n# --- "):script.index("\necho\n")]],
                          capture_output=True, check=True).stdout.decode().split("\0")[:-1]
    return {(topic, name): int(frees) for topic, name, frees in zip(told[::3], told[1::3], told[2::3])}


def run_script(script, folder, *arguments, **environment):
    path = pathlib.Path(folder) / "plan.sh"
    path.write_text(script)
    inside = pathlib.Path(folder) / "inside"
    inside.mkdir(exist_ok=True)
    this_python = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"  # it is started a hundred times; a version manager's takes five times as long
    done = subprocess.run(["bash", path, *arguments], cwd=inside, env={**os.environ, "PATH": this_python, **environment}, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=600, check=False)
    print("".join(f"     | {line}\n" for line in done.stdout.splitlines()), end="", flush=True)
    return done, os.listdir(inside)


def plan(binary, broker, place):
    """Once what is left behind is old enough to be called so."""
    def ready():
        ran = program.run(binary, "plan", broker.url, "--via", place.via, "--namespace", place.namespace, *SETTINGS)
        if ran.code != 0:
            raise RuntimeError(f"plan: {ran.code} {ran.err}")
        return ran.out if place.leftovers() <= subscriptions_in(ran.out).keys() else None
    return wait_until(ready, 60, f"a plan of {place.namespace} with every leftover", every=1)


def check_clean_up(checks, binary, broker, place, environment):
    via, admin = place.via, place.admin
    script = plan(binary, broker, place)
    planned = subscriptions_in(script)
    checks.that("worker" not in {name for _, name in planned}, f"plan by {via}: nobody in use is in it", planned)
    frees = sum(bytes for (topic, _), bytes in planned.items() if topic == place.staggered)
    checks.that(frees > 0, f"plan by {via}: says what the staggered ones free", planned)

    with tempfile.TemporaryDirectory(prefix="tidemark-plan-") as folder:
        before = {topic: place.names(topic) for topic in (place.mixed, place.staggered)}
        if via == "curl":
            done, made = run_script(script, folder, **environment)
            checks.equal((done.returncode, made), (0, []), f"plan by {via}: without --yes it looks")
            checks.equal({topic: place.names(topic) for topic in before}, before, f"plan by {via}: and changes nothing")

        revived = place.clients.subscribe(place.mixed, "revived")
        consume_and_vanish(place.clients, place.mixed, "came-by", 3)
        admin.skip(place.mixed, "moved", 3)
        admin.remove_subscription(place.mixed, "removed-by-hand")
        held = admin.internal_stats(place.staggered)["totalSize"]
        done, made = run_script(script, folder, "--yes", **environment)
        checks.equal(done.returncode, 0, f"plan by {via}: --yes ends well")
        checks.that(not done.stderr, f"plan by {via}: and says nothing else", done.stderr[-1000:])
        checks.equal(made, [], f"plan by {via}: no name ran anything")
        counted = f"{len(planned) - 4} of {len(planned)} removed, 2 alive, 1 moved, 1 already gone, 0 failed"
        checks.that(counted in done.stdout, f"plan by {via}: counts who is alive, who moved and who is gone", done.stdout[-400:])
        checks.equal(place.names(place.mixed), SURVIVORS, f"plan by {via}: on the mixed topic those survive who came back, and nobody else")
        checks.equal(place.names(place.staggered), set(), f"plan by {via}: the staggered ones are gone")
        freed = wait_until(lambda: trimmed(admin, place.staggered, held, frees), 60, "the broker trims the staggered topic")
        checks.equal(freed, frees, f"plan by {via}: freed what was said, to the byte")
        revived.close()

        if via == "curl":
            done, _ = run_script(script, folder, "--yes", **environment)
            checks.that("0 of " in done.stdout and done.returncode == 0, f"plan by {via}: runs again and finds nothing to do", done.stdout[-400:])
            checks.equal(place.names(place.mixed), SURVIVORS, f"plan by {via}: who was there since is alive, though it is gone again and stands where it stood")


def trimmed(admin, topic, held, expected):
    """What the topic lost, once it lost as much as is expected."""
    lost = held - admin.internal_stats(topic)["totalSize"]
    return lost if lost >= expected else None


def real_pulsar_admin(broker, folder):
    """The path of a program that is pulsar-admin for this broker."""
    jars = subprocess.run([HERE / "jars.sh", ADMIN_TOOL, "admin"], capture_output=True, text=True, check=True).stdout.strip()
    conf = pathlib.Path(folder) / "client.conf"
    conf.write_text(f"webServiceUrl={broker.url}\nbrokerServiceUrl={broker.binary_url}\n")
    tool = pathlib.Path(folder) / "pulsar-admin"
    tool.write_text(f"#!/usr/bin/env bash\nexec {shlex.quote(java_for(ADMIN_TOOL))} -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {shlex.quote(jars + '/*')} "
                    f"org.apache.pulsar.admin.cli.PulsarAdminTool {shlex.quote(str(conf))} \"$@\"\n")
    tool.chmod(0o755)
    return str(tool)


def check_plan(checks, binary, broker, clients):
    admin = Admin(broker)
    check_clean_up(checks, binary, broker, Place(admin, clients, "curl"), {})
    if broker.version != ADMIN_TRIED_ON:
        return
    with tempfile.TemporaryDirectory(prefix="tidemark-admin-") as folder:
        tool = real_pulsar_admin(broker, folder)
        check_clean_up(checks, binary, broker, Place(admin, clients, "pulsar-admin"), {"PULSAR_ADMIN": tool})


def alone(checks, broker, clients, options):
    with checks.section("plan"):
        check_plan(checks, options.tidemark, broker, clients)


if __name__ == "__main__":
    sys.exit(run_alone(alone))
