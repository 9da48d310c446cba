"""The Great North Run's three nested domains on the study's machines: steps an hour against cores."""

from dataclasses import dataclass, replace
from pathlib import Path

from squall import planning
from squall.lab.reproduce.item import Context
from squall.lab.reproduce.simulated import Curve, Points, Run, Shape, step
from squall.lab.variants import Changes
from squall.lab.workspace import Workspace
from squall.prepare import command, nests
from squall.prepare.run_file import read_plan

_CASE = "great-north-run"
_OUTERMOST = (355, 195, 35)  # cells of its outermost domain, as its run file has them

#: Threads of a rank that fill a socket: of the XT4 a node's only one, of the XT5 one of two.
_XT4, _XT5 = 4, 6

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
    """The case with its nests where they lie over Britain, to be planned without the files that it begins
    from."""
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


def steps_an_hour(answer: planning.Answer) -> float:
    return 3600 / step(answer)


@dataclass(frozen=True)
class _Nested(Curve):
    def ask(self, run: Run, context: Context) -> planning.Answer:
        question = replace(run.question(), run_file=nested_run_file(context.workspace), settings=[])
        return planning.ask(question)


def _run(machine: str, threads: int, cores: int) -> Run:
    return Run(machine, _OUTERMOST, cores // threads, threads=threads)


def _most(points: Points, series: str) -> float:
    return points[series][max(points[series])]


def _threads_help(points: Points) -> bool:
    return all(
        _most(points, f"{machine}, ranks x {threads} threads") > _most(points, f"{machine}, ranks")
        for machine, threads in (("XT4", _XT4), ("XT5", _XT5))
    )


def _as_the_xt4(points: Points) -> bool:
    """Of the XT4's speed on the most cores, with threads and without."""
    best = _most(points, f"XT4, ranks x {_XT4} threads")
    with_threads, without = _most(points, f"XT5, ranks x {_XT5} threads"), _most(points, "XT5, ranks")
    return with_threads > 0.95 * best > without


_LAYOUTS = _Nested(
    name="hector-simulated-layouts", study="hector",
    x=(48, 96, 192, 384, 768, 1536), quick=(48, 192), label="cores",
    seconds="steps of the outermost domain an hour", unit="",
    series={
        "XT4, ranks": lambda n: _run("hector-xt4", 1, n),
        f"XT4, ranks x {_XT4} threads": lambda n: _run("hector-xt4", _XT4, n),
        "XT5, ranks": lambda n: _run("rosa-xt5", 1, n),
        f"XT5, ranks x {_XT5} threads": lambda n: _run("rosa-xt5", _XT5, n),
    },
    value=steps_an_hour,
    calibrated="nothing: of the study's curves only what it concludes was within reach",
    shapes=(
        Shape(
            "on the most cores ranks with threads are faster than ranks alone, on both machines",
            _threads_help,
        ),
        Shape(
            "the XT5 comes to the speed of the XT4 with threads, and not without",
            _as_the_xt4,
            "threads bring it nearer, no more: a core of the XT5 has two thirds of the bandwidth that one of "
            "the XT4 has (their files, assumed), and cell-steps take bandwidth alone here; what threads save "
            "of it by the cache that they share is not simulated",
        ),
    ),
)  # fmt: skip

_GRID_CELLS = (1000, 1000, 50)  # assumed, as in simulated_studies.py
_GRID_RANKS = 1024

_GRIDS = Curve(
    name="hector-simulated-grids", study="hector",
    x=(4, 8, 16, 32, 64, 128, 256), quick=(8, 32), label="patches from west to east", seconds="a step",
    series={
        machine: lambda n, file=file: Run(  # type: ignore[misc]
            file, _GRID_CELLS, _GRID_RANKS, patches_x=n, frames=False
        )
        for machine, file in (("XT4", "hector-xt4"), ("XT5", "rosa-xt5"))
    },
    value=step,
    calibrated="nothing: the study's numbers were not within reach",
    shapes=(),
)  # fmt: skip

ITEMS = (
    _GRIDS.item(
        "Process grid shape against speed",
        "Steps of 1000 x 1000 x 50 cells by 1,024 ranks of the Cray XT4 and the XT5, in 4 x 256 to 256 x 4 "
        "patches, all factors that leave patches as wide as a halo: a longer rim is more to send.",
    ),
    _LAYOUTS.item(
        "Steps per hour against cores, ranks against ranks x threads, three nested domains",
        "Steps of the Great North Run at its published size, 355 x 195, 318 x 321 and 390 x 327 columns of "
        "35 levels inside each other, on the Cray XT4 and the XT5: domains on the ranks that the model gives "
        "them, with its messages between neighbours and between parents and nests.",
    ),
)
