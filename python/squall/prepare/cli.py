"""The command `squall prepare`."""

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from squall.errors import UserError

if TYPE_CHECKING:
    from squall.prepare.command import Prepared
    from squall.prepare.run_file import Plan

app = typer.Typer()

_HELP = """Make the initial and the boundary file of a forecast from analyses: GRIB, netCDF or met_em files.

Takes a run file with a table \\[prepare], or the analysis files themselves: then a domain is fitted to
them, and a run file is written too, so that `squall run` is all that is left to do.

[bold]Examples[/bold]

    squall prepare forecast.toml
    squall prepare nam.grib2 -o storm && squall run storm/forecast.toml
    squall prepare gfs/*.grib2 -o europe --center 48,10 --size 150x120 --spacing "20 km" --terrain etopo.nc
    squall prepare met_em.d01.* -o from-wps
"""


@app.command(help=_HELP)
def prepare(
    inputs: Annotated[
        list[Path], typer.Argument(metavar="RUNFILE | ANALYSIS...", help="A run file, or analysis files.")
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where everything is written, without a run file.")
    ] = None,
    center: Annotated[
        str | None, typer.Option(metavar="LAT,LON", help="Middle of the domain in degrees, north and east.")
    ] = None,
    size: Annotated[
        str | None, typer.Option(metavar="NXxNY", help="Cells from west to east and south to north.")
    ] = None,
    spacing: Annotated[str | None, typer.Option(help='Of the cells, as "20 km".')] = None,
    levels: Annotated[int, typer.Option(min=10, help="Layers.")] = 40,
    terrain: Annotated[
        Path | None, typer.Option(help="Heights of the ground, finer than the analysis (netCDF or GRIB).")
    ] = None,
    duration: Annotated[
        str | None, typer.Option(help='Of the run, as "24 h". Default: to the last analysis, or 12 h.')
    ] = None,
) -> None:
    if inputs[0].suffix == ".toml":
        options = (output, center, size, spacing, terrain, duration)
        if len(inputs) > 1 or any(option is not None for option in options):
            raise UserError(f"{inputs[0]} says everything: give the run file alone.")
        _prepare_run_file(inputs[0])
    else:
        if output is None:
            raise UserError("Say where to write, with -o DIRECTORY; or give a run file (.toml).")
        _prepare_files(_plan(inputs, output, center, size, spacing, levels, terrain, duration), output)


def _plan(
    inputs: list[Path],
    output: Path,
    center: str | None,
    size: str | None,
    spacing: str | None,
    levels: int,
    terrain: Path | None,
    duration: str | None,
) -> "Plan":
    from squall.prepare.fit import Wishes
    from squall.prepare.run_file import Plan
    from squall.prepare.state import Settings

    latitude, longitude = _pair(center, "--center", ",", "40,-95")
    nx, ny = _pair(size, "--size", "x", "120x100")
    run = _quantity(duration, "--duration", "time")
    return Plan(
        analysis=inputs,
        initial=output / "wrfinput_d01",
        boundary=output / "wrfbdy_d01",
        terrain=terrain,
        wishes=Wishes(
            nx=None if nx is None else int(nx),
            ny=None if ny is None else int(ny),
            dx=_quantity(spacing, "--spacing", "length"),
            center_latitude=latitude,
            center_longitude=longitude,
        ),
        settings=Settings(levels=levels),
        duration=None if run is None else timedelta(seconds=run),
    )


def _pair(text: str | None, option: str, separator: str, example: str) -> tuple[float | None, float | None]:
    if text is None:
        return None, None
    number = r"([-+]?\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"\s*{number}\s*{separator}\s*{number}\s*", text)
    if found is None:
        raise UserError(f"{option} {text}: write it as {example}.")
    return float(found[1]), float(found[2])


def _quantity(text: str | None, option: str, kind: str) -> float | None:
    from squall.prepare.quantities import quantity

    try:
        return None if text is None else quantity(text, kind)
    except ValueError as error:
        raise UserError(f"{option}: {error}.") from None


def _prepare_run_file(path: Path) -> None:
    from squall.prepare.run_file import read_plan

    _run(read_plan(path), None)
    print(f"\nNext: squall run {path}")


def _prepare_files(plan: "Plan", folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _run(plan, folder)
    print(f"\nNext: squall run {folder / 'forecast.toml'}")


def _run(plan: "Plan", folder: Path | None) -> None:
    """Prepares, with progress, and tells; with a folder, writes a run file there too."""
    from squall.prepare import command
    from squall.prepare.starter import run_file_text
    from squall.prepare.tell import tell

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading what is there", total=None)
        analysis, domain = command.open_plan(plan)

        def progress(what: str, done: int, steps: int) -> None:
            shown.update(task, description=what, completed=done, total=steps)

        made: list[Prepared] = command.prepare_all(plan, analysis, domain, progress)
    if folder is not None:
        path = folder / "forecast.toml"
        path.write_text(run_file_text(plan, domain, made[0].times, made[0].settings.top, folder))
        made[0].files.append(path)
    tell(Console(highlight=False), made)
