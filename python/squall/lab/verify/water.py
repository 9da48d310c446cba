"""Water is neither made nor lost, nor ever negative: storms between periodic sides.

Vapour, cloud, precipitation aloft and what has fallen are added up. Transport, subgrid mixing,
condensation and fall are in flux form, so that the sum holds to the rounding of single precision.
WRF's own mixing and fall of rain would lose 1e-4 and 3e-4 of it in this hour.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from squall.diagnose.constants import G
from squall.lab.linear.atmosphere import Array
from squall.lab.variants import Changes
from squall.lab.verify.check import Check
from squall.lab.verify.history import History
from squall.lab.workspace import Workspace
from squall.results import picture

NAME = "total-water"
SPECIES = ("QVAPOR", "QCLOUD", "QRAIN", "QICE", "QSNOW", "QGRAUP")
SOURCE = "conservation"
ROUNDING = 3e-7  # of the total, in an hour

#: The supercell between periodic sides: nothing enters or leaves but rain.
CHANGES: Changes = {
    "domain.nx": 24,
    "domain.ny": 24,
    "domain.boundary_west": None,
    "domain.boundary_east": None,
    "domain.boundary_south": None,
    "domain.boundary_north": None,
    "diffusion.mix_full_fields": None,
    "output.history.interval": "5 min",
}


@dataclass(frozen=True)
class Storm:
    microphysics: str
    mixing: str

    @property
    def name(self) -> str:
        return self.microphysics if self.mixing == "none" else f"{self.microphysics}, mixed"


STORMS = (
    Storm("condensation", "none"),
    Storm("kessler", "none"),
    Storm("lin", "none"),
    Storm("morrison", "none"),
    Storm("wsm6", "none"),
    Storm("wdm5", "none"),
    Storm("wdm6", "none"),
    Storm("kessler", "tke"),
)


def verify(workspace: Workspace, duration: str = "1 h", storms: Sequence[Storm] = STORMS) -> list[Check]:
    """The budgets of the storms so long after their beginning."""
    checks: list[Check] = []
    changes: dict[str, tuple[Array, Array]] = {}
    for number, storm in enumerate(storms, start=1):
        name = f"{NAME}-{number}"
        physics = {"physics.microphysics": storm.microphysics, "diffusion.scheme": storm.mixing}
        run_file = workspace.variant(name, "supercell", {**CHANGES, "run.duration": duration, **physics})
        history = History(workspace.run(name, run_file, {}))
        changes[storm.name] = (history.elapsed / 60, change_of_water(history))
        checks += _judge(storm, history, changes[storm.name][1])
    _draw(workspace, changes)
    return checks


def _judge(storm: Storm, history: History, change: Array) -> list[Check]:
    eps = float(np.finfo(np.float32).eps)
    frames = range(len(history.elapsed))
    air = np.array([history.column_mass(frame).sum() for frame in frames])
    dry = float(np.abs(air / air[0] - 1).max())
    least = min(float(history.field(q, frame).min()) for q in species(history) for frame in frames)
    largest = float(np.abs(change).max())
    what = "relative change of total water"
    return [
        Check(NAME, f"{what}, {storm.name}", 0.0, largest, ROUNDING, SOURCE, rule="at most"),
        Check(NAME, f"dry mass budget, {storm.name}", 0.0, dry, eps, SOURCE, rule="at most"),
        Check(
            NAME, f"minimum of any water species, {storm.name}", 0.0, least, 0.0, SOURCE, "kg/kg", "at least"
        ),
    ]


def species(history: History) -> list[str]:
    return [name for name in SPECIES if history.has(name)]


def change_of_water(history: History) -> Array:
    """Of all water, that on the ground included, since the beginning, over the total; each frame's."""
    thickness = -np.diff(history.field("ZNW"))[:, None, None]
    total = []
    for frame in range(len(history.elapsed)):
        aloft: Array = sum((history.field(q, frame) for q in species(history)), np.zeros(()))
        fallen = history.field("RAINNC", frame).sum() if history.has("RAINNC") else 0.0
        total.append(float((thickness * history.column_mass(frame) * aloft).sum()) / G + float(fallen))
    return np.array(total) / total[0] - 1


def _draw(workspace: Workspace, changes: dict[str, tuple[Array, Array]]) -> None:
    with picture(workspace.picture(NAME), 7, 4) as figure:
        axes = figure.subplots()
        for name, (minutes, change) in changes.items():
            axes.plot(minutes, change, label=name)
        axes.set(xlabel="minutes", ylabel="change of total water / total water")
        axes.set_title("Water of a supercell between periodic sides")
        axes.legend()
