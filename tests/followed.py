"""Following runs in tests: a thread that does it, and a run's word on how it is."""

import json
import os
import threading
import time
from pathlib import Path

import squall
from squall.errors import UserError

LONG = 300  # s that a busy machine may take


class Follower:
    """Follows a run in a thread; what it has seen so far."""

    def __init__(self, run, **how):
        self.frames, self.error, self.ended = [], None, False
        self._came = threading.Condition()
        self._thread = threading.Thread(target=self._follow, args=(run, how), daemon=True)
        self._thread.start()

    def _follow(self, run, how):
        try:
            for frame in squall.follow(run, **how):
                with self._came:
                    self.frames.append(frame.load())
                    self._came.notify_all()
        except UserError as error:
            self.error = error
        with self._came:
            self.ended = True
            self._came.notify_all()

    def has(self, count):
        """Waits until it has seen so many frames."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.frames) >= count or self.ended, LONG)
        assert len(self.frames) >= count, self.error
        return self.frames

    def to_the_end(self):
        with self._came:
            assert self._came.wait_for(lambda: self.ended, LONG)
        if self.error:
            raise self.error
        return self.frames


def claim(run, **told):
    """Has a run directory tell how its run is, as the model does: by default that of this process."""
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    machine = f"{boot} {os.readlink('/proc/self/ns/pid')}"
    process = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    status = {
        "squall_status": 1, "state": "running", "why": "", "beat": 1, "at": time.time(), "pid": os.getpid(),
        "process": process, "machine": machine, "host": "here", "time": "2000-01-01T00:05:00", "seconds": 300,
        "duration": 600, "speed": 2.0, "steps_per_second": 0.5, "seconds_left": 150, "courant": 0.5,
        "max_w": 1.0, "ranks": 1, "threads": 1, "stepped_at": time.time(),
    } | told  # fmt: skip
    (run / "status.json.part").write_text(json.dumps(status))
    (run / "status.json.part").rename(run / "status.json")
