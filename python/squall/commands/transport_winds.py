"""`squall transport prepare`: winds and weather of analyses for squall-transport."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from squall.commands import panels
from squall.errors import UserError

app = typer.Typer()

_HELP = """Make the winds and the weather of a run of squall-transport from analyses: GRIB or netCDF files of
ERA5, ECMWF, GFS and others that go around the globe.

Takes grid, levels and times from the run file, and as many files and times as there are. Tells which fields
the analyses have, and what stands in for others. Winds are corrected so that the air of each column follows
the analyses' surface pressure.

[bold]Examples[/bold]

    squall transport prepare tracers.toml gfs/*.grib2
    squall transport prepare tracers.toml era5/*.nc --output winds.nc
    squall transport prepare tracers.toml era5/*.grib --levels l60.csv
"""


@app.command(help=panels.explained(_HELP))
def prepare(
    run_file: Annotated[Path, typer.Argument(metavar="RUNFILE", help="Run file of squall-transport.")],
    analyses: Annotated[list[Path], typer.Argument(metavar="ANALYSIS...", help="Analysis files.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="File to write. Default: wind.file of the run file."),
    ] = None,
    levels: Annotated[
        Path | None,
        typer.Option(
            help='Interfaces of layers, p = a + b ps, for vertical.coordinate = "file": a CSV file with the '
            "columns a, in Pa, and b. Default: the analyses' own model levels.",
        ),
    ] = None,
    member: Annotated[
        str | None,
        typer.Option(help="Ensemble member to use: its number, its name, or mean."),
    ] = None,
) -> None:
    from squall.transport import prepare as preparing
    from squall.transport.run_file import read_run_file
    from squall.transport.tell import tell

    run = read_run_file(run_file)
    for path in analyses:
        if not path.exists():
            raise UserError(f"There is no file {path}.")
    target = output or run.winds
    if target is None:
        raise UserError(f"{run_file} has no wind.file: add it, or choose where to write with --output.")
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading the analyses", total=None)
        made = preparing.prepare(
            run, analyses, target, levels, member,
            lambda what, done, steps: shown.update(task, description=what, completed=done, total=steps),
        )  # fmt: skip
    tell(Console(highlight=False), made)
    print(f"\nNext: squall transport run {run_file}")
