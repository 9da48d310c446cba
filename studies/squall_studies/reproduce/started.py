"""Programs of the lab under mpirun, which print JSON."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from squall import machine
from squall.errors import UserError
from squall.runs import launch


def started(
    program: Path, arguments: Sequence[str], ranks: int, launcher: machine.Launcher | None = None
) -> Any:
    """What the program prints. launcher: the mpirun of its MPI; None: the one on PATH. Raises UserError where
    it fails or prints something else, with the end of what it said."""
    start = launch.prepare(program, list(arguments), ranks, 1, launcher=launcher)
    done = subprocess.run(
        start.command, env=start.whole_environment(), capture_output=True, text=True, check=False
    )
    try:
        if done.returncode == 0:
            return json.loads(done.stdout)
    except ValueError:
        pass
    said = "\n".join((done.stderr or done.stdout).splitlines()[-8:])
    raise UserError(f"{program.name} on {ranks} ranks ended with code {done.returncode}: {said}", 1)
