"""The commands about what a run has written: convert, stitch, check, recover, report, status."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall.commands import complete, panels
from squall.errors import UserError

app = typer.Typer()

_CONVERT_HELP = """Convert a file of any engine to a file of any other, lossless, in bounded memory.

What was written is read back and compared before it gets its name.

[bold]Examples[/bold]

    squall convert history.nc history.zarr
    squall convert history.zarr last.nc --frames -1: --fields T,U,V
    squall convert big.bp big.zarr -n 8 --memory 512M
    squall convert history.zarr history.nc --engine pnetcdf
"""

_STITCH_HELP = """Join the directories of engine netcdf-split to one file, frame after frame.

[bold]Examples[/bold]

    squall stitch runs/a/history_2000-01-01.split -o history.nc
    squall stitch runs/a/history_*.split -o all.nc --codec zstd -n 4
"""

_CHECK_HELP = """Check that everything a run published is there and whole: files, frames, checksums.

Exits with 1 when something is wrong.

[bold]Examples[/bold]

    squall check runs/baroclinic-wave
    squall check runs/* -n 4
    squall check runs/baroclinic-wave/history.manifest.jsonl
"""

_RECOVER_HELP = """Publish the whole frames that a run left unpublished when it was killed.

Looks at .part files and burst directories. What is whole already is never touched.

[bold]Examples[/bold]

    squall recover runs/baroclinic-wave --dry-run
    squall recover runs/baroclinic-wave
    squall recover runs/baroclinic-wave --burst-dir /local/burst
"""

_REPORT_HELP = """Show what output cost a run: a table, and a picture of when who computed, waited and wrote.

[bold]Examples[/bold]

    squall report runs/baroclinic-wave
    squall report runs/baroclinic-wave -o timeline.png
    squall report runs/baroclinic-wave --json | jq '.streams[0].share'
"""

_STATUS_HELP = """Show how a run is: running, done, stopped or died; how far, how fast, what it has published.

Exits with 0 when it is done, 1 when it died, 3 when it was stopped and can go on, 4 when it is running.
With --wait-for it exits with 0 when that is there, with 1 when it cannot come any more, because the run has
ended, and with 4 after --timeout.

[bold]Examples[/bold]

    squall status runs/january-storm
    squall status runs/january-storm --json | jq .seconds_left
    squall status runs/january-storm --timeout 3600 \\
        --wait-for "history at 2007-01-24T18:00"
    squall status runs/january-storm --wait-for done && squall check runs/*
"""

Ranks = Annotated[int, typer.Option("-n", "--ranks", min=1, help="MPI ranks.")]
Codec = Annotated[
    str | None,
    typer.Option(help="name or name:level. Default: the engine's.", show_default=False),
]
Frames = Annotated[str | None, typer.Option(metavar="FIRST:END", help="Frames to take, as in Python.")]
Fields = Annotated[str | None, typer.Option(metavar="A,B,...", help="Fields to take. Default: all.")]
Memory = Annotated[str, typer.Option(help="Memory for fields on each rank.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace the output if it exists.")]
NoVerify = Annotated[bool, typer.Option("--no-verify", help="Do not read the output back.")]
Runs = Annotated[
    list[Path], typer.Argument(help="Run directories, or manifests.", autocompletion=complete.runs)
]


@app.command(help=panels.explained(_CONVERT_HELP), rich_help_panel=panels.OUTPUT)
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="What any engine wrote, or any netCDF file.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File or directory to make.")],
    engine: Annotated[
        str | None,
        typer.Option(
            help="Engine of the output (`squall doctor` lists them). Default: by its ending: .nc, .zarr, "
            ".bp, .split.",
            show_default=False,
        ),
    ] = None,
    codec: Codec = None,
    frames: Frames = None,
    fields: Fields = None,
    ranks: Ranks = 1,
    memory: Memory = "256M",
    overwrite: Overwrite = False,
    no_verify: NoVerify = False,
) -> None:
    chosen = _conversion(engine or _engine_of(output), codec, frames, fields, memory, overwrite, no_verify)
    _start(["convert", *chosen, "--", str(source), str(output)], ranks)


@app.command(help=panels.explained(_STITCH_HELP), rich_help_panel=panels.OUTPUT)
def stitch(
    sources: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="What netcdf-split wrote, in the order of time.")
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to make.")],
    engine: Annotated[str, typer.Option(help="Engine of the output.")] = "netcdf",
    codec: Codec = None,
    frames: Frames = None,
    fields: Fields = None,
    ranks: Ranks = 1,
    memory: Memory = "256M",
    overwrite: Overwrite = False,
    no_verify: NoVerify = False,
) -> None:
    chosen = _conversion(engine, codec, frames, fields, memory, overwrite, no_verify)
    _start(["stitch", *chosen, "--output", str(output), "--", *map(str, sources)], ranks)


@app.command(help=panels.explained(_CHECK_HELP), rich_help_panel=panels.OUTPUT)
def check(runs: Runs, ranks: Ranks = 1, memory: Memory = "256M") -> None:
    _start(["verify", "--memory", memory, "--", *map(str, runs)], ranks)


@app.command(help=panels.explained(_RECOVER_HELP), rich_help_panel=panels.OUTPUT)
def recover(
    runs: Runs,
    ranks: Ranks = 1,
    memory: Memory = "256M",
    burst_dir: Annotated[
        list[Path] | None, typer.Option(help="Burst directory to look in, beside the manifests'.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, do nothing.")] = False,
) -> None:
    chosen = ["--memory", memory]
    for directory in burst_dir or []:
        chosen += ["--burst-dir", str(directory)]
    if dry_run:
        chosen.append("--dry-run")
    _start(["recover", *chosen, "--", *map(str, runs)], ranks)


@app.command(help=panels.explained(_REPORT_HELP), rich_help_panel=panels.OUTPUT)
def report(
    run: Annotated[
        Path, typer.Argument(help="Run directory, or its io-report.json.", autocompletion=complete.runs)
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="The picture's file. Default: io-report.png beside the report."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the numbers for programs; no picture.")
    ] = False,
) -> None:
    from squall.commands.report_picture import picture
    from squall.runs import report as reports

    if as_json and output:
        raise UserError("--json draws no picture: leave out -o.")
    found = reports.load(run)
    if as_json:
        print(json.dumps(reports.summary(found), indent=1))
        return
    console = Console()
    console.print(reports.heading(found), highlight=False)
    for table in reports.tables(found, console.width):
        console.print(table)
    path = output or found.path.with_name("io-report.png")
    picture(found, path)
    print(f"Picture: {path}")


@app.command(help=panels.explained(_STATUS_HELP), rich_help_panel=panels.LOOK)
def status(
    run: Annotated[Path, typer.Argument(help="Run directory.", autocompletion=complete.runs)],
    as_json: Annotated[bool, typer.Option("--json", help="Print it for programs.")] = False,
    wait_for: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help='Wait: running, done, stopped, died, ended, or a frame: "history at 2005-01-01T12:00".',
        ),
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="Of --wait-for. Default: none.")
    ] = None,
) -> None:
    from squall.runs import status as of_runs

    code = 0 if wait_for is None else of_runs.wait_for(run, wait_for, timeout)
    found = of_runs.look(run)
    if as_json:
        print(of_runs.dump(found))
    elif wait_for is None or code:
        console = Console()
        for line in of_runs.lines(found):
            console.print(line, highlight=False, soft_wrap=True)
    raise typer.Exit(code if wait_for is not None else of_runs.EXIT_CODES[found.state.word])


_ENGINES = {".nc": "netcdf", ".zarr": "zarr", ".bp": "adios", ".split": "netcdf-split"}


def _engine_of(output: Path) -> str:
    """The engine that writes files of an ending."""
    try:
        return _ENGINES[output.suffix]
    except KeyError:
        known = ", ".join(f"{ending} ({engine})" for ending, engine in _ENGINES.items())
        raise UserError(f"{output}: its ending says no engine; known are {known}. Or say --engine.") from None


def _conversion(
    engine: str,
    codec: str | None,
    frames: str | None,
    fields: str | None,
    memory: str,
    overwrite: bool,
    no_verify: bool,
) -> list[str]:
    named = {"engine": engine, "codec": codec, "frames": frames, "fields": fields, "memory": memory}
    # In one word: the value may begin with a minus.
    words = [f"--{name}={value}" for name, value in named.items() if value is not None]
    return words + ["--overwrite"] * overwrite + ["--no-verify"] * no_verify


def _start(arguments: list[str], ranks: int) -> None:
    from squall import locate
    from squall.runs import launch

    start = launch.prepare(locate.io_binary(), arguments, ranks, 1)
    raise typer.Exit(launch.execute(start))
