"""The baroclinic wave from WRF's own input, against WRF's fields.

The distance from WRF is the root mean square difference over the spread of WRF's field on each
level. The yardstick is WRF's distance from itself when its time step is halved.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from matplotlib.ticker import MaxNLocator

from squall.lab.linear.atmosphere import Array
from squall.lab.report import picture
from squall.lab.verify import data
from squall.lab.verify.check import Check
from squall.lab.verify.history import THETA_0, History, normalised_rms
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
    mass = history.field("MU", frame), _reference(folder, "MU", 2)
    theta = history.theta(frame)[0], _reference(folder, "T", 2)[0] + THETA_0
    with picture(workspace.picture(NAME), 9, 9) as figure:
        axes = figure.subplots(2, 3, sharex=True, sharey=True)
        _draw_row(axes[0], history.dx, "column mass' [hPa]", *(field / 100 for field in mass))
        _draw_map(axes[0, 2], history.dx, "Squall - WRF [Pa]", mass[0] - mass[1])
        _draw_row(axes[1], history.dx, "lowest theta [K]", *theta)
        _draw_map(axes[1, 2], history.dx, "Squall - WRF [mK]", 1e3 * (theta[0] - theta[1]))
        figure.supxlabel("x [km]")
        figure.supylabel("y [km]")
        figure.suptitle("Baroclinic wave after 5 days")


def _draw_row(axes: Any, dx: float, label: str, ours: Array, theirs: Array) -> None:
    levels = MaxNLocator(15).tick_values(float(theirs.min()), float(theirs.max()))
    _draw_map(axes[0], dx, f"Squall, {label}", ours, levels, "viridis")
    _draw_map(axes[1], dx, f"WRF 4.7.1, {label}", theirs, levels, "viridis")


def _draw_map(
    axes: Any,
    dx: float,
    title: str,
    values: Array,
    levels: Sequence[float] | None = None,
    colours: str = "RdBu_r",
) -> None:
    """Without levels: those that are symmetric about zero."""
    if levels is None:
        limit = float(np.abs(values).max()) or 1.0
        levels = MaxNLocator(12, symmetric=True).tick_values(-limit, limit)
    y, x = ((np.arange(n) + 0.5) * dx / 1e3 for n in values.shape)
    filled = axes.contourf(x, y, values, levels, cmap=colours)
    axes.figure.colorbar(filled, ax=axes, location="bottom", shrink=0.9, ticks=levels[::4])
    axes.set_title(title)
