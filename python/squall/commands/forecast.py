"""The command `squall forecast`."""

import re
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from squall.commands import panels, preparation
from squall.errors import UserError

app = typer.Typer()

_HELP = """Make a forecast for a place: fetch the analyses, prepare, run, and draw charts.

Chooses a domain that this machine computes in a quarter of an hour, from its measured speed, and the latest
start of the source that is complete. Writes the run file, and prints each step as the command that does it
alone.

[bold]Examples[/bold]

    squall forecast 35.3,-97.5
    squall forecast "Norman, OK" --hours 36 --source hrrr
    squall forecast Innsbruck --spacing "6 km" --nest
    squall forecast Lisbon --start 2026-01-24T12:00 --source era5
    squall forecast 34.5,-97 --source nam.grib2 --hours 6 -o storm
    squall forecast Reykjavik --dry-run
"""

_LONG = timedelta(hours=1)
_NUMBER = re.compile(r"-?\d+(\.\d*)?")
_SOUTH = re.compile(r"-\d+(\.\d*)?\s*[, ].*")


class _ForPlace(TyperCommand):
    """Takes `-33.9,18.4`, which begins as options do, for the place that it is, and `35.3 -97.5` for one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = list(args)
        takes = {name for p in self.params if not getattr(p, "is_flag", False) for name in p.opts}
        for n in range(len(words) - 1):
            pair = words[n : n + 2]
            if all(map(_NUMBER.fullmatch, pair)) and not (n and words[n - 1] in takes):
                words[n : n + 2] = [",".join(pair)]
                break
        south = [word for word in words if _SOUTH.fullmatch(word)]
        rest = [word for word in words if word not in south]
        return super().parse_args(ctx, rest + (["--", *south] if south else []))


@app.command(cls=_ForPlace, help=panels.explained(_HELP), rich_help_panel=panels.RUN)
def forecast(
    place: Annotated[
        str, typer.Argument(metavar="LAT,LON | NAME", help="Middle of the domain: degrees, or a city.")
    ],
    hours: Annotated[int, typer.Option(min=1, max=240, help="Length of the forecast in hours.")] = 24,
    source: Annotated[
        list[str] | None,
        typer.Option(
            metavar="gfs|hrrr|ecmwf|era5|FILE",
            help="Source of the analyses: a service, or files; may be repeated for files. Default: gfs.",
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(metavar="DATE", help="Start in UTC, such as 2026-01-24T12:00. Default: the latest."),
    ] = None,
    spacing: Annotated[
        str | None, typer.Option(help='Grid spacing. Default: "9 km"; with hrrr "3 km".')
    ] = None,
    size: Annotated[
        str | None,
        typer.Option(metavar="NXxNY", help="Number of cells. Default: what takes a quarter of an hour."),
    ] = None,
    levels: Annotated[int, typer.Option(min=10, help="Number of model layers.")] = 40,
    nest: Annotated[
        bool, typer.Option("--nest", help="Nest a domain of a third of the spacing in the middle.")
    ] = False,
    terrain: Annotated[
        Path | None,
        typer.Option(help="Terrain height (netCDF or GRIB). Default: ETOPO5 where it is here."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder to write to. Default: runs/, the place and the start."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an earlier forecast in the folder.")
    ] = False,
    yes: Annotated[bool, typer.Option("-y", "--yes", help="Begin also what takes over an hour.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be done, and do nothing.")
    ] = False,
) -> None:
    from squall.forecast import command, places
    from squall.forecast.choose import Asked

    asked = Asked(timedelta(hours=hours), _length(spacing), _cells(size), levels, nest)
    found = command.settle(
        places.find(place), asked, _source(source), _date(start), output, terrain, look=not dry_run
    )
    for line in found.lines():
        print(line, flush=True)
    if dry_run:
        print("\n".join(found.requests()))
        return
    if found.choice.takes > _LONG and not yes:
        _ask(command.minutes(found.choice.takes))
    code = command.carry_out_all(
        found, overwrite, preparation.prepare_run_file, lambda line: print(line, flush=True)
    )
    if code:
        raise typer.Exit(code)


def _ask(takes: str) -> None:
    if not sys.stdin.isatty():
        raise UserError(f"It would take about {takes}: begin it with --yes, or choose a smaller --size.")
    if not typer.confirm("Begin?"):
        raise typer.Exit(1)


def _source(words: list[str] | None) -> str | list[Path]:
    """The name of a service, or files that exist."""
    if not words:
        return "gfs"
    if len(words) == 1 and "/" not in words[0] and "." not in words[0] and not Path(words[0]).exists():
        return words[0]
    files = [Path(word) for word in words]
    missing = [str(file) for file in files if not file.exists()]
    if missing:
        raise UserError(f"--source: there is no file {', '.join(missing)}.")
    return files


def _date(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(f"--start {text}: write a date in UTC, such as 2026-01-24T12:00.") from None
    return found.replace(tzinfo=None)


def _cells(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+)\s*x\s*(\d+)\s*", text)
    if found is None:
        raise UserError(f"--size {text}: write it like 120x96.")
    return int(found[1]), int(found[2])


def _length(text: str | None) -> float | None:
    from squall.quantity import quantity

    try:
        return None if text is None else quantity(text, "length")
    except ValueError as error:
        raise UserError(f"--spacing: {error}.") from None
