"""The horizontal grids of netCDF variables."""

import numpy as np
import xarray as xr
from pyproj import CRS, Proj
from pyproj.exceptions import CRSError

from squall.prepare.sources.grids import Float, SourceGrid, lat_lon, projected, rotated
from squall.prepare.sources.piece import fail


class GridReader:
    """Makes each horizontal grid of a data set once."""

    def __init__(self, dataset: xr.Dataset, path: str) -> None:
        self._dataset, self._path = dataset, path
        self._known: dict[tuple[str, str, str], SourceGrid] = {}

    def of(self, variable: xr.DataArray, y: str, x: str) -> SourceGrid:
        """The grid of a variable over dimensions y and x. Raises UserError where nothing says it."""
        mapping = str(variable.attrs.get("grid_mapping") or variable.encoding.get("grid_mapping") or "")
        key = (y, x, mapping)
        if key not in self._known:
            self._known[key] = self._make(f"{self._path}: {variable.name}", y, x, self._attributes(mapping))
        return self._known[key]

    def _attributes(self, mapping: str) -> dict[str, object]:
        name = mapping.split(":")[0].strip()
        if name in self._dataset.variables:
            return dict(self._dataset[name].attrs)
        found = [v.attrs for v in self._dataset.variables.values() if "grid_mapping_name" in v.attrs]
        return dict(found[0]) if len(found) == 1 else {}

    def _make(self, where: str, y: str, x: str, attributes: dict[str, object]) -> SourceGrid:
        if x not in self._dataset.variables or y not in self._dataset.variables:
            raise fail(
                where,
                f"dimensions {y} and {x} have no coordinates. A grid of latitudes and longitudes that are no "
                "rows and columns needs its projection: variables x and y, and a grid_mapping (CF 5.6).",
            )
        across, along = self._metres(x), self._metres(y)
        kind = attributes.get("grid_mapping_name", "latitude_longitude")
        units = str(self._dataset[x].attrs.get("units", "")).lower()
        if kind == "rotated_latitude_longitude":
            pole = [float(str(attributes[f"grid_north_pole_{n}"])) for n in ("latitude", "longitude")]
            return rotated(across, along, *pole)
        if kind == "latitude_longitude" or units.startswith("degree"):
            _refuse_uneven(where, across)
            return lat_lon(across, along)
        try:
            proj = Proj(CRS.from_cf(attributes))
        except (CRSError, KeyError) as error:
            raise fail(where, f"its grid mapping {kind} cannot be read: {error}") from None
        return projected(str(kind).replace("_", " "), proj, across, along)

    def _metres(self, name: str) -> Float:
        """An axis in degrees or m."""
        axis = self._dataset[name]
        factor = 1000.0 if str(axis.attrs.get("units", "")).lower() in ("km", "kilometers") else 1.0
        return np.asarray(axis.values, np.float64) * factor


def _refuse_uneven(where: str, longitude: Float) -> None:
    steps = np.diff(np.unwrap(longitude, period=360))
    if len(steps) == 0 or np.ptp(steps) > 0.01 * abs(steps.mean()):
        raise fail(where, "its longitudes are not evenly spaced")
