"""The stratocumulus of DYCOMS-II's first flight in a single column, in bands around what was observed.

The case is that of sixteen runs of ten large-eddy models, 4 hours long, beside an aircraft: Stevens et al.
(2005, Mon. Wea. Rev. 133, 1443-1462); single columns: Zhu et al. (2005, ibid., 2741-2758). Observed was a
cloud from about 600 m to 840 m that kept its water, some 60 g m-2, for the night, and entrained 0.4 cm/s.
Large-eddy models entrain more and lose water to it, some keep 20 g m-2. The bands are ours, wide enough for
both: the publication's tables of each model are not reproduced here.
"""

from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.single_column import HOUR, Band, SingleColumn, run_each
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "dycoms"
SOURCE = (
    "bands of ours around what was observed and what large-eddy models gave in the fourth hour (Stevens et "
    "al. 2005), heights with two layers of 10 m more"
)
DIVERGENCE = 3.75e-6  # of the wide flow [s-1]
INVERSION_WATER = 8e-3  # of all kinds, where it falls to this [kg kg-1 of air]
LEAST_CLOUD = 1e-5  # of a cloudy layer [kg kg-1]

#: Boundary layers, the first as the case has it.
SCHEMES = ("mynn", "ysu")

BANDS = {
    "cloud water": Band(20.0, 65.0, "g/m2"),
    "cloud base": Band(570.0, 660.0, "m"),
    "inversion": Band(820.0, 890.0, "m"),
    "entrainment": Band(0.28, 0.60, "cm/s"),
}
#: What the aircraft saw, for the picture.
OBSERVED = {"cloud water": 60.0, "cloud base": 600.0, "inversion": 840.0}


class Column(SingleColumn):
    def __init__(self, history: History) -> None:
        super().__init__(history)
        self.cloud_water = 1000 * self.water("QCLOUD")  # [g m-2]
        self.cloud, self.vapour = self.profiles("QCLOUD"), self.profiles("QVAPOR")
        frames = range(len(self.hours))
        self.base, self.inversion = (np.array(x) for x in zip(*map(self._heights, frames), strict=True))

    def _heights(self, frame: int) -> tuple[float, float]:
        """Of the cloud's base and of the inversion [m]; not a number where there is none."""
        bottom = self.history.height(frame)[:, 0, 0]
        z = self.history.layer_height(frame)[:, 0, 0]
        cloud, vapour = self.cloud[frame], self.vapour[frame]
        cloudy = np.flatnonzero(cloud > LEAST_CLOUD)
        base = float(bottom[cloudy[0]]) if len(cloudy) else float("nan")
        water = (vapour + cloud) / (1 + vapour + cloud)
        below = np.flatnonzero((water[:-1] > INVERSION_WATER) & (water[1:] <= INVERSION_WATER))
        if len(below) == 0:
            return base, float("nan")
        k = int(below[-1])
        share = (water[k] - INVERSION_WATER) / (water[k] - water[k + 1])
        return base, float(z[k] + share * (z[k + 1] - z[k]))

    def numbers(self) -> dict[str, float]:
        """Means over the last hour; entrainment over the last three, in which the inversion moves layers."""
        last = self.hours > self.hours[-1] - 1
        late = self.hours >= self.hours[-1] - 3
        rise = np.polyfit(self.hours[late] * HOUR, self.inversion[late], 1)[0]
        return {
            "cloud water": float(self.cloud_water[last].mean()),
            "cloud base": float(self.base[last].mean()),
            "inversion": float(self.inversion[last].mean()),
            "entrainment": 100 * float(rise + DIVERGENCE * self.inversion[late].mean()),
        }


def verify(workspace: Workspace) -> list[Check]:
    histories = run_each(workspace, NAME, SCHEMES, lambda scheme: {"physics.boundary_layer": scheme})
    columns = {scheme: Column(history) for scheme, history in histories.items()}
    with picture(workspace.picture(NAME), 8, 4) as figure:
        left, right = figure.subplots(1, 2)
        _draw_water(left, columns)
        _draw_heights(right, columns)
        figure.suptitle("DYCOMS-II RF01: a stratocumulus in single columns", fontsize=11)
    return [check for scheme, column in columns.items() for check in checks(scheme, column)]


def checks(scheme: str, column: Column) -> Iterator[Check]:
    for name, ours in column.numbers().items():
        yield BANDS[name].check(NAME, f"{scheme}: {name}", ours, SOURCE)


def _draw_water(ax: Axes, columns: dict[str, Column]) -> None:
    band = BANDS["cloud water"]
    ax.fill_between([3, 4], band.low, band.high, color="0.8", label="band of the check")
    ax.axhline(OBSERVED["cloud water"], color="black", linestyle=":", label="observed")
    for scheme, column in columns.items():
        ax.plot(column.hours, column.cloud_water, label=f"Squall, one column, {scheme}")
    ax.set(xlabel="time (h)", ylabel="cloud water (g m$^{-2}$)", xlim=(0, 4), ylim=(0, None))
    ax.legend()
    style.plain(ax, "both")


def _draw_heights(ax: Axes, columns: dict[str, Column]) -> None:
    for name in ("cloud base", "inversion"):
        ax.fill_between([3, 4], BANDS[name].low, BANDS[name].high, color="0.8")
        ax.axhline(OBSERVED[name], color="black", linestyle=":")
    for n, column in enumerate(columns.values()):
        ax.plot(column.hours, column.inversion, color=f"C{n}")
        ax.plot(column.hours, column.base, color=f"C{n}")
    ax.set(xlabel="time (h)", ylabel="cloud base and inversion (m)", xlim=(0, 4))
    style.plain(ax, "both")
