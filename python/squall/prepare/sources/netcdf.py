"""Reads netCDF files: fields are identified by name, axes by their attributes."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import xarray as xr

from squall.diagnose.vapour import Saturation
from squall.prepare.sources import netcdf_names as names
from squall.prepare.sources.fields import FIELDS
from squall.prepare.sources.grib_names import ECMWF_SOIL
from squall.prepare.sources.netcdf_axes import (
    hybrid_coefficients,
    pressures,
    role,
    role_of_member,
    soil_layers,
)
from squall.prepare.sources.netcdf_grid import GridReader
from squall.prepare.sources.netcdf_times import calendar, moments
from squall.prepare.sources.piece import Array, Kind, Made, Piece, Unread, Window, fail
from squall.prepare.sources.whole_netcdf import opening

_OF_MOIST_AIR = {"clwc", "ciwc", "crwc", "cswc", "clw", "cli"}


def open_dataset(path: Path, decode_times: bool = True) -> xr.Dataset:
    """The data set, its values not yet read. Raises UserError for one that is not whole."""
    try:
        with opening(path), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of times that nobody asked for
            return xr.open_dataset(path, engine="netcdf4", decode_times=decode_times)
    except (ValueError, RuntimeError) as error:
        raise fail(str(path), f"cannot be opened: {error}") from None


def read(path: Path) -> Iterator[Piece | Unread]:
    """The pieces of a file that an analysis can use. Raises UserError for an unknown grid."""
    dataset = open_dataset(path)
    grids = GridReader(dataset, str(path))
    for name in map(str, dataset.variables):
        variable = dataset[name]
        if variable.ndim < 2 or variable.dtype.kind not in "fiu":
            continue
        axes, others = _axes(dataset, variable)
        found = _identify(variable, axes, bool(others)) if {"x", "y"} <= set(axes) else None
        if found and not others:
            yield from _Variable(path, dataset, variable, axes, found, grids).pieces()
        else:
            yield from _unread(path, dataset, variable, axes, others)


def read_weather(path: Path) -> Iterator[Piece]:
    """Of the weather that acts on tracers; see grib.read_weather. What has units of an amount is one of an
    hour, as ERA5's."""
    dataset = open_dataset(path)
    grids = GridReader(dataset, str(path))
    for name in map(str, dataset.data_vars):
        known = names.weather_of(name)
        variable = dataset[name]
        axes, others = _axes(dataset, variable)
        vertical = {"pressure", "hybrid"} & set(axes)
        if known is None or others or not {"x", "y"} <= set(axes) or variable.dtype.kind not in "fiu":
            continue
        field, factor = known
        if bool(vertical) != FIELDS[field].vertical:
            continue
        kind: Kind = "surface" if not vertical else "pressure" if "pressure" in vertical else "hybrid"
        for piece in _Variable(path, dataset, variable, axes, _Found(field, kind), grids).pieces():
            if isinstance(piece, Piece):
                yield piece.times(factor)


def read_heights(path: Path) -> Iterator[Piece | Unread]:
    """The variable of a file of heights: the one on rows and columns alone that is in m."""
    dataset = open_dataset(path)
    grids = GridReader(dataset, str(path))
    for name in map(str, dataset.data_vars):
        variable = dataset[name]
        axes, others = _axes(dataset, variable)
        units = str(variable.attrs.get("units", "m")).lower()
        if (
            set(axes) - {"time"} == {"x", "y"}
            and not others
            and variable.dtype.kind in "fiu"
            and units in ("m", "meter", "meters", "metre", "metres")
        ):
            found = _Found("terrain", "surface")
            yield from _Variable(path, dataset, variable, axes, found, grids).pieces(units="m")


@dataclass(frozen=True)
class _Found:
    field: str
    kind: Kind
    level: float | None = None  # of a variable that holds one
    top: float = 0.0  # of a soil layer


def _axes(dataset: xr.Dataset, variable: xr.DataArray) -> tuple[dict[str, str], list[str]]:
    """Dimensions by their roles, and those of more than one index that have none."""
    axes: dict[str, str] = {}
    others = []
    for dim in map(str, variable.dims):
        what = role(dataset, dim)
        if what != "other" and what not in axes:
            axes[what] = dim
        elif variable.sizes[dim] > 1:
            others.append(dim)
    if not {"x", "y"} & set(axes) and len(others) >= 2:
        # Dimensions without a name that says it: those of the latitudes and longitudes.
        for values in dataset.variables.values():
            if values.attrs.get("standard_name") == "latitude" and set(map(str, values.dims)) == set(others):
                return axes | {"y": str(values.dims[0]), "x": str(values.dims[1])}, []
    return axes, others


def _unread(
    path: Path, dataset: xr.Dataset, variable: xr.DataArray, axes: dict[str, str], others: list[str]
) -> Iterator[Unread]:
    """A known field that is not read because of unknown dimensions or unsupported levels, for messages."""
    name, standard = str(variable.name), str(variable.attrs.get("standard_name", ""))
    field = names.field_of(name, standard, "levels")
    if field is None or not (others or "height" in axes):
        return
    if not {"x", "y"} <= set(axes):
        why = f"over {', '.join(map(str, variable.dims))}, which are not rows and columns of a grid"
    elif others:
        why = "over " + ", ".join(_in_words(dataset, variable, dim) for dim in others)
    else:
        why = f"at heights above the ground ({axes['height']})"
    yield Unread(field, why, f"{path}: {name}")


def _in_words(dataset: xr.Dataset, variable: xr.DataArray, dim: str) -> str:
    attributes = dataset[dim].attrs if dim in dataset.variables else {}
    told = [str(attributes[key]) for key in ("standard_name", "long_name", "units") if attributes.get(key)]
    return f"the dimension {dim} ({', '.join([f'{variable.sizes[dim]} values', *told])})"


def _identify(variable: xr.DataArray, axes: dict[str, str], others: bool) -> _Found | None:
    """others: whether it has dimensions of no known role, which no field of the surface has."""
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
    if of_surface is None or others:
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

    def pieces(self, units: str | None = None) -> Iterator[Piece | Unread]:
        field, kind = self._found.field, self._found.kind
        pick = self._at_height()
        if pick is None:
            yield from _unread(self._path, self._dataset, self._variable, self._axes, [])
            return
        grid = self._grids.of(self._variable, self._axes["y"], self._axes["x"])
        levels, tops = self._levels()
        along_grid, note = self._wind_directions(grid.kind)
        dates = calendar(self._variable, self._axes)
        if dates:
            note = f"{self._path}: its calendar is {dates}; its dates are used unchanged"
        found = moments(self._dataset, self._variable, self._axes, self._where)
        for (member, chosen), moment in product(self._members(), found):
            time = moment.time
            yield Piece(
                field=field,
                time=None if field in ("terrain", "land_mask") else time,
                kind=kind,
                levels=levels,
                grid=grid,
                units=self._units() if units is None else units,
                where=self._where + (f" at {time:%Y-%m-%d %H:%M}" if time else ""),
                load=self._loader({**pick, **chosen, **moment.place}),
                along_grid=along_grid,
                saturation=self._saturation(),
                origin=self._origin(),
                of_moist_air=str(self._variable.name).lower() in _OF_MOIST_AIR,
                tops=tops,
                coefficients=hybrid_coefficients(self._dataset, self._axes["hybrid"], levels)
                if kind == "hybrid"
                else (),
                note=note,
                member=member,
                made=Made(moment.start, "forecast" if moment.start not in (None, time) else "", ""),
                calendar=dates,
            )

    def _members(self) -> list[tuple[str, dict[str, int]]]:
        """The members of an ensemble and the indices that pick them; one without a name where the file says
        nothing of any."""
        name = self._axes.get("member")
        if name is None:
            return [(_one_member(self._variable), {})]
        size = self._variable.sizes[name]
        axis = self._dataset[name] if name in self._dataset.variables else None
        named = range(size) if axis is None else [np.squeeze(row) for row in axis.values.reshape(size, -1)]
        return [(_member_name(value), {name: n}) for n, value in enumerate(named)]

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
            f"{self._path}: does not state whether winds are relative to its {grid} grid or to the Earth; "
            f"relative to the grid is assumed"
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
            # What is left has one index.
            kept = {axes.get(what) for what in ("x", "y", "version", self._found.kind)}
            chosen = variable.isel(place)
            chosen = chosen.isel({dim: 0 for dim in chosen.dims if dim not in kept})
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


def _one_member(variable: xr.DataArray) -> str:
    """The member given by a coordinate with a single value."""
    for name, axis in variable.coords.items():
        if axis.size == 1 and role_of_member(str(name), axis):
            return _member_name(axis.values)
    return ""


def _member_name(value: object) -> str:
    """A member's name for the user: numbers without a fraction, text unchanged."""
    array = np.asarray(value)
    if array.dtype.kind in "iuf" and array.size == 1:
        return f"{float(array.reshape(-1)[0]):g}"
    letters = [x.decode("utf-8", "replace") if isinstance(x, bytes) else str(x) for x in array.reshape(-1)]
    return "".join(letters).strip()


def _newest(values: xr.DataArray, version: str | None) -> xr.DataArray:
    """The first existing value among final and preliminary ones (ERA5's expver 1 and 5)."""
    if version is None:
        return values
    order = np.argsort(values[version].values) if version in values.coords else range(values.sizes[version])
    made = values.isel({version: int(order[0])})
    for n in order[1:]:
        made = made.fillna(values.isel({version: int(n)}))
    return made
