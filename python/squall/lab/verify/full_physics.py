"""A summer and a winter day over North America with all schemes of WRF's runs, against WRF's forecasts.

Schemes of the same name from the same input: the forecast may be three times as far from WRF's as WRF is from
itself when its time step is halved, and must be nearer than WRF with another suite is (Thompson, MYNN,
Tiedtke). Both distances are those of the summer day, of which alone WRF's other runs are there.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import netCDF4
import numpy as np

from squall.diagnose.constants import FREEZING
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify import comparison, data
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms
from squall.lab.verify.real_weather import CASE, starting_from
from squall.lab.verify.wrf_reference import WRF_VERSION, Reference
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

FIELDS = (
    "U", "V", "T", "PH", "MU", "QVAPOR", "T2", "Q2", "U10", "V10", "PSFC", "TSK", "HFX", "LH", "UST", "PBLH",
    "SWDOWN", "GLW", "OLR", "RAINNC", "RAINC", "TSLB", "SMOIS",
)  # fmt: skip
SOURCE = (
    "distance from WRF 4.7.1's forecast; reference: WRF's from itself at half its time step, times three, or "
    "with another suite, if that is less (both of the summer day)"
)

#: Of layers that differ from scheme to scheme, so that the summer day's distances say nothing of another's.
OF_THE_SOIL, SUMMERS_LAND = ("TSLB", "SMOIS"), "noah"

FORMS = {"none": "", "wrf": ", compatibility = wrf"}

#: As the namelists of the reference data say.
CHANGES: Changes = {
    "run.time_step": "360 s",
    "dynamics.hypsometric": 1,
    "physics.microphysics": "wsm6",
    "physics.surface_layer": "revised-mm5",
    "physics.boundary_layer": "ysu",
    "physics.cumulus": "kain-fritsch",
    "physics.radiation": "rrtmgp",
    "physics.radiation_interval": "30 min",
    "output.history.interval": "6 h",
}


@dataclass(frozen=True)
class Day:
    """`input_of`: the folder of what it starts from; `start`: as YYYY-mm-dd_HH:MM:SS; `hours`: after which
    it is compared."""

    season: str
    date: str
    input_of: str
    start: str
    land: str
    forms: tuple[str, ...]
    hours: tuple[int, ...] = (6, 12, 24)

    @property
    def name(self) -> str:
        return f"full-physics-{self.season}"

    def reference(self) -> Reference:
        fields = f"wrf_reference_{self.season}.nc"
        return Reference(data.folder("physics"), self.start, fields, "wrf_yardstick.json")

    def verify(self, workspace: Workspace) -> list[Check]:
        inputs, wrf = data.folder(self.input_of), self.reference()
        initial, boundary = ((inputs / name).resolve() for name in ("wrfinput_d01", "wrfbdy_d01"))
        with netCDF4.Dataset(initial) as file:
            land = file["LANDMASK"][0] == 1
        checks: list[Check] = []
        for forms in self.forms:
            changes = {
                **starting_from(initial, boundary),
                **CHANGES,
                "run.duration": f"{self.hours[-1]} h",
                "physics.land": self.land,
                "run.compatibility": forms,
            }
            name = self.name if forms == "none" else f"{self.name}-forms"
            history = History(workspace.run(name, workspace.variant(name, CASE, changes), {}))
            checks += self._checks(wrf, history, land, FORMS[forms])
            if forms == "none":
                self._draw(workspace, wrf, history)
        return checks

    def _checks(self, wrf: Reference, history: History, land: Array, forms: str) -> Iterator[Check]:
        yardstick: dict[str, dict[str, Any]] = wrf.read_own()
        numbers = {seconds: number for number, _, seconds in wrf.frames()}
        for hours in self.hours:
            frame = history.frame_at(hours * 3600.0)
            for name in FIELDS:
                half, other = (yardstick[kind][str(hours)].get(name) for kind in ("half", "other"))
                if not half or not other:  # it does not vary
                    continue
                if name in OF_THE_SOIL and self.land != SUMMERS_LAND:
                    continue
                limit = min(3 * half, other)
                theirs, ours = wrf.field(name, numbers[hours * 3600.0]), history.field(name, frame)
                if name == "TSLB":  # under the sea, where there is no soil, WRF writes 273.16 K
                    ours = np.where(land, ours, theirs)
                what = f"nRMSE of {name} after {hours} h{forms}"
                distance = normalised_rms(theirs, ours)
                yield Check(self.name, what, limit, distance, limit, SOURCE, rule="at most")

    def _draw(self, workspace: Workspace, wrf: Reference, history: History) -> None:
        """2 m temperature, rain of both kinds and the height of the boundary layer at the end."""
        hours = self.hours[-1]
        number, frame = wrf.frame_at(hours * 3600.0), history.frame_at(hours * 3600.0)

        def pair(name: str, less: float = 0.0) -> tuple[Any, Any]:
            return history.field(name, frame) - less, wrf.field(name, number) - less

        fields = [
            comparison.Field("temperature at 2 m", "°C", *pair("T2", FREEZING)),
            comparison.Field("rain resolved", "mm", *pair("RAINNC"), style.PRECIPITATION),
            comparison.Field("rain of convection", "mm", *pair("RAINC"), style.PRECIPITATION),
            comparison.Field("boundary layer", "m", *pair("PBLH")),
        ]
        plan = comparison.plan(Reference(data.folder(self.input_of), wrf.start))
        with picture(workspace.picture(self.name), *comparison.size(plan, len(fields))) as figure:
            comparison.draw(figure, plan, fields)
            figure.suptitle(
                f"{self.date} UTC, after {hours} hours with full physics; WRF {WRF_VERSION}", fontsize=11
            )


SUMMER = Day("summer", "16 July 2005 00", "conus_2005-07-16", "2005-07-16_00:00:00", "noah", ("none", "wrf"))
WINTER = Day("winter", "5 February 2008 12", "conus_2008-02-05", "2008-02-05_12:00:00", "slab", ("none",))
