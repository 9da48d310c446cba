"""Waves over a ridge with ripples of 4 km (Schaer et al. 2002).

Schaer, C., D. Leuenberger, O. Fuhrer, D. Luethi and C. Girard (2002): A new terrain-following
vertical coordinate formulation for atmospheric prediction models. Mon. Wea. Rev. 130, 2459-2480.
The ripples are too short to send waves up: all that is left of them aloft comes from the numerics.
"""

import numpy as np

from squall import locate
from squall.lab.linear.atmosphere import Array, ConstantStability
from squall.lab.linear.mountain import vertical_wind
from squall.lab.report import picture
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, at_heights
from squall.lab.workspace import Workspace

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


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, locate.run_file(NAME), {}))
    terrain = history.field("HGT")[0]
    x = history.x() - np.average(history.x(), weights=terrain)
    ours = at_heights(history.wind_z()[:, 0], history.layer_height()[:, 0], HEIGHTS)
    linear = vertical_wind(ATMOSPHERE, WIND, terrain, history.dx, HEIGHTS)
    near = np.abs(x) <= NEAR
    _draw(workspace, x[near], ours[:, near], linear[:, near])
    ours, linear = ours[:, near], linear[:, near]
    distance = float(np.sqrt(np.mean((ours - linear) ** 2) / np.mean(linear**2)))
    correlation = float(np.corrcoef(ours.ravel(), linear.ravel())[0, 1])
    aloft = ours[HEIGHTS >= ALOFT]
    region = "below 8 km, within 20 km of the ridge"
    return [
        Check(NAME, f"correlation of w, {region}", 1.0, correlation, 0.97, SOURCE, rule="at least"),
        Check(NAME, f"L2 error of w over its norm, {region}", 0.0, distance, 0.25, SOURCE, rule="at most"),
        Check(
            NAME,
            "share of waves below 4.5 km in the variance of w above 6 km",
            short_wave_share(linear[HEIGHTS >= ALOFT], history.dx),
            short_wave_share(aloft, history.dx),
            1e-3,
            SOURCE,
            rule="at most",
        ),
    ]


def short_wave_share(w: Array, dx: float, longest: float = SHORT) -> float:
    """Share of the variance along x, over all rows, in waves of at most `longest` [m].

    A cosine window keeps the ends of the section from looking like short waves.
    """
    power = np.abs(np.fft.rfft(w * np.hanning(w.shape[1]))) ** 2
    frequency = np.fft.rfftfreq(w.shape[1], dx)
    return float(power[:, frequency >= 1 / longest].sum() / power[:, 1:].sum())


def _draw(workspace: Workspace, x: Array, ours: Array, linear: Array) -> None:
    with picture(workspace.picture(NAME), 11, 4) as figure:
        axes = figure.subplots(1, 3, sharey=True)
        limit = np.abs(linear[HEIGHTS >= 1e3]).max()
        levels = np.linspace(-limit, limit, 22)
        panels = {"Squall": ours, "linear": linear, "difference": ours - linear}
        for axis, (title, values) in zip(axes, panels.items(), strict=True):
            filled = axis.contourf(x / 1e3, HEIGHTS / 1e3, values, levels, cmap="RdBu_r", extend="both")
            axis.set_title(title)
            axis.set_xlabel("x [km]")
        figure.colorbar(filled, ax=axes, label="w [m/s]", format="%.2f")
        axes[0].set_ylabel("z [km]")
        figure.suptitle("Schaer mountain, steady waves")
