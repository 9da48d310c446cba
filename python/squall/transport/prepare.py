"""Winds of analyses for a run of squall-transport: opens the analyses, makes and writes each time."""

import csv
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import numpy as np

from squall import versions
from squall.errors import UserError
from squall.prepare.make_columns import ColumnMaker
from squall.prepare.report import Report
from squall.prepare.sources import Analysis, open_analysis
from squall.transport.cell_means import GlobeReader
from squall.transport.globe import Globe, Levels
from squall.transport.run_file import RunFile
from squall.transport.weather import WeatherMaker
from squall.transport.wind_file import WindWriter
from squall.transport.winds import make_winds

Progress = Callable[[str, int, int], None]  # what is done, how many steps of how many


@dataclass
class PreparedWinds:
    """What was made, for the report."""

    analysis: Analysis
    globe: Globe
    levels: Levels
    times: list[datetime]
    report: Report
    file: Path
    convective: bool
    differences: list[float] = field(
        default_factory=list
    )  # of global-mean surface pressure from the first, Pa
    largest_correction: float = 0.0  # Pa s-1


def prepare(
    run: RunFile, paths: list[Path], output: Path, table: Path | None, member: str | None, progress: Progress
) -> PreparedWinds:
    """Writes the winds of a run to `output`. table: of levels, for a run file that leaves them to the file.
    Raises UserError for what cannot be done; a file that is not complete is not left behind."""
    analysis = open_analysis(paths, member=member, even=False)
    times = _times(run, analysis)
    report = Report()
    for note in analysis.notes:
        report.note(note)
    reader = GlobeReader(analysis, run.globe, report)
    levels = _levels(run, table, analysis, times[0])
    maker, weather = (
        ColumnMaker(reader, np.ones(reader.shape, np.float32)),
        WeatherMaker.of(reader, levels, paths),
    )
    made = PreparedWinds(analysis, run.globe, levels, times, report, output, weather.convective(times))
    about = {
        "title": "winds and weather for squall-transport",
        "source": analysis.origin,
        "history": f"made by {versions.line()}",
    }
    first = 0.0
    with WindWriter(output, run.globe, levels, made.convective, about) as file:
        for n, time in enumerate(times):
            progress(f"{time:%Y-%m-%d %H:%M}", n, len(times))
            columns = maker.make(time, with_ground=False)
            surface = columns.surface_pressure.astype(np.float64)
            mean = run.globe.mean(surface)
            first = mean if n == 0 else first
            made.differences.append(mean - first)
            winds = make_winds(columns, levels, surface - made.differences[-1])
            file.add(winds, weather.make(columns, winds, made.convective))
        made.largest_correction = file.largest_correction
    return made


def _times(run: RunFile, analysis: Analysis) -> list[datetime]:
    """Those of the analysis from the last before the run's start to the first after its end."""
    times = analysis.times
    first, last = times[0], times[-1]
    if first > run.start or last < run.end or len(times) < 2:
        raise UserError(
            f"The analysis is of {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC, {len(times)} "
            f"time(s), but the run of {run.path} goes from {run.start:%Y-%m-%d %H:%M} to "
            f"{run.end:%Y-%m-%d %H:%M}: add files, or change run.start or run.duration."
        )
    return [
        *(before for before, after in pairwise(times) if after > run.start and before < run.end),
        next(time for time in times if time >= run.end),
    ]


def _levels(run: RunFile, table: Path | None, analysis: Analysis, time: datetime) -> Levels:
    if run.levels is not None:
        if table is not None:
            raise UserError(
                f'--levels {table}: {run.path} has levels of its own; set vertical.coordinate = "file".'
            )
        return run.levels
    return _of_table(table) if table is not None else _of_analysis(run, analysis, time)


def _of_table(path: Path) -> Levels:
    """Interfaces in the columns a [Pa] and b of a CSV file, in either order."""
    try:
        with path.open(newline="") as file:
            rows = [(float(row["a"]), float(row["b"])) for row in csv.DictReader(file)]
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}.") from None
    except (KeyError, TypeError, ValueError):
        raise UserError(f"{path}: needs the columns a (in Pa) and b, a number each, in every row.") from None
    return _checked(rows, str(path))


def _of_analysis(run: RunFile, analysis: Analysis, time: datetime) -> Levels:
    """The analysis's own, from the top: its a and b are those of layers' middles, which are half-way between
    the interfaces', and the uppermost interface is where there is no air."""
    known = {
        level: pair
        for piece in analysis.at(time, "temperature")
        for level, pair in zip(piece.levels, piece.coefficients, strict=False)
    }
    if analysis.kind != "hybrid" or sorted(known) != list(range(1, len(known) + 1)):
        raise UserError(
            f'{run.path}: vertical.coordinate = "file" takes the levels of an analysis on all its model '
            "levels; this one has others. Name a table with --levels, or set nz, top and coordinate in "
            "[vertical]."
        )
    interfaces = [(0.0, 0.0)]
    for level in sorted(known):
        interfaces.append((2 * known[level][0] - interfaces[-1][0], 2 * known[level][1] - interfaces[-1][1]))
    return _checked(interfaces, "the analysis's model levels")


def _checked(rows: list[tuple[float, float]], where: str) -> Levels:
    pressures = [a + 1e5 * b for a, b in rows]
    if pressures != sorted(pressures):
        rows, pressures = rows[::-1], pressures[::-1]
    a, b = np.array(rows[::-1]).T if rows else (np.zeros(0), np.zeros(0))
    if len(rows) > 1 and abs(a[0]) < 1e-2 and abs(b[0] - 1) < 1e-6:
        a[0], b[0] = 0.0, 1.0
    fits = len(rows) > 1 and a[0] == 0 and b[0] == 1 and b[-1] == 0 and a[-1] >= 0
    if not fits or any(not low > high for high, low in pairwise(pressures)):
        raise UserError(
            f"{where}: interfaces p = a + b ps of layers must go from the ground (a = 0, b = 1) to a top "
            "with b = 0, each above the one before."
        )
    return Levels(a, b)
