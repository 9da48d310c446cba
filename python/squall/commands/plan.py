"""The command `squall plan`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from squall.commands import complete, panels

app = typer.Typer()

_HELP = """Predict the time and memory of a run on a machine that a file describes.

Predicts the time of steps, of frames and of the whole run, the memory, and the best number of servers, from
the model's own plans of patches, messages and frames. It simulates them with SimGrid if the build has it, and
uses closed-form estimates otherwise; the output says which. The machine file describes nodes, network and
storage; `squall lab calibrate` makes one from measurements. Any machine can make the prediction.

[bold]Examples[/bold]

    squall plan --machine today -n 256 supercell --set domain.nx=2000
    squall plan --machine cluster.toml -n 512 --threads 2 my-case.toml
    squall plan --machine cluster.toml -n 512 my-case.toml --json plan.json
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
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="TABLE.KEY=VALUE", help="Override a key of the run file. May be repeated."
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="simgrid|closed-form",
            help="How to predict. Default: simgrid if built, else closed-form.",
            show_default=False,
        ),
    ] = None,
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
            help="Costs of the physics schemes, as written by `squall lab scheme-costs`. Default: those "
            "that come with Squall.",
            show_default=False,
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    local: Annotated[bool, typer.Option("--local", help="Write frames to the nodes' local disks.")] = False,
    servers: Annotated[
        bool, typer.Option("--servers/--no-servers", help="Also compare different numbers of servers.")
    ] = True,
    json: Annotated[
        Path | None,
        typer.Option(
            "--json",
            metavar="FILE",
            help="File to write the full prediction to, as JSON.",
            show_default=False,
        ),
    ] = None,
) -> None:
    from squall import locate, planning

    console = Console()
    where = planning.machine_file(machine)
    question = planning.Question(
        locate.run_file(case), where, ranks, threads, settings or [], method, per_node, local,
        step_factor=step_factor, schemes=schemes,
    )  # fmt: skip
    with console.status("predicting the run as given ...") as status:
        answer = planning.ask(question)
        variants = [planning.Variant(answer["servers"], answer)]
        if servers:
            variants = planning.with_servers(question, answer, lambda text: status.update(f"{text} ..."))
    _show(console, case, answer, variants, step_factor is not None)
    if json:
        _write(json, answer, variants)


def _show(console: Console, case: str, answer: dict[str, Any], variants: list[Any], given: bool) -> None:
    from squall import planning

    def line(name: str, text: str) -> None:
        console.print(f"{name:12}{text}", highlight=False, soft_wrap=True, markup=False)

    step, run = answer["step"], answer["run"]
    nx, ny = answer["process_grid"]
    line("machine", answer["machine"])
    how = "simulated with SimGrid" if answer["method"] == "simgrid" else "closed forms"
    line("method", f"{how}, calibrated on: {answer['calibrated'].partition('. ')[0]}")
    line(
        "layout",
        f"{answer['ranks']} ranks x {answer['threads']} threads on {answer['nodes']} nodes: {nx} x {ny} "
        f"patches, {answer['servers']} servers",
    )
    line(
        "step",
        f"{_time(step['seconds'])}: {_time(step['computing'])} computing, {_time(step['inside'])} packing, "
        f"{_time(step['waiting'] + step['agreeing'])} on the network; {step['messages']} messages, "
        f"{_size(step['bytes'])}",
    )
    line("physics", _physics(case, answer, given))
    for nest in answer["nests"]:
        line(f"  {nest['name']}", _nest(nest))
    for stream in answer["streams"]:
        busiest = max(stream["busy"], key=stream["busy"].get)
        line(
            f"  {stream['name']}",
            f"a frame of {_size(stream['bytes'])} ({stream['engine']}, {stream['placement']}, "
            f"{stream['codec']}) costs {_time(stream['perceived'])} and is stored after "
            f"{_time(stream['drain'])}; the next comes after {_time(stream['between_frames'])}; busiest: "
            f"{busiest}",
        )
    memory = answer["memory"]
    line(
        "memory",
        f"{_size(memory['rank'])} per rank, {_size(memory['server'])} of frames on the busiest writer",
    )
    line(
        "run",
        f"{_time(run['seconds'])}: {_time(run['computing'])} for {run['steps']:.0f} steps, "
        f"{_time(run['output'])} for output",
    )
    if len(variants) > 1:
        best = planning.recommended(variants)
        in_order = sorted(variants, key=lambda variant: variant.servers)
        tried = ", ".join(f"{variant.servers}: {_time(variant.seconds)}" for variant in in_order)
        line("servers", f"recommended: {best.servers} (whole run by number of servers: {tried})")


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
        f"supercell's; reads {_size(nest['looked_at'])} of its parent, feeds back {_size(nest['fed_back'])}"
    )


def _time(seconds: float) -> str:
    if seconds >= 600:
        return f"{seconds / 3600:.3g} h" if seconds >= 7200 else f"{seconds / 60:.3g} min"
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} us"


def _size(number: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:.3g} {unit}"
    return f"{number:.0f} B"


def _write(path: Path, answer: dict[str, Any], variants: list[Any]) -> None:
    import json as text

    from squall import planning

    content = answer | {
        "by_servers": {str(v.servers): v.seconds for v in variants},
        "servers_recommended": planning.recommended(variants).servers,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text.dumps(content, indent=1) + "\n")
