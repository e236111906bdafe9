"""`tidemark plan`: the script that it writes, run for real against a fake broker, by curl and by a fake `pulsar-admin`: what must go goes, what came back to
life or moved stays, and no name does anything but name a subscription."""
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest
import urllib.parse

from harness import DAY, FAST, NAMESPACE, SWEEP, Broker, Folder, Subscription, Topic, options, run, topic_name, topic_path

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
RECORDING = str(DATA / "pulsar-4.0.7" / "situation.ndjson")

# Answers as the real one does, from the fake broker; notes what it was given.
PULSAR_ADMIN = r'''#!PYTHON
import json, os, sys, urllib.error, urllib.parse, urllib.request
with open(os.environ["ASKED"], "a") as asked:
    asked.write(json.dumps(sys.argv[1:]) + "\n")
def quoted(text): return urllib.parse.quote(text, safe="")
def admin(method, topic, document):
    tenant, namespace, local = topic.split("://", 1)[1].split("/", 2)
    url = f"{os.environ['BROKER']}/admin/v2/persistent/{tenant}/{namespace}/{quoted(local)}/{document}"
    with urllib.request.urlopen(urllib.request.Request(url, method=method)) as answer:
        return answer.read().decode()
group, command, *rest = sys.argv[1:]
if group == "clusters":
    with urllib.request.urlopen(f"{os.environ['BROKER']}/admin/v2/clusters") as answer:
        print("\n".join(json.loads(answer.read())))
    sys.exit()
assert group == "topics"
try:
    if command == "unsubscribe":
        flag, name, topic = rest
        assert flag == "-s"
        admin("DELETE", topic, f"subscription/{quoted(quoted(name))}")
    else:
        print(json.dumps(json.loads(admin("GET", rest[0], {"stats": "stats", "stats-internal": "internalStats"}[command])), indent=2))
except urllib.error.HTTPError as error:
    sys.exit(f"HTTP {error.code} \n\nReason: {json.loads(error.read() or b'{}').get('reason')}")
'''

HOSTILE = ["two words", "two\nlines", "tab\there", "$(touch injected)", "`touch injected`", "; touch injected #", "' touch injected '",
           "a+b", "50%off", "a%2Fb", "team/a", "back\\slash", "\u00e9t\u00e9 \u6f6e", "!history", "*", "~", "a&b|c>injected", "p?q=r#s", "#comment", "rtl\u202emark",
           "\\", "\\\nunsubscribe injected", "{a,b}", "$HOME"]
NOT_BY_ADMIN = ["-dash", "-f", "--force", "@/etc/hostname", ".", "..", " blank", "blank ", '" touch injected "', "\nline"]


def left(name, backlog=120, **more):
    return Subscription(name, backlog=backlog, idle_days=30, **more)


class Case(unittest.TestCase):
    via = None

    def setUp(self):
        self.folder = self.enterContext(Folder())
        self.inside = self.folder.path / "run"
        self.inside.mkdir()

    def broker(self, *topics, **more):
        return self.enterContext(Broker(list(topics) or None, **more))

    def plan(self, broker, *arguments, config=None):
        where = ["--config", str(self.folder.write("tidemark.yml", f"clusters: [{{url: {broker.url}}}]\n{config}"))] if config else [broker.url]
        ran = run("plan", *where, "--via", self.via, *options(FAST), *arguments)
        self.assertEqual(ran.code, 0, ran)
        return ran.out

    def execute(self, script, broker, *arguments, **environment):
        path = self.folder.path / "plan.sh"
        path.write_bytes(script.encode())
        self.assertEqual(subprocess.run(["bash", "-n", path], check=False).returncode, 0)
        admin = self.folder.path / "pulsar-admin"
        admin.write_text(PULSAR_ADMIN.replace("PYTHON", sys.executable))
        admin.chmod(0o755)
        env = {**os.environ, "PULSAR_ADMIN": str(admin), "BROKER": broker.url, "ASKED": str(self.folder.path / "asked"), **environment}
        done = subprocess.run(["bash", path, *arguments], cwd=self.inside, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(os.listdir(self.inside), [], done)  # whatever a name asked for, nothing was made
        return done

    def assert_summary(self, done, text, code=0):
        self.assertEqual(done.returncode, code, done)
        self.assertIn(f"\n{text}\n", done.stdout, done)


class Either:
    """What holds whichever way the broker is asked."""

    def test_another_cluster_is_left_alone(self):
        broker = self.broker()
        script = self.plan(broker)
        self.assertRegex(script, r"(?m)^cluster='.+'$")
        other = re.sub(r"(?m)^cluster='.*'$", "cluster='elsewhere'", script)
        done = self.execute(other, broker, "--yes")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("made for cluster elsewhere", done.stderr)
        self.assertEqual(broker.removed, [])

    def test_looks_then_removes_then_finds_it_gone(self):
        broker = self.broker()
        script = self.plan(broker)
        looked = self.execute(script, broker)
        self.assert_summary(looked, "1 of 1 to be removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertIn(f"would remove {topic_name('orders')} [gone]: frees 20.0 kB\n", looked.stdout)
        self.assertIn("frees 20.0 kB of 20.0 kB", looked.stdout)
        self.assertEqual(broker.removed, [])
        done = self.execute(script, broker, "--yes")
        self.assert_summary(done, "1 of 1 removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertEqual(broker.removed, [("orders", "gone")])
        again = self.execute(script, broker, "--yes")
        self.assert_summary(again, "0 of 1 removed, 0 alive, 0 moved, 1 already gone, 0 failed")
        self.assertEqual(broker.removed, [("orders", "gone")])
        broker.topics.pop(0)  # its topic too
        self.assert_summary(self.execute(script, broker, "--yes"), "0 of 1 removed, 0 alive, 0 moved, 1 already gone, 0 failed")

    def test_what_is_untold_is_not_nothing(self):
        broker = self.broker()
        script = re.sub(r"(?m)^(unsubscribe .*) \d+$", r"\1 -", self.plan(broker))
        done = self.execute(script, broker, "--yes")
        self.assert_summary(done, "1 of 1 removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertIn(f"{topic_name('orders')} [gone]: frees an untold amount\n", done.stdout)
        self.assertIn("frees 0 B of 0 B and what is untold of 1 (logical", done.stdout)

    def test_who_came_back_stays(self):
        names = ["connected", "looked-in", "moved", "rewound", "still-gone"]
        broker = self.broker(Topic("orders", *[left(name) for name in names], Subscription("live", consumers=1)))
        script = self.plan(broker)
        connected, looked_in, moved, rewound, *_ = broker.topics[0].subscriptions
        looked_in.idle_days = 0  # and left again without a word
        connected.consumers, moved.backlog, rewound.backlog = 2, 119, 121
        done = self.execute(script, broker, "--yes")
        self.assert_summary(done, "1 of 5 removed, 2 alive, 2 moved, 0 already gone, 0 failed")
        self.assertIn("[connected]: 2 consumers are connected\n", done.stdout)
        self.assertIn("[looked-in]: a consumer was there since the plan was made\n", done.stdout)
        self.assertIn("[moved]: moved from 10:79 to 10:80\n", done.stdout)
        self.assertEqual(broker.removed, [("orders", "still-gone")])
        self.assertIn("frees at most ", done.stdout)

    def test_a_consumer_that_comes_in_between(self):
        broker = self.broker(Topic("orders", left("gone"), left("other", 130), Subscription("live", consumers=1)))
        script = self.plan(broker)
        broker.override(topic_path("orders", "subscription/gone"), status=412, body='{"reason":"Subscription has active connected consumers"}')
        done = self.execute(script, broker, "--yes")
        self.assert_summary(done, "1 of 2 removed, 1 alive, 0 moved, 0 already gone, 0 failed")
        self.assertEqual(broker.removed, [("orders", "other")])

    def test_what_fails_is_counted_and_the_rest_goes_on(self):
        broker = self.broker(Topic("a", left("one"), first_ledger=10), Topic("b", left("two"), first_ledger=20), Topic("c", left("three"), first_ledger=30),
                             Topic("d", left("four"), first_ledger=40), Topic("e", left("five"), first_ledger=50))
        script = self.plan(broker)
        broker.override(topic_path("a", "stats"), status=500, body='{"reason":"no luck"}')
        broker.override(topic_path("b", "internalStats"), body="{}")
        broker.override(topic_path("c", "subscription/three"), status=500, body='{"reason":"no luck"}')
        broker.override(topic_path("d", "subscription/four"), status=204, body="")  # says so and does not
        done = self.execute(script, broker, "--yes")
        self.assert_summary(done, "1 of 5 removed, 0 alive, 0 moved, 0 already gone, 4 failed", code=1)
        self.assertEqual(broker.removed, [("e", "five")])
        self.assertIn("no luck", done.stderr)

    def test_the_next_ledgers_start_is_the_same_place(self):
        broker = self.broker(Topic("orders", left("gone", 100), Subscription("live", consumers=1)))
        script = self.plan(broker)
        self.assertIn(" 10:99 ", script)
        other = dict(broker.topics[0].internal_stats())
        other["cursors"]["gone"]["markDeletePosition"] = "11:-1"
        broker.override(topic_path("orders", "internalStats"), body=json.dumps(other))
        self.assert_summary(self.execute(script, broker), "1 of 1 to be removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        other["cursors"]["gone"]["markDeletePosition"] = "12:-1"
        broker.override(topic_path("orders", "internalStats"), body=json.dumps(other))
        self.assert_summary(self.execute(script, broker), "0 of 1 to be removed, 0 alive, 1 moved, 0 already gone, 0 failed")

    def test_names_are_only_names(self):
        topic = 'we"ird $(touch injected)\'s/\u00e9'
        broker = self.broker(Topic(topic, *[left(name) for name in HOSTILE + NOT_BY_ADMIN], Subscription("live", consumers=1)))
        script = self.plan(broker)
        for line in script.splitlines():  # what is run is what the eye sees
            self.assertTrue(line.startswith("#") or all(" " <= c <= "~" for c in line), line)
            self.assertNotIn("\u202e", line)
        done = self.execute(script, broker, "--yes")
        self.assertTrue(done.stdout.isascii(), done.stdout)
        taken = HOSTILE + (NOT_BY_ADMIN if self.via == "curl" else [])
        self.assert_summary(done, f"{len(taken)} of {len(taken)} removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertEqual(sorted(broker.removed), sorted((topic, name) for name in taken))
        self.assertEqual(script.count("pulsar-admin would take this name for something else"), 0 if self.via == "curl" else len(NOT_BY_ADMIN))

    def test_what_is_left_out(self):
        partition = [Topic(f"parts-partition-{i}", left("gone"), Subscription("half", consumers=i, backlog=120, idle_days=30), first_ledger=20 + 10 * i) for i in range(2)]
        broker = self.broker(Topic("orders", left("kept", properties={"tidemark.keep": "by $(touch injected)\nunsubscribe x"}), left("silenced"), left("gone"),
                                   Subscription("young", backlog=10, idle_days=1), Subscription("live", consumers=1)), *partition)
        broker.override("/admin/v2/persistent/acme/shop/partitioned", body=f'["{topic_name("parts")}"]')
        script = self.plan(broker, config="exceptions: [{pattern: 'silenced', reason: read once a year}]\n")
        commands = [line for line in script.splitlines() if line.startswith("unsubscribe '")]
        self.assertEqual(sorted(line.split()[1:3] for line in commands),
                         sorted([f"'{topic_name(topic)}'", "'gone'"] for topic in ("orders", "parts-partition-0", "parts-partition-1")))
        self.assertIn("[silenced]: silenced: read once a year\n", script)
        self.assertIn("[kept]: silenced: by $(touch injected)\\nunsubscribe x\n", script)
        self.assertIn(f"parts-partition-0 [half]: on {topic_name('parts-partition-1')} it is ok\n", script)
        self.execute(script, broker, "--yes")
        self.assertEqual(sorted(broker.removed), [("orders", "gone"), ("parts-partition-0", "gone"), ("parts-partition-1", "gone")])

    def test_owners_and_groups_with_the_worst_topic_first(self):
        broker = self.broker(Topic("small", left("job-20250101", 20), Subscription("live", consumers=1), first_ledger=10),
                             Topic("large", left("web-6tqg7r5tvm-blgsd", 180), left("web-6tqg7r5tvm-x2k4p", 150), Subscription("live", consumers=1), first_ledger=20),
                             Topic("none", Subscription("idle-one", idle_days=30), first_ledger=30))
        script = self.plan(broker, config=f"owners: [{{pattern: '{NAMESPACE}/small', owner: team-b}}]\n")
        order = [line.split()[2] for line in script.splitlines() if line.startswith("unsubscribe '")]
        self.assertEqual(order, ["'web-6tqg7r5tvm-blgsd'", "'web-6tqg7r5tvm-x2k4p'", "'idle-one'", "'job-20250101'"])
        self.assertIn("owner team-b: 1 subscription", script)
        self.assertIn("--- web-*, no known owner: 2 subscriptions, 40.0 kB", script)
        # The slower of the two waits for the other.
        figures = [int(line.split()[-1]) for line in script.splitlines() if line.startswith("unsubscribe '")]
        self.assertEqual(figures, [0, 40000, 0, 20000])

    def test_prevention_is_only_said(self):
        broker = self.broker()
        broker.override(f"/admin/v2/namespaces/{NAMESPACE}", body='{"subscription_expiration_time_minutes":0}')
        script = self.plan(broker)
        after = script[script.index("# --- So that it does not come back"):script.index("\necho\n")]
        self.assertTrue(all(line.startswith("#") or not line for line in after.splitlines()), after)
        self.assertIn("# acme/shop: expiration set to never", after)
        lines = [line for line in after.splitlines() if line.startswith("#   ")]
        self.assertEqual(len(lines), 2, lines)
        self.assertIn("remove-subscription-expiration-time" if self.via == "pulsar-admin" else "-X DELETE", lines[0])
        self.assertIn("11520", lines[1])
        self.assertIn("truncate", after)

    def test_wrong_arguments(self):
        broker = self.broker()
        done = self.execute(self.plan(broker), broker, "-y")
        self.assertEqual((done.returncode, broker.removed), (2, []), done)

    def test_shellcheck(self):
        if subprocess.run(["which", "shellcheck"], capture_output=True, check=False).returncode:
            self.skipTest("no shellcheck")
        broker = self.broker(Topic("orders", *[left(name) for name in HOSTILE + NOT_BY_ADMIN]))
        path = self.folder.write("plan.sh", self.plan(broker))
        done = subprocess.run(["shellcheck", "--severity=warning", path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class ByAdmin(Either, Case):
    via = "pulsar-admin"

    def test_it_is_the_default_and_asked_for_as_it_should_be(self):
        broker = self.broker()
        default, asked = (re.sub(r"\bplan_ms=\d+| at \S+Z\.", "", one) for one in (run("plan", broker.url, *options(FAST)).out, self.plan(broker)))
        self.assertEqual(default, asked)
        self.execute(self.plan(broker), broker, "--yes")
        asked = (self.folder.path / "asked").read_text().splitlines()
        self.assertIn(f'["topics", "unsubscribe", "-s", "gone", "{topic_name("orders")}"]', asked)

    def test_without_pulsar_admin(self):
        broker = self.broker()
        done = self.execute(self.plan(broker), broker, PULSAR_ADMIN="/nowhere/pulsar-admin")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("/nowhere/pulsar-admin not found", done.stderr)


class ByCurl(Either, Case):
    via = "curl"

    def test_the_token_comes_from_the_environment(self):
        broker = self.broker(token="eyVery.Secret")
        token = self.folder.write("token", "eyVery.Secret")
        script = self.plan(broker, "--set", f"clusters.0.auth.token_file={token}")
        self.assertNotIn("Secret", script)
        done = self.execute(script, broker, "--yes")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        done = self.execute(script, broker, "--yes", PULSAR_TOKEN="eyVery.Secret")
        self.assert_summary(done, "1 of 1 removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertNotIn("Secret", done.stdout + done.stderr)

    def test_a_server_that_repeats_its_requests(self):
        broker = self.broker()
        script = self.plan(broker)
        for path in ("/admin/v2/clusters", "/admin/v2/persistent/.*"):
            for how in ({"status": 500, "body": "Authorization: Bearer eyVery.Secret"}, {"body": '["eyVery.Secret"]'},
                        {"status": 307, "body": "", "location": "http://elsewhere/eyVery.Secret"}):
                with self.subTest(path=path, how=str(how)):
                    broker.behave()
                    broker.override(path, **how)
                    done = self.execute(script, broker, PULSAR_TOKEN="eyVery.Secret")
                    self.assertIn(done.returncode, (1, 2), done)
                    self.assertNotIn("Secret", done.stdout + done.stderr)

    def test_sent_on_to_brokers_only(self):
        broker, owner, stranger = self.broker(), self.broker(), self.broker(token="eyVery.Secret")
        broker.brokers = [broker.authority, owner.authority]
        owner.brokers = broker.brokers
        script = self.plan(broker, "--set", "poll.suspect_rate=1000")
        path = topic_path("orders", "(stats|internalStats|subscription/gone)")

        def sends_to(other):
            for document in ("stats", "internalStats", "subscription/gone"):
                broker.override(topic_path("orders", document), status=307, body="", location=f"{other.url}{topic_path('orders', document)}")
        sends_to(stranger)
        done = self.execute(script, broker, "--yes", PULSAR_TOKEN="eyVery.Secret")
        self.assert_summary(done, "0 of 1 removed, 0 alive, 0 moved, 0 already gone, 1 failed", code=1)
        self.assertIn("is no known broker", done.stderr)
        self.assertEqual(stranger.requests, [])
        sends_to(owner)
        done = self.execute(script, broker, "--yes", PULSAR_TOKEN="eyVery.Secret")
        self.assert_summary(done, "1 of 1 removed, 0 alive, 0 moved, 0 already gone, 0 failed")
        self.assertEqual({authorization for _, authorization in owner.asked(path) if authorization}, {"Bearer eyVery.Secret"})
        self.assertEqual(owner.removed, [("orders", "gone")])

    def test_another_url(self):
        broker, other = self.broker(), self.broker()
        done = self.execute(self.plan(broker), broker, "--yes", PULSAR_URL=other.url + "/")
        self.assertEqual((done.returncode, broker.removed, other.removed), (0, [], [("orders", "gone")]), done)
        done = self.execute(self.plan(broker), broker, PULSAR_URL="broker:8080")
        self.assertEqual(done.returncode, 2, done)


class Command(Case):
    via = "curl"

    def test_from_a_recording(self):
        out = self.folder.path / "out.sh"
        ran = run("plan", "--from", RECORDING, "--set", "detect.abandoned_after=5s", "--out", str(out))
        self.assertEqual((ran.code, ran.out), (0, ""), ran)
        self.assertIn("9 to remove, expected to free 89.2 kB", ran.err)
        document = run("replay", RECORDING, "--set", "detect.abandoned_after=5s", "--format", "json").json()
        expected = {(one["topic"], one["cursor"], one["mark_delete"]) for one in document["cursors"] if one["state"] in ("abandoned", "unused")}
        words = [line.split() for line in out.read_text().splitlines() if line.startswith("unsubscribe '")]
        self.assertEqual({(one[1].strip("'"), one[2].strip("'"), one[3]) for one in words}, expected)
        totals = {one["topic"]: one["topic_reclaimable_bytes"] for one in document["cursors"]}
        sums = {topic: sum(int(one[4]) for one in words if one[1] == f"'{topic}'") for topic, _, _ in expected}
        self.assertEqual(sums, {topic: totals[topic] for topic in sums})

    def test_nothing_to_remove(self):
        broker = self.broker(Topic("orders", Subscription("live", consumers=1)))
        done = self.execute(self.plan(broker), broker, "--yes")
        self.assert_summary(done, "0 of 0 removed, 0 alive, 0 moved, 0 already gone, 0 failed")

    def test_only_get_is_sent_by_us(self):
        broker = self.broker()
        self.plan(broker)
        self.assertEqual([path for path, _ in broker.requests if "subscription" in urllib.parse.urlparse(path).path], [])

    def test_dash_is_standard_output(self):
        script = run("plan", "--from", RECORDING).out
        self.assertEqual(run("plan", "--from", RECORDING, "--out", "-").out, script)
        with Folder() as folder:
            file = folder.write("plan.sh", "old\n")
            link = folder.path / "link.sh"
            link.symlink_to(file)
            self.assertEqual(run("plan", "--from", RECORDING, "--out", str(link)).code, 0)
            self.assertEqual((file.read_text(), link.is_symlink()), (script, True))
            self.assertEqual(sorted(folder.path.iterdir()), [link, file])

    def test_no_input_is_overwritten(self):
        text = pathlib.Path(RECORDING).read_text()
        with Folder() as folder:
            file = folder.write("days.ndjson", text)
            part = folder.write("other.part", text)
            config = folder.write("tidemark.yml", "clusters: [{url: 'http://127.0.0.1:1'}]\n")
            (folder.path / "link").symlink_to(file)
            os.link(file, folder.path / "hard")
            before = sorted((one.name, one.read_text()) for one in folder.path.iterdir())
            for out in ("days.ndjson", "link", "hard"):
                for command in (["plan", "--from", file], ["record", "--from", file], ["plan", "--what-if", "expire=7d", "--from", file]):
                    with self.subTest(out=out, command=command):
                        ran = run(*command, "--out", str(folder.path / out))
                        self.assertEqual((ran.code, len(ran.err.splitlines())), (2, 1), ran)
                        self.assertIn(str(file), ran.err)
            self.assertEqual(run("plan", "--from", part, "--out", str(folder.path / "other")).code, 2)
            self.assertEqual(run("plan", "--config", config, "--out", str(config)).code, 2)
            self.assertEqual(run("record", "--config", config, "--out", str(config)).code, 2)
            self.assertEqual(sorted((one.name, one.read_text()) for one in folder.path.iterdir()), before)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_says_so(self):
        ran = run("plan", "--from", RECORDING, "--out", "/dev/full")
        self.assertEqual((ran.code, ran.err), (2, "tidemark: /dev/full: cannot be written: No space left on device\n"))

    def test_wrong_commands(self):
        for arguments, said in ((["--from", RECORDING, "--cluster", "nope"], "--cluster"),
                                (["--from", RECORDING, "--what-if", "expire=7d", "--via", "curl"], "--via"),
                                (["--from", RECORDING, "--out", "/"], "/: cannot be written: Is a directory"),
                                (["--from", RECORDING, "--out", "/nowhere/plan.sh"], "/nowhere/plan.sh: cannot be written: No such file or directory"),
                                (["--from", RECORDING, "http://localhost:1"], "not both"), ([], "no cluster"), (["--from", "/nowhere"], "/nowhere"),
                                (["--from", RECORDING, "--out", "/nowhere/plan.sh"], "/nowhere/plan.sh"), (["--via", "telnet", "--from", RECORDING], "telnet")):
            ran = run("plan", *arguments)
            self.assertEqual((ran.code, ran.out), (2, ""), ran)
            self.assertIn(said, ran.err)


class WhatIf(Case):
    """A recording of 40 days: `monthly` reads at every tenth, `gone` never after the first, `live` all the time."""

    def recording(self):
        begin = int(time.time()) - 60 * DAY
        monthly, gone = Subscription("monthly", backlog=100), Subscription("gone", backlog=150)
        live = Subscription("live", consumers=1, backlog=3)
        live.connected = begin - DAY
        topic = Topic("orders", monthly, gone, live)
        lines = [{"tidemark_recording": 1, "pulsar_cluster": "fake", "pulsar_version": "4.0.7"}]
        for day in range(41):
            at = begin + day * DAY
            if day % 10 == 0 and day <= 30:
                monthly.backlog -= 5
            for one in topic.subscriptions:
                one.idle_days = (time.time() - (begin + (min(day, 30) // 10 * 10 if one is monthly else 0) * DAY)) / DAY
            documents = {SWEEP: {NAMESPACE: {"0x00000000_0xffffffff": {"persistent": {topic_name("orders"): topic.sweep()}}}},
                         f"/admin/v2/namespaces/{NAMESPACE}": {"deleted": False, "retention_policies": {"retentionTimeInMinutes": 0, "retentionSizeInMB": 0}},
                         topic_path("orders", "stats"): topic.stats(), topic_path("orders", "internalStats"): topic.internal_stats()}
            lines += [{"at_ms": at * 1000, "target": "broker", "name": "broker-0:8080", "path": path, "status": 200, "body": body} for path, body in documents.items()]
        return str(self.folder.write("days.ndjson", "".join(json.dumps(line) + "\n" for line in lines)))

    def ask(self, expire, *arguments):
        ran = run("plan", "--from", self.recording(), "--what-if", f"expire={expire}", *arguments)
        self.assertEqual((ran.code, ran.err), (0, ""), ran)
        return ran

    def test_whom_it_hurts_and_whom_it_deletes(self):
        answer = self.ask("7d", "--json").json()
        self.assertEqual([(one["cursor"], one["pause_seconds"]) for one in answer["hurt"]], [("monthly", 10 * DAY)], answer)
        self.assertEqual([(one["cursor"], one["frees_bytes"]) for one in answer["deleted"]], [("gone", 20000), ("monthly", 0)], answer)
        self.assertEqual((answer["frees_bytes"], answer["would_go"], answer["away_again"]), (20000, 2, 1))  # `monthly` stands in the ledger that `live` needs
        self.assertEqual([one["cursor"] for one in answer["at_risk"]], [], answer)
        answer = self.ask("12d", "--json").json()
        self.assertEqual([(one["cursor"], one["pause_seconds"]) for one in answer["at_risk"]], [("monthly", 10 * DAY)], answer)
        self.assertEqual([[one["cursor"] for one in answer[kind]] for kind in ("hurt", "deleted")], [[], ["gone"]], answer)
        self.assertEqual([self.ask("60d", "--json").json()[kind] for kind in ("hurt", "deleted")], [[], []])
        text = self.ask("7d").out
        self.assertIn("An expiration of 7d would have deleted 2 of 3 subscriptions: 2 still away, which frees 20.0 kB, and 1 that came back", text)

    def test_who_is_connected_all_the_time_pauses_for_nobody_who_looks_once_a_day(self):
        answer = self.ask("12h", "--json").json()
        self.assertNotIn("live", [one["cursor"] for kind in ("hurt", "deleted") for one in answer[kind]], answer)

    def test_the_plan_advises_by_it(self):
        script = run("plan", "--from", self.recording()).out
        self.assertIn("the longest pause after which one came back was 10d", script)
        self.assertIn(f"set-subscription-expiration-time -t {15 * 24 * 60} 'acme/shop'", script)

    def test_wrong_questions(self):
        for asked, said in (("7d", "expire=TIME"), ("expire=7", "length of time"), ("expire=5s", "minutes"), ("ttl=7d", "expire=TIME")):
            ran = run("plan", "--from", RECORDING, "--what-if", asked)
            self.assertEqual((ran.code, ran.out), (2, ""), ran)
            self.assertIn(said, ran.err)


if __name__ == "__main__":
    unittest.main()
