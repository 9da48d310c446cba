"""The commands `squall lab diagnostics` and `squall lab pipeline`."""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels
from squall.lab import Json, refuse

diagnostics, pipeline = typer.Typer(), typer.Typer()

_DIAGNOSTICS_HELP = """Measure what stations and zonal means cost where the data lies, and gathered.

Steps a forecast with all physics, and a storm of hardly more than dynamics, and every fourth step writes
300 stations of all fields, or their zonal means: made by the ranks that hold the cells, and by rank 0 of
whole fields; on one rank to one for each core. The forecast needs the radiation's tables (squall fetch
radiation). Then counts what that sends on 80 and on 400 ranks, shows published step times beside it, and
what sums cost that are the same in any order. By the clock it needs an otherwise idle machine; what the
threads of each rank take of the processor's time is told beside it.

[bold]Examples[/bold]

    squall lab diagnostics
    squall lab diagnostics --size 200 200 60 --steps 20 --results costs.json
    squall lab diagnostics --of storm
    squall lab diagnostics --repeats 1 --results 1.json
    squall lab diagnostics 1.json 2.json 3.json    # measured in pieces
"""

_PIPELINE_HELP = """Measure a forecast with its plots: drawn while it runs, and written first, then plotted.

Steps the supercell and plots each of its frames in every way: after a run that writes with PnetCDF; and
while it runs, by a process that gets the frames over the network (engine sst, by EVPath and UCX, with
queues of several lengths) or from files. Each round also runs without output: what counts is the time to
the last plot over that run's time. The model computes on one core; what drains, sends and plots has the
others. Then messages of several sizes. Needs an otherwise idle machine with two cores.

[bold]Examples[/bold]

    squall lab pipeline
    squall lab pipeline --ways files,evpath --repeats 5 --results found.json
    squall lab pipeline found.json -o docs/img
    squall lab pipeline --repeats 0 --results messages.json
    squall lab pipeline first.json second.json --results both.json
"""


@diagnostics.command("diagnostics", help=panels.explained(_DIAGNOSTICS_HELP))
def diagnostics_command(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="What --results wrote, in pieces too: shows it again, measures nothing.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[tuple[int, int, int], typer.Option(help="Cells in x, y and z.")] = (200, 200, 40),
    steps: Annotated[int, typer.Option(min=12, help="Steps of each run; every fourth writes.")] = 20,
    of: Annotated[
        list[str] | None,
        typer.Option(help="Case to step: forecast or storm. Default: both.", show_default=False),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; medians count.")] = 3,
    minutes: Annotated[
        float,
        typer.Option(min=0, help="After which no more rounds are begun; the first is made in any case."),
    ] = 5,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for runs and picture.")] = Path(
        "runs/diagnostics"
    ),
    json: Json = None,
) -> None:
    from squall_studies import diagnostics as measuring
    from squall_studies.diagnostics_found import Setup
    from squall_studies.diagnostics_steps import STEPS

    if files:
        refuse(ctx, str(files[0]), "size", "steps", "repeats", "of", "minutes")
        measuring.show_again(files, output, json)
        return
    measuring.run(Setup(size, steps, repeats), output, json, of or STEPS, 60 * minutes)


@pipeline.command("pipeline", help=panels.explained(_PIPELINE_HELP))
def pipeline_command(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="What --results wrote, in pieces too: draws it again, measures nothing.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[tuple[int, int, int], typer.Option(help="Cells in x, y and z.")] = (80, 80, 40),
    steps: Annotated[
        int | None, typer.Option(min=2, help="Steps of each run. Default: 50 frames.", show_default=False)
    ] = None,
    every: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Steps between frames. Default: so that plots take 0.65 of the model's time.",
            show_default=False,
        ),
    ] = None,
    repeats: Annotated[int, typer.Option(min=0, help="Rounds; medians count. 0: messages alone.")] = 3,
    ways: Annotated[str, typer.Option(metavar="A,B", help="Default: all of this build.")] = "",
    messages: Annotated[bool, typer.Option(help="Measure messages by their size, too.")] = True,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for runs and picture.")] = Path(
        "runs/pipeline"
    ),
    json: Json = None,
) -> None:
    from squall_studies import pipeline as measuring
    from squall_studies.pipeline.setup import Setup, chosen

    if files:
        refuse(ctx, str(files[0]), "size", "steps", "every", "repeats", "ways", "messages")
        measuring.draw_again(files, output, json)
        return
    names = chosen([name.strip() for name in ways.split(",") if name.strip()])
    measuring.run(Setup(size, steps or 0, every or 0, repeats, names, messages), output, json)
