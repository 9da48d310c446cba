"""A resting atmosphere over steep terrain stays at rest.

The base state is in balance in the model's own discrete equations, so nothing but rounding may
set the air in motion. Rounding of the pressure p by its last bit, e p with e = 2^-24 in single
precision, is felt as a spurious pressure gradient; the gravity waves that adjust to it have winds
of e p / (rho c), with c their speed of tens of m/s: some 10^-4 m/s.
"""

import numpy as np

from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "resting-atmosphere"
LIMIT = 1e-3
SOURCE = "winds that rounding of the pressure may cause in single precision"

#: The ridges three times as high, without a wind.
CHANGES: Changes = {
    "run.duration": "6 h",
    "domain.nx": 100,
    "domain.nz": 40,
    "domain.boundary_west": None,
    "domain.boundary_east": None,
    "vertical.top": "20 km",
    "damping": None,
    "initial.u": "0 m/s",
    "initial.height": "750 m",
    "output.history.interval": "30 min",
}


def verify(workspace: Workspace) -> list[Check]:
    history = History(workspace.run(NAME, workspace.variant(NAME, "mountain-schaer", CHANGES), {}))
    frames = range(len(history.elapsed))
    fastest = {name: [float(np.abs(history.field(name, f)).max()) for f in frames] for name in ("U", "W")}
    with picture(workspace.picture(NAME), 6, 3.5) as figure:
        axes = figure.subplots()
        for name, values in fastest.items():
            axes.plot(history.elapsed[1:] / 3600, values[1:], "o-", label=f"greatest |{name.lower()}|")
        axes.axhline(LIMIT, color="0.5", linestyle=":", label="limit")
        axes.set_yscale("symlog", linthresh=1e-6)  # at rest to the last bit is 0
        axes.set(xlabel="time [h]", ylabel="wind [m/s]", title="Resting atmosphere over ridges of 750 m")
        axes.legend()
    what = "in 6 h over ridges of 750 m"
    return [
        Check(NAME, f"maximum |{name.lower()}| {what}", 0.0, max(values), LIMIT, SOURCE, "m/s", "at most")
        for name, values in fastest.items()
    ]
