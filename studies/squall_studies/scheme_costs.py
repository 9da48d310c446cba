"""`squall lab scheme-costs`: what each scheme takes of a cell-step, in cell-steps of the supercell.

Machines are calibrated with the supercell's physics; `squall plan` sums up over a run's schemes what they
take more. A scheme's cost is the difference of two runs that differ in it alone, on one core, by the
processor's time: of the supercell for what air without ground can have, else of a case that begins from a
file. Other programs, which share caches and memory, only make runs take more, so of some rounds the least
counts. Scalars that a scheme adds are carried, and count as its own. Steps of the case are no longer than
wsm6 goes through at once; where its own are, another run tells of their parts.
"""

import json as json_text
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from squall import locate, machine, planning, quantity
from squall.commands import complete, panels
from squall.errors import UserError
from squall.lab import step_factor
from squall.lab.prediction.steps import LARGE
from squall.lab.speed_domains import CHANGES
from squall.lab.variants import Changes
from squall.lab.workspace import Workspace
from squall.results import show_table
from squall.runs import tuned

app = typer.Typer()

_HELP = """Measure what each scheme of physics costs, for `squall plan`.

Runs some steps of the supercell and of a case that begins from a file in turn, each with one scheme after
the other, on one core; the processor's time counts. What a scheme costs depends on the weather a little, and
on the processor: the file that this writes takes the place of the one that comes with Squall.

[bold]Examples[/bold]

    squall lab scheme-costs january-storm.toml -o schemes.json
    squall plan my-case.toml -n 512 --schemes schemes.json
"""

#: As machines are calibrated with, smaller, and still out of any cache.
STORM = replace(LARGE, nx=100, ny=100)

#: Runs of the supercell, by what they change of it; its diffusion is a table of its own.
_DIFFUSION: Changes = {"diffusion": None}
STORMS: Mapping[str, Changes] = {
    "storm": {},
    "storm, 4 substeps": {"run.acoustic_substeps": 4},
    "storm, 4 tracers": {f"tracer.t{n}.initial": 1.0 for n in range(4)},
    "storm, vapour": {"physics.microphysics": "vapour"},
    "storm, condensation": {"physics.microphysics": "condensation"},
    "storm, no diffusion": _DIFFUSION,
    "storm, smagorinsky-3d": {"diffusion.scheme": "smagorinsky-3d"},
    "storm, smagorinsky-2d": {**_DIFFUSION, "diffusion.scheme": "smagorinsky-2d"},
    "storm, constant": {
        **_DIFFUSION, "diffusion.scheme": "constant", "diffusion.horizontal": "75 m2/s",
        "diffusion.vertical": "75 m2/s",
    },
}  # fmt: skip

#: All schemes of a case but cumulus, and radiation that is called once, in the step that does not count.
_NEVER = "24 h"
_WHOLE = {
    "suite": "none", "microphysics": "wsm6", "surface_layer": "revised-mm5", "boundary_layer": "ysu",
    "land": "noah", "cumulus": "none", "radiation": "rrtmgp", "radiation_interval": _NEVER,
    "gravity_wave_drag": "none",
}  # fmt: skip
_NO_GROUND = {"land": "none"}
_NO_SURFACE = {"land": "none", "surface_layer": "none", "boundary_layer": "none"}
#: Runs of the case, by what they change of these; radiation "EACH": called in every step.
WEATHER: Mapping[str, Mapping[str, str]] = {
    "case": {},
    **{f"case, {name}": {"microphysics": name} for name in ("vapour", "kessler", "thompson")},
    "case, no land": _NO_GROUND,
    "case, slab": {"land": "slab"},
    "case, no land, mynn": {**_NO_GROUND, "boundary_layer": "mynn"},
    "case, no land, mynn-edmf": {**_NO_GROUND, "boundary_layer": "mynn-edmf"},
    "case, no land, myj": {**_NO_GROUND, "boundary_layer": "myj"},
    "case, no land, eta, resolved": {**_NO_GROUND, "surface_layer": "eta", "boundary_layer": "resolved"},
    "case, no land, mynn surface, resolved": {
        **_NO_GROUND,
        "surface_layer": "mynn",
        "boundary_layer": "resolved",
    },
    "case, no land, resolved": {**_NO_GROUND, "boundary_layer": "resolved"},
    "case, no land, resolved, mm5": {**_NO_GROUND, "boundary_layer": "resolved", "surface_layer": "mm5"},
    "case, no surface": _NO_SURFACE,
    "case, no surface, bulk": {**_NO_SURFACE, "boundary_layer": "bulk"},
    "case, kain-fritsch": {"cumulus": "kain-fritsch"},
    "case, grell-freitas": {"cumulus": "grell-freitas"},
    "case, grell-freitas-shallow": {"cumulus": "grell-freitas-shallow"},
    "case, tiedtke": {"cumulus": "tiedtke"},
    "case, tiedtke-1989": {"cumulus": "tiedtke-1989"},
    "case, kim-arakawa": {"gravity_wave_drag": "kim-arakawa"},
    **{
        f"case, {name}, {when}": {"radiation": name, "radiation_interval": interval}
        for name in ("rrtmgp", "rrtmgp-fine", "broadband")
        for when, interval in (("each step", "EACH"), ("never", _NEVER))
    },
}

#: A scheme's kind and name, and the runs whose difference it costs.
DIFFERENCES: Sequence[tuple[str, str, str, str]] = (
    ("microphysics", "vapour", "storm, vapour", "storm, vapour"),
    ("microphysics", "condensation", "storm, condensation", "storm, vapour"),
    ("microphysics", "kessler", "storm", "storm, vapour"),
    ("microphysics", "wsm6", "case", "case, vapour"),
    ("microphysics", "thompson", "case, thompson", "case, vapour"),
    ("diffusion", "constant", "storm, constant", "storm, no diffusion"),
    ("diffusion", "smagorinsky-2d", "storm, smagorinsky-2d", "storm, no diffusion"),
    ("diffusion", "smagorinsky-3d", "storm, smagorinsky-3d", "storm, no diffusion"),
    ("diffusion", "tke", "storm", "storm, no diffusion"),
    ("surface_layer", "revised-mm5", "case, no land, resolved", "case, no surface"),
    ("surface_layer", "eta", "case, no land, eta, resolved", "case, no surface"),
    ("surface_layer", "mynn", "case, no land, mynn surface, resolved", "case, no surface"),
    ("surface_layer", "mm5", "case, no land, resolved, mm5", "case, no surface"),
    ("boundary_layer", "resolved", "case, no surface", "case, no surface"),
    ("boundary_layer", "bulk", "case, no surface, bulk", "case, no surface"),
    ("boundary_layer", "ysu", "case, no land", "case, no land, resolved"),
    ("boundary_layer", "mynn", "case, no land, mynn", "case, no land, resolved"),
    ("boundary_layer", "mynn-edmf", "case, no land, mynn-edmf", "case, no land, resolved"),
    ("boundary_layer", "myj", "case, no land, myj", "case, no land, resolved"),
    ("land", "slab", "case, slab", "case, no land"),
    ("land", "noah", "case", "case, no land"),
    ("cumulus", "kain-fritsch", "case, kain-fritsch", "case"),
    ("cumulus", "grell-freitas", "case, grell-freitas", "case"),
    ("cumulus", "grell-freitas-shallow", "case, grell-freitas-shallow", "case"),
    ("cumulus", "tiedtke", "case, tiedtke", "case"),
    ("cumulus", "tiedtke-1989", "case, tiedtke-1989", "case"),
    ("gravity_wave_drag", "kim-arakawa", "case, kim-arakawa", "case"),
    *(
        ("radiation", name, f"case, {name}, each step", f"case, {name}, never")
        for name in ("rrtmgp", "rrtmgp-fine", "broadband")
    ),
)

#: Schemes of the supercell, of whose cell-step costs are multiples.
CALIBRATED = {"microphysics": "kessler", "diffusion": "tke"}
_SUBSTEPS, _FEWER, _TRACERS = 6, 4, 4
_IN_PARTS = "case, steps as long as its own"

#: Seconds of a cell-step, by run.
Seconds = Mapping[str, float]


@app.command("scheme-costs", help=panels.explained(_HELP))
def scheme_costs_command(
    case: Annotated[
        str, typer.Argument(help="Run file that begins from a file.", autocompletion=complete.run_files)
    ],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The costs, as JSON.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Overrides a key of the run file."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="Steps of the case to measure, after a first one.")] = 12,
    rounds: Annotated[
        int, typer.Option("--repeats", min=1, help="Rounds; the fastest of each run counts.")
    ] = 3,
    runs: Annotated[Path, typer.Option("--runs", metavar="DIR", help="Directory for the runs.")] = Path(
        "runs/scheme-costs"
    ),
) -> None:
    console = Console()
    with console.status("") as status:
        seen, left_out = measure(
            Workspace(runs.resolve()), case, settings or [], steps, rounds, lambda text: status.update(text)
        )
    for name, why in left_out.items():
        console.print(f"Left out: {name}: {why.splitlines()[-1]}", highlight=False)
    content = costs(seen, substeps_of(case, settings or []), parts_of(case, settings or []))
    content["source"] = (
        f"{machine.processor()}, one core; {locate.run_file(case).name}, {len(seen)} rounds of {steps} steps"
    )
    show_table(console, "Of a cell-step of the supercell", ["", "", "takes", "from", "to"], rows(seen))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json_text.dumps(content, indent=1) + "\n")
    console.print(f"Costs: {output}", highlight=False)


def substeps_of(case: str, settings: list[str]) -> int:
    """Acoustic substeps of a case."""
    run = tuned.read_document(locate.run_file(case), settings)["run"]
    return int(run.get("acoustic_substeps", 4))


def parts_of(case: str, settings: list[str]) -> int:
    """In how many wsm6 goes through a step of a case, as the model says."""
    words = [*settings, "physics.microphysics=wsm6"]
    machine_file = planning.machine_file("today")
    question = planning.Question(locate.run_file(case), machine_file, 1, settings=words, method="closed-form")
    return int(planning.ask(question)["cell_step"]["parts"])


def _time_step(run_file: Path, settings: list[str]) -> float:
    """Seconds."""
    return quantity.quantity(tuned.read_document(run_file, settings)["run"]["time_step"], "time")


def measure(
    workspace: Workspace, case: str, settings: list[str], steps: int, rounds: int, tell: Any
) -> tuple[list[Seconds], dict[str, str]]:
    """Of each round, and the runs that the model refused, with why; a scheme may need a field that the case's
    file has not. Raises UserError where the case itself does not run."""
    run_file = locate.run_file(case)
    at_once, parts = settings, parts_of(case, settings)
    if parts > 1:
        at_once = [*settings, f"run.time_step={_time_step(run_file, settings) / parts:.10g} s"]
    own = step_factor.short(run_file, at_once, steps)
    cells = step_factor.cells_of(run_file, settings)
    each_step = f"{_time_step(run_file, at_once):.10g} s"
    storms = {
        name: workspace.variant(f"storm-{n}", STORM.case.name, {**CHANGES, **changes})
        for n, (name, changes) in enumerate(STORMS.items())
    }
    runs = list(_runs(storms, run_file, own, cells, each_step))
    if parts > 1:
        keys = step_factor.short(run_file, settings, steps) | _keys(_WHOLE, each_step)
        runs.append((_IN_PARTS, run_file, keys, cells))
    seen: list[Seconds] = []
    left_out: dict[str, str] = {}
    for number in range(rounds):
        found: dict[str, float] = {}
        for name, file, keys, of_step in runs:
            if name in left_out:
                continue
            tell(f"round {number + 1} of {rounds}: {name} ...")
            try:
                found[name] = statistics.median(step_factor.processor(workspace, file, keys)) / of_step
            except UserError as error:
                if name in ("storm", "case"):
                    raise
                left_out[name] = str(error)
        seen.append(found)
    return seen, left_out


def _runs(
    storms: Mapping[str, Path], run_file: Path, own: dict[str, str], cells: int, each_step: str
) -> Iterator[tuple[str, Path, dict[str, str], int]]:
    """Name, run file, settings, and the cell-steps of a step."""
    large = math.prod((STORM.nx, STORM.ny, STORM.nz))
    for name, file in storms.items():
        yield name, file, STORM.run_settings(), large
    for name, changes in WEATHER.items():
        yield name, run_file, own | _keys(_WHOLE | dict(changes), each_step), cells


def _keys(physics: Mapping[str, str], each_step: str) -> dict[str, str]:
    keys = {f"physics.{key}": value.replace("EACH", each_step) for key, value in physics.items()}
    return {"diffusion.scheme": "smagorinsky-2d"} | keys


def fastest(seen: Sequence[Seconds]) -> Seconds:
    """Of each run the round in which it took least: others, who share caches and memory, only make it take
    more. What some round lacks is left out."""
    return {name: min(found[name] for found in seen) for name in seen[0] if all(name in f for f in seen)}


def rows(seen: Sequence[Seconds]) -> list[list[str]]:
    """Of each scheme, with the spread of the rounds, each by itself."""
    table, least = [], fastest(seen)
    for kind, scheme, with_it, without in DIFFERENCES:
        if with_it == without or not {with_it, without} <= least.keys():
            continue
        rounds = [_difference(found, with_it, without) for found in seen]
        cells = (_difference(least, with_it, without), min(rounds), max(rounds))
        table.append([kind, scheme, *(f"{cell:.3f}" for cell in cells)])
    return table


def _difference(seconds: Seconds, with_it: str, without: str) -> float:
    return (seconds[with_it] - seconds[without]) / seconds["storm"]


def costs(seen: Sequence[Seconds], substeps: int, parts: int = 1) -> dict[str, Any]:
    """As squall-planner reads them. substeps: acoustic ones of the case, of its last stage; parts: in which
    wsm6 goes through a step of the case."""
    schemes: dict[str, dict[str, float]] = {}
    least = fastest(seen)
    for kind, scheme, with_it, without in DIFFERENCES:
        if {with_it, without} <= least.keys():
            cost = max(0.0, _difference(least, with_it, without))  # less is noise
            schemes.setdefault(kind, {})[scheme] = round(cost, 4)
    fewer = _difference(least, "storm", "storm, 4 substeps")
    substep = fewer / (_in_step(_SUBSTEPS) - _in_step(_FEWER))
    tracer = _difference(least, "storm, 4 tracers", "storm") / _TRACERS
    alike = 1 + substep * (_in_step(substeps) - _in_step(_SUBSTEPS))
    alike += schemes["microphysics"]["wsm6"] + schemes["diffusion"]["smagorinsky-2d"]
    alike -= sum(schemes[kind][scheme] for kind, scheme in CALIBRATED.items())
    bare = least["case, no surface"] / least["storm"]
    more = {}
    if _IN_PARTS in least:
        each = max(0.0, _difference(least, _IN_PARTS, "case") / (parts - 1))
        more = {"part": {"microphysics": {"wsm6": round(each, 4)}}}
    return more | {
        "source": "", "calibrated": CALIBRATED, "acoustic_substeps": _SUBSTEPS,
        "acoustic_substep": round(substep, 4), "tracer": round(tracer, 4),
        "initial_file": round(bare - alike, 4), "schemes": schemes,
    }  # fmt: skip


def _in_step(substeps: int) -> int:
    """Of the three stages of a step."""
    return 1 + substeps // 2 + substeps
