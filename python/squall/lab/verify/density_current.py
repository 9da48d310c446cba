"""Density current: a bubble of cold air falls to the ground and spreads (Straka et al. 1993).

Straka, J. M., R. B. Wilhelmson, L. J. Wicker, J. R. Anderson and K. K. Droegemeier (1993):
Numerical solutions of a non-linear density current: a benchmark solution and comparisons.
Int. J. Numer. Methods Fluids 17, 1-22. Viscosity makes the solution converge: theirs at 25 m has
its front 15.54 km from the centre and -9.77 K as its lowest theta' after 900 s.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from squall import locate
from squall.diagnose.constants import THETA0
from squall.lab.linear.atmosphere import Array
from squall.lab.verify.check import Check
from squall.lab.verify.history import History, at_heights
from squall.lab.workspace import Workspace
from squall.plot.pictures import front_position
from squall.results import picture

NAME = "density-current"
SOURCE = "Straka et al. (1993), 25 m"
TIME = 900.0
FRONT = 15.54
COLDEST = -9.77
# The eastern half: the flow is symmetric about the centre, which becomes the western wall.
WIDTH, HEIGHT = 25600, 6400
SPACINGS = (200, 100, 50)


@dataclass(frozen=True)
class Section:
    """theta' [K] (k, i) at distances `x` [km] east of the centre and heights `z` [km] (k, i)."""

    x: Array
    z: Array
    theta: Array

    @property
    def front(self) -> float:
        """Distance [km] from the centre to the outermost -1 K on the lowest level; NaN if there is none."""
        found = front_position(self.x.astype(float), self.theta[0])
        return float("nan") if found is None else found


def verify(workspace: Workspace) -> list[Check]:
    sections = {spacing: _run(workspace, spacing) for spacing in SPACINGS}
    _draw(workspace, sections)
    finest = sections[SPACINGS[-1]]
    coldest = float(finest.theta.min())
    checks = [
        Check(NAME, "front after 900 s, 50 m", FRONT, finest.front, 0.015 * FRONT, SOURCE, "km"),
        Check(NAME, "minimum theta' after 900 s, 50 m", COLDEST, coldest, 0.05 * -COLDEST, SOURCE, "K"),
    ]
    errors = [abs(float(section.theta.min()) - COLDEST) for section in sections.values()]
    for (coarse, fine), (before, after) in zip(
        itertools.pairwise(SPACINGS), itertools.pairwise(errors), strict=True
    ):
        what = f"error of the lowest theta' at {coarse} m over that at {fine} m"
        checks.append(Check(NAME, what, None, before / after, 1.0, SOURCE, rule="at least"))
    changes = [_change(sections[coarse], sections[fine]) for coarse, fine in itertools.pairwise(SPACINGS)]
    checks.append(
        Check(
            NAME,
            "ratio of the L2 changes of theta', 200 to 100 m over 100 to 50 m",
            4.0,
            changes[0] / changes[1],
            2.0,
            "the convergence of a second-order scheme (4)",
            rule="at least",
        )
    )
    return checks


def _change(coarse: Section, fine: Section) -> float:
    """RMS difference of theta' [K] averaged to cells of the coarsest spacing."""
    return float(np.sqrt(np.mean((_coarsened(coarse) - _coarsened(fine)) ** 2)))


def _coarsened(section: Section) -> Array:
    spacing = SPACINGS[0] / 1e3
    cells = round(spacing / (section.x[1] - section.x[0]))
    theta, z = (f.reshape(len(f), -1, cells).mean(axis=-1) for f in (section.theta, section.z))
    return at_heights(theta, z, np.arange(spacing / 2, HEIGHT / 1e3, spacing))


def _run(workspace: Workspace, spacing: int) -> Section:
    settings = {
        "domain.dx": f"{spacing} m",
        "domain.nx": str(WIDTH // spacing),
        "domain.nz": str(HEIGHT // spacing),
        "run.time_step": f"{spacing / 100} s",
        "initial.centre_x": f"{-WIDTH / 2} m",
        "output.history.interval": f"{TIME} s",
    }
    history = History(workspace.run(f"{NAME}-{spacing}m", locate.run_file(NAME), settings))
    frame = history.frame_at(TIME)
    theta = history.theta(frame)[:, 0] - THETA0
    return Section(history.x() / 1e3, history.layer_height(frame)[:, 0] / 1e3, theta)


def _draw(workspace: Workspace, sections: dict[int, Section]) -> None:
    with picture(workspace.picture(NAME), 9, 7) as figure:
        axes = figure.subplots(len(sections), 1, sharex=True, sharey=True)
        levels = [*range(-11, 0), -0.5]
        for axis, (spacing, section) in zip(axes, sections.items(), strict=True):
            x = np.broadcast_to(section.x, section.z.shape)
            filled = axis.contourf(x, section.z, section.theta, levels, cmap="Blues_r", extend="min")
            axis.contour(x, section.z, section.theta, [-1], colors="k", linewidths=0.7)
            axis.axvline(FRONT, color="C3", linewidth=0.8, linestyle="--")
            axis.plot(section.front, 0, "^", color="C3", clip_on=False)
            axis.set_title(
                f"{spacing} m: front at {section.front:.2f} km, lowest {section.theta.min():.2f} K"
            )
            axis.set(ylabel="z [km]", xlim=(0, 19.2), ylim=(0, 4.8))
        figure.colorbar(filled, ax=axes, label="theta' [K]")
        axes[-1].set_xlabel("distance from the centre [km]; dashed: converged front, 15.54 km")
        figure.suptitle("Density current after 900 s")
