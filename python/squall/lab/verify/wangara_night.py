"""Wangara's day 33 and the night after it in a single column: a diurnal cycle over land and its night's jet.

The large eddies of the same air under the same geostrophic wind, over ground as warm: JAX-ALFA at 256 cells
along each side (Basu 2026, its documentation: diurnal cycle over Wangara, time and height), which descends
from the model of Basu, Vinuesa and Swift (2008, J. Appl. Meteor. Climatol. 47, 1156-1174). Its numbers are
read off the figures there, to a line's width: 0.003 m/s of friction velocity, 0.002 K m/s of heat flux,
0.3 m/s of wind.
"""

from collections.abc import Callable, Iterator

import numpy as np
from matplotlib.axes import Axes

from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.single_column import SingleColumn, run_each, with_tables
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "wangara-night"
SOURCE = "large eddies, JAX-ALFA's of Wangara (after Basu et al. 2008), read off its figures"
BEGIN = 9.0  # local time where the run starts [h]

LAYER = 20.0  # depth of one of the case's layers [m]

#: Boundary layers, the first as the case has it.
SCHEMES = ("mynn", "ysu")

#: Local times [h], of the second day from 24 on: friction velocity [m s-1], heat flux below [K m s-1].
SURFACE = np.array(
    [
        (10, 0.172, 0.117), (11, 0.188, 0.148), (12, 0.184, 0.150), (13, 0.179, 0.136), (14, 0.184, 0.125),
        (15, 0.201, 0.111), (16, 0.225, 0.103), (17, 0.245, 0.055), (18, 0.158, -0.018), (19, 0.110, -0.023),
        (20, 0.138, -0.030), (21, 0.158, -0.037), (22, 0.169, -0.041), (23, 0.175, -0.044),
        (24, 0.191, -0.041), (25, 0.192, -0.042), (26, 0.191, -0.041), (27, 0.206, -0.029),
        (28, 0.195, -0.035), (29, 0.187, -0.036), (30, 0.214, -0.024), (31, 0.191, -0.030),
    ]
)  # fmt: skip
#: Likewise: greatest wind below 1200 m [m s-1], its height [m], wind along x and y at 600 m [m s-1].
JET = np.array(
    [
        (21, 9.0, 140, -8.2, 1.5), (24, 11.6, 160, -10.2, -2.7), (25, 12.1, 176, -10.2, -4.1),
        (26, 12.3, 184, -9.8, -5.3), (27, 12.3, 176, -9.1, -6.2), (29, 11.9, 192, -7.3, -7.3),
        (30, 11.6, 200, -6.4, -7.6), (31, 11.2, 200, -5.6, -7.6),
    ]
)  # fmt: skip
DAY, NIGHT = (10, 16), (20, 31)
#: How far ours may be off: by night our columns mix half as deep, and half of their heat flows.
LIMITS = {
    "friction velocity": 0.05,
    "heat flux": 0.022,
    "greatest wind": 1.0,
    "its height": 100.0,
    "wind at 600 m": 0.6,
}


class Column(SingleColumn):
    """Frames by local time [h]."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.hours = self.hours + BEGIN
        self.z = history.layer_height(0)[:, 0, 0]
        self.u, self.v = self.profiles("U"), self.profiles("V")
        self.speed = np.hypot(self.u, self.v)

    def friction(self, hour: float) -> float:
        return float(self.series("UST")[self.at(hour)])

    def heat(self, hour: float) -> float:
        return self.theta_flux(self.at(hour))

    def jet(self, hour: float) -> tuple[float, float]:
        """The greatest wind below 1200 m [m s-1] and its height [m]."""
        speed = np.where(self.z < 1200, self.speed[self.at(hour)], 0)
        return float(speed.max()), float(self.z[speed.argmax()])

    def aloft(self, hour: float) -> tuple[float, float]:
        """Along x and y [m s-1], of the layers whose middles lie within one of theirs of 600 m."""
        n, layers = self.at(hour), np.abs(self.z - 600) < LAYER
        return float(self.u[n, layers].mean()), float(self.v[n, layers].mean())


def changes(scheme: str) -> Changes:
    return with_tables(
        scheme,
        sounding="wangara-sounding.txt",
        surface="wangara-night-surface.csv",
        geostrophic="wangara-night-wind.csv",
    )


def verify(workspace: Workspace) -> list[Check]:
    histories = run_each(workspace, NAME, SCHEMES, changes)
    columns = {scheme: Column(history) for scheme, history in histories.items()}
    with picture(workspace.picture(NAME), 8, 6) as figure:
        (wind, height), (friction, heat) = figure.subplots(2, 2, sharex=True)
        _draw(wind, columns, JET[:, 0], JET[:, 1], lambda c, h: c.jet(h)[0], "greatest wind (m s$^{-1}$)")
        _draw(height, columns, JET[:, 0], JET[:, 2], lambda c, h: c.jet(h)[1], "its height (m)")
        _draw(
            friction, columns, SURFACE[:, 0], SURFACE[:, 1], Column.friction, "friction velocity (m s$^{-1}$)"
        )
        _draw(heat, columns, SURFACE[:, 0], SURFACE[:, 2], Column.heat, "heat flux (K m s$^{-1}$)")
        for ax in (friction, heat):
            ax.set_xlabel("local time (h)")
        wind.legend()
        figure.suptitle("Wangara, day 33 and the night after it: single columns", fontsize=11)
    return [check for scheme, column in columns.items() for check in checks(scheme, column)]


def checks(scheme: str, column: Column) -> Iterator[Check]:
    for name, (first, last) in {"day": DAY, "night": NIGHT}.items():
        rows = SURFACE[(SURFACE[:, 0] >= first) & (SURFACE[:, 0] <= last)]
        for quantity, column_of, ours, unit in (
            ("friction velocity", 1, column.friction, "m/s"),
            ("heat flux", 2, column.heat, "K m/s"),
        ):
            mean = float(np.mean([ours(hour) for hour in rows[:, 0]]))
            what = f"{scheme}: {quantity}, {name}, {first} to {last} h"
            yield Check(NAME, what, float(rows[:, column_of].mean()), mean, LIMITS[quantity], SOURCE, unit)
    for hour, wind, height, u, v in JET:
        if hour not in (24, 27, 30):
            continue
        fastest, above = column.jet(hour)
        yield _check(f"{scheme}: maximum wind at {hour:g} h", wind, fastest, "greatest wind", "m/s")
        yield _check(f"{scheme}: height of the maximum wind at {hour:g} h", height, above, "its height", "m")
        along_x, along_y = column.aloft(hour)
        off = float(np.hypot(along_x - u, along_y - v))
        what = f"{scheme}: wind at 600 m at {hour:g} h, as vectors differ"
        yield Check(NAME, what, 0.0, off, LIMITS["wind at 600 m"], SOURCE, "m/s", "at most")


def _check(what: str, theirs: float, ours: float, limit: str, unit: str) -> Check:
    return Check(NAME, what, float(theirs), ours, LIMITS[limit], SOURCE, unit)


def _draw(
    ax: Axes,
    columns: dict[str, Column],
    hours: Array,
    theirs: Array,
    of: Callable[[Column, float], float],
    label: str,
) -> None:
    for scheme, column in columns.items():
        own = column.hours[column.hours >= hours[0]]
        ax.plot(own, [of(column, hour) for hour in own], label=f"Squall, one column, {scheme}")
    ax.plot(hours, theirs, "ko", markersize=3, label="large eddies")
    ax.set_ylabel(label)
    style.plain(ax, "both")
