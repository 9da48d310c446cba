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

#: From WRF's input, which brings the grid.
CHANGES: Changes = {
    "run.duration": "5 d",
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


def verify(workspace: Workspace) -> list[Check]:
    wrf = reference("baroclinic_wave", "0001-01-01_00:00:00")
    initial = {"initial.file": str(wrf.file("wrfinput_d01"))}
    run_file = workspace.variant(NAME, "baroclinic-wave", {**CHANGES, **initial})
    history = History(workspace.run(NAME, run_file, {}))
    _draw(workspace, wrf, history)
    return compare(NAME, wrf, history, FIELDS, (1 * DAY, 3 * DAY, 5 * DAY), Limit(0.005, 0.1))


def _draw(workspace: Workspace, wrf: Reference, history: History) -> None:
    """Column mass and temperature of the lowest layer on day 5."""
    frame = history.frame_at(5 * DAY)
    theta = history.theta(frame)[0], wrf.field("T", 2)[0] + THETA0
    fields = [
        comparison.Field(
            "column mass, perturbation", "hPa",
            history.field("MU", frame) / 100, wrf.field("MU", 2) / 100,
        ),
        comparison.Field("lowest $\\theta$", "K", *theta, style.scale("theta", *theta)),
    ]  # fmt: skip
    plan = comparison.plan(wrf)
    with picture(workspace.picture(NAME), *comparison.size(plan, len(fields))) as figure:
        comparison.draw(figure, plan, fields)
        figure.suptitle(f"Baroclinic wave after 5 days; WRF {WRF_VERSION}", fontsize=11)
