"""The file of winds and weather that squall-transport reads: [wind] file of its run files.

CF's conventions; a record for each time. Winds are at the faces of cells, u at western and v at southern
ones, so that all fields have the same shape. A record has two potentials of the correction by which columns
follow the surface pressure (squall.transport.balance): `potential_before` for the interval that ends at its
time and `potential_after` for the one that begins there.
"""

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

import netCDF4
import numpy as np

from squall.errors import UserError
from squall.transport.balance import Poisson, convergence
from squall.transport.globe import Float, Globe, Levels
from squall.transport.weather import Weather
from squall.transport.winds import Winds


class _About(NamedTuple):
    dimensions: tuple[str, ...]
    units: str
    standard_name: str
    long_name: str
    kind: str = "f4"


_SURFACE, _LAYERS, _INTERFACES = ("lat", "lon"), ("lev", "lat", "lon"), ("ilev", "lat", "lon")
_VARIABLES = {
    "ps": _About(_SURFACE, "Pa", "surface_air_pressure", "surface pressure", "f8"),
    "potential_before": _About(_SURFACE, "Pa m2 s-1", "", "potential that balances the time before", "f8"),
    "potential_after": _About(_SURFACE, "Pa m2 s-1", "", "potential that balances the time after", "f8"),
    "u": _About(("lev", "lat", "lon_west"), "m s-1", "eastward_wind", "wind through western faces"),
    "v": _About(("lev", "lat_south", "lon"), "m s-1", "northward_wind", "wind through southern faces"),
    "t": _About(_LAYERS, "K", "air_temperature", "temperature"),
    "q": _About(_LAYERS, "kg kg-1", "specific_humidity", "specific humidity"),
    "boundary_layer_height": _About(
        _SURFACE, "m", "atmosphere_boundary_layer_thickness", "height of the boundary layer"
    ),
    "friction_velocity": _About(_SURFACE, "m s-1", "", "friction velocity"),
    "sensible_heat_flux": _About(
        _SURFACE, "W m-2", "surface_upward_sensible_heat_flux", "sensible heat flux, upwards"
    ),
    "latent_heat_flux": _About(
        _SURFACE, "W m-2", "surface_upward_latent_heat_flux", "latent heat flux, upwards"
    ),
    "rain_rate": _About(_SURFACE, "kg m-2 s-1", "precipitation_flux", "precipitation"),
    "convective_rain_rate": _About(
        _SURFACE, "kg m-2 s-1", "convective_precipitation_flux", "convective precipitation"
    ),
    "land_fraction": _About(_SURFACE, "1", "land_area_fraction", "land"),
    "sea_ice": _About(_SURFACE, "1", "sea_ice_area_fraction", "sea ice"),
    "frozen_fraction": _About(_SURFACE, "1", "", "ground or water below freezing"),
    "updraught": _About(_INTERFACES, "kg m-2 s-1", "", "convective mass flux upwards"),
    "downdraught": _About(_INTERFACES, "kg m-2 s-1", "", "convective mass flux downwards"),
}


class WindWriter:
    """Writes times that follow each other; a file that is not finished is not left behind.

    with WindWriter(path, globe, levels, convective, about) as file:
        file.add(winds, weather)
    """

    def __init__(
        self, path: Path, globe: Globe, levels: Levels, convective: bool, about: dict[str, str]
    ) -> None:
        """about: global attributes. Raises UserError where it cannot be written."""
        self._path, self._globe, self._levels, self._convective = path, globe, levels, convective
        self._part = path.with_name(path.name + ".part")
        self._poisson = Poisson(globe)
        self._last: tuple[datetime, Float, Float] | None = None  # time, surface pressure, convergence
        self._first: datetime | None = None
        self.largest_correction = 0.0  # Pa s-1, of a column's convergence
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = netCDF4.Dataset(self._part, "w", format="NETCDF3_64BIT_DATA")
        except OSError as error:
            raise UserError(f"{path} cannot be written: {error.strerror or error}.") from None
        self._file.setncatts({"Conventions": "CF-1.8", **about})
        self._declare()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink(missing_ok=True)

    def add(self, winds: Winds, weather: Weather) -> None:
        """The next time."""
        record = len(self._file.dimensions["time"])
        self._first = self._first or winds.time
        values = {
            "ps": winds.surface, "u": winds.u, "v": winds.v, "t": winds.temperature, "q": winds.humidity,
            **weather.surface,
        }  # fmt: skip
        if self._convective:
            values |= {"updraught": weather.updraught, "downdraught": weather.downdraught}
        for name, of in values.items():
            self._refuse_no_number(name, np.asarray(of), winds.time)
            self._file[name][record] = of
        self._file["time"][record] = (winds.time - self._first).total_seconds()
        self._file["time"].units = f"seconds since {self._first:%Y-%m-%d %H:%M:%S}"
        self._balance(record, winds)

    def _refuse_no_number(self, name: str, values: Float, time: datetime) -> None:
        if not np.isfinite(values).all():
            place = np.unravel_index(int(np.argmin(np.isfinite(values))), values.shape)
            raise UserError(
                f"The {_VARIABLES[name].long_name} of {time:%Y-%m-%d %H:%M} UTC is no number in cell "
                f"{tuple(map(int, place))} of (layer, row, column): the analysis has a gap there."
            )

    def _balance(self, record: int, winds: Winds) -> None:
        """Potentials of the interval that ends here, at both its ends."""
        entering = convergence(
            self._globe, self._levels, winds.surface, winds.u.astype(np.float64), winds.v.astype(np.float64)
        )
        for name in ("potential_before", "potential_after"):
            self._file[name][record] = 0.0
        if self._last is not None:
            before, surface, entered = self._last
            area = self._globe.area[:, None]
            change = (winds.surface - surface) / (winds.time - before).total_seconds() * area
            for n, name, own in ((-1, "potential_after", entered), (0, "potential_before", entering)):
                wanted = change - own
                self.largest_correction = max(self.largest_correction, float(np.abs(wanted / area).max()))
                self._file[name][record + n] = self._poisson.solve(wanted)
        self._last = winds.time, winds.surface, entering

    def _declare(self) -> None:
        globe, levels, file = self._globe, self._levels, self._file
        file.createDimension("time", None)
        file.createDimension("bnds", 2)
        sizes = {"lev": levels.nz, "ilev": levels.nz + 1, "lat": globe.nlat, "lon": globe.nlon}
        for name, size in {**sizes, "lat_south": globe.nlat, "lon_west": globe.nlon}.items():
            file.createDimension(name, size)
        self._line("time", "f8", None, standard_name="time", axis="T", calendar="proleptic_gregorian")
        for name, faces, middles, axis, of, units in (
            ("lat", globe.lat_faces, globe.lat, "Y", "latitude", "degrees_north"),
            ("lon", globe.lon_faces, globe.lon, "X", "longitude", "degrees_east"),
        ):
            bounds = np.degrees(np.stack([faces[:-1], faces[1:]], axis=1))
            self._line(
                name,
                "f8",
                np.degrees(middles),
                standard_name=of,
                units=units,
                axis=axis,
                bounds=f"{name}_bnds",
            )
            file.createVariable(f"{name}_bnds", "f8", (name, "bnds"))[:] = bounds
            side = "lat_south" if name == "lat" else "lon_west"
            self._line(side, "f8", np.degrees(faces[:-1]), standard_name=of, units=units)
        self._declare_levels()
        for name, about in _VARIABLES.items():
            if about.dimensions == _INTERFACES and not self._convective:
                continue
            made = file.createVariable(name, about.kind, ("time", *about.dimensions))
            made.setncatts({"long_name": about.long_name, "units": about.units})
            if about.standard_name:
                made.standard_name = about.standard_name

    def _declare_levels(self) -> None:
        a, b = self._levels.a, self._levels.b
        middle: Callable[[Float], Float] = lambda x: 0.5 * (x[1:] + x[:-1])  # noqa: E731
        hybrid = {
            "standard_name": "atmosphere_hybrid_sigma_pressure_coordinate",
            "units": "1",
            "positive": "down",
        }
        self._line(
            "lev", "f8", middle(a) / 1e5 + middle(b), axis="Z", formula_terms="ap: ap b: b ps: ps", **hybrid
        )
        self._line(
            "ilev", "f8", a / 1e5 + b, formula_terms="ap: ap_interface b: b_interface ps: ps", **hybrid
        )
        for suffix, dimension, x, y in (("", "lev", middle(a), middle(b)), ("_interface", "ilev", a, b)):
            self._line(f"ap{suffix}", "f8", x, dimension, long_name="a of p = a + b ps", units="Pa")
            self._line(f"b{suffix}", "f8", y, dimension, long_name="b of p = a + b ps", units="1")

    def _line(
        self, name: str, kind: str, values: Float | None, dimension: str | None = None, **attributes: Any
    ) -> None:
        made = self._file.createVariable(name, kind, (dimension or name,))
        made.setncatts(attributes)
        if values is not None:
            made[:] = values
