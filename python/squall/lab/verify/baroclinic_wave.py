"""The baroclinic wave from WRF's own input, against WRF's fields."""

from squall.diagnose.constants import THETA0
from squall.lab.variants import Changes
from squall.lab.verify import comparison
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.wrf_reference import WRF_VERSION, Limit, Reference, compare, reference
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "baroclinic-wave-wrf"
FIELDS = ("U", "V", "W", "T", "PH", "MU")
DAY = 86400.0
DAYS = (1, 3, 5)

#: From WRF's input, which brings the grid.
CHANGES: Changes = {
    "domain.nx": None,
    "domain.ny": None,
    "domain.nz": None,
    "domain.dx": None,
    "vertical": None,
    "dynamics.coriolis": "file",
    "dynamics.f": None,
    "initial.case": None,
    "initial.amplitude": None,
    "output.history.interval": "1 d",
}


def verify(workspace: Workspace, days: tuple[int, ...] = DAYS) -> list[Check]:
    """Compares after each of the days."""
    wrf = reference("baroclinic_wave", "0001-01-01_00:00:00")
    of_run = {"run.duration": f"{days[-1]} d", "initial.file": str(wrf.file("wrfinput_d01"))}
    run_file = workspace.variant(NAME, "baroclinic-wave", {**CHANGES, **of_run})
    history = History(workspace.run(NAME, run_file, {}))
    _draw(workspace, wrf, history, days[-1])
    return compare(NAME, wrf, history, FIELDS, [day * DAY for day in days], Limit(0.005, 0.1))


def _draw(workspace: Workspace, wrf: Reference, history: History, day: int) -> None:
    """Column mass and temperature of the lowest layer at the end of a day."""
    frame, number = history.frame_at(day * DAY), wrf.frame_at(day * DAY)
    theta = history.theta(frame)[0], wrf.field("T", number)[0] + THETA0
    fields = [
        comparison.Field(
            "column mass, perturbation", "hPa",
            history.field("MU", frame) / 100, wrf.field("MU", number) / 100,
        ),
        comparison.Field("lowest $\\theta$", "K", *theta, style.scale("theta", *theta)),
    ]  # fmt: skip
    plan = comparison.plan(wrf)
    with picture(workspace.picture(NAME), *comparison.size(plan, len(fields))) as figure:
        comparison.draw(figure, plan, fields)
        figure.suptitle(f"Baroclinic wave after {day} days; WRF {WRF_VERSION}", fontsize=11)
