"""Verifies flow across the rim of a nest for cases with known answers: air at rest over terrain stays at rest
and uniform flow uniform, a constant tracer stays constant in all domains, and a vortex and a sound pulse
leave.

What is left of these is held against the greatest amplitude on the nest's outer rows, not that of the start
in its middle.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from netCDF4 import Dataset

from squall.diagnose.constants import C_P, C_V, G
from squall.diagnose.staggering import to_centres
from squall.lab.linear.atmosphere import Array
from squall.lab.verify import storm_with_nests
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "nest-rims"
CELLS, NEST, RATIO, SPACING = 60, 60, 3, 3e3  # of the parent, of the nest in its middle; m
START = (CELLS - NEST // RATIO) // 2  # of the nest, from 0
RIM = 6  # rows of the nest that are specified or relaxed, and one more
MIDDLE = np.s_[..., RIM:-RIM, RIM:-RIM]
STEP = 12  # s, after which air is disturbed
EVEN = 0.25  # of a tracer that is the same everywhere
UNCHANGED = ("U", "V", "W")

#: Limits: winds of rounding [m/s], a tracer's departure, and shares of what crosses the rim that come back.
AT_REST, CONSTANT, BACK = 1e-4, 1e-6, 0.02
OUTSIDE = 1.0  # m/s at least of the vortex that is beside the nest in the end
SOURCE = "what is known of each: no wind, uniform, constant, or gone"

NEUTRAL = """
[run]
duration = "{seconds} s"
time_step = "12 s"
acoustic_substeps = 4

[domain]
nx = 60
ny = 60
nz = 8
dx = "3 km"

[vertical]
top = "8 km"

[initial]
case = "warm-bubble"
amplitude = "0 K"
u = "{u} m/s"

[nest.inner]
i_parent_start = 21
j_parent_start = 21
nx = 60
ny = 60

[output.history]
interval = "{every} s"
frames_per_file = 1000

[output.restart]
interval = "12 s"
"""

REST = """
[run]
duration = "20 min"
time_step = "6 s"

[domain]
nx = 48
ny = 20
nz = 20
dx = "1 km"

[vertical]
top = "12 km"

[initial]
case = "mountain-schaer"
u = "0 m/s"
height = "600 m"

[nest.inner]
i_parent_start = 19
j_parent_start = 6
nx = 36
ny = 30

[output.history]
interval = "20 min"
"""

#: A storm in a nest that may move, and a tracer that is the same everywhere.
STORM = (
    storm_with_nests.storm(24, 20)
    + """
[tracer.even]
initial = 0.25

[output.history]
interval = "12 s"
frames_per_file = 20
fields = ["default", "even"]
"""
    + storm_with_nests.nest(8, 7, 24, 24)
)
MOVES = 'moves = ["36 s, 1, 0", "72 s, -1, 1"]\n'


def with_levels(text: str, levels: str) -> str:
    """A run file whose nest has more keys."""
    head, nest, tail = text.partition("[nest.inner]\n")
    return head + nest + levels + tail


def both(workspace: Workspace, name: str, text: str) -> tuple[History, History]:
    """Histories of the parent and of its nest."""
    run = workspace.run(name, workspace.run_file(name, text), {})
    return History(run, 1), History(run, 2)


def stirred(history: History, u: float = 0.0) -> float:
    """Greatest departure of the last frame's wind from u eastward [m/s]."""
    winds = {name: history.field(name) for name in UNCHANGED}
    return max(float(np.abs(wind - (u if name == "U" else 0)).max()) for name, wind in winds.items())


def uneven(history: History) -> float:
    """Greatest share that the tracer `even` is off, of all frames."""
    return float(np.abs(history.series("even") / EVEN - 1).max())


def distances(domain: int, stagger: str = "") -> list[Array]:
    """East and north of the middle, m, of the points of a domain, rows first: 1 the parent, 2 the nest, 0 the
    whole at the nest's spacing."""
    size, spacing, first = {
        0: (CELLS * RATIO, SPACING / RATIO, 0.0),
        1: (CELLS, SPACING, 0.0),
        2: (NEST, SPACING / RATIO, START * SPACING),
    }[domain]
    middle = CELLS * SPACING / 2

    def along(axis: str) -> Array:
        faces = stagger == axis
        return first + (np.arange(size + faces) + (0 if faces else 0.5)) * spacing - middle

    return list(np.meshgrid(along("x"), along("y")))


class Vortex:
    """A Gaussian vortex, which has the greatest wind at its radius."""

    strength, radius = 2.0, 9e3  # m/s, m
    wind = 40.0  # m/s, that carries it out through the eastern side
    text = NEUTRAL.format(seconds=1452, every=60, u=40)

    def __call__(self, name: str, domain: int, air: History) -> Array:
        if name in ("MU", "PH"):
            return np.zeros(())  # of a few pascals: it finds its own
        x, y = distances(domain, "x" if name == "U" else "y")
        speed = self.strength / self.radius * np.exp(0.5 * (1 - (x**2 + y**2) / self.radius**2))
        swirl: Array = (-y if name == "U" else x) * speed
        return swirl


class Pulse:
    """A Gaussian of column mass over layers that are as thick as it presses them: what is in balance from
    the ground to the top runs off sideways as a sound wave. Without that it would go on ringing between the
    two, every 48 s, which is no matter of sides."""

    strength, width = 100.0, 18e3  # Pa, m
    text = NEUTRAL.format(seconds=240, every=12, u=0)

    def __call__(self, name: str, domain: int, air: History) -> Array:
        if name in ("U", "V"):
            return np.zeros(())
        x, y = distances(domain)
        mass: Array = self.strength * np.exp(-(x**2 + y**2) / self.width**2)
        if name == "MU":
            return mass
        return geopotential_under(air)[:, None, None] * mass


def geopotential_under(air: History) -> Array:
    """At interfaces, for a Pa more of column mass [m2 s-2 Pa-1]: layers have that much more mass each and, at
    a pressure that grows with it, adiabatically less volume."""
    thickness = np.diff(air.height()[:, 0, 0]) * G
    pressure = (air.field("P") + air.field("PB"))[:, 0, 0]
    top = float(air.field("P_TOP"))
    grows = 1 - (pressure - top) / (C_P / C_V * pressure)
    return np.concatenate([[0], np.cumsum(thickness * grows)]) / float(air.column_mass()[0, 0])


def disturbed(
    workspace: Workspace, name: str, text: str, change: Vortex | Pulse, domains: tuple[int, ...] = (1, 2)
) -> list[History]:
    """The histories of a run whose state after a step was changed: change(name, domain, air) is what is added
    to a variable, if any, of air that was the same everywhere. They begin a step later."""
    run_file = workspace.run_file(name, text)
    begun = workspace.run(f"{name}-begun", run_file, {"run.duration": f"{STEP} s"})
    (restart,) = begun.glob("restart_*")
    air = History(begun)
    with Dataset(restart, "a") as file:
        for domain in domains:
            for variable in ("U", "V", "MU", "PH"):
                stored = file[variable + ("_d02" if domain == 2 else "")]
                stored[:] += change(variable, domain, air).astype(np.float32)
    settings = {"run.restart_from": str(restart), "output.restart.interval": "0 s"}
    run = workspace.run(name, run_file, settings)
    return [History(run, max(domain, 1)) for domain in domains]


def without_nest(text: str) -> str:
    """The same at the nest's spacing everywhere."""
    head, _, tail = text.partition("[nest.inner]")
    fine = head.replace('"12 s"', '"4 s"').replace("= 60", f"= {CELLS * RATIO}").replace('"3 km"', '"1 km"')
    return fine + tail[tail.index("[output.history]") :]


def on_rim(values: Array) -> float:
    """Greatest amplitude on the nest's outer rows."""
    amplitude = np.abs(values).copy()
    amplitude[MIDDLE] = 0
    return float(amplitude.max())


@dataclass(frozen=True)
class Left:
    """What crossed a nest's outer rows at most, what it left within them, and what is drawn of it."""

    crossed: float
    back: float
    times: list[float]  #: s after the disturbance
    shown: list[Array]
    apart: Array | None = None

    @property
    def share(self) -> float:
        return self.back / self.crossed


@dataclass(frozen=True)
class VortexLeft(Left):
    outside: float = 0.0  #: wind of what is in the parent beside the nest at the end [m/s]


def vortex_leaves(workspace: Workspace) -> VortexLeft:
    """V of a vortex that goes out of a nest: of all levels; in the end it has left."""
    vortex = Vortex()
    parent, nest = disturbed(workspace, f"{NAME}-vortex", vortex.text, vortex)
    east = START + NEST // RATIO
    crossing = int(np.abs(nest.elapsed - (STEP + NEST / RATIO * SPACING / 2 / vortex.wind)).argmin())
    frames = (0, crossing, -1)
    return VortexLeft(
        crossed=on_rim(nest.series("V")),
        back=float(np.abs(nest.field("V")[MIDDLE]).max()),
        times=[float(nest.elapsed[n]) - STEP for n in frames],
        shown=[_joined(parent, nest, n) for n in frames],
        outside=float(np.abs(parent.field("V")[..., east:]).max()),
    )


def _joined(parent: History, nest: History, frame: int) -> Array:
    """V at the ground on cells of the nest's size, from the nest where it is."""
    coarse, fine = (to_centres(of.field("V", frame)[0], axis=0) for of in (parent, nest))
    whole = np.kron(coarse, np.ones((RATIO, RATIO)))
    whole[_COVERED, _COVERED] = fine
    return whole


_COVERED = slice(RATIO * START, RATIO * START + NEST)


def pulse_leaves(workspace: Workspace) -> Left:
    """MU of a pulse, against a run that is fine everywhere: what its front, which is at the sides after 90 s,
    sends back has crossed the nest by 240 s."""
    pulse = Pulse()
    _, nest = disturbed(workspace, f"{NAME}-pulse", pulse.text, pulse)
    (fine,) = disturbed(workspace, f"{NAME}-pulse-fine", without_nest(pulse.text), pulse, (0,))
    wanted, got = fine.series("MU")[:, _COVERED, _COVERED], nest.series("MU")
    apart = got - wanted
    worst = int(np.abs(apart[MIDDLE]).max(axis=(1, 2)).argmax())
    return Left(
        crossed=on_rim(wanted),
        back=float(np.abs(apart[MIDDLE]).max()),
        times=[float(nest.elapsed[worst]) - STEP],
        shown=[wanted[worst], got[worst]],
        apart=apart[worst],
    )


def verify(workspace: Workspace) -> list[Check]:
    checks = [*_rest(workspace), *_flow(workspace), *_tracer(workspace)]
    vortex, pulse = vortex_leaves(workspace), pulse_leaves(workspace)
    _draw(workspace.picture(NAME), vortex, pulse)
    gone = "of a vortex of 2 m/s"
    return [
        *checks,
        _at_most(f"wind {gone} left in the nest, of that at its rim", vortex.share, BACK),
        Check(
            NAME,
            f"wind {gone} beside the nest",
            Vortex.strength,
            vortex.outside,
            OUTSIDE,
            SOURCE,
            "m/s",
            "at least",
        ),
        _at_most("mass of a sound pulse that differs, of that at the rim", pulse.share, BACK),
    ]


def _at_most(what: str, found: float, limit: float, unit: str = "") -> Check:
    return Check(NAME, what, 0.0, found, limit, SOURCE, unit, "at most")


def _rest(workspace: Workspace) -> list[Check]:
    checks = []
    for what, levels in (("", ""), (", twice the layers in the nest", "nz = 40\n")):
        histories = both(workspace, f"{NAME}-rest{len(levels)}", with_levels(REST, levels))
        most = max(stirred(history) for history in histories)
        checks.append(_at_most(f"wind over ridges at rest{what}", most, AT_REST, "m/s"))
    return checks


def _flow(workspace: Workspace) -> list[Check]:
    checks = []
    for u in (0, 20):
        histories = both(workspace, f"{NAME}-flow{u}", NEUTRAL.format(seconds=240, every=240, u=u))
        most = max(stirred(history, u) for history in histories)
        checks.append(_at_most(f"departure from uniform flow of {u} m/s", most, 0.0, "m/s"))
    return checks


def _tracer(workspace: Workspace) -> list[Check]:
    checks = []
    for what, more in (("a nest that moves", MOVES), ("twice the layers in the nest", "nz = 32\n")):
        histories = both(workspace, f"{NAME}-{more[:2]}", STORM + more)
        most = max(uneven(history) for history in histories)
        checks.append(_at_most(f"departure of a constant tracer in a storm, {what}", most, CONSTANT))
    return checks


def _draw(path: Path, vortex: VortexLeft, pulse: Left) -> None:
    """The vortex in the nest, at its rim and gone; the pulse alone and in the nest, and what is apart."""
    with picture(path, 9, 6) as figure:
        above, below = figure.subplots(2, 3)
        half = CELLS * SPACING / 2e3
        for ax, values, time in zip(above, vortex.shown, vortex.times, strict=True):
            _map(figure, ax, values, Vortex.strength, half, f"vortex, {time:.0f} s", "v [m/s]")
            side = NEST * SPACING / RATIO / 1e3
            ax.add_patch(Rectangle((-side / 2, -side / 2), side, side, fill=False, lw=0.8))
        worst = f"{pulse.times[0]:.0f} s"
        assert pulse.apart is not None
        titles = (f"pulse, 1 km everywhere, {worst}", f"in the nest, {worst}", "difference")
        spans = (pulse.crossed, pulse.crossed, pulse.back)
        for ax, values, span, title in zip(below, [*pulse.shown, pulse.apart], spans, titles, strict=True):
            _map(figure, ax, values, span, NEST * SPACING / RATIO / 2e3, title, "mass [Pa]")


def _map(figure: Figure, ax: Axes, values: Array, most: float, half: float, title: str, label: str) -> None:
    extent = (-half, half, -half, half)
    image = ax.imshow(values, origin="lower", extent=extent, vmin=-most, vmax=most, cmap="RdBu_r")
    ax.set_title(title, fontsize=9)
    ax.tick_params(labelsize=7)
    figure.colorbar(image, ax=ax, label=label, shrink=0.8)
