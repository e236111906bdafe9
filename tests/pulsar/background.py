"""What goes on in a thread of its own beside a test, from `with` on until its end."""
import threading


class Background:
    """A subclass says in `_run` what goes on. `self._end.wait(pause)` is its pause, and true once it is to end."""

    def __init__(self):
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()

    def _run(self):
        raise NotImplementedError
