"""Counts checks and prints one line for each, failed ones with what was expected and what came. A failed check stops nothing: one run shows all faults."""
import contextlib
import traceback

from jvm import Skip


class Checks:
    def __init__(self, prefix):
        self.prefix = prefix
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def that(self, condition, text, detail=""):
        if condition:
            self.passed += 1
            print(f"ok   {self.prefix} {text}", flush=True)
        else:
            self.failed += 1
            print(f"FAIL {self.prefix} {text}" + (f"\n         {detail}" if detail != "" else ""), flush=True)
        return bool(condition)

    def equal(self, got, expected, text):
        return self.that(got == expected, text, f"expected {expected!r}, got {got!r}")

    def skip(self, text, why):
        """What cannot be tried here: said by name, never passed over in silence."""
        self.skipped += 1
        print(f"skip {self.prefix} {text}: {why}", flush=True)

    @contextlib.contextmanager
    def section(self, name):
        """What goes wrong in one section (a wait that ended, a document that is missing a key) is one failure and does not hide the next section."""
        try:
            yield
        except Skip:
            raise
        except Exception as error:
            self.that(False, f"{name}: {type(error).__name__}: {error}", traceback.format_exc(limit=-3).replace("\n", "\n         "))
