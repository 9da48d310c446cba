"""Verifies conservation of dry mass over thousands of steps of a vigorous flow between walls.

Mass fluxes leave one column and enter the next, so the total changes only by rounding.
"""

import numpy as np

from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "dry-mass"
STEPS = 4000
SOURCE = "the last bit of single precision"

#: On a coarse grid, long after the cold air has met the walls.
CHANGES: Changes = {
    "run.duration": "8000 s",
    "run.time_step": "2 s",
    "run.acoustic_substeps": 4,
    "domain.nx": 128,
    "domain.nz": 32,
    "domain.dx": "400 m",
    "dynamics.top_lid": None,
    "diffusion.surfaces": None,
    "diffusion.prandtl": None,
    "diffusion.mix_full_fields": None,
    "output.history.interval": "400 s",
}


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, workspace.variant(NAME, "density-current", CHANGES), {}))
    mass = np.array([history.column_mass(frame).sum() for frame in range(len(history.elapsed))])
    change = mass / mass[0] - 1
    with picture(workspace.picture(NAME), 6, 3.5) as figure:
        axes = figure.subplots()
        axes.plot(history.elapsed, change, "o-")
        axes.set(
            xlabel="time [s]", ylabel="change of dry mass / dry mass", title=f"Dry mass over {STEPS} steps"
        )
    limit = float(np.finfo(np.float32).eps)
    what = f"greatest change of dry mass over its total in {STEPS} steps"
    return [Check(NAME, what, 0.0, float(np.abs(change).max()), limit, SOURCE, rule="at most")]
