"""Real winter and summer weather over North America from WRF's own input, against WRF's fields."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from squall.diagnose.constants import G
from squall.diagnose.staggering import to_centres
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify import comparison
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.wrf_reference import (
    TWO_FORMS,
    WRF_VERSION,
    Reference,
    compare,
    compare_total,
    reference,
    whole,
)
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

FIELDS = ("U", "V", "W", "T", "PH", "MU", "QVAPOR", "RAINNC")
#: Where WRF does not advect geopotential along x, which W follows (docs/explanation/verification.md), nor
#: does Squall with WRF's forms.
WITHOUT_ADVECTION = (2, -3)
HOUR = 3600.0

#: As WRF's reference ran: warm rain, mixing by deformation, and no other physics.
CASE = "january-storm"
CHANGES: Changes = {
    "run.duration": "24 h",
    "run.time_step": "600 s",
    "prepare": None,
    "domain": None,
    "dynamics.moist_theta": False,
    "physics.microphysics": "kessler",
    "physics.suite": None,
    "diffusion.scheme": "smagorinsky-2d",
    "diffusion.surfaces": "coordinate",
    "damping": None,
    "output.history.interval": "3 h",
}


def starting_from(initial: Path, boundary: Path) -> Changes:
    """The changes of CASE for a run with WRF's settings from these files."""
    return {**CHANGES, "initial.file": str(initial), "boundary.file": str(boundary)}


@dataclass(frozen=True)
class RealCase:
    """A folder of the reference data and when it begins, and after how many hours it is compared."""

    folder: str
    start: str
    title: str
    hours: tuple[int, ...] = (3, 12, 24)

    @property
    def name(self) -> str:
        return f"{self.folder}-wrf"

    def verify(self, workspace: Workspace) -> list[Check]:
        wrf = reference(self.folder, self.start)
        checks = []
        for forms, limit in TWO_FORMS.items():
            changes = starting_from(wrf.file("wrfinput_d01"), wrf.file("wrfbdy_d01"))
            name = self.name if forms == "none" else f"{self.name}-forms"
            of_run = {"run.compatibility": forms, "run.duration": f"{self.hours[-1]} h"}
            run_file = workspace.variant(name, CASE, {**changes, **of_run})
            history = History(workspace.run(name, run_file, {}))
            at = [hours * HOUR for hours in self.hours]
            part = _comparable if forms == "none" else whole
            checks += compare(self.name, wrf, history, FIELDS, at, limit, part)
            checks += compare_total(self.name, wrf, history, "RAINNC", at[-1], limit)
            if forms == "none":
                self._draw(workspace, wrf, history)
        return checks

    def _draw(self, workspace: Workspace, wrf: Reference, history: History) -> None:
        """Column mass, height and wind in the middle of the atmosphere, and rain at the end."""
        hours = self.hours[-1]
        number, frame = wrf.frame_at(hours * HOUR), history.frame_at(hours * HOUR)
        middle = history.field("T", frame).shape[0] // 2
        fields = [
            *mass_and_height(wrf, number, history, frame),
            comparison.Field(
                f"$u$, level {middle}", "m s$^{-1}$", _on_mass_points(history.field("U", frame)[middle]),
                _on_mass_points(wrf.field("U", number)[middle]),
            ),
            comparison.Field(
                "rain", "mm", history.field("RAINNC", frame), wrf.field("RAINNC", number), style.PRECIPITATION
            ),
        ]  # fmt: skip
        plan = comparison.plan(wrf)
        with picture(workspace.picture(self.name), *comparison.size(plan, len(fields))) as figure:
            comparison.draw(figure, plan, fields)
            figure.suptitle(f"{self.title} UTC, after {hours} hours; WRF {WRF_VERSION}", fontsize=11)


def mass_and_height(wrf: Reference, number: int, history: History, frame: int) -> list[comparison.Field]:
    """Column mass, and height in the middle of the atmosphere: WRF's frame `number` against `frame`."""
    middle = history.field("T", frame).shape[0] // 2
    return [
        comparison.Field(
            "$\\mu'$", "hPa", history.field("MU", frame) / 100, wrf.field("MU", number) / 100
        ),
        comparison.Field(
            f"$z'$, level {middle}", "m", history.field("PH", frame)[middle] / G,
            wrf.field("PH", number)[middle] / G,
        ),
    ]  # fmt: skip


def _on_mass_points(u: Array) -> Array:
    between: Array = to_centres(u, axis=1)
    return between


def _comparable(field: str, values: Array) -> Array:
    return np.delete(values, WITHOUT_ADVECTION, axis=-1) if field == "W" else values


WINTER = RealCase("conus_2008-02-05", "2008-02-05_12:00:00", "5 February 2008 12")
SUMMER = RealCase("conus_2005-07-16", "2005-07-16_00:00:00", "16 July 2005 00")
