"""`dataset.squall`: what Squall knows to do with a dataset in WRF's layout, whoever opened it.

    >>> import xarray as xr
    >>> history = xr.open_dataset("runs/january-storm", engine="squall")
    >>> history.squall.field("temperature", "850 hPa").sel(Time="2007-01-24T18:00").plot()
    >>> history.squall.section("theta", "x=300 km")
    >>> history.squall.sounding(latitude=29.8, longitude=-95.4)

`import squall` brings it, and so does the reader engine="squall". Units are SI.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import xarray as xr

from squall import diagnose
from squall.diagnose.constants import EARTH_RADIUS
from squall.errors import UserError

if TYPE_CHECKING:
    import cartopy.crs
    import pyproj
    from matplotlib.figure import Figure

    from squall.diagnose import Level

_NAMES = {"station": "station_name", "trajectory": "trajectory_name"}  # of places, by their dimension
_COLUMN = ("pressure", "height", "temperature", "dew_point", "QVAPOR")


@xr.register_dataset_accessor("squall")  # type: ignore[no-untyped-call]
class Accessor:
    """Fields, pictures and places of a dataset in WRF's layout."""

    def __init__(self, dataset: xr.Dataset) -> None:
        self._data = dataset

    def __repr__(self) -> str:
        """What there is to do, for whoever types the name alone."""
        does = [name for name in vars(type(self)) if not name.startswith("_")]
        return f"<squall: {len(self.fields)} fields; {', '.join(does)}>"

    @property
    def fields(self) -> list[str]:
        """The names that `field` accepts, derived fields first."""
        return diagnose.available(self._data)

    def field(self, name: str, level: "Level | None" = None) -> xr.DataArray:
        """A stored or derived field on mass points, on all layers or on a level: `squall.diagnose.field`."""
        return diagnose.field(self._data, name, level)

    @property
    def crs(self) -> "pyproj.CRS":
        """The map, as pyproj has it; x and y [m] are west_east and south_north. Raises UserError without
        one."""
        from squall.geo import crs

        return crs.of(self._data)

    @property
    def cartopy_crs(self) -> "cartopy.crs.Projection":
        """The map, as Cartopy has it, for axes and for `transform`. Raises UserError without a map, and where
        Cartopy is not installed."""
        from squall.geo import crs

        return crs.cartopys(self._data)

    def plot(self, field: str | None = None, **options: Any) -> "Figure":
        """A picture: `squall.plot.figure`, with its options (level, time, section, contours, ax, ...)."""
        from squall.plot import figure

        return figure(self._data, field, **options)

    def section(self, name: str, where: str) -> xr.DataArray:
        """A field on the layers of a vertical section, bilinear between mass points.

        Parameters:
            name: a field with layers, stored or derived.
            where: "y=12" a row, "x=300 km" by distance from the western edge, "lat=30" or "lon=-97" across
                the domain, "30,-105 to 35,-80" from one latitude and longitude to another.

        Returns:
            (Time, bottom_top, distance), with the coordinates distance [m] along the section, height [m] of
            the layers above sea level, and, on a map, XLAT and XLONG [degrees]. Dask arrays stay lazy.

        Raises:
            UserError: an unknown field, one without layers, or a section that is none or leaves the domain.
        """
        from squall.plot import track

        array = diagnose.field(self._data, name)
        if "bottom_top" not in array.dims:
            raise UserError(f"{name} has no layers, which a section needs.")
        frame = self._data.isel(Time=-1) if "Time" in self._data.dims else self._data
        along = track.parse(frame, where)
        line = {"height": diagnose.field(self._data, "height")}
        line |= {n: array[n] for n in ("XLAT", "XLONG", "latitude", "longitude") if n in array.coords}
        cut = _along(array, along)
        told = {"units": "m", "long_name": "distance along the section"}
        places = {n: _along(values, along).variable for n, values in line.items() if n != name}
        return cut.assign_coords({"distance": ("distance", along.distance * 1000, told)} | places)

    def sounding(self, *, latitude: float | None = None, longitude: float | None = None,
                 i: int | None = None, j: int | None = None) -> xr.Dataset:  # fmt: skip
        """The column of air at a place: that of the nearest mass point, or of column i, row j.

        Returns:
            (Time, bottom_top), with pressure [Pa], height [m], temperature, dew_point [K], QVAPOR [kg kg-1]
            and the wind towards east and north wind_east, wind_north [m s-1] (U, V along the grid where the
            dataset does not tell its turn), as far as the dataset has what they are made of.

        Raises:
            UserError: a place outside the domain, or a dataset without columns of air.
        """
        at = self._point(latitude, longitude, i, j)
        known = self.fields
        winds = ("wind_east", "wind_north") if {"wind_east", "wind_north"} <= set(known) else ("U", "V")
        names = [name for name in (*_COLUMN, *winds) if name in known]
        arrays = {name: diagnose.field(self._data, name) for name in names}
        columns = {name: array.isel(at) for name, array in arrays.items() if "bottom_top" in array.dims}
        if not {"pressure", "temperature"} <= columns.keys():
            raise UserError("This dataset has no pressure and temperature on layers, which a sounding needs.")
        return xr.Dataset(columns)

    def station(self, name: str | None = None, *, latitude: float | None = None,
                longitude: float | None = None) -> xr.Dataset:  # fmt: skip
        """All that the dataset has of a place, in time: of a station by its name in a stream of stations, of
        the nearest mass point by latitude and longitude [degrees] elsewhere.

        Raises:
            UserError: an unknown station (the message lists the known ones), a place outside the domain.
        """
        dim = next((dim for dim in _NAMES if dim in self._data.dims), None)
        if name is not None:
            return self._data.isel(self._named(name, dim))
        if dim is None:
            at = self._point(latitude, longitude, None, None)
            staggered = [d for d in ("west_east_stag", "south_north_stag") if d in self._data.dims]
            return self._data.drop_dims(staggered).isel(at)
        there = [n for n in self._data.variables if n in ("XLAT", "latitude", "lat")]
        if latitude is None or longitude is None or not there:
            raise UserError(f"Choose a {dim} by its name: {', '.join(self._all_names(dim))}.")
        lat = str(there[0])
        lon = {"XLAT": "XLONG", "latitude": "longitude", "lat": "lon"}[lat]
        apart = _distance(self._data[lat].values, self._data[lon].values, latitude, longitude)
        apart = apart.reshape(-1, apart.shape[-1])[0]
        return self._data.isel({dim: int(apart.argmin())})

    def _all_names(self, dim: str) -> list[str]:
        found = self._data[_NAMES[dim]].values
        return [
            text.decode().rstrip("\0 ") if isinstance(text, bytes) else str(text).strip() for text in found
        ]

    def _named(self, name: str, dim: str | None) -> dict[str, int]:
        if dim is None:
            raise UserError(
                f"station {name}: this dataset has no stations. Open the stream that has them, as "
                'squall.open_run(run, stream="stations"), or give latitude and longitude.'
            )
        names = self._all_names(dim)
        if name not in names:
            raise UserError(f"There is no {dim} {name}. There are: {', '.join(names)}.")
        return {dim: names.index(name)}

    def _point(
        self, latitude: float | None, longitude: float | None, i: int | None, j: int | None
    ) -> Mapping[str, int]:
        """Indices of a mass point. Raises UserError for a point outside the domain by more than a cell."""
        sizes = {name: self._data.sizes.get(name, 0) for name in ("west_east", "south_north")}
        if not all(sizes.values()):
            raise UserError("This dataset has no horizontal grid (west_east, south_north).")
        if i is not None and j is not None and latitude is None and longitude is None:
            if not (0 <= i < sizes["west_east"] and 0 <= j < sizes["south_north"]):
                raise UserError(f"There is no point {i}, {j}: the grid has {sizes['west_east']} x "
                                f"{sizes['south_north']} points.")  # fmt: skip
            return {"west_east": i, "south_north": j}
        if latitude is None or longitude is None or i is not None or j is not None:
            raise UserError("Give a place by latitude and longitude, or by i and j.")
        return self._nearest(latitude, longitude)

    def _nearest(self, latitude: float, longitude: float) -> Mapping[str, int]:
        if not {"XLAT", "XLONG"} <= set(self._data.variables):
            raise UserError("The dataset has no XLAT and XLONG: give the place by i and j.")
        lat, lon = (self._data[name] for name in ("XLAT", "XLONG"))
        if "Time" in lat.dims:
            lat, lon = lat.isel(Time=-1), lon.isel(Time=-1)
        apart = _distance(lat.values, lon.values, latitude, longitude)
        j, i = np.unravel_index(int(apart.argmin()), apart.shape)
        step = max(abs(float(self._data.attrs.get(name, 0))) for name in ("DX", "DY"))
        if step and apart.min() > step:
            raise UserError(
                f"latitude {latitude:g}, longitude {longitude:g} lies outside the domain, "
                f"{apart.min() / 1000:.0f} km from its nearest point."
            )
        return {"west_east": int(i), "south_north": int(j)}


def _along(array: xr.DataArray, track: Any) -> xr.DataArray:
    """Bilinear between mass points, exact on them."""
    corners = []
    for of_j, of_i in ((0, 0), (0, 1), (1, 0), (1, 1)):
        j, wj = _side(track.j, of_j)
        i, wi = _side(track.i, of_i)
        picked = array.drop_vars(("west_east", "south_north"), errors="ignore").isel(
            south_north=xr.DataArray(j, dims="distance"), west_east=xr.DataArray(i, dims="distance")
        )
        picked = picked.drop_vars([n for n, c in picked.coords.items() if "distance" in c.dims])
        corners.append(picked * xr.DataArray(wi * wj, dims="distance"))
    found: xr.DataArray = corners[0] + corners[1] + corners[2] + corners[3]
    found.attrs, found.name = array.attrs, array.name
    return found


def _side(at: Any, side: int) -> tuple[Any, Any]:
    """The lower or upper neighbours of fractional indices, and their weights; of whole indices themselves."""
    low = np.floor(at).astype(int)
    share = at - low
    return (np.where(share > 0, low + 1, low), share) if side else (low, 1 - share)


def _distance(lat: Any, lon: Any, latitude: float, longitude: float) -> Any:
    """On the sphere [m]."""
    lat, lon, latitude, longitude = (
        np.radians(np.asarray(a, float)) for a in (lat, lon, latitude, longitude)
    )
    half = np.sin((lat - latitude) / 2) ** 2
    half = half + np.cos(lat) * np.cos(latitude) * np.sin((lon - longitude) / 2) ** 2
    return 2 * EARTH_RADIUS * np.arcsin(np.sqrt(half))
