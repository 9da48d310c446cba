"""The command `squall lab simulate`: all times that are predicted, also those held to nothing."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from squall.commands import complete, panels
from squall.commands.plan import line, seconds, show_counts

app = typer.Typer()

_HELP = """Simulate a run on a machine that a file describes: all times, measured before or not.

`squall plan` tells those that were held to measured ones. This tells the others, too: on many nodes, with
nests and threads, of every engine and placement, and with how many servers the run would be shortest. What of
them was held to published curves missed by 32 to 53 %. By SimGrid where it is built, else by closed forms.

[bold]Examples[/bold]

    squall lab simulate --machine today -n 64 supercell
    squall lab simulate --machine cluster.toml -n 512 --threads 2 case.toml
"""


@app.command("simulate", help=panels.explained(_HELP))
def simulate_command(
    case: Annotated[
        str, typer.Argument(help="Run file, or the name of a case.", autocompletion=complete.run_files)
    ],
    machine: Annotated[str, typer.Option(metavar="FILE", help="Machine file, or `today`.")],
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks, servers among them.")],
    threads: Annotated[int, typer.Option(min=1, help="Threads per rank.")] = 1,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TABLE.KEY=VALUE", help="Overrides a key of the run file."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(metavar="simgrid|closed-form", help="Default: simgrid where built.", show_default=False),
    ] = None,
    per_node: Annotated[
        int | None,
        typer.Option(
            "--ranks-per-node", min=1, help="Default: as many as its cores hold.", show_default=False
        ),
    ] = None,
    step_factor: Annotated[
        float | None,
        typer.Option(min=0.01, help="Time of a cell-step relative to the supercell's.", show_default=False),
    ] = None,
    schemes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Costs of the physics schemes on that machine.",
            show_default=False,
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    local: Annotated[bool, typer.Option("--local", help="Frames go to the disks of the nodes.")] = False,
    servers: Annotated[
        bool, typer.Option("--servers/--no-servers", help="Try numbers of servers, too.")
    ] = True,
    json: Annotated[
        Path | None, typer.Option("--results", metavar="FILE", help="Write all of it.", show_default=False)
    ] = None,
) -> None:
    from squall import locate
    from squall.results import write_json
    from squall_studies import planning

    console = Console()
    question = planning.Question(
        locate.run_file(case), planning.machine_file(machine), ranks, threads, settings or [], method,
        per_node, step_factor, schemes, local=local,
    )  # fmt: skip
    with console.status("the run as it is ...") as status:
        answer = planning.ask(question)
        variants = [planning.Variant(answer["servers"], answer)]
        if servers:
            variants = planning.with_servers(question, answer, lambda text: status.update(f"{text} ..."))
    show_counts(console, case, answer, step_factor is not None)
    _show_times(console, answer)
    best = planning.recommended(variants)
    if len(variants) > 1:
        in_order = sorted(variants, key=lambda variant: variant.servers)
        tried = ", ".join(f"{variant.servers}: {seconds(variant.seconds)}" for variant in in_order)
        line(console, "servers", f"shortest with {best.servers} (whole run by number of servers: {tried})")
    if json:
        by_servers = {str(variant.servers): variant.seconds for variant in variants}
        write_json(json, answer | {"by_servers": by_servers, "servers_recommended": best.servers})


def _show_times(console: Console, answer: dict[str, Any]) -> None:
    how = "simulated with SimGrid" if answer["method"] == "simgrid" else "closed forms"
    line(console, "method", f"{how}, calibrated on: {answer['calibrated'].partition('. ')[0]}")
    step, run = answer["step"], answer["run"]
    line(
        console,
        "step",
        f"{seconds(step['seconds'])}: {seconds(step['computing'])} computing, {seconds(step['inside'])} "
        f"packing, {seconds(step['waiting'] + step['agreeing'])} on the network",
    )
    for stream in answer["streams"]:
        busiest = max(stream["busy"], key=stream["busy"].get)
        line(
            console,
            f"  {stream['name']}",
            f"a frame costs {seconds(stream['perceived'])} and is stored after {seconds(stream['drain'])}; "
            f"the next comes after {seconds(stream['between_frames'])}; busiest: {busiest}",
        )
    line(
        console,
        "run",
        f"{seconds(run['seconds'])}: {seconds(run['computing'])} for {run['steps']:.0f} steps, "
        f"{seconds(run['output'])} for output",
    )
