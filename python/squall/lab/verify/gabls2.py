"""GABLS2 in a single column: a day over land against what was measured there, at CASES-99's tower in Kansas.

The case is that of thirty single columns, from 14 h local time on 22 October 1999, over ground whose
temperature is prescribed and under a wind whose pressure gradient stays: Svensson et al. (2011,
Boundary-Layer Meteor. 140, 177-206). It is run to 16 h of the next day, when its air begins to sink.

Measured are the fluxes of 5, 10 and 20 m and the wind of the main tower (NSF NCAR Earth Observing Laboratory
2016, 5 Minute Statistics of ISFF data during CASES-99, doi:10.5065/D6ZS2TWW), by the hour around each time.
They are those of two hours later by the clock (UTC - 5 h): then the ground that was measured is the case's
but for a standard deviation of 2.2 K; at the same time it is 5.1 K.
"""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from squall.diagnose.interpolation import Interpolator
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.single_column import SingleColumn, run_each, with_tables
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "gabls2"
SOURCE = "measured at CASES-99's main tower (NSF NCAR EOL, doi:10.5065/D6ZS2TWW); limits of our own"
BEGIN = 14.0  # local time where the run starts [h]
HEIGHTS = (10.0, 55.0)  # of the wind [m]

#: Boundary layers, the first as the case has it.
SCHEMES = ("mynn", "ysu")

#: Times of the case [h], of the second day from 24 on: friction velocity [m s-1], heat flux upward [K m s-1],
#: wind speed at 10 and 55 m [m s-1].
MEASURED = np.array(
    [
        (16, 0.418, -0.0183, 5.8, 8.5), (17, 0.098, -0.0090, 3.5, 7.2), (18, 0.044, -0.0028, 2.7, 6.9),
        (19, 0.054, -0.0043, 3.1, 7.5), (20, 0.081, -0.0090, 3.1, 8.3), (21, 0.079, -0.0095, 3.4, 8.5),
        (22, 0.059, -0.0075, 4.0, 9.5), (23, 0.089, -0.0095, 3.8, 8.7), (24, 0.197, -0.0299, 3.5, 8.7),
        (25, 0.269, -0.0352, 4.1, 8.4), (26, 0.246, -0.0297, 4.0, 7.9), (27, 0.086, -0.0077, 3.6, 7.2),
        (28, 0.050, -0.0036, 3.7, 7.3), (29, 0.104, -0.0124, 3.6, 7.3), (30, 0.082, -0.0054, 3.0, 6.5),
        (31, 0.411, 0.0268, 5.4, 7.6), (32, 0.415, 0.0987, 6.1, 7.1), (33, 0.421, 0.1582, 5.4, 6.4),
        (34, 0.384, 0.1713, 5.0, 5.8), (35, 0.410, 0.2089, 5.4, 6.3), (36, 0.417, 0.2137, 5.3, 6.1),
        (37, 0.399, 0.1627, 5.3, 6.4), (38, 0.422, 0.1403, 4.9, 5.7), (39, 0.391, 0.0631, 5.0, 6.1),
    ]
)  # fmt: skip
NIGHT, DAY = (18, 29), (32, 38)
#: What of it is compared: its column, its unit and how far means by night and by day may be off. By day the
#: case's air is 2 K warmer than that measured, and takes up less heat.
QUANTITIES = {
    "friction velocity": (1, "m/s", 0.1, 0.08),
    "heat flux": (2, "K m/s", 0.008, 0.05),
    "wind at 10 m": (3, "m/s", 1.0, 1.0),
    "wind at 55 m": (4, "m/s", 1.5, 1.2),
}
#: How far the hour may be at which the ground begins to warm the air, and at which it does no more [h].
TURNS_LIMIT = 1.5


class Column(SingleColumn):
    """Frames by the case's time [h]."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.hours = self.hours + BEGIN
        self.speed = np.hypot(self.profiles("U"), self.profiles("V"))
        at_heights = Interpolator(history.layer_height(0)[:, :, 0], np.array(HEIGHTS)[:, None])
        wind = [at_heights.linear(speed[:, None])[:, 0] for speed in self.speed]
        heat = [self.theta_flux(n) for n in range(len(self.hours))]
        self.rows = np.column_stack([self.hours, self.series("UST"), heat, wind])

    def hourly(self) -> Array:
        """As what was measured: means over the hour around each time."""
        times = MEASURED[:, 0]
        return np.array([self.rows[np.abs(self.hours - time) < 0.51].mean(axis=0) for time in times])


def verify(workspace: Workspace) -> list[Check]:
    histories = run_each(workspace, NAME, SCHEMES, changes)
    columns = {scheme: Column(history) for scheme, history in histories.items()}
    with picture(workspace.picture(NAME), 8, 6) as figure:
        axes = figure.subplots(2, 2, sharex=True)
        for ax, (name, (at, unit, *_)) in zip(axes.flat, QUANTITIES.items(), strict=True):
            _draw(ax, columns, at, f"{name} ({unit})")
        for ax in axes[1]:
            ax.set_xlabel("time of the case (h)")
        axes[0, 0].legend()
        figure.suptitle("GABLS2: a day over Kansas in single columns, and what was measured", fontsize=11)
    return [check for scheme, column in columns.items() for check in checks(scheme, column.hourly())]


def changes(scheme: str) -> Changes:
    return with_tables(scheme, sounding="gabls2-sounding.txt", surface="gabls2-surface.csv")


def checks(scheme: str, ours: Array) -> Iterator[Check]:
    """`ours`: hourly, as what was measured."""
    for part, (first, last) in {"night": NIGHT, "day": DAY}.items():
        rows = (MEASURED[:, 0] >= first) & (MEASURED[:, 0] <= last)
        for name, (at, unit, by_night, by_day) in QUANTITIES.items():
            theirs, mean = float(MEASURED[rows, at].mean()), float(ours[rows, at].mean())
            limit = by_night if part == "night" else by_day
            what = f"{scheme}: {name}, {part}, {first} to {last} h"
            yield Check(NAME, what, theirs, mean, limit, SOURCE, unit)
    what = f"{scheme}: when the ground begins to warm the air"
    yield Check(NAME, what, begins(MEASURED), begins(ours), TURNS_LIMIT, SOURCE, "h")


def begins(rows: Array) -> float:
    """The time of the second day from which on heat flows upward [h]."""
    morning = np.flatnonzero((rows[:, 0] > 24) & (rows[:, 2] > 0))[0]
    before, after = rows[morning - 1], rows[morning]
    return float(before[0] + (after[0] - before[0]) * before[2] / (before[2] - after[2]))


def _draw(ax: Axes, columns: dict[str, Column], at: int, label: str) -> None:
    for scheme, column in columns.items():
        ax.plot(column.hours, column.rows[:, at], label=f"Squall, one column, {scheme}")
    ax.plot(MEASURED[:, 0], MEASURED[:, at], "ko", markersize=3, label="measured")
    ax.set_ylabel(label)
    style.plain(ax, "both")
