"""Common parts of the published single-column cases: runs with several schemes, time series, and bands for
results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from squall import locate
from squall.diagnose.constants import C_P, KAPPA, P0, G
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.verify.water import species
from squall.lab.workspace import Workspace

HOUR = 3600.0


@dataclass(frozen=True)
class Band:
    """Lowest and highest that a quantity may be, in `unit`."""

    low: float
    high: float
    unit: str

    def check(self, case: str, quantity: str, ours: float, source: str) -> Check:
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        return Check(case, quantity, middle, ours, half, source, self.unit)


class SingleColumn:
    """The run of a single column; frames are counted from 0."""

    def __init__(self, history: History) -> None:
        self.history = history
        self.hours = history.elapsed / HOUR

    def at(self, hour: float) -> int:
        """The frame nearest to an hour."""
        return int(np.argmin(np.abs(self.hours - hour)))

    def series(self, name: str) -> Array:
        """Of a field of the surface or of the whole column."""
        return self.history.series(name)[:, 0, 0]

    def profiles(self, name: str) -> Array:
        """By frame and layer, from the ground up."""
        return self.history.series(name)[:, :, 0, 0]

    def water(self, *names: str) -> Array:
        """Of these kinds, or of all; each frame's [kg m-2], mm of water."""
        mixing_ratio = sum(self.profiles(name) for name in names or species(self.history))
        dry = self.series("MU") + self.history.field("MUB")[0, 0]
        return np.asarray(mixing_ratio @ -self.history.field("DNW") * dry / G)

    def theta_flux(self, frame: int) -> float:
        """Of potential temperature, from the surface [K m s-1]."""
        per_degree = C_P * (self.history.field("PSFC", frame)[0, 0] / P0) ** KAPPA
        density = self.history.density(frame)[0, 0, 0]
        return float(self.history.field("HFX", frame)[0, 0] / (density * per_degree))


def with_tables(boundary_layer: str, **tables: str) -> Changes:
    """Of a case with that boundary layer: its tables are beside its run file, not in the workspace."""
    folder = locate.run_files_folder()
    files = {f"initial.{key}": str(folder / name) for key, name in tables.items()}
    return {"physics.boundary_layer": boundary_layer, **files}


def run_each(
    workspace: Workspace, case: str, schemes: Sequence[str], changes: Callable[[str], Changes]
) -> dict[str, History]:
    """A run of the case for each scheme, that of the first under the case's own name."""
    histories = {}
    for scheme in schemes:
        name = case if scheme == schemes[0] else f"{case}-{scheme}"
        run_file = workspace.variant(name, case, changes(scheme))
        histories[scheme] = History(workspace.run(name, run_file, {}))
    return histories
