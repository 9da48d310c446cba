"""What is tuned: a case, and of it what choices depend on."""

import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import netCDF4

from squall import locate, machine, quantity
from squall.errors import UserError
from squall.runs import tuned

_NOT_WHOLE = ("stations", "trajectories", "average")
_NOT_FILES = ("null", "sst")


@dataclass(frozen=True)
class Candidate:
    """A way to run a case: what is unlike a run without any options. Settings are TOML, by full name."""

    ranks: int = 1
    threads: int | None = None
    settings: tuple[tuple[str, str], ...] = ()

    def setting(self, values: Mapping[str, str | None]) -> "Candidate":
        """With these too; None: as the run file has it."""
        merged = {k: v for k, v in {**dict(self.settings), **values}.items() if v is not None}
        return replace(self, settings=tuple(sorted(merged.items())))

    def get(self, key: str) -> str | None:
        return dict(self.settings).get(key)

    def __str__(self) -> str:
        layout = f"{self.ranks} x {self.threads or 'default'}"
        short = (f"{key.rpartition('.')[2]} {value}".replace('"', "") for key, value in self.settings)
        return ", ".join([layout, *short])


DEFAULT = Candidate()


@dataclass(frozen=True)
class Stream:
    """Steps between its frames."""

    name: str
    steps: int
    whole: bool  # of the whole domain, into files that the model names
    table: dict[str, Any] = field(default_factory=dict)

    def key(self, name: str) -> str:
        return f"output.{self.name}.{name}"


@dataclass(frozen=True)
class Problem:
    """A case and this machine."""

    run_file: Path
    document: dict[str, Any]
    time_step: float  # s
    steps: int  # of the whole run
    nx: int
    ny: int
    streams: list[Stream]
    cores: int
    engines: dict[str, list[str]]  # of this build, that make files, with their codecs

    @property
    def bulk(self) -> Stream | None:
        """The stream whose engine is worth a choice: the most frequent of whole fields."""
        return min((s for s in self.streams if s.whole), key=lambda s: s.steps, default=None)


def read(case: str, settings: list[str]) -> Problem:
    """Raises UserError for a case that cannot be tuned."""
    run_file = locate.run_file(case)
    document = tuned.read_document(run_file, settings)
    try:
        step = quantity.quantity(document["run"]["time_step"], "time")
        steps = round(quantity.quantity(document["run"]["duration"], "time") / step)
        nx, ny = _columns(run_file, document)
        streams = [
            Stream(name, max(1, round(quantity.quantity(t["interval"], "time") / step)), _is_whole(t), t)
            for name, t in document.get("output", {}).items()
            if isinstance(t, dict) and quantity.quantity(t["interval"], "time") > 0
        ]
    except (KeyError, ValueError, TypeError, OSError) as error:
        raise UserError(
            f"{run_file} cannot be tuned: {error}. `squall run {case} --plan` shows more."
        ) from None
    return Problem(run_file, document, step, steps, nx, ny, streams, machine.cores(), engines())


def _columns(run_file: Path, document: Mapping[str, Any]) -> tuple[int, int]:
    """Cells from west to east and from south to north: of the run file, or of the file it begins from.
    Raises KeyError, ValueError or OSError where neither tells."""
    domain = document.get("domain", {})
    if "nx" in domain or "file" not in document.get("initial", {}):
        return int(domain["nx"]), int(domain["ny"])
    with netCDF4.Dataset(run_file.parent / document["initial"]["file"]) as file:
        return len(file.dimensions["west_east"]), len(file.dimensions["south_north"])


def _is_whole(table: dict[str, Any]) -> bool:
    return "path" not in table and not any(key in table for key in _NOT_WHOLE)


def engines() -> dict[str, list[str]]:
    """Engines of this build that make files, and their codecs, the default first."""
    program = locate.io_binary()
    done = subprocess.run([program, "engines", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{program} cannot list its engines: {done.stderr.strip()}")
    return {
        engine["name"]: engine["codecs"]
        for engine in json.loads(done.stdout)
        if not engine["missing"] and engine["name"] not in _NOT_FILES
    }
