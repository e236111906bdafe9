"""Processes of Java on free loopback ports, in folders of their own: what one broker alone and a whole cluster have in common.

Each is a process group of its own that is killed at the end, whatever the end is: a forgotten JVM of 700 MB spoils every later test on the machine.
"""
import ctypes
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

LOG_NOISE = ("WADL", "WadlFeature", "TopologyAwareEnsemblePlacementPolicy")
OPENS = [f"java.base/{package}" for package in (
    "jdk.internal.loader", "java.lang", "sun.net", "java.nio", "jdk.internal.misc", "jdk.internal.platform", "java.util.concurrent")]
OPENS.append("java.management/sun.management")


def is_on_a_listed_mount(folder):
    """Whether the mount point of `folder` is listed. Java looks there for the file store of a bookie's disk."""
    place = pathlib.Path(folder).resolve()
    while place != place.parent and place.stat().st_dev == place.parent.stat().st_dev:
        place = place.parent
    mounts = pathlib.Path("/proc/self/mounts").read_text(encoding="utf-8", errors="replace")
    return any(line.split(" ")[1] == str(place) for line in mounts.splitlines())


def folder_that_java_can_place():
    """Where a bookie can start: the usual folder for temporary files, or in a bare chroot, whose root is no mount point and where
    bookies end with 'Mount point not found', the shared memory that every /dev has."""
    usual = tempfile.gettempdir()
    if is_on_a_listed_mount(usual):
        return usual
    shared = "/dev/shm"
    return shared if os.path.isdir(shared) and is_on_a_listed_mount(shared) else usual


class Skip(Exception):
    """The machine lacks something this version needs; the message says what."""


def number(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def java_for(version):
    """The java program to use, checked: class files of 5.x need 21, the other lines run on 17."""
    java = os.environ.get("TIDEMARK_JAVA") or shutil.which("java")
    wanted = 21 if number(version) >= (5,) else 17
    if not java:
        raise Skip(f"Pulsar {version} needs Java {wanted} or newer and there is no java on the PATH")
    told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = re.search(r'version "(\d+)', told)
    if not found or int(found[1]) < wanted:
        raise Skip(f"Pulsar {version} needs Java {wanted} or newer; {java} is {found[1] if found else 'unreadable'} (TIDEMARK_JAVA names another one)")
    return java


def free_ports(count):
    """All are held until all are chosen, so that none is given twice."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def java_command(java, jars, heap_mb, direct_mb, *main):
    """What starts a class of these jars with its arguments: small, and with the doors open that Pulsar's scripts open."""
    command = [java, f"-Xmx{heap_mb}m", f"-XX:MaxDirectMemorySize={direct_mb}m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
    for opened in OPENS:
        command += ["--add-opens", f"{opened}=ALL-UNNAMED"]
    return command + ["-Dio.netty.tryReflectionSetAccessible=true", f"-Dlog4j2.configurationFile={HERE / 'log4j2.xml'}", "-cp", f"{jars}/*", *main]


def write_settings(path, settings):
    path.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))


def _die_with_parent():
    # Even a test that is killed outright must not leave its broker behind. 1 = PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def start_process(command, folder, log_path):
    """In a process group of its own that ends with us; what it says goes to the log's end."""
    with open(log_path, "ab") as log:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
                                preexec_fn=_die_with_parent)


def kill_group(process):
    """Nothing here is worth an orderly end of 10 s; a stopped process ends, too."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def print_log_tail(what, log_path, lines=40):
    if log_path.exists():
        print(f"--- last lines of the log of {what}:")
        told = [line for line in log_path.read_text(errors="replace").splitlines() if not any(noise in line for noise in LOG_NOISE)]
        for line in told[-lines:]:
            print("    " + line[:300])


def checked_jars(version, jars):
    jars = pathlib.Path(jars)
    if not (jars / ".complete").exists():
        raise RuntimeError(f"no complete jars of Pulsar {version} in {jars}: run jars.sh {version}")
    return jars
