"""Day 33 of Wangara in a single column: the mixed layer that a winter's sun makes over a plain until it sets.

Mixed layer and temperature, from 10 to 16 h local time: Nakanishi and Niino (2009, J. Meteor. Soc. Japan 87,
895-912), table 1 and figure 3, who ran large eddies and their closure from the observed sounding of 9 h
(Clarke et al. 1971). The friction velocity of each hour: Hicks (1981, Bound.-Layer Meteor. 20, 501-506), from
the observations.
"""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.single_column import HOUR, SingleColumn, run_each, with_tables
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "wangara"
SOURCE = "Nakanishi and Niino (2009) and, of the friction velocity, Hicks (1981)"
HEAT_SOURCE = "what the surface gives, a balance of our own"
BEGIN = 9.0  # local time where the run starts [h]
SUNSET = 18.0

#: Boundary layers, the first as the case has it.
SCHEMES = ("mynn", "ysu")

#: Height of the least heat flux [m], by local time.
MIXED_LAYER = {10: 200.0, 12: 1000.0, 14: 1240.0, 16: 1400.0}
#: Potential temperature of the mixed layer at half its height, by local time [K].
THETA = {12: 283.12, 14: 284.69, 16: 285.86}
#: Friction velocity by local time [m s-1].
FRICTION = {10: 0.181, 11: 0.177, 12: 0.174, 13: 0.174, 14: 0.191, 15: 0.209, 16: 0.216}
#: How far ours may be off: of the height (and two layers), [K], of the mean friction velocity.
HEIGHT_LIMIT, LAYERS_LIMIT, THETA_LIMIT, FRICTION_LIMIT = 0.12, 40.0, 0.4, 0.12
#: Of what the surface gives, what the column may lack: c_p theta is what ysu keeps, c_p T what mynn does.
HEAT_LIMIT = 0.03
#: Half of the time over which a heat flux is found [h].
HALF = 1 / 6


class Column(SingleColumn):
    """Frames by local time [h]."""

    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.hours = self.hours + BEGIN
        self.theta = np.array([history.theta(n)[:, 0, 0] for n in range(len(self.hours))])
        self.bottom = history.height(0)[:, 0, 0]
        self.z = history.layer_height(0)[:, 0, 0]

    def heat_flux(self, hour: float) -> Array:
        """At interfaces, of what the column becomes warmer by around that time: nothing else warms it."""
        first, last = self.at(hour - HALF), self.at(hour + HALF)
        rate = (self.theta[last] - self.theta[first]) / ((self.hours[last] - self.hours[first]) * HOUR)
        frames = range(first, last + 1)
        below = float(np.mean([self.theta_flux(n) for n in frames]))
        weight = self.history.density(self.at(hour))[:, 0, 0]
        stored = np.cumsum(rate * np.diff(self.bottom) * weight / weight[0])
        return np.concatenate([[below], below - stored])

    def mixed_layer(self, hour: float) -> float:
        return float(self.bottom[self.heat_flux(hour).argmin()])

    def half_way(self, hour: float) -> float:
        """Potential temperature at half the height of the mixed layer."""
        return float(np.interp(MIXED_LAYER[int(hour)] / 2, self.z, self.theta[self.at(hour)]))

    def heat_missing(self) -> float:
        """What the column gained until sunset less what the surface gave, of what it gave."""
        frames = range(self.at(SUNSET) + 1)
        weight = self.history.density(0)[:, 0, 0] * np.diff(self.bottom)
        gained = float(((self.theta[frames[-1]] - self.theta[0]) * weight).sum())
        fluxes = [self.theta_flux(n) * self.history.density(n)[0, 0, 0] for n in frames]
        given = float(np.trapezoid(fluxes, self.hours[: len(fluxes)] * HOUR))
        return abs(gained - given) / given


def changes(scheme: str) -> Changes:
    return with_tables(
        scheme, sounding="wangara-sounding.txt", surface="wangara-surface.csv", geostrophic="wangara-wind.csv"
    )


def verify(workspace: Workspace) -> list[Check]:
    histories = run_each(workspace, NAME, SCHEMES, changes)
    columns = {scheme: Column(history) for scheme, history in histories.items()}
    with picture(workspace.picture(NAME), 8, 4) as figure:
        left, right = figure.subplots(1, 2)
        _draw_profiles(left, columns[SCHEMES[0]])
        _draw_heights(right, columns)
        figure.suptitle("Wangara, day 33: a mixed layer in single columns", fontsize=11)
    return [check for scheme, column in columns.items() for check in checks(scheme, column)]


def checks(scheme: str, column: Column) -> Iterator[Check]:
    for hour, height in MIXED_LAYER.items():
        ours, limit = column.mixed_layer(hour), max(HEIGHT_LIMIT * height, LAYERS_LIMIT)
        yield Check(NAME, f"{scheme}: depth of the mixed layer at {hour} h", height, ours, limit, SOURCE, "m")
    for hour, theta in THETA.items():
        ours = column.half_way(hour)
        yield Check(
            NAME,
            f"{scheme}: potential temperature of the mixed layer at {hour} h",
            theta,
            ours,
            THETA_LIMIT,
            SOURCE,
            "K",
        )
    observed = float(np.mean(list(FRICTION.values())))
    ours = float(np.mean([column.history.field("UST", column.at(hour))[0, 0] for hour in FRICTION]))
    what = f"{scheme}: friction velocity, 10 to 16 h"
    yield Check(NAME, what, observed, ours, FRICTION_LIMIT * observed, SOURCE, "m/s")
    missing = column.heat_missing()
    yield Check(
        NAME, f"{scheme}: residual of the heat budget", 0.0, missing, HEAT_LIMIT, HEAT_SOURCE, "1", "at most"
    )


def _draw_profiles(ax: Axes, column: Column) -> None:
    for n, hour in enumerate((9, 12, 14, 16, 18)):
        ax.plot(column.theta[column.at(hour)], column.z, color=f"C{n}", label=f"{hour} h")
        if hour in THETA:
            ax.plot(THETA[hour], MIXED_LAYER[hour] / 2, "o", color=f"C{n}")
    ax.set(xlabel="potential temperature (K)", ylabel="height (m)", ylim=(0, 1800), xlim=(276, 291))
    ax.legend()
    style.plain(ax, "both")


def _draw_heights(ax: Axes, columns: dict[str, Column]) -> None:
    for scheme, column in columns.items():
        hours = np.arange(9.5, 16.6, 0.25)
        ax.plot(hours, [column.mixed_layer(h) for h in hours], label=f"Squall, one column, {scheme}")
    ax.plot(list(MIXED_LAYER), list(MIXED_LAYER.values()), "ko", label="Nakanishi and Niino (2009)")
    ax.set(xlabel="local time (h)", ylabel="height of the least heat flux (m)", ylim=(0, 1800))
    ax.legend()
    style.plain(ax, "both")
