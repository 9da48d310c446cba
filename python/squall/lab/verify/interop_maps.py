"""The whole way on every map: Squall's preparation, then WRF and Squall from the same files.

A WRF that somebody built (--wrf) integrates what `squall prepare` made of a global analysis as it is.
"""

from dataclasses import dataclass
from pathlib import Path

from squall.lab.prepared import prepared
from squall.lab.variants import Changes
from squall.lab.verify import data, interop
from squall.lab.verify.built_wrf import INPUTS, BuiltWrf
from squall.lab.verify.check import Check, Skipped
from squall.lab.verify.history import History
from squall.lab.verify.real_weather import CASE, starting_from
from squall.lab.verify.wrf_reference import Reference
from squall.lab.workspace import Workspace

NAME = "interop-maps"
ANALYSIS = "gfs.t12z.pgrbf120.2p5deg.grib2"
HOURS = 1
STEP = 120  # s


@dataclass(frozen=True)
class Map:
    """A projection and a place with coasts and mountains: degrees."""

    name: str
    projection: str
    latitude: float
    longitude: float
    true_latitudes: tuple[float, float]

    def changes(self) -> Changes:
        first, second = self.true_latitudes
        return {
            "prepare.projection": self.projection,
            "prepare.center_latitude": f"{self.latitude} degrees",
            "prepare.center_longitude": f"{self.longitude} degrees",
            "prepare.true_latitude_1": f"{first} degrees",
            "prepare.true_latitude_2": f"{second} degrees",
        }


MAPS = (
    Map("lambert-north", "lambert", 44, 9, (30, 60)),  # the Alps and the Mediterranean
    Map("lambert-south", "lambert", -36, -66, (-60, -30)),  # the Andes and La Plata
    Map("polar-north", "polar-stereographic", 66, -30, (60, 60)),  # Greenland and Iceland
    Map("polar-south", "polar-stereographic", -67, -62, (-60, -60)),  # the Antarctic Peninsula
    Map("mercator", "mercator", 1, 122, (0, 0)),  # Celebes
    Map("lat-lon", "lat-lon", 60, 10, (60, 60)),  # Norway and the North Sea
)


def verify(workspace: Workspace) -> list[Check]:
    if workspace.wrf is None:
        raise Skipped("needs a built WRF: name the folder that holds its main/wrf.exe and run/ with --wrf")
    wrf = BuiltWrf(workspace.wrf)
    analysis = data.folder("analysis") / ANALYSIS
    if not analysis.is_file():
        raise Skipped(f"needs the reference data {analysis}")
    return [check for place in MAPS for check in _of_map(workspace, wrf, analysis, place)]


def _of_map(workspace: Workspace, wrf: BuiltWrf, analysis: Path, place: Map) -> list[Check]:
    own = Workspace(workspace.directory / NAME / place.name)
    made = {
        **place.changes(),
        "prepare.analysis": [str(analysis.resolve())],
        "prepare.sea_surface_temperature": None,
        "domain.nx": 40, "domain.ny": 36, "domain.nz": 30, "domain.dx": "40 km",
        "run.duration": f"{HOURS} h",
        "run.time_step": f"{STEP} s",
    }  # fmt: skip
    folder = prepared(own, "prepare", CASE, made).parent
    fields = wrf.run(folder, HOURS, STEP)
    start = fields.name.removeprefix("wrfout_d01_")
    reference = Reference(folder, start, fields.name)
    checks: list[Check] = []
    for forms in interop.LIMITS:
        changes = {
            **starting_from(*(folder / name for name in INPUTS)),
            **interop.WRF_4,
            "run.duration": f"{HOURS} h",
            "run.time_step": f"{STEP} s",
            "run.compatibility": forms,
        }
        history = History(own.run(f"run-{forms}", own.variant(f"run-{forms}", CASE, changes), {}))
        checks += interop.distances(NAME, reference, history, [HOURS], forms, f"{place.name}: ")
    return checks
