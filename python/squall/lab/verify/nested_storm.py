"""Verifies the benefit of a nest: a storm in a 1 km nest is closer to a run at 1 km everywhere than the storm
of the 3 km parent, run alone, is.

Compared on the parent's cells where the nest lies, its rim left out: fields of the finer runs as means over
them.
"""

from collections.abc import Iterator

import numpy as np

from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "nested-storm"
RATIO, CELLS, FIRST, COVERED = 3, 26, 5, 16  # cells of the parent: all, the nest's first from 0, and the nest
RIM = 2  # of the parent's cells, left out
#: Distances from the fine run, the nest's over the parent's: below 1 the nest is nearer.
LIMIT = 1.0
SOURCE = "distance from a run of 1 km everywhere, over that of a run of 3 km"
FIELDS = ("W", "T", "QVAPOR", "QCLOUD", "QRAIN", "PH", "MU")

COARSE: Changes = {
    "run.duration": "40 min",
    "run.time_step": "15 s",
    "domain.nx": CELLS,
    "domain.ny": CELLS,
    "domain.nz": 30,
    "domain.dx": "3 km",
    "output.history.interval": "20 min",
}
FINE: Changes = {
    **COARSE,
    "run.time_step": "5 s",
    "domain.nx": RATIO * CELLS,
    "domain.ny": RATIO * CELLS,
    "domain.dx": "1 km",
}
NESTED: Changes = {
    **COARSE,
    "nest.inner.i_parent_start": FIRST + 1,
    "nest.inner.j_parent_start": FIRST + 1,
    "nest.inner.nx": RATIO * COVERED,
    "nest.inner.ny": RATIO * COVERED,
}


def verify(workspace: Workspace) -> list[Check]:
    def run(name: str, changes: Changes, domain: int = 1) -> History:
        run_file = workspace.variant(f"{NAME}-{name}", "supercell", changes)
        return History(workspace.run(f"{NAME}-{name}", run_file, {}), domain)

    coarse, fine, nest = run("coarse", COARSE), run("fine", FINE), run("nested", NESTED, 2)
    _draw(workspace, coarse, nest, fine)
    return list(_checks(coarse, nest, fine))


def _checks(coarse: History, nest: History, fine: History) -> Iterator[Check]:
    covered = slice(FIRST, FIRST + COVERED)
    inner = np.s_[..., RIM:-RIM, RIM:-RIM]
    for name in FIELDS:
        wanted = _means(fine.field(name))[..., covered, covered]
        found = coarse.field(name)[..., covered, covered], _means(nest.field(name))
        of_parent, of_nest = (float(np.sqrt(np.mean((each - wanted)[inner] ** 2))) for each in found)
        yield Check(NAME, f"{name} after 40 min", LIMIT, of_nest / of_parent, LIMIT, SOURCE, rule="at most")


def _means(values: Array) -> Array:
    """Over the parent's cells."""
    *lead, ny, nx = values.shape
    blocks = values.reshape(*lead, ny // RATIO, RATIO, nx // RATIO, RATIO)
    means: Array = blocks.mean(axis=(-3, -1))
    return means


def _draw(workspace: Workspace, coarse: History, nest: History, fine: History) -> None:
    """Greatest updraughts of columns as the three runs have them, and the rain they made."""
    parents = slice(FIRST, FIRST + COVERED)
    cells = slice(RATIO * FIRST, RATIO * (FIRST + COVERED))
    titles = ("3 km, alone", "1 km, nested in 3 km", "1 km everywhere")
    size = 3 * COVERED
    with picture(workspace.picture(NAME), 9, 5.6) as figure:
        axes = figure.subplots(2, 3, sharex=True, sharey=True)
        for row, (name, label) in zip(axes, (("W", "updraught [m/s]"), ("RAINNC", "rain [mm]")), strict=True):
            drawn = [_top(history.field(name)) for history in (coarse, nest, fine)]
            drawn[0], drawn[2] = drawn[0][parents, parents], drawn[2][cells, cells]
            most = max(float(values.max()) for values in drawn)
            for ax, values, title in zip(row, drawn, titles, strict=True):
                image = ax.imshow(values, origin="lower", extent=(0, size, 0, size), vmin=0, vmax=most)
                ax.set_title(title, fontsize=9)
            figure.colorbar(image, ax=list(row), label=label, shrink=0.9)
        for ax in axes[-1]:
            ax.set_xlabel("x [km]")
        for ax in axes[:, 0]:
            ax.set_ylabel("y [km]")
        figure.suptitle("A storm after 40 minutes, where the nest lies", fontsize=11)


def _top(values: Array) -> Array:
    """Of columns the greatest value; planes are as they are."""
    return values.max(axis=0) if values.ndim == 3 else values
