"""A netCDF file as WRF writes it: dimensions, attributes and variables by WRF's conventions.

netCDF classic with 64-bit offsets, which every WRF tool reads. It is written beside its name and
renamed, so that a file is whole or absent.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import netCDF4
import numpy as np

from squall.errors import UserError
from squall.geo.domain import Domain
from squall.prepare.state import Settings

TITLE = " OUTPUT FROM SQUALL PREPARE, LIKE REAL_EM V4.7"  # WRF looks for " V4." here

# FieldType of WRF's I/O.
REAL, INTEGER = 104, 106

# Of files without land use of their own.
LAND_USE: dict[str, str | int] = {
    "MMINLU": "MODIFIED_IGBP_MODIS_NOAH",
    "NUM_LAND_CAT": 21,
    "ISWATER": 17,
    "ISLAKE": 21,
    "ISICE": 15,
    "ISURBAN": 13,
    "ISOILWATER": 14,
}


@dataclass(frozen=True)
class Shape:
    """A shape of variables: dimensions after Time, and WRF's attributes for them."""

    dimensions: tuple[str, ...]
    memory_order: str
    stagger: str
    coordinates: str = ""


_MASS, _U, _V = (
    ("south_north", "west_east"),
    ("south_north", "west_east_stag"),
    ("south_north_stag", "west_east"),
)

SHAPES = {
    "scalar": Shape((), "0  ", ""),
    "layers": Shape(("bottom_top",), "Z  ", ""),
    "interfaces": Shape(("bottom_top_stag",), "Z  ", "Z"),
    "soil_layers": Shape(("soil_layers_stag",), "Z  ", "Z"),
    "plane": Shape(_MASS, "XY ", "", "XLONG XLAT"),
    "u_plane": Shape(_U, "XY ", "X", "XLONG_U XLAT_U"),
    "v_plane": Shape(_V, "XY ", "Y", "XLONG_V XLAT_V"),
    "soil": Shape(("soil_layers_stag", *_MASS), "XYZ", "Z", "XLONG XLAT"),
    "volume": Shape(("bottom_top", *_MASS), "XYZ", "", "XLONG XLAT"),
    "w_volume": Shape(("bottom_top_stag", *_MASS), "XYZ", "Z", "XLONG XLAT"),
    "u_volume": Shape(("bottom_top", *_U), "XYZ", "X", "XLONG_U XLAT_U"),
    "v_volume": Shape(("bottom_top", *_V), "XYZ", "Y", "XLONG_V XLAT_V"),
}


@contextmanager
def wrf_file(path: Path) -> Iterator[netCDF4.Dataset]:
    """A new file under a temporary name, which gets its own when the block ends well."""
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        dataset = netCDF4.Dataset(part, "w", format="NETCDF3_64BIT_OFFSET")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}.") from error
    try:
        with dataset:
            # Everything is written: no need to fill it before.
            dataset.set_fill_off()
            yield dataset
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class RecordWriter:
    """A WRF file that gets a record at a time. Used as a context: the file gets its name at the end of the
    block, or not at all."""

    lacking = ""  # what to do about a file without any record

    def __init__(self, path: Path, domain: Domain) -> None:
        self.path, self.domain = Path(path), domain
        self.records = 0
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Raises UserError where there is no record."""
        if kind is None and self.records == 0:
            error = UserError(f"{self.path} would contain no record: {self.lacking}.")
            self._stack.__exit__(UserError, error, None)  # takes the unfinished file away
            raise error
        self._stack.__exit__(kind, error, trace)

    def _begin(
        self, nz: int, start: datetime, settings: Settings, dimensions: Mapping[str, int]
    ) -> netCDF4.Dataset:
        made = self._stack.enter_context(wrf_file(self.path))
        add_header(made, self.domain, nz, start, settings, dimensions)
        return made


def add_header(
    dataset: netCDF4.Dataset,
    domain: Domain,
    nz: int,
    start: datetime,
    settings: Settings,
    dimensions: Mapping[str, int],
    land_use: Mapping[str, str | int] = LAND_USE,
) -> None:
    """Writes the header common to all WRF files: dimensions, plus `dimensions`, attributes and times."""
    _add_dimensions(dataset, domain, nz, dimensions)
    _add_attributes(dataset, domain, nz, start, settings, land_use)
    add_times(dataset, "Times")


def _add_dimensions(dataset: netCDF4.Dataset, domain: Domain, nz: int, more: Mapping[str, int]) -> None:
    sizes: dict[str, int | None] = {
        "Time": None,
        "DateStrLen": 19,
        "west_east": domain.nx,
        "south_north": domain.ny,
        "bottom_top": nz,
        "bottom_top_stag": nz + 1,
        "west_east_stag": domain.nx + 1,
        "south_north_stag": domain.ny + 1,
    }
    for name, size in {**sizes, **more}.items():
        dataset.createDimension(name, size)


def _add_attributes(
    dataset: netCDF4.Dataset,
    domain: Domain,
    nz: int,
    start: datetime,
    settings: Settings,
    land_use: Mapping[str, str | int],
) -> None:
    """WRF's global attributes; numbers in WRF's types."""
    made: dict[str, Any] = {
        "TITLE": TITLE,
        "START_DATE": wrf_time(start),
        "SIMULATION_START_DATE": wrf_time(start),
        **domain.wrf_attributes(),
        "BOTTOM-TOP_GRID_DIMENSION": nz + 1,
        **_patch("WEST-EAST", domain.nx),
        **_patch("SOUTH-NORTH", domain.ny),
        **_patch("BOTTOM-TOP", nz),
        "SIMULATION_INITIALIZATION_TYPE": "REAL-DATA CASE",
        "HYPSOMETRIC_OPT": settings.hypsometric,
        "USE_THETA_M": int(settings.moist_theta),
        "HYBRID_OPT": 2 if settings.etac > 0 else 0,
        "ETAC": settings.etac,
        "GMT": start.hour + start.minute / 60 + start.second / 3600,
        "JULYR": start.year,
        "JULDAY": start.timetuple().tm_yday,
        **land_use,
    }
    for name, value in made.items():
        typed = {int: np.int32, float: np.float32}.get(type(value), str)(value)
        dataset.setncattr(name, typed)


def _patch(axis: str, cells: int) -> dict[str, int]:
    return {
        f"{axis}_PATCH_START_UNSTAG": 1,
        f"{axis}_PATCH_END_UNSTAG": cells,
        f"{axis}_PATCH_START_STAG": 1,
        f"{axis}_PATCH_END_STAG": cells + 1,
    }


def add_variable(
    dataset: netCDF4.Dataset, name: str, shape: Shape, description: str, units: str, integer: bool = False
) -> "netCDF4.Variable[Any]":
    """A variable with a record per Time, without values yet."""
    variable = dataset.createVariable(name, "i4" if integer else "f4", ("Time", *shape.dimensions))
    variable.FieldType = np.int32(INTEGER if integer else REAL)
    variable.MemoryOrder = shape.memory_order
    variable.description = description
    variable.units = units
    variable.stagger = shape.stagger
    if shape.coordinates:
        variable.coordinates = shape.coordinates
    return variable


def add_times(dataset: netCDF4.Dataset, name: str, description: str = "") -> "netCDF4.Variable[Any]":
    """A text of 19 characters per record."""
    variable = dataset.createVariable(name, "S1", ("Time", "DateStrLen"))
    if description:
        variable.description = description
    return variable


def wrf_time(time: datetime) -> str:
    return f"{time:%Y-%m-%d_%H:%M:%S}"


def characters(time: datetime) -> Any:
    """A time as a netCDF text."""
    return np.array(list(wrf_time(time)), "S1")
