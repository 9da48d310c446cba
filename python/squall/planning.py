"""What a run would be on a machine that a file describes: patches, messages, memory; and what it would take.

`squall-planner` works it out with the planners of the model and of its output: times by SimGrid where that is
built, else by closed forms. `compared.py` says which of its times were held to measured ones.
"""

import json
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from squall import locate
from squall.errors import UserError


@dataclass(frozen=True)
class Question:
    """A run on a machine. method: "simgrid" or "closed-form"; None: simgrid where that is built.
    ranks_per_node None: as many as its cores hold. step_factor: how many times as long as
    of the case that the machine was calibrated with a cell-step takes; None: as its schemes cost, of the file
    `schemes`, or that which comes with Squall. words: more options of `squall-planner`."""

    run_file: Path
    machine: Path
    ranks: int
    threads: int = 1
    settings: list[str] = field(default_factory=list)
    method: str | None = None
    ranks_per_node: int | None = None
    step_factor: float | None = None
    schemes: Path | None = None
    words: Sequence[str] = ()


Answer = dict[str, Any]


def machine_file(name: str) -> Path:
    """A path, or the name of a machine that comes with Squall. Raises UserError."""
    path = Path(name)
    if path.is_file():
        return path
    known = {path.stem: path for path in sorted(locate.machines_folder().glob("*.toml"))}
    if name in known:
        return known[name]
    raise UserError(
        f"There is no machine file {name}. {', '.join(known)} come with Squall; `squall lab calibrate` "
        f"makes one."
    )


def ask(question: Question) -> Answer:
    """What `squall-planner` says. Raises UserError with its words where it refuses."""
    q = question
    words: list[str] = [str(q.run_file), "--machine", str(q.machine), "-n", str(q.ranks)]
    words += ["--threads", str(q.threads)]
    if not calibrated(q.machine):  # that of the cores that Squall's own numbers are from
        words += ["--calibration", str(locate.machines_folder() / "calibration.json")]
    words += [word for setting in q.settings for word in ("--set", setting)]
    words += ["--method", q.method] if q.method else []
    words += ["--ranks-per-node", str(q.ranks_per_node)] if q.ranks_per_node else []
    words += ["--step-factor", str(q.step_factor)] if q.step_factor else []
    words += ["--schemes", str(q.schemes or locate.machines_folder() / "schemes.json"), *q.words]
    done = subprocess.run([locate.planner_binary(), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError((done.stderr or done.stdout).strip().removeprefix("squall-planner: "))
    answer: Answer = json.loads(done.stdout)
    return answer


def calibrated(machine: Path) -> bool:
    """Whether its cores were measured. Raises UserError."""
    try:
        return "calibration" in tomllib.loads(machine.read_text())
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{machine} cannot be read: {error}.") from None
