"""Inertia-gravity wave in a channel with a uniform wind (Skamarock and Klemp 1994).

Skamarock, W. C., and J. B. Klemp (1994): Efficiency and accuracy of the Klemp-Wilhelmson
time-splitting technique. Mon. Wea. Rev. 122, 2623-2630. Their linear solution is Boussinesq and
differs by a fifth from that of a compressible atmosphere, so the reference is the linear
compressible solution (see squall.lab.linear.channel; Baldauf and Brdar 2013 give it in closed
form for an isothermal atmosphere).
"""

from dataclasses import dataclass

import numpy as np

from squall import locate
from squall.diagnose.constants import THETA0, G
from squall.diagnose.staggering import to_centres
from squall.lab.linear.atmosphere import Array, ConstantStability
from squall.lab.linear.channel import Channel
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, at_heights, relative_error
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "inertia-gravity-wave"
DEPTH = 10e3
LENGTH = 300e3
WIND = 20.0
# Ten times the published one: still linear (winds of 0.1 m/s), and clear of single precision's rounding.
AMPLITUDE = 0.1
HALF_WIDTH = 5e3
CENTRE = 100e3
ATMOSPHERE = ConstantStability(n=0.01, theta_s=300.0)
TIME = 3000.0
SOURCE = "linear compressible solution"


@dataclass(frozen=True)
class Wave:
    """theta' [K] (k, x) after 3000 s, ours and the linear one, at `x` and the layers' heights `z` [m]."""

    x: Array
    z: Array
    ours: Array
    linear: Array

    @property
    def error(self) -> float:
        return relative_error(self.ours, self.linear)


def verify(workspace: Workspace) -> list[Check]:
    """On the published grid of 1 km both ways, and on one of 500 m."""
    channel = Channel(ATMOSPHERE, DEPTH)
    published, fine = _run(workspace, channel, 1000), _run(workspace, channel, 500)
    _draw(workspace, fine)
    what = "L2 error of theta' after 3000 s over its norm"
    highest, lowest = float(fine.linear.max()), float(fine.linear.min())
    return [
        Check(NAME, f"{what}, 1 km", 0.0, published.error, 0.1, SOURCE, rule="at most"),
        Check(NAME, f"{what}, 500 m", 0.0, fine.error, 0.025, SOURCE, rule="at most"),
        Check(NAME, "maximum theta', 500 m", highest, float(fine.ours.max()), 0.02 * highest, SOURCE, "K"),
        Check(NAME, "minimum theta', 500 m", lowest, float(fine.ours.min()), -0.02 * lowest, SOURCE, "K"),
    ]


def _run(workspace: Workspace, channel: Channel, spacing: int) -> Wave:
    settings = {
        "domain.dx": f"{spacing} m",
        "domain.nx": f"{LENGTH / spacing:.0f}",
        "domain.nz": f"{DEPTH / spacing:.0f}",
        "run.time_step": f"{spacing * 0.012} s",
        "initial.amplitude": f"{AMPLITUDE} K",
        "output.history.interval": f"{TIME} s",
    }
    history = History(workspace.run(f"{NAME}-{spacing}m", locate.run_file(NAME), settings))
    x, z = history.x(), to_centres(history.field("PHB")[:, 0, 0]) / G
    linear = solution(channel, x, TIME)
    heights = np.broadcast_to(channel.z_face[:, None], linear.shape)
    return Wave(x, z, _disturbance(history, history.frame_at(TIME)), at_heights(linear, heights, z))


def _disturbance(history: History, frame: int) -> Array:
    """theta' (k, x) at the fixed heights that the layers have in the base state.

    A layer holds its air as it is lifted by dz, so what it departs by from its own base state is
    theta' + dz dtheta0/dz.
    """
    base = history.field("T_BASE")[:, None]
    departure = history.field("T", frame)[:, 0] - base
    lift = to_centres(history.field("PH", frame)[:, 0]) / G
    return departure - lift * (base + THETA0) * ATMOSPHERE.n**2 / G


def solution(channel: Channel, x: Array, time: float) -> Array:
    """theta' (z, x) of the linear channel, on its own levels."""
    start = AMPLITUDE / (1 + ((x - CENTRE) / HALF_WIDTH) ** 2)
    theta = np.sin(np.pi * channel.z_face / DEPTH)[:, None] * start
    return channel.theta_after(time, x[1] - x[0], WIND, theta, channel.hydrostatic_pressure(theta))


def _draw(workspace: Workspace, wave: Wave) -> None:
    x, z = wave.x / 1e3, wave.z / 1e3
    limit = 1.1 * float(np.abs(wave.linear).max())
    with picture(workspace.picture(NAME), 9, 7) as figure:
        axes = figure.subplots(3, 1, sharex=True)
        panels = {
            "Squall, 500 m": wave.ours,
            SOURCE: wave.linear,
            "difference x 10": 10 * (wave.ours - wave.linear),
        }
        for axis, (title, values) in zip(axes, panels.items(), strict=True):
            filled = axis.contourf(x, z, values, np.linspace(-limit, limit, 14), cmap="RdBu_r", extend="both")
            axis.set_title(title)
            axis.set_ylabel("z [km]")
        figure.colorbar(filled, ax=axes, label="theta' [K]", format="%.3f")
        axes[-1].set_xlabel("x [km]")
        figure.suptitle("Inertia-gravity wave after 3000 s")
