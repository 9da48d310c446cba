"""Waves over a ridge with ripples of 4 km (Schaer et al. 2002).

Schaer, C., D. Leuenberger, O. Fuhrer, D. Luethi and C. Girard (2002): A new terrain-following
vertical coordinate formulation for atmospheric prediction models. Mon. Wea. Rev. 130, 2459-2480.
The ripples are too short to send waves up: all that is left of them aloft comes from the numerics.
"""

from dataclasses import dataclass

import numpy as np

from squall import locate
from squall.lab.linear.atmosphere import Array, ConstantStability
from squall.lab.linear.mountain import vertical_wind
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, at_heights, relative_error
from squall.lab.workspace import Workspace
from squall.plot import style
from squall.results import picture

NAME = "mountain-schaer"
WIND = 10.0
ATMOSPHERE = ConstantStability(n=0.01, theta_s=288.0)
HEIGHTS = np.arange(0.5e3, 8.01e3, 0.25e3)
NEAR = 20e3
# Waves shorter than 2 pi U / N = 6.3 km decay with height. The ripples' own wavelength and all
# shorter ones should be gone at the heights looked at.
SHORT = 4.5e3
ALOFT = 6e3
SOURCE = "linear solution (Schaer et al. 2002, appendix)"


@dataclass(frozen=True)
class Waves:
    """w [m s-1] (z, x) at HEIGHTS near the ridge, ours and the linear one; x [m] from its middle."""

    x: Array
    ours: Array
    linear: Array
    dx: float

    @property
    def error(self) -> float:
        return relative_error(self.ours, self.linear)


def verify(workspace: Workspace) -> list[Check]:
    """The published ridges, and ridges of a tenth of their height, whose waves are linear."""
    waves, low = _run(workspace, 250), _run(workspace, 25)
    _draw(workspace, waves)
    correlation = float(np.corrcoef(waves.ours.ravel(), waves.linear.ravel())[0, 1])
    aloft = HEIGHTS >= ALOFT
    short, expected = (short_wave_share(w[aloft], waves.dx) for w in (waves.ours, waves.linear))
    what = "L2 error of w over its norm below 8 km"
    return [
        Check(NAME, f"{what}, 25 m", 0.0, low.error, 0.1, SOURCE, rule="at most"),
        Check(NAME, f"{what}, 250 m", 0.0, waves.error, 0.25, SOURCE, rule="at most"),
        Check(NAME, "correlation of w below 8 km, 250 m", 1.0, correlation, 0.97, SOURCE, rule="at least"),
        Check(
            NAME,
            "fraction of the variance of w at wavelengths below 4.5 km, above 6 km, 250 m",
            expected,
            short,
            1e-3,
            SOURCE,
            rule="at most",
        ),
    ]


def _run(workspace: Workspace, height: int) -> Waves:
    settings = {"initial.height": f"{height} m"}
    history = History(workspace.run(f"{NAME}-{height}m", locate.run_file(NAME), settings))
    terrain = history.field("HGT")[0]
    x = history.x() - np.average(history.x(), weights=terrain)
    ours = at_heights(history.wind_z()[:, 0], history.layer_height()[:, 0], HEIGHTS)
    linear = vertical_wind(ATMOSPHERE, WIND, terrain, history.dx, HEIGHTS)
    near = np.abs(x) <= NEAR
    return Waves(x[near], ours[:, near], linear[:, near], history.dx)


def short_wave_share(w: Array, dx: float, longest: float = SHORT) -> float:
    """Share of the variance along x, over all rows, in waves of at most `longest` [m].

    A cosine window keeps the ends of the section from looking like short waves.
    """
    power = np.abs(np.fft.rfft(w * np.hanning(w.shape[1]))) ** 2
    frequency = np.fft.rfftfreq(w.shape[1], dx)
    return float(power[:, frequency >= 1 / longest].sum() / power[:, 1:].sum())


def _draw(workspace: Workspace, waves: Waves) -> None:
    scale = style.scale_for_most(
        np.asarray(waves.linear[HEIGHTS >= 1e3], float), 1.0, bins=22
    )  # what is nearly zero is white
    panels = {"Squall": waves.ours, "linear": waves.linear, "Squall − linear": waves.ours - waves.linear}
    with picture(workspace.picture(NAME), 11, 4) as figure:
        axes = figure.subplots(1, 3, sharey=True)
        for axis, (title, values) in zip(axes, panels.items(), strict=True):
            filled = axis.contourf(
                waves.x / 1e3, HEIGHTS / 1e3, values, scale.levels,
                cmap=scale.cmap, norm=scale.norm, extend=scale.extend,
            )  # fmt: skip
            axis.set_title(title, loc="left")
            axis.set_xlabel("x (km)")
        figure.colorbar(filled, ax=axes, label="w (m s$^{-1}$)", ticks=scale.ticks)
        axes[0].set_ylabel("height (km)")
        figure.suptitle("Steady waves over the ridges of Schaer et al. (2002), 250 m")
