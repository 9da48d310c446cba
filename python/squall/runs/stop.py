"""`squall stop`: asks a running model to stop at the end of its step."""

import os
import signal
import time
from pathlib import Path
from typing import Any

from squall.errors import UserError
from squall.runs import run_state

_LOOK = 0.2  # s
_ENDED = {"done": "the run is done", "stopped": "the run was stopped", "died": "the run died"}


def stop(run: Path) -> dict[str, Any]:
    """Sends the model of a run SIGUSR1, as `squall run` and mpirun do, and returns its status before. One
    rank is enough: all agree after each step. Raises UserError where nothing runs, where it runs on another
    machine, and where it is no model of Squall's."""
    state = run_state.state_of(run)
    told = state.told
    if state.word != "running":
        why = f": {state.why}" if state.why else ""
        raise UserError(f"Nothing runs in {run}: {_ENDED[state.word]}{why}.", 1)
    if "process" not in told:
        raise UserError(
            f"{run} is written by a program that leaves no status, such as WRF: end that program itself.", 1
        )
    if not run_state.on_this_machine(told):
        raise UserError(
            f"The run in {run} is on another machine: process {told['pid']} on {told['host']}. Stop it "
            f"there: `squall stop {run.resolve()}`, or have the batch system signal its job, as by `scancel "
            "--signal=USR1 --full JOB`.",
            1,
        )
    _send(int(told["pid"]), str(told["process"]), run)
    return told


def _send(pid: int, process: str, run: Path) -> None:
    try:
        # Between the look at its start and the signal, the number could have gone to another process.
        handle = os.pidfd_open(pid)
    except OSError:
        raise UserError(f"The run in {run} has just ended.", 1) from None
    try:
        if run_state.started(pid) != process:
            raise UserError(f"The run in {run} has just ended.", 1)
        signal.pidfd_send_signal(handle, signal.SIGUSR1)
    except PermissionError:
        raise UserError(
            f"The run in {run}, process {pid}, belongs to another user, who alone can stop it.", 1
        ) from None
    except ProcessLookupError:
        raise UserError(f"The run in {run} has just ended.", 1) from None
    finally:
        os.close(handle)


def wait(run: Path, timeout: float | None) -> run_state.State | None:
    """The state of a run once it has ended; None after `timeout` seconds."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        state = run_state.state_of(run)
        if state.ended:
            return state
        if deadline is not None and time.monotonic() >= deadline:
            return None
        time.sleep(_LOOK)
