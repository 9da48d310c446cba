"""Analyses whose fields are known functions of place, written as GRIB and netCDF by the tests of
`squall prepare`."""

from datetime import datetime, timedelta

import eccodes as ec
import numpy as np
import xarray as xr

START = datetime(2024, 1, 15)
LEVELS = (100000.0, 92500.0, 85000.0, 70000.0, 50000.0, 30000.0, 20000.0, 10000.0, 5000.0)
G0 = 9.80665


def waves(lon, lat):
    """Smooth, once and thrice round the Earth, between -1 and 1."""
    lam, phi = np.radians(lon), np.radians(lat)
    return 0.5 * np.cos(lam - 1) * np.cos(phi) + 0.5 * np.cos(3 * lam) * np.cos(phi) ** 3 * np.sin(phi)


def height(p, lon, lat):
    return 44330 * (1 - (p / 101325) ** 0.1903) + 60 * waves(lon, lat)


def temperature(p, lon, lat):
    return np.maximum(288.0 * (p / 101325) ** 0.1903, 216) + 8 * waves(lon, lat)


def specific_humidity(p, lon, lat):
    return 0.01 * (p / 1e5) ** 3 * (0.6 + 0.3 * waves(lon, lat))


def winds(p, lon, lat):
    """Towards east and north."""
    return 10 + 10 * waves(lon + 20, lat) + 2e-4 * (1e5 - p), 15 * waves(lon - 50, lat)


def ground(lon, lat):
    return 300 + 200 * waves(lon, lat)


def surface_pressure(lon, lat):
    """Where `height` is `ground`."""
    return 101325 * (1 - (ground(lon, lat) - 60 * waves(lon, lat)) / 44330) ** (1 / 0.1903)


UPPER = {
    "t": temperature,
    "gh": height,
    "q": specific_humidity,
    "u": lambda *where: winds(*where)[0],
    "v": lambda *where: winds(*where)[1],
}
SURFACE = {
    "sp": surface_pressure,
    "orog": ground,
    "prmsl": lambda lon, lat: 101325 + 700 * waves(lon, lat),
    "2t": lambda lon, lat: temperature(surface_pressure(lon, lat), lon, lat),
    "lsm": lambda lon, lat: np.ones_like(lon),
    "skt": lambda lon, lat: 280 + 5 * waves(lon, lat),
}


def message(values, keys, edition=2):
    """One GRIB message; keys in the order in which ecCodes is to be told."""
    handle = ec.codes_grib_new_from_samples(f"GRIB{edition}")
    for key, value in keys.items():
        (ec.codes_set_array if isinstance(value, np.ndarray) else ec.codes_set)(handle, key, value)
    ec.codes_set(handle, "bitsPerValue", 24)
    if np.isnan(values).any():
        ec.codes_set(handle, "bitmapPresent", 1)
        ec.codes_set(handle, "missingValue", -1e30)
    ec.codes_set_values(handle, np.nan_to_num(values, nan=-1e30).ravel())
    made = ec.codes_get_message(handle)
    ec.codes_release(handle)
    return made


def lat_lon_keys(lon, lat):
    """A grid in degrees whose rows run as `lat` does."""
    return {
        "gridType": "regular_ll",
        "Ni": len(lon), "Nj": len(lat),
        "latitudeOfFirstGridPointInDegrees": float(lat[0]),
        "latitudeOfLastGridPointInDegrees": float(lat[-1]),
        "longitudeOfFirstGridPointInDegrees": float(lon[0] % 360),
        "longitudeOfLastGridPointInDegrees": float(lon[-1] % 360),
        "iDirectionIncrementInDegrees": float(lon[1] - lon[0]),
        "jDirectionIncrementInDegrees": float(abs(lat[1] - lat[0])),
        "jScansPositively": int(lat[1] > lat[0]),
    }  # fmt: skip


def date_keys(time):
    return {"dataDate": int(f"{time:%Y%m%d}"), "dataTime": int(f"{time:%H%M}")}


def write_grib(path, grid, lon, lat, *, times=(START,), edition=2, upper=None, surface=None, levels=LEVELS):
    """Fields at points lon, lat (rows, columns) on a grid of keys. Returns the path."""
    with path.open("wb") as file:
        for time in times:
            for name, field in (UPPER if upper is None else upper).items():
                for p in levels:
                    keys = {**grid, **date_keys(time), "typeOfLevel": "isobaricInhPa", "level": int(p / 100)}
                    file.write(message(field(p, lon, lat), {**keys, "shortName": name}, edition))
            for name, field in (SURFACE if surface is None else surface).items():
                values = field(lon, lat)
                if edition == 1:  # whose tables have other names
                    values = values * (G0 if name == "orog" else 1)
                    name = {"prmsl": "msl", "orog": "z"}.get(name, name)
                where = {"typeOfLevel": "surface", "level": 0} if edition == 1 else {}
                keys = {**grid, **date_keys(time), **where, "shortName": name}
                file.write(message(values, keys, edition))
    return path


def regular_grib(path, lon, lat, **how):
    """On the meridians `lon` and parallels `lat`."""
    return write_grib(path, lat_lon_keys(lon, lat), *np.meshgrid(lon, lat), **how)


def era5(lon, lat, times=(START,), levels=LEVELS, new=True):
    """Data sets of pressure levels and of the surface as Copernicus's store makes them."""
    names = ("valid_time", "pressure_level") if new else ("time", "level")
    across = np.meshgrid(lon, lat)
    axes = {
        names[0]: ("valid_time" if new else "time", np.array(times, "datetime64[ns]")),
        "latitude": ("latitude", lat, {"units": "degrees_north"}),
        "longitude": ("longitude", lon, {"units": "degrees_east"}),
    }
    hectopascals = np.array(levels) / 100
    upper = xr.Dataset(
        coords={**axes, names[1]: (names[1], hectopascals, {"units": "hPa" if new else "millibars"})}
    )
    surface = xr.Dataset(coords=axes)
    units = {"t": "K", "z": "m**2 s**-2", "q": "kg kg**-1", "u": "m s**-1", "v": "m s**-1"}
    fields = {**UPPER, "z": lambda *where: G0 * height(*where)}
    for name, unit in units.items():
        planes = np.stack([fields[name](p, *across) for p in levels])
        values = np.stack([planes] * len(times)).astype(np.float32)
        upper[name] = ((names[0], names[1], "latitude", "longitude"), values, {"units": unit})
    more = {
        "sp": (surface_pressure, "Pa"), "msl": (SURFACE["prmsl"], "Pa"), "t2m": (SURFACE["2t"], "K"),
        "z": (lambda *where: G0 * ground(*where), "m**2 s**-2"), "skt": (SURFACE["skt"], "K"),
        "lsm": (SURFACE["lsm"], "(0 - 1)"),
    }  # fmt: skip
    for name, (field, unit) in more.items():
        values = np.stack([field(*across)] * len(times)).astype(np.float32)
        surface[name] = ((names[0], "latitude", "longitude"), values, {"units": unit})
    return upper, surface


def every(hours, count):
    return [START + timedelta(hours=hours * n) for n in range(count)]
