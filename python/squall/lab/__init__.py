"""`squall lab`: verifies the model, and measures its performance.

Every command prints a table, draws a picture, and writes its results to `--json FILE`.
"""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels
from squall.errors import UserError
from squall.lab import profile_overhead, scheme_costs, step_factor
from squall.lab.prediction import command as prediction
from squall.lab.reproduce import command as reproducing
from squall.lab.tune import command as tuning
from squall.profile import command as profiles

app = typer.Typer(
    help=panels.LAB_HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
)

app.add_typer(reproducing.app)
app.add_typer(tuning.app)
app.add_typer(prediction.app)
app.add_typer(profiles.app)
app.add_typer(profile_overhead.app)
app.add_typer(step_factor.app)
app.add_typer(scheme_costs.app)

Json = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="File to write the results to, as JSON.", show_default=False),
]
Drawn = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="Results that --json wrote: draws them again without measuring.",
        show_default=False,
    ),
]

_VERIFY_HELP = """Verify the model against WRF's fields, published cases, and its own invariants.

Prints a table, leaves runs and pictures in a directory, and exits with 1 if a check fails.

[bold]Examples[/bold]

    squall lab verify
    squall lab verify density-current mountain-schaer -o /tmp/verify
    squall lab verify --json verify.json
    squall lab verify interop --wrf ~/WRF
"""

_FIRST_HOUR_HELP = """Show how far a run departs from its initial state in the first hour.

Prints bias and root mean square of the changes in the hour (surface-pressure tendency, and wind, temperature
and height at 850, 500 and 250 hPa), and the noise in surface pressure between frames. The run needs a history
frame about every 10 minutes.

[bold]Examples[/bold]

    squall lab first-hour runs/forecast
    squall lab first-hour runs/forecast --margin 10 --json first-hour.json
"""

_SPEED_HELP = """Measure the model's speed against the machine's memory bandwidth.

Times steps on one core and on all cores: of the baroclinic wave on a domain that fits the caches, on the
domain of WRF's own case, and on one far larger than the caches; and of the supercell on the domain of WRF's
own case and on a large one. Then times the baroclinic wave with few and with many tracers, to get the cost of
one tracer. Needs an otherwise idle machine.

[bold]Examples[/bold]

    squall lab speed
    squall lab speed --repeats 5 --json speed.json
"""

_IO_HELP = """Measure the output of every engine, placement and codec against the machine's limits.

Writes frames of synthetic weather (or of a history file). Between the frames it measures, for comparison, one
copy of the same bytes in memory, raw writes of them, and the plain write loop of the engine's library. Prints
how long the model waits, how long it takes until a frame is on disk, and which goals are reached;
goals of time are for frames of 120 MB, the default, or more.

[bold]Examples[/bold]

    squall lab io
    squall lab io --quick
    squall lab io --engines zarr,adios --codecs none,zstd --dir /scratch
    squall lab io --file runs/baroclinic-wave/history.nc --placements thread
    squall lab io --model baroclinic-wave
"""

_CODECS_HELP = """Measure the compression ratio and speed of each codec on the fields of history files.

[bold]Examples[/bold]

    squall lab codecs runs/wave/history_2000-01-08_00:00:00.nc
    squall lab codecs runs/*/history_*_12:00:00.nc --json codecs.json
    squall lab codecs codecs.json -o docs/img
"""

_DIAGNOSTICS_HELP = """Measure what stations and zonal means cost where the data lies, and gathered.

Steps a forecast with all physics, and a storm of hardly more than dynamics, and every fourth step writes
300 stations of all fields, or their zonal means: made by the ranks that hold the cells, and by rank 0 of
whole fields; on one rank to one for each core. The forecast needs the radiation's tables (squall fetch
radiation). Then counts what that sends on 80 and on 400 ranks, shows published step times beside it, and
what sums cost that are the same in any order. By the clock it needs an otherwise idle machine; what the
threads of each rank take of the processor's time is told beside it.

[bold]Examples[/bold]

    squall lab diagnostics
    squall lab diagnostics --size 200 200 60 --steps 20 --json costs.json
    squall lab diagnostics --of storm
    squall lab diagnostics --repeats 1 --json 1.json
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
    squall lab pipeline --ways files,evpath --repeats 5 --json pipeline.json
    squall lab pipeline pipeline.json -o docs/img
    squall lab pipeline --repeats 0 --json messages.json
    squall lab pipeline first.json second.json --json both.json
"""


@app.command("verify", help=panels.explained(_VERIFY_HELP))
def verify_command(
    cases: Annotated[
        list[str] | None,
        typer.Argument(help="Cases to verify. Default: all. An unknown name lists them.", show_default=False),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for runs and pictures.")] = Path(
        "runs/verify"
    ),
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j",
            "--jobs",
            min=1,
            help="Number of cases to run at the same time. Default: one per core.",
            show_default=False,
        ),
    ] = None,
    wrf: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Directory of a built WRF (main/wrf.exe, run/), which case interop runs on input "
            "prepared by Squall.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
) -> None:
    from squall import machine
    from squall.lab import verify
    from squall.lab.workspace import Workspace

    workspace = Workspace(output.resolve(), wrf.resolve() if wrf else None)
    if not verify.run(cases or [], workspace, jobs or machine.cores(), json):
        raise typer.Exit(1)


@app.command("first-hour", help=panels.explained(_FIRST_HOUR_HELP))
def first_hour_command(
    run: Annotated[Path, typer.Argument(help="Run directory.")],
    margin: Annotated[int, typer.Option(min=0, help="Number of rows to leave out at each side.")] = 6,
    json: Json = None,
) -> None:
    from squall.lab import first_hour

    first_hour.run(run, margin, json)


@app.command("speed", help=panels.explained(_SPEED_HELP))
def speed_command(
    ctx: typer.Context,
    file: Drawn = None,
    repeats: Annotated[
        int, typer.Option(min=1, help="Runs of each domain, of which the median is used.")
    ] = 3,
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the picture.")] = Path(
        "runs/speed"
    ),
    json: Json = None,
) -> None:
    from squall.lab import speed

    if file:
        _refuse(ctx, str(file), "repeats", "json")
        speed.draw_again(file, output)
    else:
        speed.run(output, repeats, json)


@app.command("io", help=panels.explained(_IO_HELP))
def io_command(
    ctx: typer.Context,
    measured: Drawn = None,
    engines: Annotated[
        str, typer.Option(metavar="A,B", help="Engines to measure. Default: all in this build.")
    ] = "",
    placements: Annotated[
        str, typer.Option(metavar="A,B", help="Placements to measure. Default: inline,thread,servers.")
    ] = "",
    codecs: Annotated[
        str, typer.Option(metavar="A,B", help="Codecs to measure. Default: none and zstd.")
    ] = "",
    size: Annotated[tuple[int, int, int], typer.Option(help="Grid points in x, y and z.")] = (200, 200, 50),
    fields: Annotated[int, typer.Option(min=1, help="Number of fields in a frame.")] = 15,
    frames: Annotated[int, typer.Option(min=2, help="Number of frames; medians exclude the first.")] = 6,
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Number of computing ranks.")] = 2,
    servers: Annotated[
        int, typer.Option(min=1, help="Number of servers in addition, for placement servers.")
    ] = 1,
    messages: Annotated[
        bool, typer.Option("--messages", help="Send data to servers by messages, even within a node.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option(help="History file to take the fields from.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="CASE",
            help="Measure instead how much output slows a run of this case.",
            show_default=False,
        ),
    ] = None,
    directory: Annotated[
        Path, typer.Option("--dir", help="Directory to write to, on the disk to measure.")
    ] = Path("runs/io"),
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the picture.")] = Path(
        "runs/io"
    ),
    quick: Annotated[
        bool, typer.Option("--quick", help="Measure briefly, with a few small frames; times are not judged.")
    ] = False,
    json: Json = None,
) -> None:
    from squall.lab import io
    from squall.lab.io import bench, model_cost

    if measured:
        everything = ("engines", "placements", "codecs", "size", "fields", "frames", "ranks", "servers")
        _refuse(ctx, str(measured), *everything, "messages", "file", "model", "quick", "json")
        io.draw_again(measured, output)
        return
    if model:
        _refuse(
            ctx,
            "--model",
            "engines",
            "placements",
            "codecs",
            "size",
            "fields",
            "frames",
            "messages",
            "file",
            "quick",
        )
        model_cost.run(model, ranks, servers, directory, json)
        return
    if quick:
        _refuse(ctx, "--quick", "size", "fields", "frames")
    setup = bench.Setup(directory.resolve(), size, fields, frames, ranks, servers, file, messages)
    io.run(
        bench.quick(setup) if quick else setup,
        [text.split(",") if text else [] for text in (engines, placements, codecs)],
        output,
        json,
    )


def _refuse(ctx: typer.Context, option: str, *names: str) -> None:
    """Raises UserError if one of these is given with an option that would ignore it."""
    for name in names:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UserError(f"{option} and --{name} cannot be combined: leave one of them out.")


@app.command("codecs", help=panels.explained(_CODECS_HELP))
def codecs_command(
    histories: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="History files, or results that --json wrote.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the picture.")] = Path(
        "runs/io"
    ),
    json: Json = None,
) -> None:
    from squall.lab.io import codecs

    codecs.run(histories, output, json)


@app.command("diagnostics", help=panels.explained(_DIAGNOSTICS_HELP))
def diagnostics_command(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="What --json wrote, in pieces too: shows it again, measures nothing.",
            show_default=False,
        ),
    ] = None,
    size: Annotated[tuple[int, int, int], typer.Option(help="Cells in x, y and z.")] = (200, 200, 40),
    steps: Annotated[int, typer.Option(min=12, help="Steps of each run; every fourth writes.")] = 20,
    of: Annotated[
        list[str] | None,
        typer.Option(help="Whose steps: forecast, storm; both without.", show_default=False),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Rounds; medians count.")] = 3,
    minutes: Annotated[
        float,
        typer.Option(min=0, help="After which no more rounds are begun; the first is made in any case."),
    ] = 5,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and the picture.")] = Path(
        "runs/diagnostics"
    ),
    json: Json = None,
) -> None:
    from squall.lab import diagnostics
    from squall.lab.diagnostics_found import Setup
    from squall.lab.diagnostics_steps import STEPS

    if files:
        _refuse(ctx, str(files[0]), "size", "steps", "repeats", "of", "minutes")
        diagnostics.show_again(files, output, json)
        return
    diagnostics.run(Setup(size, steps, repeats), output, json, of or STEPS, 60 * minutes)


@app.command("pipeline", help=panels.explained(_PIPELINE_HELP))
def pipeline_command(
    ctx: typer.Context,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="What --json wrote, in pieces too: draws it again, measures nothing.",
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
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and the picture.")] = Path(
        "runs/pipeline"
    ),
    json: Json = None,
) -> None:
    from squall.lab import pipeline
    from squall.lab.pipeline.setup import Setup, chosen

    if files:
        _refuse(ctx, str(files[0]), "size", "steps", "every", "repeats", "ways", "messages")
        pipeline.draw_again(files, output, json)
        return
    names = chosen([name.strip() for name in ways.split(",") if name.strip()])
    pipeline.run(Setup(size, steps or 0, every or 0, repeats, names, messages), output, json)
