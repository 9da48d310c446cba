"""Momentum flux of linear hydrostatic waves over a ridge.

The flux is -(pi/4) rho0 N U h^2 at every level (Eliassen and Palm 1961; Smith 1979, Adv. Geophys.
21, 87-230). Durran and Klemp (1983, Mon. Wea. Rev. 111, 2341-2361) tested a compressible model
with it.
"""

import numpy as np

from squall import locate
from squall.lab.linear.atmosphere import Array, Isothermal
from squall.lab.linear.mountain import hydrostatic_drag, vertical_wind
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, at_heights
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "mountain-hydrostatic"
WIND = 20.0
HEIGHT = 10.0
HALF_WIDTH = 10e3
ATMOSPHERE = Isothermal(250.0)
SPONGE = 15e3
SOURCE = "Eliassen and Palm (1961)"


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, locate.run_file(NAME), {}))
    ground = np.zeros(1)
    expected = hydrostatic_drag(
        float(ATMOSPHERE.density(ground)[0]), float(ATMOSPHERE.buoyancy_frequency(ground)[0]), WIND, HEIGHT
    )
    z, flux = momentum_flux(history, WIND)
    below = flux[z < SPONGE] / expected
    _draw(workspace, history, z, flux / expected)
    what = "momentum flux below the sponge over -(pi/4) rho0 N U h^2"
    return [
        Check(NAME, f"minimum {what}", 1.0, float(below.min()), 0.1, SOURCE),
        Check(NAME, f"maximum {what}", 1.0, float(below.max()), 0.1, SOURCE),
    ]


def momentum_flux(history: History, wind: float) -> tuple[Array, Array]:
    """Heights [m] of the layers far from the ridge, and the sum of rho u' w dx [N m-1] over each."""
    product = history.density() * (history.wind_x() - wind) * history.wind_z()
    return history.layer_height()[:, 0, 0], product[:, 0].sum(axis=-1) * history.dx


def _draw(workspace: Workspace, history: History, z: Array, flux: Array) -> None:
    heights = np.arange(0.25e3, SPONGE, 0.25e3)
    terrain = history.field("HGT")[0]
    x = history.x() - np.average(history.x(), weights=terrain)
    ours = at_heights(history.wind_z()[:, 0], history.layer_height()[:, 0], heights)
    linear = vertical_wind(ATMOSPHERE, WIND, terrain, history.dx, heights)
    near = np.abs(x) < 6 * HALF_WIDTH
    with picture(workspace.picture(NAME), 11, 4) as figure:
        axes = figure.subplots(1, 3, sharey=True)
        limit = np.abs(linear[:, near]).max()
        levels = np.linspace(-limit, limit, 22)
        for axis, (title, values) in zip(axes, {"Squall": ours, "linear": linear}.items(), strict=False):
            filled = axis.contourf(
                x[near] / 1e3, heights / 1e3, values[:, near], levels, cmap="RdBu_r", extend="both"
            )
            axis.set_title(f"w, {title}")
            axis.set_xlabel("x [km]")
        figure.colorbar(filled, ax=axes[:2], label="w [m/s]", format="%.3f")
        axes[2].plot(flux, z / 1e3, label="Squall")
        axes[2].axvspan(0.9, 1.1, color="0.9", label="within 10 %")
        axes[2].axhline(SPONGE / 1e3, color="0.5", linestyle=":", label="sponge")
        axes[2].set(xlabel="momentum flux / linear theory", xlim=(0, 1.3))
        axes[0].set_ylim(0, z[-1] / 1e3)
        axes[2].legend(loc="lower left")
        axes[0].set_ylabel("z [km]")
        figure.suptitle("Hydrostatic mountain wave")
