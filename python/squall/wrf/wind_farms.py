"""WRF's files of wind turbines, as tables of Squall's."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from squall.errors import UserError
from squall.run_files.run_file import write_new
from squall.wrf.option_rules import TURBINES
from squall.wrf.rules import Setting
from squall.wrf.translate import Entry, Translation


@dataclass(frozen=True)
class Table:
    """Lines of numbers of a file of WRF's."""

    file: Path
    lines: list[tuple[int, list[float]]]  #: each with its number, from 1

    def numbers(self, at: int, count: int, what: str) -> list[float]:
        """The first `count` of line `at`, from 0. Raises UserError: the file and the line."""
        if at >= len(self.lines):
            raise UserError(f"{self.file} ends before {what}.")
        number, found = self.lines[at]
        if len(found) < count:
            raise UserError(f"{self.file}:{number}: expected {what}.")
        return found[:count]


def _read(file: Path) -> Table:
    """As Fortran does: what follows the first word of a line that is no number does not count."""

    def numbers(line: str) -> Iterator[float]:
        for word in line.replace(",", " ").split():
            try:
                yield float(word.lower().replace("d", "e"))
            except ValueError:
                return

    if not file.is_file():
        raise UserError(f"{file} is not there: WRF reads the type of a turbine from it.")
    text = file.read_text().splitlines()
    return Table(file, [(n, list(numbers(line))) for n, line in enumerate(text, 1) if line.strip()])


@dataclass(frozen=True)
class TurbineType:
    hub_height: float  # m
    diameter: float  # m
    standing_thrust: float
    curve: str  #: a table


def read_type(file: Path) -> TurbineType:
    """WRF's wind-turbine-N.tbl. Raises UserError."""
    table = _read(file)
    count = int(table.numbers(0, 1, "the number of wind speeds")[0])
    hub, diameter, standing, _ = table.numbers(
        1, 4, "hub height, diameter, standing thrust coefficient and nominal power"
    )
    rows = ["wind_speed,thrust,power"]
    for n in range(count):
        row = table.numbers(2 + n, 3, "wind speed, thrust coefficient and power")
        rows.append(",".join(f"{value:.10g}" for value in row))
    return TurbineType(hub, diameter, standing, "\n".join(rows) + "\n")


def read_turbines(file: Path, by_cell: bool) -> tuple[str, list[int]]:
    """WRF's windturbines.txt, or windturbines-ij.txt with cells from 1, as a table, and the numbers that WRF
    has of its types, in order. Raises UserError."""
    table = _read(file)
    if not table.lines:
        raise UserError(f"{file} has no turbine.")
    what = "i, j and type" if by_cell else "latitude, longitude and type"
    rows = [table.numbers(n, 3, what) for n in range(len(table.lines))]
    types = sorted({int(kind) for _, _, kind in rows})
    shift = 1 if by_cell else 0
    lines = ["i,j,type" if by_cell else "latitude,longitude,type"]
    lines += [f"{a - shift:.10g},{b - shift:.10g},{types.index(int(kind))}" for a, b, kind in rows]
    return "\n".join(lines) + "\n", types


def take(translation: Translation, folder: Path, output: Path) -> list[Path]:
    """Where the namelist has a wind farm: writes tables of its turbines and of their types beside `output`,
    the run file, which then names them. Without WRF's file of turbines in `folder` the farm is lost. Returns
    the tables. Raises UserError for files that WRF could not read."""
    found = [n for n, entry in enumerate(translation.translated) if TURBINES in entry.settings]
    if not found:
        return []
    entry = translation.translated[found[0]]
    listed = folder / str(entry.settings[TURBINES])
    if not listed.is_file():
        del translation.translated[found[0]]
        why = f"there are no wind farms: {listed.name} is not beside the namelist"
        translation.lost.insert(0, Entry(entry.wrf, {}, why, absent=False, key=entry.key))
        return []
    turbines, numbers = read_turbines(listed, listed.stem.endswith("-ij"))
    types = [read_type(folder / f"wind-turbine-{number}.tbl") for number in numbers]
    tables = {output.with_name("turbines.csv"): turbines}
    tables |= {output.with_name(f"turbine-{n}.csv"): kind.curve for n, kind in enumerate(types)}
    for file, text in tables.items():
        write_new(file, text)
    names = [file.name for file in tables]
    settings: dict[str, Setting] = {
        **entry.settings,
        TURBINES: names[0],
        "wind_farm.curves": names[1:],
        "wind_farm.hub_heights": [kind.hub_height for kind in types],
        "wind_farm.diameters": [kind.diameter for kind in types],
        "wind_farm.standing_thrusts": [kind.standing_thrust for kind in types],
    }
    translation.translated[found[0]] = replace(entry, settings=settings)
    return list(tables)
