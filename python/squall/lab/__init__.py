"""`squall lab`: the model against what is known, and against the machine.

Every command prints a table, draws a picture, and writes what it found to `--json FILE`.
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
    Path | None, typer.Option("--json", metavar="FILE", help="Write the table there.", show_default=False)
]
Drawn = Annotated[
    Path | None,
    typer.Argument(
        metavar="[FILE]", help="What --json wrote: draws it again, measures nothing.", show_default=False
    ),
]

_VERIFY_HELP = """Compare the model with WRF's fields, with published cases, and with itself.

Prints one table, leaves runs and pictures in a directory, and exits with 1 when a check fails.

[bold]Examples[/bold]

    squall lab verify
    squall lab verify density-current mountain-schaer -o /tmp/verify
    squall lab verify --json verify.json
    squall lab verify interop --wrf ~/WRF
"""

_FIRST_HOUR_HELP = """Show how near the first hour of a run stays to the state that it was started from.

Prints bias and root mean square of what changed in the hour (surface-pressure tendency, and wind,
temperature and height at 850, 500 and 250 hPa), and the noise in surface pressure from frame to
frame. The run needs a history frame every 10 minutes or so.

[bold]Examples[/bold]

    squall lab first-hour runs/forecast
    squall lab first-hour runs/forecast --margin 10 --json first-hour.json
"""

_SPEED_HELP = """Measure the model's speed against the machine's memory bandwidth.

Steps the baroclinic wave on a domain that fits the caches, on that of WRF's own case, and on one far
beyond the caches, and the supercell on that of WRF's own case and on a large one;
on one core and on all. Then the baroclinic wave with few and with many tracers: what one more costs.
Needs an otherwise idle machine.

[bold]Examples[/bold]

    squall lab speed
    squall lab speed --repeats 5 --json speed.json
"""

_IO_HELP = """Measure output: every engine, placement and codec against what the machine can do.

Writes frames of made-up weather (or those of a history file) and, between them, measures one copy of
the same bytes in memory, raw writes of them, and the loop that the engine's library offers by itself.
Prints how long the model waits and how long until the frame is on disk, and which goals are reached.

[bold]Examples[/bold]

    squall lab io
    squall lab io --quick
    squall lab io --engines zarr,adios --codecs none,zstd --dir /scratch
    squall lab io --file runs/baroclinic-wave/history.nc --placements thread
    squall lab io --model baroclinic-wave
"""

_CODECS_HELP = """Measure what each codec makes of the fields of history files, and how fast.

[bold]Examples[/bold]

    squall lab codecs runs/wave/history_2000-01-08_00:00:00.nc
    squall lab codecs runs/*/history_*_12:00:00.nc --json codecs.json
    squall lab codecs codecs.json -o docs/img
"""

_FAULTS_HELP = """Put the output runtime under fire and check what it promises.

Writes frames with engines, placements, ranks and servers drawn at random, while disks fill up, writes,
fsyncs and renames fail, messages are late or lost, and processes stop or are killed. Then: what is
published must be whole, what was reported lost must not be visible, nothing may be lost silently or
hang, messages must name the cause, and a following run must go on. Prints a table, and for each broken
promise the command that does it again; exits with 1 if there is one. Needs a build with tests, and
Open MPI.

[bold]Examples[/bold]

    squall lab faults
    squall lab faults --seed 7 --runs 1000 -j 4
    squall lab faults --engine zarr --fault 'kill -9,SIGSTOP'
    squall lab faults --seed 7 --from 123 --runs 1
"""


@app.command("verify", help=panels.explained(_VERIFY_HELP))
def verify_command(
    cases: Annotated[
        list[str] | None, typer.Argument(help="Default: all. An unknown one lists them.", show_default=False)
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="For runs and pictures.")] = Path(
        "runs/verify"
    ),
    jobs: Annotated[
        int | None,
        typer.Option(
            "-j", "--jobs", min=1, help="Cases at a time. Default: one per core.", show_default=False
        ),
    ] = None,
    wrf: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="A built WRF (main/wrf.exe, run/), for interop: it runs what Squall prepares.",
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
    margin: Annotated[int, typer.Option(min=0, help="Rows at each side that are left out.")] = 6,
    json: Json = None,
) -> None:
    from squall.lab import first_hour

    first_hour.run(run, margin, json)


@app.command("speed", help=panels.explained(_SPEED_HELP))
def speed_command(
    ctx: typer.Context,
    file: Drawn = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs of each domain; the median counts.")] = 3,
    output: Annotated[Path, typer.Option("-o", "--output", help="For the picture.")] = Path("runs/speed"),
    json: Json = None,
) -> None:
    from squall.lab import speed

    if file:
        refuse(ctx, str(file), "repeats", "json")
        speed.draw_again(file, output)
    else:
        speed.run(output, repeats, json)


@app.command("io", help=panels.explained(_IO_HELP))
def io_command(
    ctx: typer.Context,
    measured: Drawn = None,
    engines: Annotated[str, typer.Option(metavar="A,B", help="Default: all of this build.")] = "",
    placements: Annotated[str, typer.Option(metavar="A,B", help="Default: inline,thread,servers.")] = "",
    codecs: Annotated[str, typer.Option(metavar="A,B", help="Default: none and zstd.")] = "",
    size: Annotated[tuple[int, int, int], typer.Option(help="Points in x, y and z.")] = (200, 200, 50),
    fields: Annotated[int, typer.Option(min=1, help="Fields of that size in a frame.")] = 15,
    frames: Annotated[int, typer.Option(min=2, help="Frames; medians are over all but the first.")] = 6,
    ranks: Annotated[int, typer.Option("-n", "--ranks", min=1, help="Ranks that compute.")] = 2,
    servers: Annotated[int, typer.Option(min=1, help="Servers beside them, for placement servers.")] = 1,
    messages: Annotated[
        bool, typer.Option("--messages", help="To servers by messages, also within a node.")
    ] = False,
    file: Annotated[
        Path | None, typer.Option(help="History file to take the values from.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="CASE", help="Measure instead what output costs a run of this case.", show_default=False
        ),
    ] = None,
    directory: Annotated[Path, typer.Option("--dir", help="Directory whose disk is measured.")] = Path(
        "runs/io"
    ),
    output: Annotated[Path, typer.Option("-o", "--output", help="For the picture.")] = Path("runs/io"),
    quick: Annotated[bool, typer.Option("--quick", help="A small frame and few of them.")] = False,
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
    """Raises UserError where one of these is given beside an option that would ignore it."""
    for name in names:
        source = ctx.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise UserError(f"{option} and --{name} exclude each other: leave one of them out.")


@app.command("codecs", help=panels.explained(_CODECS_HELP))
def codecs_command(
    histories: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="History files; or what --json wrote.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="For the picture.")] = Path("runs/io"),
    json: Json = None,
) -> None:
    from squall.lab.io import codecs

    codecs.run(histories, output, json)


@app.command("faults", help=panels.explained(_FAULTS_HELP))
def faults_command(
    seed: Annotated[int, typer.Option(help="The same seed draws the same schedules.")] = 1,
    runs: Annotated[int, typer.Option(min=1, help="Schedules to carry out.")] = 100,
    first: Annotated[int, typer.Option("--from", min=0, help="Number of the first of them.")] = 0,
    engines: Annotated[str, typer.Option("--engine", metavar="A,B", help="Default: all of this build.")] = "",
    placements: Annotated[
        str, typer.Option("--placement", metavar="A,B", help="Default: inline,thread,servers.")
    ] = "",
    faults: Annotated[str, typer.Option("--fault", metavar="A,B", help="Default: all.")] = "",
    deadline: Annotated[
        float, typer.Option(min=0.5, help="Seconds that a session waits before it gives up.")
    ] = 4.0,
    jobs: Annotated[int, typer.Option("-j", "--jobs", min=1, help="Schedules at a time.")] = 2,
    directory: Annotated[Path, typer.Option("--dir", help="Where the runs write.")] = Path("runs/faults"),
    json: Json = None,
) -> None:
    from squall.lab import faults as under_fire
    from squall.lab.faults.trial import Patience

    choice = under_fire.Choice(*(text.split(",") if text else [] for text in (engines, placements, faults)))
    kept = under_fire.run(
        seed, range(first, first + runs), choice, directory.resolve(), Patience(deadline), jobs, json
    )
    if not kept:
        raise typer.Exit(1)
