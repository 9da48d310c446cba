"""A squall line in a slice: it rains, and its cold pool spreads as a density current does.

Rotunno, R., J. B. Klemp and M. L. Weisman (1988): A theory for strong, long-lived squall lines.
J. Atmos. Sci. 45, 463-485: the cold air's edge moves through the air ahead of it with about the
speed c of a density current, c^2 = 2 times the integral of -B over the cold air's depth (their eq.
12, after Benjamin 1968), B = g (theta'/theta + 0.61 q_v' - q_c - q_r). Real edges, with mixing and
above a sheared flow, keep between a half of it and all of it.

The case is WRF's em_squall2d_x on a grid twice as coarse. Published comparisons of models' squall
lines rain from other soundings: no published amount of rain is one that this case should have, so
its rain is shown, and only held to be there.
"""

from dataclasses import dataclass

import numpy as np

from squall import locate
from squall.diagnose.constants import G
from squall.lab.linear.atmosphere import Array
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "squall-line"
SETTINGS = {
    "run.duration": "3 h",
    "run.time_step": "5 s",
    "domain.nx": "300",
    "domain.dx": "500 m",
    "domain.nz": "40",
    "output.history.interval": "10 min",
}
WIND_AHEAD = -12.0
FROM, TO = 2 * 3600.0, 3 * 3600.0
EDGE = -1.0  # departure of theta at the lowest layer that is the cold air's edge [K]
POOL = slice(-20, -4)  # columns behind the edge that its head is measured in
SOURCE = "density current, Rotunno et al. (1988), eq. 12"


@dataclass(frozen=True)
class Pool:
    """The cold air's edge [m from the west], and the speed of a density current of its depth."""

    edge: float
    speed: float


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, locate.run_file("squall-line"), SETTINGS))
    pools = [cold_pool(history, frame) for frame in _frames(history)]
    seconds = [history.elapsed[frame] for frame in _frames(history)]
    speed = float(np.polyfit(seconds, [pool.edge for pool in pools], 1)[0]) - WIND_AHEAD
    theory = float(np.mean([pool.speed for pool in pools]))
    rain = history.field("RAINNC")[0]
    _draw(workspace, history)
    return [
        Check(NAME, "speed of the gust front over theory", 0.75, speed / theory, 0.25, SOURCE),
        Check(
            NAME,
            "surface temperature deficit of the cold pool",
            None,
            -coldest(history),
            3.0,
            SOURCE,
            "K below",
            "at least",
        ),
        Check(NAME, "maximum rainfall in 3 h", None, float(rain.max()), 10.0, SOURCE, "mm", "at least"),
    ]


def _frames(history: History) -> list[int]:
    return [n for n, seconds in enumerate(history.elapsed) if FROM <= seconds <= TO]


def departure(history: History, frame: int) -> Array:
    """Of theta (k, i) from the air at the beginning [K]."""
    change: Array = (history.theta(frame) - history.theta(0))[:, 0]
    return change


def coldest(history: History) -> float:
    return float(departure(history, -1)[0].min())


def cold_pool(history: History, frame: int) -> Pool:
    """Of a frame: its eastern edge, and how fast theory moves it."""
    change = departure(history, frame)
    edge = int(np.flatnonzero(change[0] < EDGE).max())
    behind = slice(edge + POOL.start, edge + POOL.stop)
    vapour = (history.field("QVAPOR", frame) - history.field("QVAPOR", 0))[:, 0, behind]
    drops = (history.field("QCLOUD", frame) + history.field("QRAIN", frame))[:, 0, behind]
    buoyancy = G * (change[:, behind] / history.theta(0)[:, 0, behind] + 0.61 * vapour - drops)
    depth = np.diff(history.height(frame)[:, 0, behind], axis=0)
    in_pool = np.cumprod(buoyancy < 0, axis=0)  # from the ground up to the first warm layer
    square = 2 * float((-buoyancy * depth * in_pool).sum(axis=0).mean())
    return Pool((edge + 1) * history.dx, float(np.sqrt(square)))


def _draw(workspace: Workspace, history: History) -> None:
    x, z = history.x() / 1e3, history.layer_height()[:, 0].mean(axis=1) / 1e3
    with picture(workspace.picture(NAME), 10, 7) as figure:
        upper, lower = figure.subplots(2, 1)
        levels = np.arange(-12.0, 13.0, 1.0)
        filled = upper.contourf(x, z, departure(history, -1), levels, cmap="RdBu_r", extend="both")
        figure.colorbar(filled, ax=upper, label=r"change of $\theta$ [K]")
        water = history.field("QCLOUD")[:, 0] + history.field("QRAIN")[:, 0]
        upper.contour(x, z, 1e3 * water, [0.1, 1, 3], colors="k", linewidths=0.8)
        upper.set(xlabel="x [km]", ylabel="z [km]", ylim=(0, 16))
        upper.set_title("Squall line after 3 hours; cloud and rain of 0.1, 1 and 3 g/kg in black")
        for hour in (1, 2, 3):
            lower.plot(x, history.field("RAINNC", history.frame_at(3600 * hour))[0], label=f"{hour} h")
        total = history.field("RAINNC")[0].sum() * history.dx / 1e3
        lower.set(xlabel="x [km]", ylabel="rain so far [mm]")
        lower.set_title(f"Rain; after 3 hours {total:.0f} mm km in all")
        lower.legend()
