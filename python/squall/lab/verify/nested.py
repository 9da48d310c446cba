"""Nested domains from WRF's own input, against WRF's fields of every domain.

What WRF writes as the parent's T is of the moment before it took the nest's averages, so T is compared where
the nest is not; there it is the nest's T that is compared.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from squall.diagnose.staggering import to_centres
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify import comparison, real_weather, supercell
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms
from squall.lab.verify.wrf_reference import (
    OURS,
    SOURCE,
    WRF_VERSION,
    Limit,
    Reference,
    compare,
    reference,
)
from squall.lab.workspace import Workspace
from squall.plot import panels, style
from squall.reader.dataset import open_run
from squall.results import picture

FIELDS = ("U", "V", "W", "T", "PH", "MU", "QVAPOR", "QCLOUD", "QRAIN", "RAINNC")
#: What a nest begins with, its ground and base state too: the interpolation alone, so to rounding.
FIRST = ("U", "V", "T", "PH", "MU", "QVAPOR", "PHB", "MUB", "HGT")
FIRST_LIMIT = 1e-3
HOUR = 3600.0


@dataclass(frozen=True)
class OfDomain(Reference):
    """WRF's fields of one domain, in a file of its own; its distances are by hours and domain."""

    domain: int = 1

    def read_own(self) -> dict[str, dict[str, Any]]:
        return super().read_own()[f"d{self.domain:02d}"]


@dataclass(frozen=True)
class NestedCase:
    """A folder of the reference data; called as a case of verification."""

    folder: str
    start: str
    case: str
    nest: tuple[int, int, int, int]  #: its first cell in the parent, from 1, and its cells
    at: tuple[float, ...]  #: times of comparison [s]
    changes: Callable[[Reference], Changes] = field(repr=False)
    one_way: bool = True  #: whether WRF ran it one-way, too

    @property
    def name(self) -> str:
        return self.folder.replace("_", "-")

    def verify(self, workspace: Workspace) -> list[Check]:
        wrf = reference(self.folder, self.start)
        checks = []
        for feedback in (True, False)[: 1 + self.one_way]:
            name = self.name if feedback else f"{self.name}-one-way"
            run_file = workspace.variant(name, self.case, {**self.changes(wrf), **self._nest(feedback)})
            run = workspace.run(name, run_file, {})
            for number, part in self._compared(feedback):
                of = OfDomain(wrf.folder, wrf.start, self._file(number, feedback), domain=number)
                limit = Limit(
                    OURS.floor, OURS.share, f", domain {number}, {'two' if feedback else 'one'}-way"
                )
                history = History(run, number)
                checks += compare(name, of, history, FIELDS, self.at, limit, part)
                if number > 1:
                    checks += _first(name, of, history, limit)
            if feedback:
                self._draw(workspace, of, run, history)
        return checks

    def _draw(self, workspace: Workspace, wrf: OfDomain, run: Path, history: History) -> None:
        """The nest at the last time that is compared: wind in the middle of the air, and what fell."""
        number = wrf.frame_at(self.at[-1])
        frame = history.frame_at(self.at[-1])
        middle = history.field("T", frame).shape[0] // 2
        ms, where = "m s$^{-1}$", f"level {middle}"
        u, w = ((history.field(name, frame)[middle], wrf.field(name, number)[middle]) for name in ("U", "W"))
        fields = [
            comparison.Field(f"$u$, {where}", ms, to_centres(u[0], axis=-1), to_centres(u[1], axis=-1)),
            comparison.Field(f"$w$, {where}", ms, *w),
        ]
        if history.has("RAINNC"):
            ours, theirs = history.field("RAINNC", frame), wrf.field("RAINNC", number)
            fields.append(comparison.Field("rain", "mm", ours, theirs, style.PRECIPITATION))
        plan = panels.plan(open_run(run, 2).isel(Time=frame))
        with picture(workspace.picture(self.name), *comparison.size(plan, len(fields))) as figure:
            comparison.draw(figure, plan, fields)
            figure.suptitle(
                f"The nest of {self.name} after {self.at[-1] / HOUR:g} h; WRF {WRF_VERSION}", fontsize=11
            )

    def _nest(self, feedback: bool) -> Changes:
        i, j, nx, ny = self.nest
        keys = {"i_parent_start": i, "j_parent_start": j, "nx": nx, "ny": ny, "feedback": feedback}
        return {f"nest.inner.{key}": value for key, value in keys.items()}

    def _compared(self, feedback: bool) -> Iterator[tuple[int, Callable[[str, Array], Array]]]:
        """The domains, and what of a field; one-way the parent is a run without nest."""
        if feedback:
            yield 1, self._outside
        yield 2, lambda _name, values: values

    def _outside(self, name: str, values: Array) -> Array:
        if name != "T":
            return values
        i, j, nx, ny = self.nest
        kept = values.copy()
        kept[..., j - 1 : j - 1 + ny // 3, i - 1 : i - 1 + nx // 3] = 0
        return kept

    @staticmethod
    def _file(number: int, feedback: bool) -> str:
        return f"wrf_reference_{'' if feedback else 'oneway_'}d{number:02d}.nc"


def _first(case: str, wrf: Reference, history: History, limit: Limit) -> Iterator[Check]:
    """What a nest begins with, where that is not the same everywhere."""
    for name in FIRST:
        theirs = wrf.field(name, 0)
        if np.ptp(theirs, axis=(-2, -1)).max() > 1e-6 * np.abs(theirs).max():
            distance = normalised_rms(theirs, history.field(name, 0))
            quantity = f"nRMSE of {name} at the start{limit.forms}"
            yield Check(case, quantity, 0.0, distance, FIRST_LIMIT, SOURCE, rule="at most")


def _as_supercell(wrf: Reference) -> Changes:
    return {
        **supercell.CHANGES,
        "initial.file": str(wrf.file("wrfinput_d01")),
        "run.compatibility": "wrf",
        "run.duration": "1 h",
    }


def _as_wave(wrf: Reference) -> Changes:
    return {
        "domain.nx": None,
        "domain.ny": None,
        "domain.nz": None,
        "domain.dx": None,
        "vertical": None,
        "initial.case": None,
        "initial.amplitude": None,
        "initial.file": str(wrf.file("wrfinput_d01")),
        "dynamics.coriolis": "file",
        "dynamics.f": None,
        "run.compatibility": "wrf",
        "run.duration": "2 d",
        "output.history.interval": "1 d",
    }


def _as_winter(wrf: Reference) -> Changes:
    folder = Path(wrf.folder).parent / "conus_2008-02-05"
    files = real_weather.starting_from(folder / "wrfinput_d01", folder / "wrfbdy_d01")
    return {**files, "run.compatibility": "wrf"}


SUPERCELL = NestedCase(
    "nested_supercell",
    "0001-01-01_00:00:00",
    "supercell",
    (13, 13, 48, 48),
    (600.0, 1800.0, 3600.0),
    _as_supercell,
)
WAVE = NestedCase(
    "nested_wave",
    "0001-01-01_00:00:00",
    "baroclinic-wave",
    (14, 34, 42, 42),
    (24 * HOUR, 48 * HOUR),
    _as_wave,
    False,
)
WINTER = NestedCase(
    "nested_winter",
    "2008-02-05_12:00:00",
    "january-storm",
    (15, 9, 48, 39),
    (3 * HOUR, 12 * HOUR, 24 * HOUR),
    _as_winter,
)
