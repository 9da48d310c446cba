"""The commands for a WRF that writes its output through Squall: relink, check, compare, time."""

import enum
from pathlib import Path
from typing import Annotated

import typer

from squall.commands import panels

app = typer.Typer(
    help="Use Squall's output in WRF: link it, check its settings, compare and time its output.",
    no_args_is_help=True,
)

_RELINK_HELP = """Link a WRF that you have built once more, so that Squall writes its output.

DIR is a WRF source tree in which wrf.exe was built by ./configure and ./compile or by CMake. Makes
main/wrf_squall.exe beside wrf.exe and changes nothing else; with --program real or ndown, real_squall.exe
or ndown_squall.exe. The namelist stays as it is: streams whose io_form belongs to a replaced layer go through
Squall.

[bold]Examples[/bold]

    squall wrf relink ~/WRF
    squall wrf relink ~/WRF --layer pnc
    squall wrf relink ~/WRF --program real
    squall wrf relink ~/WRF --output wrf_all.exe --dry-run
"""

_CHECK_HELP = """Show which streams of a WRF run go through Squall, how and where to, and what is wrong.

Reads namelist.input and, if it is there, squall_io.toml beside it. A stream goes through Squall if its
io_form belongs to a layer that wrf_squall.exe, if it is there, takes from Squall, else to one that
`squall wrf relink` can replace. Exits with 1 if the settings would end the run.

[bold]Examples[/bold]

    squall wrf check
    squall wrf check ~/WRF/run
"""

_COMPARE_HELP = """Compare two files bit for bit: dimensions, attributes, variables and their values.

Each is a netCDF file of any kind, or a Zarr, netcdf-split or ADIOS2 directory. NaNs with the same bits are
equal; the order of variables does not count, nor does compression. Exits with 0 if they are equal, with 1 if
they differ.

[bold]Examples[/bold]

    squall wrf compare wrfout_d01_2024-05-20_00:00:00 reference/wrfout.nc
    squall wrf compare wrfout.nc wrfout.zarr --all
    squall wrf compare a.nc b.nc --ignore-attribute TITLE
"""

_TIME_HELP = """Measure what WRF's output costs with WRF's own layers and through Squall.

RUN is a folder that is ready for wrf.exe, with namelist.input, wrfinput_d01 and WRF's tables; it stays as it
is. Runs it without output, with each io_form that this wrf.exe has, and through Squall with a thread beside
each rank and with a server, in turn and several times, each in a folder of its own that is removed after it.
History has a frame a file, at the run's own interval; restarts and other streams are off, so are WRF's I/O
servers, and a squall_io.toml in RUN does not count.

Before that, compares a frame of each with io_form 2's bit for bit. Prints WRF's own times of its writes, the
sizes of the files and the times of the whole runs; if it is stopped (Ctrl-C), those of the runs until then.
Needs an otherwise idle machine, on which all ranks have a core. Exits with 1 if one of the runs fails.

[bold]Examples[/bold]

    squall wrf time ~/cases/storm --wrf ~/WRF
    squall wrf time storm --wrf ~/WRF -n 16 --repeats 5 --results times.json
    squall wrf time . --wrf ~/WRF --forms 2,11 --engines zarr,netcdf:deflate:2
"""


class ProgramName(enum.StrEnum):
    """Programs that can be linked, by WRF's names."""

    wrf = "wrf"
    real = "real"
    ndown = "ndown"


class LayerName(enum.StrEnum):
    """Layers that can be replaced, by WRF's names."""

    pnc = "pnc"
    adios2 = "adios2"
    ncd = "ncd"


@app.command(help=panels.explained(_RELINK_HELP))
def relink(
    tree: Annotated[Path, typer.Argument(metavar="DIR", help="A WRF that was built, or its CMake build.")],
    layers: Annotated[
        list[LayerName] | None,
        typer.Option(
            "--layer",
            metavar="pnc|adios2|ncd",
            help="Layer to replace: PnetCDF (io_form 11), ADIOS2 (14), netCDF (2 and 102). May be repeated. "
            "Default: all that this WRF has.",
        ),
    ] = None,
    program: Annotated[
        ProgramName, typer.Option("--program", help="Program of WRF to link with Squall.")
    ] = ProgramName.wrf,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="NAME",
            help="Name of the linked program in main/. Default: that of WRF's program, with _squall.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check all, print the command that would link, and stop.")
    ] = False,
) -> None:
    from squall.wrf_output import relink as relinking

    name = relinking.name_of(program.value) if output is None else output
    planned = relinking.plan(tree, [layer.value for layer in layers or []], name, program.value)
    if dry_run:
        print(planned.command())
        return
    said = planned.run()
    for line in [*said, *planned.lines()]:
        print(line)


@app.command(help=panels.explained(_CHECK_HELP))
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the run.")] = Path("."),
) -> None:
    from rich.console import Console

    from squall.printable import printable
    from squall.wrf_output import check as checking

    found = checking.check(folder)
    Console().print(found.table())
    print(f"{len(found.through)} of {len(found.streams)} streams go through Squall.")
    for line in found.lines():
        print(printable(line))
    raise typer.Exit(1 if found.errors else 0)


@app.command(help=panels.explained(_COMPARE_HELP))
def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="A file, or an engine's directory.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Another one.")],
    ignored: Annotated[
        list[str] | None,
        typer.Option(
            "--ignore-attribute",
            metavar="NAME",
            help="Attribute that does not count, of the file or of variables. May be repeated.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="List all that differs, not only what differs first.")
    ] = False,
) -> None:
    from squall.printable import printable
    from squall.wrf_output.compare import compare as compared

    found = compared(a, b, ignored or ())
    for line in found.lines(every):
        print(printable(line))
    raise typer.Exit(0 if found.same else 1)


@app.command("time", help=panels.explained(_TIME_HELP))
def time_command(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run that is ready to start.")],
    wrf: Annotated[
        Path,
        typer.Option(metavar="DIR", help="WRF with main/wrf.exe and, of squall wrf relink, wrf_squall.exe."),
    ],
    ranks: Annotated[
        int | None,
        typer.Option(
            "-n",
            "--ranks",
            min=1,
            help="Number of ranks that compute. Default: one per core.",
            show_default=False,
        ),
    ] = None,
    repeat: Annotated[int, typer.Option("--repeats", min=1, help="Number of timed runs of each.")] = 3,
    forms: Annotated[
        str, typer.Option(metavar="A,B", help="io_forms to time. Default: all that wrf.exe has.")
    ] = "",
    engines: Annotated[
        str,
        typer.Option(
            metavar="A,B",
            help="Engines of Squall to time in addition, in place of PnetCDF's: ENGINE or ENGINE:CODEC.",
        ),
    ] = "zarr",
    scratch: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="Folder below which to run. Default: the current one.", show_default=False
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table for Markdown.")] = False,
    json: Annotated[
        Path | None,
        typer.Option(
            "--results", metavar="FILE", help="File to write the results to, as JSON.", show_default=False
        ),
    ] = None,
) -> None:
    from squall.errors import UserError
    from squall.wrf_output import timing

    try:
        numbers = [int(form) for form in forms.split(",") if form.strip()]
    except ValueError:
        raise UserError(f"--forms {forms}: these are numbers separated by commas, such as 2,11.") from None
    names = [name.strip() for name in engines.split(",") if name.strip()]
    planned = timing.setup(run, wrf, ranks, repeat, scratch, forms=numbers, engines=names)
    if not timing.run(planned, json, markdown):
        raise typer.Exit(1)
