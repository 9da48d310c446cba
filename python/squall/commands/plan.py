"""The command `squall plan`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from squall.commands import complete, panels, run_options

if TYPE_CHECKING:
    from squall.compared import Told

app = typer.Typer()

_HELP = """Predict what a run takes on another machine: layout, memory, messages, output and times.

A file describes the machine. `squall run --plan` checks a run file and tells the plan of a run on this one.

Patches, messages, memory and frames are exactly those of the run. Times are given only where predictions
were compared with measurements, with the error found: steps on 1 to 4 ranks of one node that `squall lab
calibrate` measured, and their frames with netcdf and zarr. The command refuses all other times, gives the
reason for each, and exits with 2. With --counts it gives no times.

[bold]Examples[/bold]

    squall plan --machine node.toml -n 2 supercell
    squall plan --machine today -n 64 supercell --counts
    squall plan --machine cluster.toml -n 512 my-case.toml --json > plan.json
"""


@app.command("plan", help=panels.explained(_HELP), rich_help_panel=panels.RUN)
def plan_command(
    case: Annotated[
        str,
        typer.Argument(
            help="Run file, or the name of a case (`squall cases`).", autocompletion=complete.run_files
        ),
    ],
    machine: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Machine file, or the name of one that comes with Squall, such as `today`."
        ),
    ],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks, including servers.")],
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank.")] = 1,
    settings: run_options.Settings = None,
    per_node: Annotated[
        int | None,
        typer.Option(
            "--ranks-per-node",
            min=1,
            help="Ranks on each node. Default: as many as its cores allow.",
            show_default=False,
        ),
    ] = None,
    step_factor: Annotated[
        float | None,
        typer.Option(
            min=0.01,
            help="Time of a cell-step relative to the supercell's, as measured by `squall lab "
            "step-factor`. Default: estimated from the costs of the physics schemes.",
            show_default=False,
        ),
    ] = None,
    schemes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Costs of the physics schemes on that machine, a file of `squall lab scheme-costs`.",
            show_default=False,
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    counts: Annotated[
        bool, typer.Option("--counts", help="Patches, messages, memory and frames alone: no times.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the full prediction as JSON.")] = False,
) -> None:
    from squall import compared, locate, planning
    from squall.errors import UserError

    question = planning.Question(
        locate.run_file(case), planning.machine_file(machine), ranks, threads, settings or [],
        ranks_per_node=per_node, step_factor=step_factor, schemes=schemes,
    )  # fmt: skip
    told = compared.counted(question) if counts else compared.timed(question)
    if as_json:
        print(json.dumps(told.content(), indent=1))
    else:
        console = Console()
        show_counts(console, case, told.answer, step_factor is not None)
        if told.step:
            _show_times(console, told)
    if told.refused:
        reasons = "".join(f"\n  {what}: {reason}" for what, reason in told.refused)
        raise UserError(
            f"Times are withheld where predictions were never compared with measurements:{reasons}\n"
            "Use --counts to plan without times."
        )


def line(console: Console, name: str, text: str) -> None:
    """Of the table."""
    console.print(f"{name:12}{text}", highlight=False, soft_wrap=True, markup=False)


def show_counts(console: Console, case: str, answer: dict[str, Any], given: bool) -> None:
    """What is no time. given: the factor of a cell-step was."""
    nx, ny = answer["process_grid"]
    line(console, "machine", answer["machine"])
    line(
        console,
        "layout",
        f"{answer['ranks']} ranks x {answer['threads']} threads on {answer['nodes']} nodes: {nx} x {ny} "
        f"patches, {answer['servers']} servers",
    )
    line(console, "messages", f"{answer['step']['messages']} a step, {size(answer['step']['bytes'])}")
    line(console, "physics", _physics(case, answer, given))
    for nest in answer["nests"]:
        line(console, f"  {nest['name']}", _nest(nest))
    for stream in answer["streams"]:
        line(
            console,
            f"  {stream['name']}",
            f"a frame of {size(stream['bytes'])} ({stream['engine']}, {stream['placement']}, "
            f"{stream['codec']})",
        )
    memory = answer["memory"]
    line(
        console,
        "memory",
        f"{size(memory['rank'])} per rank, {size(memory['server'])} of frames on the busiest writer",
    )


def _show_times(console: Console, told: "Told") -> None:
    answer, step = told.answer, told.answer["step"]
    line(
        console,
        "step",
        f"{seconds(step['seconds'])}: {seconds(step['computing'])} computing, {seconds(step['inside'])} "
        f"packing, {seconds(step['waiting'] + step['agreeing'])} waiting; {told.step}",
    )
    for stream in answer["streams"]:
        if error := told.frames.get(stream["name"]):
            line(
                console,
                f"  {stream['name']}",
                f"a frame costs {seconds(stream['perceived'])} and is stored after "
                f"{seconds(stream['drain'])}: {error}; the next comes after "
                f"{seconds(stream['between_frames'])}",
            )
    run = answer["run"]
    steps = f"{seconds(run['computing'])} for {run['steps']:.0f} steps"
    output = f", {seconds(run['output'])} for output" if told.whole else "; output is not told"
    line(console, "run", f"{seconds(run['seconds'])}: {steps}{output}" if told.whole else f"{steps}{output}")


def _physics(case: str, answer: dict[str, Any], given: bool) -> str:
    """The assumed cost of a cell-step, and its source."""
    named, cost = ", ".join(answer["physics"]) or "none", answer["cell_step"]
    told = f"{named}: a cell-step is assumed to take {cost['factor']:.3g} times as long as the supercell's"
    if given:
        return f"{told}, as given by --step-factor"
    told += f", from the costs of its schemes ({cost['source']})"
    if cost["unknown"]:
        told += (
            f"; schemes without a measured cost are left out: {', '.join(cost['unknown'])}; `squall lab "
            f"step-factor {case}` measures a --step-factor that includes them"
        )
    return told


def _nest(nest: dict[str, Any]) -> str:
    cells = " x ".join(map(str, nest["cells"]))
    px, py = nest["process_grid"]
    where = " beside other nests" if nest["side_by_side"] else ""
    return (
        f"{nest['steps']} steps per step of the outermost domain, {cells} cells on {nest['ranks']} "
        f"ranks{where} ({px} x {py} patches), a cell-step takes {nest['factor']:.3g} times as long as the "
        f"supercell's; reads {size(nest['looked_at'])} of its parent, feeds back {size(nest['fed_back'])}"
    )


def seconds(value: float) -> str:
    """In the unit that suits."""
    if value >= 600:
        return f"{value / 3600:.3g} h" if value >= 7200 else f"{value / 60:.3g} min"
    if value >= 1 or value == 0:
        return f"{value:.3g} s"
    return f"{1e3 * value:.3g} ms" if value >= 1e-3 else f"{1e6 * value:.3g} us"


def size(number: float) -> str:
    """Of bytes, in the unit that suits."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f} B"
