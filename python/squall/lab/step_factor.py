"""`squall lab step-factor`: what a cell-step of a case takes, over one of the supercell.

Machines are calibrated with the supercell's physics; `squall plan --step-factor` takes it in place of the
sum over its schemes. Both cases step on one core in turn, and the processor's time counts, which other
programs take nothing of.
"""

import json as json_text
import math
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall import locate, planning, quantity
from squall.commands import complete, panels
from squall.errors import UserError
from squall.lab.prediction.steps import LARGE
from squall.lab.speed_domains import CHANGES
from squall.lab.workspace import ONE_CORE, Workspace
from squall.runs import tuned

app = typer.Typer()

_HELP = """Measure how many times as long as a supercell's a cell-step of a case takes.

That is what `squall plan --step-factor` needs for physics other than the supercell's, with which machines are
calibrated. Runs some steps of both in turn on one core; the processor's time counts. A smaller domain of the
same physics and levels will do. Nests count with what they step.

[bold]Examples[/bold]

    squall lab step-factor january-storm.toml
    squall lab step-factor my-case.toml --steps 60 --repeats 5
"""


@dataclass(frozen=True)
class Factor:
    """Seconds of the processor a cell-step, round by round."""

    case: list[float]
    supercell: list[float]

    @property
    def ratios(self) -> list[float]:
        return [case / supercell for case, supercell in zip(self.case, self.supercell, strict=True)]

    @property
    def median(self) -> float:
        return statistics.median(self.ratios)


@app.command("step-factor", help=panels.explained(_HELP))
def step_factor_command(
    case: Annotated[
        str, typer.Argument(help="Run file, or the name of a case.", autocompletion=complete.run_files)
    ],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Overrides a key of the run file."),
    ] = None,
    steps: Annotated[
        int, typer.Option(min=1, help="That count, after a first one: whole intervals of radiation.")
    ] = 20,
    rounds: Annotated[int, typer.Option("--repeats", min=1, help="Number of rounds; the median counts.")] = 3,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the runs.")] = Path(
        "runs/step-factor"
    ),
) -> None:
    console = Console()
    with console.status(f"{case} and the supercell, in turn ..."):
        found = measure(Workspace(output.resolve()), case, settings or [], steps, rounds)
    low, high = min(found.ratios), max(found.ratios)
    console.print(
        f"A cell-step of {case} takes {1e9 * statistics.median(found.case):.0f} ns of the processor, "
        f"{found.median:.2f} times the supercell's ({rounds} rounds: {low:.2f} to {high:.2f}).\n"
        f"Next: squall plan --machine FILE -n RANKS {case} --step-factor {found.median:.2f}",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def measure(workspace: Workspace, case: str, settings: list[str], steps: int, rounds: int) -> Factor:
    """Raises UserError where a run fails."""
    run_file = locate.run_file(case)
    own = short(run_file, settings, steps)
    cells = cells_of(run_file, settings)
    storm = workspace.variant("supercell", LARGE.case.name, CHANGES)
    large = math.prod((LARGE.nx, LARGE.ny, LARGE.nz))
    found = Factor([], [])
    for _ in range(rounds):
        found.case.append(statistics.mean(processor(workspace, run_file, own)) / cells)
        found.supercell.append(statistics.mean(processor(workspace, storm, LARGE.run_settings())) / large)
    return found


def short(run_file: Path, settings: list[str], steps: int) -> dict[str, str]:
    """The settings for so many steps after a first one, and no frames. Raises UserError."""
    document = tuned.read_document(run_file, settings)
    own = dict(word.split("=", 1) for word in settings)
    try:
        time_step = quantity.quantity(document["run"]["time_step"], "time")
    except (KeyError, ValueError) as error:
        raise UserError(
            f"{run_file}: run.time_step: {error}. `squall run {run_file} --plan` says more."
        ) from None
    own["run.duration"] = f"{(steps + 1) * time_step:.10g} s"
    output = document.get("output", {}).items()
    return own | {f"output.{name}.interval": "0 s" for name, table in output if isinstance(table, dict)}


def cells_of(run_file: Path, settings: list[str]) -> int:
    """Cell-steps of a step of the outermost domain, nests' own among them."""
    question = planning.Question(
        run_file, planning.machine_file("today"), 1, settings=settings, method="closed-form"
    )
    answer = planning.ask(question)
    outermost = math.prod(answer["exchanges"]["cells"])
    return int(outermost + sum(nest["steps"] * math.prod(nest["cells"]) for nest in answer["nests"]))


def processor(workspace: Workspace, run_file: Path, settings: dict[str, str]) -> list[float]:
    """Seconds of the processor of each step but the first, on one core."""
    timing = workspace.directory / "timing.json"
    workspace.run("run", run_file, settings, ONE_CORE, timing)
    each: list[float] = json_text.loads(timing.read_text())["each_step_processor"]
    return each[1:] or each
