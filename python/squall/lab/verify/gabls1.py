"""GABLS1, a stable boundary layer in a single column, against the large-eddy models of the intercomparison.

Ten models of Beare et al. (2006, Boundary-Layer Meteor. 118, 247-272) resolved its eddies at 6.25 m; single
columns (Cuxart et al. 2006, ibid., 273-303) are to reproduce what these agree on, and most of those in
use for weather mix too deep a layer. The ranges are those of what the ten groups sent in (the sets A9 and E
of the intercomparison's archive), as means over the ninth hour.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from matplotlib.axes import Axes

from squall.lab.linear.atmosphere import Array
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.single_column import HOUR, Band, SingleColumn, run_each
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "gabls1"
SOURCE = (
    "the range of ten large-eddy models at 6.25 m in the ninth hour (Beare et al. 2006); depths may exceed "
    "it by half of it, the greatest wind by a tenth"
)

#: Boundary layers, the first as the case has it.
SCHEMES = ("ysu", "mynn")

#: Heights of layers [m], wind speed [m s-1], potential temperature [K].
Profiles = tuple[Array, Array, Array]

#: Of the ten.
RANGES = {
    "friction velocity": Band(0.242, 0.311, "m/s"),
    "surface heat flux": Band(-0.01524, -0.01017, "K m/s"),
    "boundary layer depth": Band(125.2, 204.7, "m"),
    "greatest wind": Band(9.04, 9.55, "m/s"),
    "height of the greatest wind": Band(140.6, 196.9, "m"),
}

#: Height [m], lowest and highest wind speed [m s-1], lowest and highest potential temperature [K].
PROFILES = np.array(
    [
        (5, 2.58, 3.15, 263.00, 263.41), (15, 3.69, 4.37, 263.11, 263.52),
        (25, 4.36, 5.17, 263.20, 263.60), (50, 5.62, 6.47, 263.38, 263.76),
        (75, 6.62, 7.43, 263.55, 263.91), (100, 7.48, 8.25, 263.73, 264.08),
        (125, 8.16, 8.87, 263.93, 264.32), (150, 8.78, 9.35, 264.17, 264.77),
        (175, 8.42, 9.39, 264.46, 265.51), (200, 8.05, 9.54, 264.82, 266.02),
        (225, 7.95, 9.08, 265.34, 266.29), (250, 7.98, 8.52, 266.21, 266.53),
        (300, 7.99, 8.08, 266.99, 267.03),
    ]
)  # fmt: skip
#: By how much of the range a single column may exceed it: its layer is deeper than the deepest of the ten.
BEYOND = {"boundary layer depth": 0.5, "height of the greatest wind": 0.5, "greatest wind": 0.1}

#: What drives the column [m s-1], [s-1].
GEOSTROPHIC, CORIOLIS = 8.0, 1.39e-4

#: How far from the ten a profile may lie, root mean square over these heights.
LIMITS = {"wind speed": (0.3, "m/s"), "potential temperature": (0.05, "K")}


def verify(workspace: Workspace) -> list[Check]:
    histories = run_each(workspace, NAME, SCHEMES, lambda scheme: {"physics.boundary_layer": scheme})
    columns = {scheme: last_hour(history) for scheme, history in histories.items()}
    with picture(workspace.picture(NAME), 8, 4) as figure:
        left, right = figure.subplots(1, 2, sharey=True)
        _draw(left, PROFILES[:, 1:3], columns, 1, "wind speed (m s$^{-1}$)")
        _draw(right, PROFILES[:, 3:5], columns, 2, "potential temperature (K)")
        left.set(ylabel="height (m)", ylim=(0, 320))
        left.legend()
        figure.suptitle("GABLS1: single columns after nine hours of cooling", fontsize=11)
    return [
        check for scheme, history in histories.items() for check in _checks(scheme, history, columns[scheme])
    ]


def _checks(scheme: str, history: History, profiles: Profiles) -> Iterator[Check]:
    z, speed, theta = profiles
    for name, ours in _numbers(history, z, speed).items():
        yield _allowed(name).check(NAME, f"{scheme}: {name}", ours, SOURCE)
    for (name, (limit, unit)), values, columns in zip(
        LIMITS.items(), (speed, theta), ((1, 2), (3, 4)), strict=True
    ):
        ours = np.interp(PROFILES[:, 0], z, values)
        low, high = (PROFILES[:, column] for column in columns)
        outside = float(np.sqrt(np.mean((ours - np.clip(ours, low, high)) ** 2)))
        quantity = f"{scheme}: {name}: rms distance from the range, 5 to 300 m"
        yield Check(NAME, quantity, 0.0, outside, limit, SOURCE, unit, "at most")


def last_hour(history: History) -> Profiles:
    """Heights of layers [m], wind speed [m s-1] and potential temperature [K], means over the ninth hour."""
    frames = _ninth(history)
    z = history.layer_height(frames[-1])[:, 0, 0]
    speed = [np.hypot(history.field("U", n)[:, 0, 0], history.field("V", n)[:, 0, 0]) for n in frames]
    theta = [history.theta(n)[:, 0, 0] for n in frames]
    return z, np.mean(speed, axis=0), np.mean(theta, axis=0)


def depth_by_stress(edges: Array, u: Array, v: Array, du: Array, dv: Array) -> float:
    """As Beare et al. tell it: where stress has fallen to a twentieth of that at the ground, over 0.95 [m].

    The stress is what the balance of wind leaves, summed from above, where there is none. `edges`: heights of
    interfaces [m]; of the layers between them the mean wind [m s-1] and its change over time [m s-2].
    """
    gradient = np.array([CORIOLIS * v - du, -CORIOLIS * (u - GEOSTROPHIC) - dv])
    above = np.cumsum((gradient * np.diff(edges))[:, ::-1], axis=1)[:, ::-1]
    stress = np.append(np.hypot(*above), 0.0)
    wanted = 0.05 * stress[0]
    k = int(np.argmax(stress < wanted))
    return float(np.interp(wanted, stress[[k, k - 1]], edges[[k, k - 1]]) / 0.95)


def _depth(history: History) -> float:
    """Of the ninth hour."""
    frames = _ninth(history)
    frames = [frames[0] - 1, *frames]
    times = history.elapsed[frames]
    hour = times[-1] - times[0]
    means, changes = [], []
    for name in ("U", "V"):
        wind = np.array([history.field(name, n)[:, 0, 0] for n in frames])
        means.append(np.trapezoid(wind, times, axis=0) / hour)
        changes.append((wind[-1] - wind[0]) / hour)
    return depth_by_stress(history.height(frames[-1])[:, 0, 0], *means, *changes)


def _ninth(history: History) -> list[int]:
    return [n for n, seconds in enumerate(history.elapsed) if seconds > 8 * HOUR]


def _numbers(history: History, z: Array, speed: Array) -> Mapping[str, float]:
    frames = _ninth(history)
    column = SingleColumn(history)

    def mean(name: str) -> float:
        return float(np.mean(column.series(name)[frames]))

    return {
        "friction velocity": mean("UST"),
        "surface heat flux": float(np.mean([column.theta_flux(n) for n in frames])),
        "boundary layer depth": _depth(history),
        "greatest wind": float(speed.max()),
        "height of the greatest wind": float(z[speed.argmax()]),
    }


def _allowed(name: str) -> Band:
    """What the ten gave, and how far a single column may exceed it."""
    of_ten = RANGES[name]
    return Band(of_ten.low, of_ten.high + BEYOND.get(name, 0.0) * (of_ten.high - of_ten.low), of_ten.unit)


def _draw(ax: Axes, between: Array, columns: Mapping[str, Profiles], which: int, label: str) -> None:
    ax.fill_betweenx(PROFILES[:, 0], between[:, 0], between[:, 1], color="0.8", label="large-eddy models")
    for scheme, profiles in columns.items():
        ax.plot(profiles[which], profiles[0], label=f"Squall, one column, {scheme}")
    ax.set_xlabel(label)
    style.plain(ax, "both")
