"""`squall lab`: verifies the model, and measures its performance.

Every command prints a table, draws a picture, and writes its results to `--results FILE`.
"""

from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels
from squall.errors import UserError
from squall.lab import step_factor
from squall.lab.prediction import command as prediction
from squall.lab.tune import command as tuning
from squall.profile import command as profiles

app = typer.Typer(
    help=panels.LAB_HELP,
    no_args_is_help=True,
    rich_markup_mode="rich",
)

app.add_typer(tuning.app)
app.add_typer(prediction.app)
app.add_typer(profiles.app)
app.add_typer(step_factor.app)

Json = Annotated[
    Path | None,
    typer.Option(
        "--results", metavar="FILE", help="File to write the results to, as JSON.", show_default=False
    ),
]
Drawn = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]",
        help="Results that --results wrote: draws them again without measuring.",
        show_default=False,
    ),
]

_VERIFY_HELP = """Verify the model against WRF's fields, published cases, and its own invariants.

Prints a table, leaves runs and pictures in a directory, and exits with 1 if a check fails.

[bold]Examples[/bold]

    squall lab verify
    squall lab verify density-current mountain-schaer -o /tmp/verify
    squall lab verify --results verify.json
    squall lab verify interop --wrf ~/WRF
"""

_FIRST_HOUR_HELP = """Show how far a run departs from its initial state in the first hour.

Prints bias and root mean square of the changes in the hour (surface-pressure tendency, and wind, temperature
and height at 850, 500 and 250 hPa), and the noise in surface pressure between frames. The run needs a history
frame about every 10 minutes.

[bold]Examples[/bold]

    squall lab first-hour runs/forecast
    squall lab first-hour runs/forecast --margin 10 --results first-hour.json
"""

_SPEED_HELP = """Measure the model's speed against the machine's memory bandwidth.

Times steps on one core and on all cores: of the baroclinic wave on a domain that fits the caches, on the
domain of WRF's own case, and on one far larger than the caches; and of the supercell on the domain of WRF's
own case and on a large one. Then times the baroclinic wave with few and with many tracers, to get the cost of
one tracer. With --wrf it times a built WRF and Squall in turn instead, on the same cases, and with --beside
another build of the model. Needs an otherwise idle machine.

[bold]Examples[/bold]

    squall lab speed
    squall lab speed --repeats 5 --results speed.json
    squall lab speed --wrf ~/WRF
    squall lab speed --beside build/release/model/squall-model
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
    squall lab codecs runs/*/history_*_12:00:00.nc --results codecs.json
    squall lab codecs codecs.json -o docs/img
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
    wrf: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Directory of a built WRF (main/wrf.exe, run/) to time in turn with Squall, on one core.",
            show_default=False,
        ),
    ] = None,
    beside: Annotated[
        Path | None,
        typer.Option(
            metavar="PROGRAM",
            help="Another build's squall-model to time in turn with the model at hand, on one core.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
) -> None:
    from squall.lab import speed, speed_builds

    if file:
        refuse(ctx, str(file), "repeats", "json", "wrf", "beside")
        speed.draw_again(file, output)
    elif beside:
        refuse(ctx, "--beside", "wrf")
        speed_builds.run(beside.resolve(), output, repeats, json)
    elif wrf:
        speed.beside_wrf(wrf.resolve(), output, repeats, json)
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
        refuse(ctx, str(measured), *everything, "messages", "file", "model", "quick", "json")
        io.draw_again(measured, output)
        return
    if model:
        refuse(
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
        refuse(ctx, "--quick", "size", "fields", "frames")
    setup = bench.Setup(directory.resolve(), size, fields, frames, ranks, servers, file, messages)
    io.run(
        bench.quick(setup) if quick else setup,
        [text.split(",") if text else [] for text in (engines, placements, codecs)],
        output,
        json,
    )


def refuse(ctx: typer.Context, option: str, *names: str) -> None:
    """Raises UserError if one of these is given with an option that would ignore it."""
    for name in names:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UserError(f"{option} and --{name} cannot be combined: leave one of them out.")


@app.command("codecs", help=panels.explained(_CODECS_HELP))
def codecs_command(
    histories: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="History files, or results that --results wrote.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Directory for the picture.")] = Path(
        "runs/io"
    ),
    json: Json = None,
) -> None:
    from squall.lab.io import codecs

    codecs.run(histories, output, json)
