"""Something that somebody does again and again while the test looks: traffic, a job's commits."""
from background import Background


class Repeated(Background):
    """Calls `action` every `every` seconds in a thread of its own, from now until `stop`, which raises what went wrong meanwhile."""

    def __init__(self, every, action):
        self.every, self.action = every, action
        self.fault = None
        super().__init__()
        self.__enter__()

    def stop(self):
        self.__exit__()
        fault, self.fault = self.fault, None
        if fault:
            raise fault

    def _run(self):
        try:
            while not self._end.wait(self.every):
                self.action()
        except Exception as fault:  # raised by stop(), in the test's own thread
            self.fault = fault
