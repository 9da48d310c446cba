"""What a run file of squall-transport says of grid, levels and times, for the winds that are made for it."""

import tomllib
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from squall import quantity
from squall.errors import UserError
from squall.transport.globe import Globe, Levels, make_globe, make_levels

# Defaults of run files: docs/reference/transport-run-file.md.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "grid": {"kind": "gaussian"},
    "vertical": {"nz": 60, "top": "25494.4 Pa", "spacing": "height", "coordinate": "pressure"},
    "run": {"start": "2000-01-01T00:00:00"},
}


@dataclass(frozen=True)
class RunFile:
    """levels: None: the winds' own file has its own, which are the analysis's or those of a table."""

    path: Path
    globe: Globe
    levels: Levels | None
    start: datetime
    end: datetime
    winds: Path | None  # as [wind] file names it

    @property
    def span(self) -> tuple[datetime, datetime]:
        return self.start, self.end


def read_run_file(path: Path) -> RunFile:
    """Raises UserError for a file that is not there, no TOML, or cannot have winds of analyses."""
    try:
        said = tomllib.loads(path.read_text())
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}.") from None
    tables = {
        name: {**_DEFAULTS.get(name, {}), **_table(path, said, name)} for name in ("grid", "vertical", "run")
    }
    wind = _table(path, said, "wind").get("file")
    grid = tables["grid"]
    if grid["kind"] not in ("regular", "gaussian"):
        raise UserError(f'{path}: grid.kind is {grid["kind"]!r}; it is "regular" or "gaussian".')
    nlon, nlat = (_count(path, grid, "grid", key) for key in ("nlon", "nlat"))
    if nlon < 4 or nlat < 4 or nlat % 2:
        raise UserError(f"{path}: a grid of {nlon} x {nlat} cells: it needs 4 or more, and an even nlat.")
    start, length = _start(path, tables["run"]), _quantity(path, tables["run"], "run", "duration", "time")
    return RunFile(
        path,
        make_globe(grid["kind"], nlon, nlat),
        _levels(path, tables["vertical"]),
        start,
        start + timedelta(seconds=length),
        path.parent / wind if isinstance(wind, str) else None,
    )


def _table(path: Path, said: dict[str, Any], name: str) -> dict[str, Any]:
    table = said.get(name, {})
    if not isinstance(table, dict):
        raise UserError(f"{path}: {name} is no table: write [{name}].")
    return table


def _given(path: Path, table: dict[str, Any], name: str, key: str) -> Any:
    if key not in table:
        raise UserError(f"{path}: key {key} is missing in [{name}].")
    return table[key]


def _count(path: Path, table: dict[str, Any], name: str, key: str) -> int:
    value = _given(path, table, name, key)
    if not isinstance(value, int):
        raise UserError(f"{path}: {name}.{key} is {value!r}; it is a whole number.")
    return value


def _quantity(path: Path, table: dict[str, Any], name: str, key: str, kind: quantity.Kind) -> float:
    try:
        return quantity.quantity(str(_given(path, table, name, key)), kind)
    except ValueError as error:
        raise UserError(f"{path}: {name}.{key}: {error}.") from None


def _start(path: Path, run: dict[str, Any]) -> datetime:
    try:
        return datetime.fromisoformat(str(run["start"]).replace("_", "T").removesuffix("Z")).replace(
            tzinfo=None
        )
    except ValueError:
        raise UserError(f"{path}: run.start is {run['start']!r}; write it as 2000-01-01T00:00:00.") from None


def _levels(path: Path, vertical: dict[str, Any]) -> Levels | None:
    coordinate = vertical["coordinate"]
    if coordinate == "file":
        return None
    if coordinate not in ("sigma", "hybrid"):
        raise UserError(
            f"{path}: vertical.coordinate is {coordinate!r}: levels that follow the surface pressure of "
            'analyses are "hybrid", "sigma" or "file".'
        )
    top = _quantity(path, vertical, "vertical", "top", "pressure")
    nz = _count(path, vertical, "vertical", "nz")
    if not 0 < top < 4e4 or nz < 1:
        raise UserError(f"{path}: {nz} layers up to {top:g} Pa: there must be one, and air above 400 hPa.")
    return make_levels(nz, top, vertical["spacing"], coordinate)
