"""Inertia-gravity wave in a channel with a uniform wind (Skamarock and Klemp 1994).

Skamarock, W. C., and J. B. Klemp (1994): Efficiency and accuracy of the Klemp-Wilhelmson
time-splitting technique. Mon. Wea. Rev. 122, 2623-2630. Their linear solution is Boussinesq and
differs by a fifth from that of a compressible atmosphere, so the reference is the linear
compressible solution (see squall.lab.linear.channel; Baldauf and Brdar 2013 give it in closed
form for an isothermal atmosphere).
"""

import numpy as np

from squall import locate
from squall.lab.linear.atmosphere import Array, ConstantStability, G
from squall.lab.linear.channel import Channel
from squall.lab.report import picture
from squall.lab.verify.check import Check
from squall.lab.verify.history import THETA_0, History, at_heights, to_layers
from squall.lab.workspace import Workspace

NAME = "inertia-gravity-wave"
DEPTH = 10e3
WIND = 20.0
AMPLITUDE = 0.01
HALF_WIDTH = 5e3
ATMOSPHERE = ConstantStability(n=0.01, theta_s=300.0)
TIME = 3000.0
SOURCE = "linear compressible solution"


def verify(workspace: Workspace) -> list[Check]:
    directory = workspace.run(NAME, locate.run_file(NAME), {})
    history = History(directory)
    frame = history.frame_at(TIME)
    channel = Channel(ATMOSPHERE, DEPTH)
    x, z = history.x(), to_layers(history.field("PHB")[:, 0, 0]) / G
    ours = _disturbance(history, frame)
    fine = solution(channel, x, TIME)
    reference = at_heights(fine, np.broadcast_to(channel.z_face[:, None], fine.shape), z)
    _draw(workspace, x, z, ours, reference)
    distance = float(np.sqrt(np.mean((ours - reference) ** 2) / np.mean(reference**2)))
    return [
        Check(
            NAME, "L2 error of theta' after 3000 s over its norm", 0.0, distance, 0.05, SOURCE, rule="at most"
        ),
        Check(
            NAME,
            "highest theta'",
            float(reference.max()),
            float(ours.max()),
            0.05 * float(reference.max()),
            SOURCE,
            "K",
        ),
        Check(
            NAME,
            "lowest theta'",
            float(reference.min()),
            float(ours.min()),
            -0.05 * float(reference.min()),
            SOURCE,
            "K",
        ),
    ]


def _disturbance(history: History, frame: int) -> Array:
    """theta' (k, x) at the fixed heights that the layers have in the base state.

    A layer holds its air as it is lifted by dz, so what it departs by from its own base state is
    theta' + dz dtheta0/dz.
    """
    base = history.field("T_BASE")[:, None]
    departure = history.field("T", frame)[:, 0] - base
    lift = to_layers(history.field("PH", frame)[:, 0]) / G
    return departure - lift * (base + THETA_0) * ATMOSPHERE.n**2 / G


def solution(channel: Channel, x: Array, time: float) -> Array:
    """theta' (z, x) of the linear channel; the disturbance starts one third of the way along."""
    start = AMPLITUDE / (1 + ((x - x.mean() / 1.5) / HALF_WIDTH) ** 2)
    theta = np.sin(np.pi * channel.z_face / DEPTH)[:, None] * start
    return channel.theta_after(time, x[1] - x[0], WIND, theta, channel.hydrostatic_pressure(theta))


def _draw(workspace: Workspace, x: Array, z: Array, ours: Array, reference: Array) -> None:
    with picture(workspace.picture(NAME), 9, 7) as figure:
        axes = figure.subplots(3, 1, sharex=True)
        levels = np.arange(-3.25e-3, 3.26e-3, 0.5e-3)
        panels = {"Squall": ours, "linear compressible solution": reference, "difference": ours - reference}
        for axis, (title, values) in zip(axes, panels.items(), strict=True):
            filled = axis.contourf(x / 1e3, z / 1e3, values, levels, cmap="RdBu_r", extend="both")
            axis.set_title(title)
            axis.set_ylabel("z [km]")
        figure.colorbar(filled, ax=axes, label="theta' [K]")
        axes[-1].set_xlabel("x [km]")
        figure.suptitle("Inertia-gravity wave after 3000 s")
