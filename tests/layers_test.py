#!/usr/bin/env python3
"""Holds the rooms of docs/design.md apart: who may include whom, which room may see which library, where coroutines may be.

    tests/layers_test.py [ROOT]      checks lib/ and daemon/ of ROOT (default: this checkout)
    tests/layers_test.py --self-test plants each kind of fault in a small tree and expects it to be found

It reads `#include` lines, the DEPS and LIBS in the rooms' CMakeLists.txt, and co_ keywords. A new arrow or library is a line in
the tables below, and a reason in the review.
"""
import pathlib
import re
import sys
import tempfile

# Lowest first. A room may use every room of a lower level; within one level only what WITHIN names.
LEVELS = [
    {"base"},
    {"settings", "http", "formats", "model"},
    {"pulsar", "bookie", "history", "trim", "sim"},
    {"survey", "detect"},
    {"collect", "report"},
    {"daemon"},
]
WITHIN = {}
# Lower, and still closed: what decodes, plans, judges or prints has no socket; what is simulated is for the demo and the tests.
CLOSED = {
    "http": {"pulsar", "bookie", "history", "trim", "survey", "detect", "report"},
    "sim": {"survey", "detect", "collect", "report"},
}

EVERYWHERE = None
# Longest prefix wins. A header with a folder in its name must be listed; the standard library's have none.
LIBRARIES = {
    "boost/system/": EVERYWHERE,
    "boost/asio": {"http", "collect", "daemon"},
    "boost/beast": {"http"},
    "boost/pool/": {"history"},
    "boost/": {"http"},
    "fmt/": EVERYWHERE,
    "spdlog/": {"base"},
    "re2/": {"base"},
    "yaml-cpp/": {"settings"},
    "rapidjson/": {"formats"},
    "prometheus/": {"report"},
    "CLI/": {"daemon"},
    "openssl/": {"http"},
    "zlib.h": {"formats", "http"},
    "zstd.h": {"history"},
    "sys/": EVERYWHERE,
    "netinet/": {"http"},
    "arpa/": {"http"},
}
TARGETS = {  # what LIBS may name
    "tidemark_boost": EVERYWHERE,
    "fmt::fmt": EVERYWHERE,
    "Threads::Threads": EVERYWHERE,
    "tidemark_asio": {"http", "collect", "daemon"},
    "spdlog::spdlog": {"base"},
    "re2::re2": {"base"},
    "yaml-cpp::yaml-cpp": {"settings"},
    "tidemark_rapidjson": {"formats"},
    "prometheus-cpp::core": {"report"},
    "CLI11::CLI11": {"daemon"},
    "OpenSSL::SSL": {"http"},
    "OpenSSL::Crypto": {"http"},
    "ZLIB::ZLIB": {"formats", "http"},
    "zstd::libzstd_shared": {"history"},
}
COROUTINES = {"http", "collect", "daemon"}
COROUTINE_FILES = {"lib/sim/http_front.cc", "lib/sim/http_front.h"}  # these may see Asio too

LEVEL_OF = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
KEYWORD = re.compile(r"\bco_(await|return|yield)\b")
ROOM_CALL = re.compile(r"\broom\s*\(([^)]*)\)")
LINK_CALL = re.compile(r"\btarget_link_libraries\s*\(([^)]*)\)")


def allowed(room, used):
    if room in CLOSED.get(used, ()):
        return False
    return LEVEL_OF[used] < LEVEL_OF[room] or used in WITHIN.get(room, ())


def without_comments(text):
    """Blanks comments and literals, so that a word in them is no keyword; lines stay where they are."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"', re.S)
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def library_fault(room, name, path):
    prefixes = [prefix for prefix in LIBRARIES if name.startswith(prefix)]
    if not prefixes:
        return f"<{name}> is in no line of LIBRARIES" if "/" in name else None
    rooms = LIBRARIES[max(prefixes, key=len)]
    if rooms is EVERYWHERE or room in rooms or (path in COROUTINE_FILES and name.startswith("boost/asio")):
        return None
    return f"<{name}> belongs to {', '.join(sorted(rooms))}"


def check_source(path, room, text):
    for number, line in enumerate(text.splitlines(), 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        quote, name = found.groups()
        fault = library_fault(room, name, path)
        if quote == '"':
            used = name.split("/")[0] if "/" in name else room
            if used not in LEVEL_OF:
                fault = f'"{name}": there is no room {used}; rooms are included as "room/file.h"'
            elif used != room and not allowed(room, used):
                fault = f"{room} may not include {used} ({name})"
            else:
                fault = None
        if fault:
            yield f"{path}:{number}: {fault}"
    if room not in COROUTINES and path not in COROUTINE_FILES:
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            found = KEYWORD.search(line)
            if found:
                yield f"{path}:{number}: {found.group()} outside {', '.join(sorted(COROUTINES))}"


def arguments(call):
    """room(name SRCS a DEPS b c LIBS d) -> {'': [name], 'SRCS': [a], 'DEPS': [b, c], 'LIBS': [d]}"""
    lists, current = {"": []}, ""
    for word in re.sub(r"#[^\n]*", "", call).split():
        if word in ("SRCS", "DEPS", "LIBS", "PUBLIC", "PRIVATE", "INTERFACE"):
            current = word
            lists.setdefault(current, [])
        else:
            lists[current].append(word)
    return lists


def check_cmake(path, room, text, sources):
    libraries, rooms = [], []
    for found in ROOM_CALL.finditer(text):
        lists = arguments(found.group(1))
        rooms += lists.get("DEPS", [])
        libraries += lists.get("LIBS", [])
    for found in LINK_CALL.finditer(text):
        lists = arguments(found.group(1))
        libraries += lists[""][1:] + [word for kind in ("PUBLIC", "PRIVATE", "INTERFACE") for word in lists.get(kind, [])]
    for library in list(libraries):
        name = library.removeprefix("tidemark_")
        if name != library and name in LEVEL_OF:
            libraries.remove(library)
            rooms.append(name)
    for used in rooms:
        if used not in LEVEL_OF:
            yield f"{path}: there is no room {used}"
        elif used != room and not allowed(room, used):
            yield f"{path}: {room} may not link {used}"
    for library in libraries:
        if library in ("tidemark_flags",) or library.startswith("$"):
            continue
        if library not in TARGETS:
            yield f"{path}: {library} is in no line of TARGETS"
        elif TARGETS[library] is not EVERYWHERE and room not in TARGETS[library]:
            if not (library == "tidemark_asio" and any(source in COROUTINE_FILES for source in sources)):
                yield f"{path}: {library} belongs to {', '.join(sorted(TARGETS[library]))}"
    # What is included must be declared, directly or by a room that is: headers of rooms reach further than their own.
    if room != "daemon":
        for source, text_of in sources.items():
            for number, line in enumerate(text_of.splitlines(), 1):
                found = INCLUDE.match(line)
                used = found.group(2).split("/")[0] if found and found.group(1) == '"' and "/" in found.group(2) else room
                if used in LEVEL_OF and used != room and used not in rooms:
                    yield f"{source}:{number}: includes {used}, which {path} does not name in DEPS"


def check_tree(root):
    root = pathlib.Path(root)
    places = {"daemon": root / "daemon"}
    for folder in sorted((root / "lib").iterdir()):
        if folder.is_dir() and any(folder.iterdir()):
            if folder.name in LEVEL_OF:
                places[folder.name] = folder
            else:
                yield f"lib/{folder.name}: is in no line of LEVELS"
    for room, folder in places.items():
        sources = {}
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".h", ".cc"):
                name = file.relative_to(root).as_posix()
                sources[name] = file.read_text(encoding="utf-8")
                yield from check_source(name, room, sources[name])
        cmake = folder / "CMakeLists.txt"
        if cmake.exists():
            yield from check_cmake(cmake.relative_to(root).as_posix(), room, cmake.read_text(encoding="utf-8"), sources)
        elif sources:
            yield f"{folder.relative_to(root).as_posix()}: has no CMakeLists.txt"


SOUND = {
    "lib/base/CMakeLists.txt": "room(base SRCS a.cc LIBS tidemark_boost fmt::fmt spdlog::spdlog)",
    "lib/base/a.h": "#include <string>\n#include <boost/system/result.hpp>\n",
    "lib/model/CMakeLists.txt": "room(model SRCS m.cc DEPS base)",
    "lib/model/m.cc": '#include "model/m.h"\n#include "base/a.h"\n// co_await is only a word here\nauto s = "co_return";\n',
    "lib/http/CMakeLists.txt": "room(http SRCS c.cc\n     DEPS base\n     LIBS tidemark_asio)",
    "lib/http/c.cc": '#include <boost/beast/http.hpp>\n#include "base/a.h"\nvoid f() { co_await g(); }\n',
    "lib/sim/CMakeLists.txt": "room(sim SRCS http_front.cc DEPS base http LIBS tidemark_asio)",
    "lib/sim/http_front.cc": '#include <boost/asio/awaitable.hpp>\n#include "http/c.h"\nvoid f() { co_return; }\n',
    "lib/detect/CMakeLists.txt": "room(detect SRCS d.cc DEPS base model)",
    "lib/detect/d.cc": '#include "model/m.h"\n',
    "daemon/CMakeLists.txt": "add_executable(tidemark main.cc)\n"
    "target_link_libraries(tidemark PRIVATE tidemark_flags tidemark_sim CLI11::CLI11)",
    "daemon/main.cc": '#include <CLI/CLI.hpp>\n#include "sim/http_front.h"\n',
}
FAULTS = [  # file, its text, what must be said
    ("lib/base/b.h", '#include "model/m.h"\n', "lib/base/b.h:1: base may not include model"),
    ("lib/model/n.h", '#include "http/c.h"\n', "model may not include http"),
    ("lib/detect/e.h", '#include "sim/http_front.h"\n', "detect may not include sim"),
    ("lib/detect/e.h", '#include "http/c.h"\n', "detect may not include http"),
    ("lib/sim/e.h", '\n  #  include "detect/d.h"\n', "lib/sim/e.h:2: sim may not include detect"),
    ("lib/model/n.h", "#include <boost/beast/core.hpp>\n", "belongs to http"),
    ("lib/detect/e.h", "#include <boost/asio/post.hpp>\n", "belongs to collect, daemon, http"),
    ("lib/model/n.h", "#include <rapidjson/reader.h>\n", "belongs to formats"),
    ("lib/model/n.h", '#include "yaml-cpp/yaml.h"\n', "there is no room yaml-cpp"),
    ("lib/model/n.h", "#include <sqlite/sqlite3.h>\n", "in no line of LIBRARIES"),
    ("lib/model/n.h", "#include <zlib.h>\n", "belongs to formats, http"),
    ("lib/sim/e.cc", "int f() { co_return 1; }\n", "co_return outside"),
    ("lib/model/CMakeLists.txt", "room(model SRCS m.cc DEPS base http)", "model may not link http"),
    ("lib/model/CMakeLists.txt", "room(model SRCS m.cc)", "does not name in DEPS"),
    ("lib/model/CMakeLists.txt", "room(model SRCS m.cc DEPS base LIBS yaml-cpp::yaml-cpp)", "belongs to settings"),
    (
        "lib/model/CMakeLists.txt",
        "room(model DEPS base)\ntarget_link_libraries(tidemark_model PRIVATE tidemark_sim)",
        "may not link sim",
    ),
    ("lib/attic/x.h", "\n", "lib/attic: is in no line of LEVELS"),
]


def self_test():
    def faults_of(files):
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return list(check_tree(root))

    failed = 0
    sound = faults_of(SOUND)
    if sound:
        failed += 1
        print("a sound tree is refused:", *sound, sep="\n  ")
    for name, text, expected in FAULTS:
        said = faults_of({**SOUND, name: text})
        if not any(expected in line for line in said):
            failed += 1
            print(f"{name}: {text!r}\n  expected: {expected}\n  said: {said}")
    print(f"{1 + len(FAULTS) - failed} passed, {failed} failed")
    return failed


def main():
    if "--self-test" in sys.argv[1:]:
        return 1 if self_test() else 0
    root = sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent
    faults = list(check_tree(root))
    print(*faults, sep="\n")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
