"""The commands that handle the output of runs: convert, stitch, check, recover, report, status."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall.commands import complete, panels
from squall.errors import UserError

app = typer.Typer()

_CONVERT_HELP = """Convert the output of one engine to that of another, losslessly and in bounded memory.

The output is read back and compared with the input before it gets its final name.

[bold]Examples[/bold]

    squall convert history.nc history.zarr
    squall convert history.zarr last.nc --frames -1: --fields T,U,V
    squall convert big.bp big.zarr -n 8 --memory 512M
    squall convert history.zarr history.nc --engine pnetcdf
"""

_STITCH_HELP = """Join directories written by engine netcdf-split into one file.

[bold]Examples[/bold]

    squall stitch runs/a/history_2000-01-01.split -o history.nc
    squall stitch runs/a/history_*.split -o all.nc --codec zstd -n 4
"""

_CHECK_HELP = """Check that everything a run published is present and intact: files, frames, checksums.

Exits with 1 if something is missing or damaged.

[bold]Examples[/bold]

    squall check runs/baroclinic-wave
    squall check runs/* -n 4
    squall check runs/baroclinic-wave/history.manifest.jsonl
"""

_RECOVER_HELP = """Publish the complete frames that a killed run left unpublished.

Searches .part files and burst directories. Files that are already complete are not changed.

[bold]Examples[/bold]

    squall recover runs/baroclinic-wave --dry-run
    squall recover runs/baroclinic-wave
    squall recover runs/baroclinic-wave --burst-dir /local/burst
"""

_REPORT_HELP = """Show what output cost a run: a table, and a timeline of computing, waiting and writing.

Without a report (WRF writes one if squall_io.toml asks for it) it lists what the run published.

[bold]Examples[/bold]

    squall report runs/baroclinic-wave
    squall report runs/baroclinic-wave -o timeline.png
    squall report runs/baroclinic-wave --json | jq '.streams[0].share'
"""

_STATUS_HELP = """Show the state of a run (running, done, stopped or died), its progress, speed and published
frames.

Exits with 0 if the run is done, 1 if it died, 3 if it was stopped and can be continued, 4 if it is running.
With --wait-for, exits with 0 when the state or frame is reached, 1 if the run ended without reaching it, and
4 after --timeout.

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
    typer.Option(help="Codec, as NAME or NAME:LEVEL. Default: the engine's.", show_default=False),
]
Frames = Annotated[
    str | None,
    typer.Option(metavar="FIRST:END", help="Range of frames to take, as a Python slice. Default: all."),
]
Fields = Annotated[str | None, typer.Option(metavar="A,B,...", help="Fields to take. Default: all.")]
Memory = Annotated[
    str, typer.Option(help="Memory for fields on each rank, in bytes; K, M and G are allowed.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace an existing output.")]
NoVerify = Annotated[bool, typer.Option("--no-verify", help="Do not read the output back to compare it.")]
Runs = Annotated[
    list[Path], typer.Argument(help="Run directories, or manifests.", autocompletion=complete.runs)
]


@app.command(help=panels.explained(_CONVERT_HELP), rich_help_panel=panels.OUTPUT)
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Output of any engine, or any netCDF file.")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="File or directory to write.")],
    engine: Annotated[
        str | None,
        typer.Option(
            help="Engine of the output (`squall doctor` lists them). Default: by the ending of OUT: .nc, "
            ".zarr, .bp, .split.",
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
        list[Path],
        typer.Argument(metavar="DIR...", help="Directories written by netcdf-split, in order of time."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write.")],
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
        list[Path] | None,
        typer.Option(
            help="Further burst directory to search, besides those in the manifests. May be repeated."
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, without doing it.")
    ] = False,
    no_locks: Annotated[
        bool,
        typer.Option(
            "--no-locks",
            help="Recover where the file system has no locks: you made sure that no run is writing there.",
        ),
    ] = False,
) -> None:
    chosen = ["--memory", memory]
    for directory in burst_dir or []:
        chosen += ["--burst-dir", str(directory)]
    if dry_run:
        chosen.append("--dry-run")
    if no_locks:
        chosen.append("--no-locks")
    _start(["recover", *chosen, "--", *map(str, runs)], ranks)


@app.command(help=panels.explained(_REPORT_HELP), rich_help_panel=panels.OUTPUT)
def report(
    run: Annotated[Path, typer.Argument(help="Run directory, or its report.", autocompletion=complete.runs)],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File of the picture. Default: io-report.png beside the report."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the numbers as JSON, and draw no picture.")
    ] = False,
) -> None:
    from squall.commands.report_picture import picture
    from squall.printable import cell
    from squall.runs import report as reports

    if as_json and output:
        raise UserError("--json draws no picture: leave out --output.")
    streams = [] if reports.path_of(run).is_file() else reports.published(run)
    if streams:
        if as_json:
            print(json.dumps({"streams": streams}, indent=1))
            return
        Console().print(reports.published_table(streams))
        print(reports.how_to_get_one(run))
        return
    found = reports.load(run)
    if as_json:
        print(json.dumps(reports.summary(found), indent=1))
        return
    console = Console()
    console.print(cell(reports.heading(found)), highlight=False)
    for table in reports.tables(found, console.width):
        console.print(table)
    path = output or found.path.with_name("io-report.png")
    picture(found, path)
    print(f"Picture: {path}")


@app.command(help=panels.explained(_STATUS_HELP), rich_help_panel=panels.LOOK)
def status(
    run: Annotated[Path, typer.Argument(help="Run directory.", autocompletion=complete.runs)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the status as JSON.")] = False,
    wait_for: Annotated[
        str | None,
        typer.Option(
            metavar="WHAT",
            help="Wait for a state (running, done, stopped, died, ended) or a frame "
            '("history at 2005-01-01T12:00").',
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Longest wait of --wait-for. Default: no limit."),
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
    """The engine for a file's ending."""
    try:
        return _ENGINES[output.suffix]
    except KeyError:
        known = ", ".join(f"{ending} ({engine})" for ending, engine in _ENGINES.items())
        raise UserError(
            f"{output}: the ending names no engine. Use {known}, or choose one with --engine."
        ) from None


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
    # As one word, because the value may begin with a minus.
    words = [f"--{name}={value}" for name, value in named.items() if value is not None]
    return words + ["--overwrite"] * overwrite + ["--no-verify"] * no_verify


def _start(arguments: list[str], ranks: int) -> None:
    from squall import locate
    from squall.runs import launch

    start = launch.prepare(locate.io_binary(), arguments, ranks, 1)
    raise typer.Exit(launch.execute(start))
