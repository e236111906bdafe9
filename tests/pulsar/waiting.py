"""Waiting for conditions instead of sleeping for a guessed time: a slow machine then makes a test slower, not red."""
import time


def wait_until(condition, deadline, what, every=0.2):
    """Polls `condition` until it returns something true, and returns that. After `deadline` seconds: TimeoutError saying what never came: a text, or
    a function that makes it then."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= end:
            raise TimeoutError(f"not within {deadline:g} s: {what() if callable(what) else what}")
        time.sleep(every)
