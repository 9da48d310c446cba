"""The Great North Run's three nested domains, to be planned without the files that it begins from."""

from pathlib import Path

from squall.lab.variants import Changes
from squall.lab.workspace import Workspace
from squall.prepare import command, nests
from squall.prepare.run_file import read_plan

_CASE = "great-north-run"

#: Keys that need files, and what takes their place: no value of the weather changes what a step takes.
_WITHOUT_FILES: Changes = {
    "prepare": None,
    "initial.file": None,
    "initial.case": "supercell",
    "vertical.top": "20 km",
    "boundary": None,
    "dynamics.coriolis": None,
    "physics.surface_temperature": "288 K",
    "domain.boundary_west": "open",
    "domain.boundary_east": "open",
    "domain.boundary_south": "open",
    "domain.boundary_north": "open",
    "output.history": None,
}


def nested_run_file(workspace: Workspace) -> Path:
    """The case with its nests where they lie over Britain."""
    plan = read_plan(workspace.variant("placed", _CASE, {"prepare.terrain": None}))
    _, outermost = command.open_plan(plan)
    changes = dict(_WITHOUT_FILES)
    placed = nests.place(outermost, plan.nests, 5)[1:]
    for nest, domain in zip(plan.nests, placed, strict=True):
        table = f"nest.{nest.name}"
        for key in ("center_latitude", "center_longitude", "initial_file"):
            changes[f"{table}.{key}"] = None
        changes[f"{table}.i_parent_start"] = domain.i_parent_start
        changes[f"{table}.j_parent_start"] = domain.j_parent_start
    return workspace.variant("nested", _CASE, changes)
