"""Pieces of netCDF files: fields by their names, axes by what they say of themselves."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from squall.diagnose.vapour import Saturation
from squall.prepare.sources import netcdf_names as names
from squall.prepare.sources.grib_names import ECMWF_SOIL
from squall.prepare.sources.netcdf_axes import hybrid_coefficients, pressures, role, soil_layers, times_of
from squall.prepare.sources.netcdf_grid import GridReader
from squall.prepare.sources.piece import Array, Kind, Piece, Window, fail

_OF_MOIST_AIR = {"clwc", "ciwc", "crwc", "cswc", "clw", "cli"}
_SIGNATURES = (b"CDF\x01", b"CDF\x02", b"CDF\x05", b"\x89HDF")


def is_netcdf(path: Path) -> bool:
    """Whether a file begins as netCDF does."""
    with path.open("rb") as file:
        return file.read(4) in _SIGNATURES


def open_dataset(path: Path, decode_times: bool = True) -> xr.Dataset:
    """The data set, its values not yet read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of times that nobody asked for
            return xr.open_dataset(path, engine="netcdf4", decode_times=decode_times)
    except (OSError, ValueError) as error:
        raise fail(str(path), f"cannot be opened: {error}") from None


def read(path: Path) -> Iterator[Piece]:
    """The pieces of a file that an analysis can use. Raises UserError for an unknown grid."""
    dataset = open_dataset(path)
    grids = GridReader(dataset, str(path))
    for name in map(str, dataset.variables):
        axes = _axes(dataset, dataset[name])
        found = axes and _identify(dataset[name], axes)
        if axes and found:
            yield from _Variable(path, dataset, dataset[name], axes, found, grids).pieces()


def read_heights(path: Path) -> Iterator[Piece]:
    """The variable of a file of heights: the one on rows and columns alone that is in m."""
    dataset = open_dataset(path)
    grids = GridReader(dataset, str(path))
    for name in map(str, dataset.data_vars):
        variable = dataset[name]
        axes = _axes(dataset, variable)
        units = str(variable.attrs.get("units", "m")).lower()
        if axes and set(axes) <= {"x", "y", "time"} and units in ("m", "meter", "meters", "metre", "metres"):
            found = _Found("terrain", "surface")
            yield from _Variable(path, dataset, variable, axes, found, grids).pieces(units="m")


@dataclass(frozen=True)
class _Found:
    field: str
    kind: Kind
    level: float | None = None  # of a variable that holds one
    top: float = 0.0  # of a soil layer


def _axes(dataset: xr.Dataset, variable: xr.DataArray) -> dict[str, str] | None:
    """Dimensions by their roles; None: no field on a grid."""
    axes = {role(dataset, str(name)): str(name) for name in variable.dims}
    if not {"x", "y"} <= set(axes) or len(axes) < variable.ndim or variable.dtype.kind not in "fiu":
        return None
    return axes


def _identify(variable: xr.DataArray, axes: dict[str, str]) -> _Found | None:
    name, standard = str(variable.name), str(variable.attrs.get("standard_name", ""))
    single = names.one_level(name)
    if single:
        return _Found(single[0], "pressure", single[1])
    if name in ECMWF_SOIL:
        field, (top, bottom) = ECMWF_SOIL[name]
        return _Found(field, "soil", bottom, top)
    if "pressure" in axes or "hybrid" in axes:
        kind: Kind = "pressure" if "pressure" in axes else "hybrid"
        field_on_levels = names.field_of(name, standard, "levels")
        if field_on_levels is None and name == "lnsp":
            return _Found("surface_pressure", "surface")
        return _Found(field_on_levels, kind) if field_on_levels else None
    if "soil" in axes:
        in_soil = names.field_of(name, standard, "soil")
        return _Found(in_soil, "soil") if in_soil else None
    of_surface = names.field_of(name, standard, "surface")
    if of_surface is None or set(axes) & {"other"}:
        return None
    return _Found(of_surface, "surface")


class _Variable:
    """One variable, cut into its times."""

    def __init__(
        self,
        path: Path,
        dataset: xr.Dataset,
        variable: xr.DataArray,
        axes: dict[str, str],
        found: _Found,
        grids: GridReader,
    ) -> None:
        self._path, self._dataset, self._variable = path, dataset, variable
        self._axes, self._found, self._grids = axes, found, grids
        self._where = f"{path}: {variable.name}"

    def pieces(self, units: str | None = None) -> Iterator[Piece]:
        field, kind = self._found.field, self._found.kind
        pick = self._at_height()
        if pick is None:
            return
        grid = self._grids.of(self._variable, self._axes["y"], self._axes["x"])
        levels, tops = self._levels()
        along_grid, note = self._wind_directions(grid.kind)
        for time, place in times_of(self._dataset, self._variable, self._axes):
            yield Piece(
                field=field,
                time=None if field in ("terrain", "land_mask") else time,
                kind=kind,
                levels=levels,
                grid=grid,
                units=self._units() if units is None else units,
                where=self._where + (f" at {time:%Y-%m-%d %H:%M}" if time else ""),
                load=self._loader({**pick, **place}),
                along_grid=along_grid,
                saturation=self._saturation(),
                origin=self._origin(),
                of_moist_air=str(self._variable.name).lower() in _OF_MOIST_AIR,
                tops=tops,
                coefficients=hybrid_coefficients(self._dataset, self._axes["hybrid"], levels)
                if kind == "hybrid"
                else (),
                note=note,
            )

    def _units(self) -> str:
        units = str(self._variable.attrs.get("units", ""))
        if self._variable.name == "lnsp":
            return "Pa"
        if units.lower().startswith("m of water"):
            return "m"
        return units

    def _at_height(self) -> dict[str, int] | None:
        """The index of the height at which the field stands; None: it is not there."""
        if "height" not in self._axes:
            return {}
        name = self._axes["height"]
        wanted = names.HEIGHTS.get(self._found.field)
        heights = np.asarray(self._dataset[name].values, float) if name in self._dataset else np.array([])
        if wanted is None or wanted not in heights:
            return {name: 0} if self._variable.sizes[name] == 1 and wanted is None else None
        return {name: int(np.flatnonzero(heights == wanted)[0])}

    def _levels(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Levels as of a Piece, and the upper edges of soil layers."""
        found, axes = self._found, self._axes
        if found.level is not None:
            return (found.level,), (found.top,) if found.kind == "soil" else ()
        if found.kind == "pressure":
            return pressures(self._dataset[axes["pressure"]]), ()
        if found.kind == "hybrid":
            return tuple(float(n) for n in self._dataset[axes["hybrid"]].values), ()
        if found.kind == "soil":
            return soil_layers(self._dataset, axes["soil"])
        return (0.0,), ()

    def _wind_directions(self, grid: str) -> tuple[bool, str]:
        """Whether winds are along the grid, and what to tell the user where the file does not say."""
        if self._found.field not in ("u", "v", "u_10m", "v_10m") or grid == "latitude-longitude":
            return False, ""
        attributes = self._variable.attrs
        standard = str(attributes.get("standard_name", ""))
        flag = str(attributes.get("GRIB_uvRelativeToGrid", attributes.get("Grib_VectorComponentFlag", "")))
        if standard in ("x_wind", "y_wind") or flag in ("1", "gridRelative"):
            return True, ""
        if standard in ("eastward_wind", "northward_wind") or flag in ("0", "easterlyNortherlyRelative"):
            return False, ""
        return True, (
            f"{self._path}: does not say whether winds are along its {grid} grid or towards east and north; "
            "along the grid is taken"
        )

    def _origin(self) -> str:
        """Whose it is, as the attributes say; ERA5's and others' say the centre alone."""
        for attributes in (self._dataset.attrs, self._variable.attrs):
            for key in ("GRIB_centreDescription", "institution", "Originating_or_generating_Center"):
                if attributes.get(key):
                    return " ".join(str(attributes[key]).split())
        return ""

    def _saturation(self) -> Saturation:
        about = " ".join(
            str(attributes.get(key, ""))
            for attributes in (self._variable.attrs, self._dataset.attrs)
            for key in ("GRIB_centre", "institution", "Originating_or_generating_Center", "title", "source")
        ).lower()
        if "ecmf" in about or "ecmwf" in about or "era5" in about or "medium-range" in about:
            return "ecmwf"
        return "gfs" if "gfs" in about or "global forecast system" in about else "water"

    def _loader(self, place: dict[str, int]) -> Callable[[Window], Array]:
        variable, axes = self._variable, self._axes
        vertical = axes.get(self._found.kind)
        logarithm = variable.name == "lnsp"

        def load(window: Window) -> Array:
            chosen = variable.isel(place)
            if "member" in axes:
                chosen = chosen.isel({axes["member"]: 0})
            order = [name for name in (vertical, axes["y"], axes["x"]) if name]
            runs = [
                _newest(chosen.isel({axes["y"]: window.rows, axes["x"]: run}), axes.get("version"))
                .transpose(*order, ...)
                .values.astype(np.float32)
                for run in window.columns
            ]
            values = np.concatenate([run.reshape(-1, *run.shape[-2:]) for run in runs], axis=-1)
            return np.exp(values) if logarithm else values

        return load


def _newest(values: xr.DataArray, version: str | None) -> xr.DataArray:
    """Of final and preliminary values side by side (ERA5's expver), the first that is there."""
    if version is None:
        return values
    made = values.isel({version: 0})
    for n in range(1, values.sizes[version]):
        made = made.fillna(values.isel({version: n}))
    return made
