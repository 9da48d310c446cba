"""The baroclinic wave from WRF's own input, against WRF's fields."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from squall.lab.linear.atmosphere import Array
from squall.lab.report import picture
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import THETA_0, History
from squall.lab.verify.wrf_reference import Limit, Reference, compare, reference
from squall.lab.workspace import Workspace

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
    """Column mass and temperature of the lowest layer on day 5: ours, WRF's, difference."""
    frame = history.frame_at(5 * DAY)
    mass = history.field("MU", frame), wrf.field("MU", 2)
    theta = history.theta(frame)[0], wrf.field("T", 2)[0] + THETA_0
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
