"""A broker that asks for a token: a wrong or absent one is one clear error, a right one works, and no token is ever repeated in what the program says."""
import tempfile

import program
from client import Admin, Clients, consume_and_vanish
from situation import NAMESPACE, ORDERS
from waiting import wait_until


def check_token(checks, binary, broker):
    admin = Admin(broker)
    admin.make_namespace(NAMESPACE)
    admin.make_topic(ORDERS)
    admin.make_subscription(ORDERS, "left-behind")
    with Clients(broker) as clients:
        clients.publish(ORDERS, 40)
        consume_and_vanish(clients, ORDERS, "left-behind", 10)
    admin.wait_loaded([ORDERS])

    with tempfile.TemporaryDirectory(prefix="tidemark-token-") as folder:
        def scan(token):
            path = f"{folder}/token"
            with open(path, "w", encoding="ascii") as file:
                file.write(token + "\n")
            return program.scan(binary, broker.url, "--set", f"clusters.0.auth.token_file={path}", abandoned_after="1s")

        said = []
        for name, ran in (("no token", program.scan(binary, broker.url)), ("a token signed by somebody else", scan(broker.foreign_token)),
                          ("a token without rights", scan(broker.weak_token)), ("no token at all in the file", scan("")),
                          ("a token file that is not there", program.scan(binary, broker.url, "--set", f"clusters.0.auth.token_file={folder}/absent"))):
            said += [ran.out, ran.err]
            expected = (2, 3) if "file" in name else (3,)  # a bad file may be called a bad configuration
            errors = [line for line in ran.err.splitlines() if line.strip()]
            checks.that(ran.code in expected, f"token: {name} is exit {' or '.join(map(str, expected))}", f"{ran.code}: {ran.err[:300]}")
            checks.that(len(errors) == 1, f"token: {name} is one clear line", errors)
            checks.that('"abandoned"' not in ran.out, f"token: {name} gives no verdict", ran.out[:200])

        def right():
            ran = scan(broker.token)
            said.extend([ran.out, ran.err])
            found = program.Report(ran.json()).cursors.get((ORDERS, "left-behind"), {}) if ran.code in (0, 1) else {}
            return found.get("state") == "abandoned"
        checks.that(wait_until(right, 30, "with a right token the abandoned one is found"), "token: with a right one the abandoned one is found")

        # The label is ours: with authorization a broker answers only to its cluster's own name.
        labelled = program.run(binary, "check", broker.url, "--set", f"clusters.0.auth.token_file={folder}/token", "--set", "clusters.0.name=blue")
        line = next((line for line in labelled.out.splitlines() if "broker list" in line), "no such line")
        checks.that(line.split()[0] == "ok", "token: brokers are found whatever the cluster is called here", labelled.out[:500])
        said += [labelled.out, labelled.err]

        check_daemon(checks, binary, broker, f"{folder}/token", said)
    checks.that(not any(token in text for token in (broker.token, broker.weak_token, broker.foreign_token) for text in said),
                "token: no token is in any output or log")


def check_daemon(checks, binary, broker, path, said):
    def write(token):
        with open(path, "w", encoding="ascii") as file:
            file.write(token + "\n")

    write(broker.foreign_token)
    with program.Daemon(binary, broker.url, abandoned_after="1s", token_file=path) as daemon:
        wait_until(lambda: "401" in daemon.log_text(), 30, "the daemon says that it was refused")
        checks.that((daemon.total("tidemark_requests_total", code="401") or 0) > 0, "token: a refusal is counted in tidemark_requests_total")
        status, text = daemon.get("/api/v1/findings")
        checks.that('"state":"abandoned"' not in text.replace(" ", ""), "token: a refused daemon gives no verdict", f"{status} {text[:200]}")
        write(broker.token)  # a rotated token needs no restart
        wait_until(lambda: daemon.get("/api/v1/findings")[0] == 200 and daemon.report().cursors.get((ORDERS, "left-behind"), {}).get("state") == "abandoned", 60,
                   "with the right token in the file the daemon finds it")
        checks.that(True, "token: the file is read again when it changes")
        said += [daemon.log_text(), daemon.get("/metrics")[1], daemon.get("/api/v1/findings")[1], daemon.get("/")[1]]
