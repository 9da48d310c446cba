"""The baroclinic wave from WRF's own input, against WRF's fields.

The distance from WRF is the root mean square difference over the spread of WRF's field on each
level. The yardstick is WRF's distance from itself when its time step is halved.
"""

import json
from pathlib import Path

import netCDF4
import numpy as np
from matplotlib.ticker import MaxNLocator

from squall.lab.linear.atmosphere import Array
from squall.lab.report import picture
from squall.lab.verify import data
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, normalised_rms
from squall.lab.workspace import Workspace

NAME = "baroclinic-wave-wrf"
FIELDS = ("U", "V", "W", "T", "PH", "MU")
DAY = 86400.0

RUN_FILE = """\
# The baroclinic wave from WRF's input, with the settings that WRF's reference ran with.
[run]
duration = "5 days"
time_step = "600 s"
acoustic_substeps = 4

[domain]
boundary_south = "symmetric"
boundary_north = "symmetric"

[dynamics]
coriolis = "file"
hypsometric = 1 # the reference's attribute HYPSOMETRIC_OPT; its input was balanced with 2

[initial]
file = "{file}"

[output.history]
interval = "1 day"
"""


def verify(workspace: Workspace) -> list[Check]:
    folder = data.folder("baroclinic_wave")
    spread = json.loads((folder / "wrf_spread.json").read_text())
    run_file = workspace.run_file(NAME, RUN_FILE.format(file=(folder / "wrfinput_d01").resolve()))
    history = History(workspace.run(NAME, run_file, {}))
    checks = []
    for frame, stamp in enumerate(_times(folder)):
        seconds = _seconds(stamp)
        for field in FIELDS:
            theirs = _reference(folder, field, frame)
            distance = normalised_rms(theirs, history.field(field, history.frame_at(seconds)))
            own = float(spread[stamp][field])
            checks.append(_check(field, seconds / DAY, own, distance))
    _draw(workspace, folder, history)
    return checks


def _check(field: str, days: float, own: float, distance: float) -> Check:
    return Check(
        NAME,
        f"nRMSE of {field} after {days:.0f} d",
        own,
        distance,
        max(0.01, 2 * own),
        "distance from WRF 4.7.1's fields; reference: WRF's own distance from itself at half its time step",
        rule="at most",
    )


def _times(folder: Path) -> list[str]:
    with netCDF4.Dataset(folder / "wrf_reference.nc") as file:
        return ["".join(character.decode() for character in stamp) for stamp in file["Times"][:]]


def _seconds(stamp: str) -> float:
    """Seconds since 0001-01-01 of a time in that month, 0001-01-02_06:00:00."""
    day, clock = stamp[8:10], stamp[11:]
    hours, minutes, seconds = (int(part) for part in clock.split(":"))
    return (int(day) - 1) * DAY + hours * 3600 + minutes * 60 + seconds


def _reference(folder: Path, field: str, frame: int) -> Array:
    with netCDF4.Dataset(folder / "wrf_reference.nc") as file:
        return np.ma.getdata(file[field][frame]).astype(np.float64)


def _draw(workspace: Workspace, folder: Path, history: History) -> None:
    """Column mass and temperature of the lowest layer on day 5: ours, WRF's, difference."""
    frame = history.frame_at(5 * DAY)
    rows = {
        "column mass perturbation [hPa]": (
            history.field("MU", frame) / 100,
            _reference(folder, "MU", 2) / 100,
        ),
        "theta at the lowest level [K]": (history.theta(frame)[0], _reference(folder, "T", 2)[0] + 300),
    }
    with picture(workspace.picture(NAME), 8, 8) as figure:
        axes = figure.subplots(2, 3, sharex=True, sharey=True)
        for row, (label, (ours, theirs)) in zip(axes, rows.items(), strict=True):
            shared = np.linspace(theirs.min(), theirs.max(), 16)
            limit = np.abs(ours - theirs).max() or 1.0
            panels = [
                ("Squall", ours, shared, "viridis"),
                ("WRF 4.7.1", theirs, shared, "viridis"),
                ("Squall - WRF", ours - theirs, np.linspace(-limit, limit, 16), "RdBu_r"),
            ]
            for axis, (title, values, levels, colours) in zip(row, panels, strict=True):
                x = (np.arange(values.shape[1]) + 0.5) * history.dx / 1e3
                y = (np.arange(values.shape[0]) + 0.5) * history.dx / 1e3
                filled = axis.contourf(x, y, values, levels, cmap=colours, extend="both")
                figure.colorbar(filled, ax=axis, location="bottom", shrink=0.9, ticks=MaxNLocator(4))
                axis.set_title(f"{title}\n{label}", fontsize=8)
        figure.supxlabel("x [km]")
        figure.supylabel("y [km]")
        figure.suptitle("Baroclinic wave after 5 days")
