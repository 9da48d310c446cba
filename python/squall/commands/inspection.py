"""The commands that look into runs and files, stop a run, and gather what helps to find out what is wrong."""

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from squall.commands import complete, panels

app = typer.Typer()

_INFO_HELP = """Show what is in a run or a file: domain and map, times, fields with units and levels, sizes.

A run is a run directory of Squall or WRF; a file is one of any engine, or of WRF. Nothing but times and
descriptions is read.

[bold]Examples[/bold]

    squall info runs/january-storm
    squall info runs/mesonet --stream stations
    squall info wrfout_d01_2024-05-20_00:00:00
    squall info runs/january-storm --json | jq '.streams[].fields[].name'
"""

_DIFF_HELP = """Show how far the fields of two runs or files are from each other.

Frames of the same model time are compared as they are stored: for each field that differs, the largest
difference and where it is, the root mean square difference, and the share of points that differ. Files may be
of different engines. Attributes do not count; `squall wrf compare` compares two files with all they have.

Exits with 0 if all is the same, bit for bit, 1 if something differs, and 2 if they cannot be compared.

[bold]Examples[/bold]

    squall diff runs/reference runs/january-storm
    squall diff runs/storm wrfout_d01_2007-01-24_18:00:00 --fields T,U
    squall diff a.nc b.zarr
    squall diff runs/a runs/b --json | jq '.streams[].differing[].rms'
"""

_STOP_HELP = """Stop a running model at the end of its step, with a restart frame, as Ctrl-C would.

Works from another terminal of the same machine. `squall run RUNFILE --continue` goes on from the restart
frame. Exits with 1 if nothing runs there or it runs on another machine; with --wait also if it ends
otherwise, and with 4 after --timeout.

[bold]Examples[/bold]

    squall stop runs/january-storm
    squall stop runs/january-storm --wait
"""

_SUPPORT_HELP = """Gather what somebody needs to see who helps you with a run into one archive.

Run file, log, status, output report, manifests, a list of the files, versions, and what this machine is. It
holds no data, and leaves out names of people and machines, home directories, and addresses. Look into it
before you send it: the log and the run file are otherwise as they are.

[bold]Examples[/bold]

    squall support runs/january-storm
    squall support runs/january-storm -o trouble.tar.gz
"""

Json = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]
Stream = Annotated[
    str | None,
    typer.Option(help="This stream alone. Default: all that are there.", show_default=False,
                 autocompletion=complete.streams),
]  # fmt: skip


@app.command(help=panels.explained(_INFO_HELP), rich_help_panel=panels.LOOK)
def info(
    run: Annotated[
        Path,
        typer.Argument(metavar="RUN|FILE", help="Run directory, or a file.", autocompletion=complete.runs),
    ],
    stream: Stream = None,
    as_json: Json = False,
) -> None:
    from squall.about import info as contents

    found = contents.info(run, stream)
    if as_json:
        print(json.dumps(found, indent=1))
        return
    console = Console()
    for line in contents.lines(found, console.width):
        console.print(line, highlight=False, soft_wrap=True)


@app.command(help=panels.explained(_DIFF_HELP), rich_help_panel=panels.OUTPUT)
def diff(
    a: Annotated[
        Path, typer.Argument(metavar="A", help="Run directory, or a file.", autocompletion=complete.runs)
    ],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another one.", autocompletion=complete.runs)],
    stream: Annotated[
        str | None, typer.Option(help="This stream alone. Default: all of both.", show_default=False)
    ] = None,
    fields: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="These fields alone. Default: all.")
    ] = None,
    as_json: Json = False,
) -> None:
    from squall.about import difference

    names = None if fields is None else [name.strip() for name in fields.split(",") if name.strip()]
    found = difference.difference(a, b, stream, names)
    if as_json:
        print(json.dumps(found.as_json(), indent=1))
    else:
        console = Console()
        for line in difference.lines(found):
            console.print(line, highlight=False, soft_wrap=True)
    raise typer.Exit(0 if found.same else 1)


@app.command(help=panels.explained(_STOP_HELP), rich_help_panel=panels.RUN)
def stop(
    run: Annotated[Path, typer.Argument(help="Run directory.", autocompletion=complete.runs)],
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it has ended.")] = False,
    timeout: Annotated[
        float | None,
        typer.Option(min=0, metavar="SECONDS", help="Longest wait of --wait. Default: no limit."),
    ] = None,
) -> None:
    from squall.printable import printable
    from squall.runs import status
    from squall.runs import stop as stopping

    told = stopping.stop(run)
    print(
        f"Asked process {told['pid']} to stop: it finishes its step and writes a restart frame.", flush=True
    )
    if not wait:
        print(f"When it has: squall status {run} --wait-for ended")
        return
    state = stopping.wait(run, timeout)
    if state is None:
        raise typer.Exit(status.EXIT_CODES["running"])
    why = f": {state.why}" if state.why else ""
    print(printable(f"{run}  {state.word}{why}"))
    if state.told.get("restart"):
        print(printable(f"Restart frame: {state.told['restart']}"))
    raise typer.Exit(0 if state.word in ("stopped", "done") else 1)


@app.command(help=panels.explained(_SUPPORT_HELP), rich_help_panel=panels.HELP)
def support(
    run: Annotated[Path, typer.Argument(help="Run directory.", autocompletion=complete.runs)],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Archive to write. Default: support-RUN.tar.gz here."
        ),
    ] = None,
) -> None:
    from squall.about import support as gathering

    path, parts = gathering.archive(run, output)
    print(f"Written: {path}. It holds")
    for part in parts:
        print(f"  {part.name:32} {len(part.text.encode()) / 1000:8.1f} kB  {part.about}")
    print(
        "Names of people and machines, home directories and addresses were left out: look before you send it."
    )
