"""The horizontal grids of netCDF variables."""

import numpy as np
import xarray as xr
from numpy.typing import NDArray
from pyproj import CRS, Proj
from pyproj.exceptions import CRSError

from squall.prepare.sources.grids import Float, SourceGrid, lat_lon, projected, rotated
from squall.prepare.sources.netcdf_axes import meaning
from squall.prepare.sources.piece import fail

# Degrees by which a grid may be off the latitudes and longitudes that go with it: of files that leave out the
# Earth's shape it is a fifth of a degree, and more at the ends of a continent.
OFF = 1.0

_NEEDED = (
    "A grid whose rows and columns are not latitudes and longitudes needs its projection: variables x and "
    "y, and a grid_mapping (CF 5.6)."
)


class GridReader:
    """Makes each horizontal grid of a data set once."""

    def __init__(self, dataset: xr.Dataset, path: str) -> None:
        self._dataset, self._path = dataset, path
        self._known: dict[tuple[str, str, str], SourceGrid] = {}

    def of(self, variable: xr.DataArray, y: str, x: str) -> SourceGrid:
        """The grid of a variable over dimensions y and x. Raises UserError where nothing says it, and where
        the file contradicts itself."""
        mapping = str(variable.attrs.get("grid_mapping") or variable.encoding.get("grid_mapping") or "")
        key = (y, x, mapping)
        if key not in self._known:
            where = f"{self._path}: {variable.name}"
            points = self._points(variable, y, x)
            self._known[key] = self._make(where, y, x, self._attributes(mapping), points)
        return self._known[key]

    def _attributes(self, mapping: str) -> dict[str, object]:
        name = mapping.split(":")[0].strip()
        if name in self._dataset.variables:
            return dict(self._dataset[name].attrs)
        found = [v.attrs for v in self._dataset.variables.values() if "grid_mapping_name" in v.attrs]
        return dict(found[0]) if len(found) == 1 else {}

    def _points(self, variable: xr.DataArray, y: str, x: str) -> tuple[Float, Float] | None:
        """Longitudes and latitudes of the points (rows, columns), where the file has them."""
        found: dict[str, Float] = {}
        for what, letter in (("longitude", "e"), ("latitude", "n")):
            for name, values in sorted(self._dataset.variables.items(), key=lambda item: item[1].ndim):
                units = str(values.attrs.get("units", "")).lower()
                is_it = values.attrs.get("standard_name") == what or (
                    units.startswith("degree") and units.removeprefix("degree").strip("s_")[:1] == letter
                )
                if is_it and {y, x} <= set(values.dims) and str(name) != variable.name:
                    first = values.isel({dim: 0 for dim in values.dims if dim not in (y, x)})
                    found.setdefault(what, np.asarray(first.transpose(y, x).values, np.float64))
        return (found["longitude"], found["latitude"]) if len(found) == 2 else None

    def _make(
        self, where: str, y: str, x: str, attributes: dict[str, object], points: tuple[Float, Float] | None
    ) -> SourceGrid:
        axes = [self._dataset[name] for name in (x, y) if name in self._dataset.variables]
        if len(axes) < 2:
            return _of_points(where, f"dimensions {y} and {x} have no coordinates. ", points)
        (across, columns, told_x), (along, rows, told_y) = (meaning(axis) for axis in axes)
        told = f"its columns and rows are not longitudes and latitudes ({told_x}; {told_y}). "
        _refuse_uneven(where, x, columns, circle=across not in ("plane", "nothing"))
        _refuse_turning(where, y, rows)
        made = _of_axes(where, (across, along), columns, rows, attributes)
        if made is None:
            return _of_points(where, told, points)
        _compare(where, made, points)
        return made


def _of_axes(
    where: str, kinds: tuple[str, str], columns: Float, rows: Float, attributes: dict[str, object]
) -> SourceGrid | None:
    """The grid whose columns and rows lie at these degrees or m; None: they are no places on it."""
    kind = str(attributes.get("grid_mapping_name", ""))
    crs = None if kind or not {"crs_wkt", "spatial_ref"} & set(attributes) else _crs(where, attributes)
    if crs is not None and crs.is_geographic:
        kind, crs = "latitude_longitude", None
    if kinds == ("earth", "earth") or (kind == "latitude_longitude" and kinds == ("degrees", "degrees")):
        if np.abs(rows).max() > 90.01:
            raise fail(where, f"its latitudes range from {rows.min():g} to {rows.max():g} degrees")
        return lat_lon(columns, rows)
    if kind == "rotated_latitude_longitude" and not {"plane", "earth"} & set(kinds):
        return rotated(columns - _number(attributes, "north_pole_grid_longitude", 0.0), rows,
                       *(_pole(where, attributes, of) for of in ("latitude", "longitude")))  # fmt: skip
    if kinds != ("plane", "plane") or (not kind and crs is None) or "latitude_longitude" in kind:
        return None
    return projected(
        (kind or "projected").replace("_", " "), Proj(crs or _crs(where, attributes)), columns, rows
    )


def _crs(where: str, attributes: dict[str, object]) -> CRS:
    try:
        if "grid_mapping_name" in attributes:
            return CRS.from_cf(attributes)
        return CRS.from_wkt(str(attributes.get("crs_wkt") or attributes["spatial_ref"]))
    except (CRSError, KeyError) as error:
        raise fail(
            where, f"its grid mapping {attributes.get('grid_mapping_name', '')} cannot be read: {error}"
        ) from None


def _number(attributes: dict[str, object], name: str, otherwise: float) -> float:
    return float(np.ravel(np.asarray(attributes.get(name, otherwise), np.float64))[0])


def _pole(where: str, attributes: dict[str, object], of: str) -> float:
    name = f"grid_north_pole_{of}"
    if name not in attributes:
        raise fail(where, f"its grid mapping rotated_latitude_longitude lacks {name}")
    return _number(attributes, name, 0.0)


def _of_points(where: str, told: str, points: tuple[Float, Float] | None) -> SourceGrid:
    """The grid by the latitudes and longitudes of its points, where these are rows and columns."""
    if points is None:
        raise fail(where, told + _NEEDED)
    longitude, latitude = np.unwrap(points[0], period=360, axis=1), points[1]
    straight = np.abs(longitude - longitude[:1]) < 1e-3, np.abs(latitude - latitude[:, :1]) < 1e-3
    if not (straight[0].all() and straight[1].all()):
        raise fail(where, told + _NEEDED)
    _refuse_uneven(where, "longitude", longitude[0], circle=True)
    _refuse_turning(where, "latitude", latitude[:, 0])
    return lat_lon(longitude[0], latitude[:, 0])


def _compare(where: str, grid: SourceGrid, points: tuple[Float, Float] | None) -> None:
    """Some points of a grid with the latitudes and longitudes that the file has of them."""
    if points is None:
        return
    places = np.ix_(*(np.unique(np.linspace(0, n - 1, 3).astype(int)) for n in points[1].shape))
    said = points[0][places], points[1][places]
    known = np.isfinite(said[0]) & np.isfinite(said[1])
    row, column = (np.broadcast_to(part, known.shape)[known] for part in places)
    longitude, latitude = grid.inverse(grid.x[column], grid.y[row])
    off = np.hypot(
        latitude - said[1][known],
        ((longitude - said[0][known] + 180) % 360 - 180) * np.cos(np.radians(said[1][known])),
    )
    if off.size and off.max() > OFF:
        raise fail(
            where,
            f"its columns and rows on a {grid.kind} grid lie up to {off.max():.3g} degrees from the "
            f"latitudes and longitudes in the file for the same points: one of the two is wrong",
        )


def _refuse_uneven(where: str, name: str, axis: NDArray[np.float64], circle: bool) -> None:
    steps = np.diff(np.unwrap(axis, period=360) if circle else axis)
    if len(steps) == 0 or not np.ptp(steps) <= 0.01 * abs(steps.mean()):
        what = "its longitudes are" if circle else f"its columns ({name}) are"
        raise fail(where, f"{what} not evenly spaced")


def _refuse_turning(where: str, name: str, axis: NDArray[np.float64]) -> None:
    steps = np.diff(axis)
    if len(steps) == 0 or not (np.all(steps > 0) or np.all(steps < 0)):
        raise fail(where, f"its rows ({name}) neither increase nor decrease throughout")
