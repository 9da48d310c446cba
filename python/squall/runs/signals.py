"""Handles signals that ask this process to end while a program that it started is running."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PASSED_ON = (*ENDING, signal.SIGUSR1, signal.SIGUSR2)

# Batch systems and terminals may send a signal twice at once; a repetition later is intended.
_ECHO_SECONDS = 1.0

Handler = Callable[[signal.Signals], None]


@contextlib.contextmanager
def handled(handler: Handler) -> Iterator[None]:
    """Calls `handler` for each signal of PASSED_ON inside the block, except signals that this process was
    started to ignore (nohup)."""
    mine = [number for number in PASSED_ON if signal.getsignal(number) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, lambda n, _: handler(signal.Signals(n))) for number in mine}
    try:
        yield
    finally:
        for number, before in previous.items():
            signal.signal(number, before)


class Early:
    """Keeps signals that arrive before there is a process to forward them to. If such a signal ended this
    process, the program would be left running alone."""

    def __init__(self) -> None:
        self._kept: list[signal.Signals] = []
        self._handler: Handler = self._kept.append

    def handle(self, number: signal.Signals) -> None:
        self._handler(number)

    def hand_on_to(self, handler: Handler) -> None:
        """Forwards signals from now on, those kept so far first."""
        self._handler = handler
        for number in self._kept:
            handler(number)


def send(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Sends a signal to the process group that `process` leads."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


class Stop:
    """Asks a running model to stop at the end of its step; the same signal again ends it at once.

    A launcher (mpirun) kills its ranks when it is interrupted or terminated, but forwards SIGUSR1.
    """

    def __init__(self, process: subprocess.Popen[bytes], *, launcher: bool) -> None:
        self.first: signal.Signals | None = None
        self._process = process
        self._launcher = launcher
        self._came: dict[signal.Signals, float] = {}

    def handle(self, number: signal.Signals) -> None:
        now = time.monotonic()
        before = self._came.setdefault(number, now)
        if before == now:
            self._ask(number)
        elif number in ENDING and now - before > _ECHO_SECONDS:
            send(self._process, signal.SIGTERM if self._launcher else signal.SIGKILL)

    def _ask(self, number: signal.Signals) -> None:
        if self.first is None:
            self.first = number
            message = (
                f"\nsquall: {number.name}: the model will finish its step, write a restart frame and stop; "
                "the same signal again ends it at once.\n"
            )
            os.write(2, message.encode())  # print() may be what was interrupted
        send(self._process, signal.SIGUSR1 if self._launcher else number)
