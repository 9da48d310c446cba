"""Real weather that runs from WRF's namelist, by `squall import`, against WRF: a winter day over the plains
of North America, and hours over the Celebes Sea.

The input has WRF 4's conventions (hybrid levels, moist theta); the schemes are those of the same names, with
RRTMGP in place of RRTMG, and `run.compatibility = "wrf"`. The yardstick is WRF's distance from itself when
its time step is halved; over the Celebes Sea, of which WRF made one run alone, Squall's.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np

from squall.diagnose.constants import FREEZING
from squall.lab.linear.atmosphere import Array
from squall.lab.verify import comparison, data
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms
from squall.lab.verify.wrf_reference import SOURCE, WRF_VERSION, Reference
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture
from squall.run_files import schema
from squall.wrf import namelist, write
from squall.wrf.translate import translate

START = "2011-01-15_12:00:00"
HOUR = 3600.0
FIRST_HOURS = 6  # of which WRF's distance from itself is known; what is compared earlier has that one

FIELDS = (
    "U", "V", "W", "T", "PH", "MU", "QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP", "QNICE", "QNRAIN",
    "T2", "Q2", "U10", "V10", "PSFC", "TSK", "HFX", "LH", "UST", "PBLH", "SWDOWN", "GLW", "OLR", "RAINNC",
    "RAINC", "TSLB", "SMOIS", "SNOW",
)  # fmt: skip
#: On water: WRF writes 273.16 K for soil, and keeps what snow the file has there, which Squall does not.
OFF_LAND = {"TSLB": 273.16, "SNOW": 0.0}
NOT_IN = {"tropics": ("QGRAUP",)}  # of which there is next to none: WRF's mean is 1e-15
LEAST_RAIN = 0.01  # mm, of convection where WRF has none


def translated(workspace: Workspace, name: str, source: Path) -> Path:
    """Writes the run file `name` that `squall import` makes of a namelist; the input lies beside that."""
    known, output = schema.load(), workspace.directory / f"{name}.toml"
    return workspace.run_file(
        name, write.run_file(translate(namelist.read(source), known), known, source, output)
    )


@dataclass(frozen=True)
class ImportedDay:
    """`place`, `suite`: by the names that the reference data have for them; `share`: how far a field may be
    from WRF's, of the yardstick; `hours`: after which it is compared, with the fields of `file`."""

    place: str
    suite: str
    share: float
    hours: tuple[int, ...] = (6, 12, 24)
    file: str = "wrf_reference"

    @property
    def name(self) -> str:
        return f"{self.place}-{self.suite}"

    def verify(self, workspace: Workspace) -> list[Check]:
        folder = data.folder(f"physics2/{self.place}")
        wrf = Reference(folder, START, f"{self.file}_{self.suite}.nc", f"wrf_spread_{self.suite}.json")
        run_file = translated(workspace, self.name, wrf.file(f"namelist_{self.suite}_columns.input"))
        history = self._forecast(workspace, run_file, self.name)
        half = None
        if not wrf.file(wrf.own).is_file():
            half = self._forecast(workspace, run_file, f"{self.name}-half", {"run.time_step": "90 s"})
        checks = list(self._checks(wrf, history, half))
        self._draw(workspace, wrf, history)
        return checks

    def _forecast(
        self, workspace: Workspace, run_file: Path, name: str, more: Mapping[str, str] | None = None
    ) -> History:
        settings = {
            "run.compatibility": "wrf",
            "run.duration": f"{self.hours[-1]} h",
            "output.history.interval": f"{self.hours[0]} h",
            **(more or {}),
        }
        return History(workspace.run(name, run_file, settings))

    def _checks(self, wrf: Reference, history: History, half: History | None) -> Iterator[Check]:
        """`half`: the same run with half the time step, where the reference data have no yardstick."""
        with netCDF4.Dataset(wrf.file("wrfinput_d01")) as file:
            land = file["LANDMASK"][0] == 1
        of_wrf = {} if half else wrf.read_own()
        for hours in self.hours:
            number = wrf.frame_at(hours * HOUR)
            for name in FIELDS:
                theirs = wrf.field(name, number)
                if name in NOT_IN.get(self.place, ()) or theirs.std() == 0:
                    continue  # as sunlight by night
                ours = _at(history, name, hours)
                own = (
                    normalised_rms(ours, _at(half, name, hours))
                    if half
                    else float(of_wrf[str(max(hours, FIRST_HOURS))][name])
                )
                if name in OFF_LAND:
                    theirs, ours = (np.where(land, values, OFF_LAND[name]) for values in (theirs, ours))
                what = f"nRMSE of {name} after {hours} h, compatibility = wrf"
                distance, limit = normalised_rms(theirs, ours), self.share * own
                yield Check(self.name, what, own, distance, limit, SOURCE, rule="at most")
        if wrf.field("RAINC", number).max() == 0:
            what, most = f"most rain of convection after {hours} h", _at(history, "RAINC", hours).max()
            yield Check(self.name, what, 0.0, float(most), LEAST_RAIN, SOURCE, "mm", "at most")

    def _draw(self, workspace: Workspace, wrf: Reference, history: History) -> None:
        """2 m temperature, rain and snow, radiation that leaves, and the boundary layer at the end."""
        hours = self.hours[-1]
        number, frame = wrf.frame_at(hours * HOUR), history.frame_at(hours * HOUR)

        def pair(name: str, less: float = 0.0) -> tuple[Array, Array]:
            return history.field(name, frame) - less, wrf.field(name, number) - less

        fields = [
            comparison.Field("temperature at 2 m", "°C", *pair("T2", FREEZING)),
            comparison.Field("rain and snow", "mm", *pair("RAINNC"), style.PRECIPITATION),
            comparison.Field("outgoing thermal radiation", "W m$^{-2}$", *pair("OLR")),
            comparison.Field("boundary layer", "m", *pair("PBLH")),
        ]
        plan = comparison.plan(wrf)
        with picture(workspace.picture(self.name), *comparison.size(plan, len(fields))) as figure:
            comparison.draw(figure, plan, fields)
            when = f"15 January 2011 12 UTC, after {hours} hours"
            figure.suptitle(f"{self.place}, {when}, suite {self.suite}; WRF {WRF_VERSION}", fontsize=11)


def _at(history: History, name: str, hours: int) -> Array:
    return history.field(name, history.frame_at(hours * HOUR))


MODERN, CONUS = ImportedDay("plains", "modern", 1.0), ImportedDay("plains", "conus", 1.0)
TROPICS = ImportedDay("tropics", "modern", 3.0, (3, 6), "columns")
