"""Something that somebody does again and again while the test looks: traffic, a job's commits."""
import threading


class Repeated:
    """Calls `action` every `every` seconds in a thread of its own, from now until `stop`, which raises what went wrong meanwhile."""

    def __init__(self, every, action):
        self.every, self.action = every, action
        self.fault = None
        self.end = threading.Event()
        self.thread = threading.Thread(target=self._go_on, daemon=True)
        self.thread.start()

    def stop(self):
        self.end.set()
        self.thread.join()
        fault, self.fault = self.fault, None
        if fault:
            raise fault

    def _go_on(self):
        try:
            while not self.end.wait(self.every):
                self.action()
        except Exception as fault:  # raised by stop(), in the test's own thread
            self.fault = fault
