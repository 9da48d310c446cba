"""The moist bubble of Bryan and Fritsch (2002), after 1000 s.

Bryan, G. H. and J. M. Fritsch (2002): A benchmark simulation for moist nonhydrostatic numerical
models. Mon. Wea. Rev. 130, 2917-2928. Their benchmark conserves mass and energy: water holds heat.
As in WRF the model's water holds none (cp of dry air, constant latent heat), which is one of the
approximations that they study; the environment is made neutral in that sense. So equivalent
potential temperature, by their definition, is not quite conserved here, and falls with height in
the environment: its departures are from the environment at the same height. Tolerances leave room
for that difference. The extremes that the model is compared with are the benchmark's, as later
papers quote them.
"""

import numpy as np

from squall import locate
from squall.diagnose.constants import C_P, EPSILON, LATENT_HEAT, P0, R_D
from squall.lab.linear.atmosphere import Array
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "moist-bubble"
SOURCE = "benchmark of Bryan and Fritsch (2002), whose water holds heat"
INVARIANT = "an invariant of the case"
HEAT_OF_WATER = 4190.0
THETA_E_LEVELS = np.linspace(-0.4, 4.0, 23)
W_LEVELS = np.arange(-10.0, 17.0, 2.0)


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, locate.run_file("moist-bubble"), {}))
    departure = _departure(equivalent_potential_temperature(history))
    w = history.field("W")
    _draw(workspace, history, departure[:, 0], w[:, 0])
    water = history.field("QVAPOR") + history.field("QCLOUD")
    return [
        _published("largest w", 15.71, float(w.max()), 0.8, "m/s"),
        _published("smallest w", -9.93, float(w.min()), 0.5, "m/s"),
        _published("largest departure of theta_e", 4.10, float(departure.max()), 0.6, "K"),
        _published("smallest departure of theta_e", -0.31, float(departure.min()), 0.1, "K"),
        _invariant("largest difference of w between the halves", _asymmetry(w), 1e-4, "m/s"),
        _invariant("largest change of total water", float(np.abs(water / 0.02 - 1).max()), 2e-5, ""),
    ]


def _published(quantity: str, reference: float, ours: float, tolerance: float, unit: str) -> Check:
    return Check(NAME, quantity, reference, ours, tolerance, SOURCE, unit)


def _invariant(quantity: str, ours: float, tolerance: float, unit: str) -> Check:
    return Check(NAME, quantity, 0.0, ours, tolerance, INVARIANT, unit, "at most")


def equivalent_potential_temperature(history: History) -> Array:
    """Of cloudy air, by the benchmark's definition (their eq. 39) [K]."""
    vapour, cloud = history.field("QVAPOR"), history.field("QCLOUD")
    pressure = history.field("P") + history.field("PB")
    temperature = history.theta() * (pressure / P0) ** (R_D / C_P)
    heat = C_P + HEAT_OF_WATER * (vapour + cloud)
    dry = pressure / (1 + vapour / EPSILON)
    of_vapour: Array = np.exp(LATENT_HEAT * vapour / (heat * temperature))
    return temperature * (P0 / dry) ** (R_D / heat) * of_vapour


def _departure(theta_e: Array) -> Array:
    """From the environment, which is found beside the walls, level by level."""
    environment = theta_e[..., :5].mean(axis=(1, 2), keepdims=True)
    departure: Array = theta_e - environment
    return departure


def _asymmetry(w: Array) -> float:
    return float(np.abs(w - w[..., ::-1]).max())


def _draw(workspace: Workspace, history: History, departure: Array, w: Array) -> None:
    x = history.x() / 1e3
    heights = history.layer_height()[:, 0].mean(axis=1) / 1e3, history.height()[:, 0].mean(axis=1) / 1e3
    panels = (
        (r"$\theta_e$ less the environment's [K]", departure, heights[0], THETA_E_LEVELS, "magma_r"),
        ("w [m/s]", w, heights[1], W_LEVELS, "RdBu_r"),
    )
    with picture(workspace.picture(NAME), 10, 4.2) as figure:
        for axes, (title, values, z, levels, colours) in zip(figure.subplots(1, 2), panels, strict=True):
            limits = {"vmin": -16, "vmax": 16} if colours == "RdBu_r" else {}
            filled = axes.contourf(x, z, values, levels, cmap=colours, extend="both", **limits)
            figure.colorbar(filled, ax=axes)
            axes.set(
                title=title, xlabel="x [km]", ylabel="z [km]", xlim=(5, 15), ylim=(0, 10), aspect="equal"
            )
        figure.suptitle("Moist bubble of Bryan and Fritsch (2002) after 1000 s")
