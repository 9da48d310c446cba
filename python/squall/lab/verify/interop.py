"""Files in WRF 4's own conventions on a latitude-longitude map, against WRF's fields.

Hybrid levels, moist theta in the state and along the sides, geopotential by the logarithm of pressure.
"""

from collections.abc import Iterable, Iterator

from squall.lab.variants import Changes
from squall.lab.verify import comparison
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms
from squall.lab.verify.real_weather import CASE, mass_and_height, starting_from
from squall.lab.verify.wrf_reference import WRF_VERSION, Reference, reference
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "interop"
HOUR = 3600.0
HOURS = (1, 3, 6)
START = "2011-01-15_12:00:00"
SOURCE = f"distance from WRF {WRF_VERSION}'s fields"

FIELDS = ("U", "V", "T", "PH", "MU", "QVAPOR")
#: How far Squall's own forms of the equations and WRF's (run.compatibility) may be from WRF's fields.
LIMITS = {"none": 0.02, "wrf": 0.005}
FORMS = {"none": "", "wrf": ", compatibility = wrf"}

#: As WRF's reference ran, beside what starting_from() says.
WRF_4: Changes = {
    "dynamics.moist_theta": True,
    "dynamics.hypsometric": 2,
    "run.time_step": "120 s",
    "output.history.interval": "1 h",
}


def verify(workspace: Workspace, hours: tuple[int, ...] = HOURS) -> list[Check]:
    """Compares after each of the hours."""
    wrf = reference(NAME, START)
    files = starting_from(wrf.file("wrfinput_d01"), wrf.file("wrfbdy_d01"))
    checks: list[Check] = []
    for forms in LIMITS:
        name = f"{NAME}-{forms}"
        of_run = {"run.compatibility": forms, "run.duration": f"{hours[-1]} h"}
        run_file = workspace.variant(name, CASE, {**files, **WRF_4, **of_run})
        history = History(workspace.run(name, run_file, {}))
        checks += distances(NAME, wrf, history, hours, forms)
        if forms == "none":
            _draw(workspace, wrf, history, hours[-1])
    return checks


def distances(
    case: str, wrf: Reference, history: History, hours: Iterable[int], forms: str, where: str = ""
) -> Iterator[Check]:
    """Of each field after so many hours. where: of several domains, which one."""
    numbers = {seconds: number for number, _, seconds in wrf.frames()}
    for after in hours:
        frame = history.frame_at(after * HOUR)
        for name in FIELDS:
            theirs, ours = wrf.field(name, numbers[after * HOUR]), history.field(name, frame)
            what = f"{where}nRMSE of {name} after {after} h{FORMS[forms]}"
            yield Check(case, what, None, normalised_rms(theirs, ours), LIMITS[forms], SOURCE, rule="at most")


def _draw(workspace: Workspace, wrf: Reference, history: History, hours: int) -> None:
    """Height and temperature in the middle of the atmosphere, and column mass, at the end."""
    number, frame = wrf.frame_at(hours * HOUR), history.frame_at(hours * HOUR)
    fields = [
        *mass_and_height(wrf, number, history, frame),
        comparison.Field(
            "$\\theta$ less 300 K, lowest level", "K", history.field("T", frame)[0], wrf.field("T", number)[0]
        ),
    ]  # fmt: skip
    plan = comparison.plan(wrf)
    with picture(workspace.picture(NAME), *comparison.size(plan, len(fields))) as figure:
        comparison.draw(figure, plan, fields)
        figure.suptitle(f"60 N 10 E, latitude-longitude, after {hours} hours; WRF {WRF_VERSION}", fontsize=11)
