"""Runs on the globe with values that are known: files as squall-transport writes them."""

import numpy as np
import xarray as xr

NLON, NLAT, NZ, FRAMES = 36, 18, 6, 5
LON = 10 * (np.arange(NLON) + 0.5)
LAT = -90 + 10 * (np.arange(NLAT) + 0.5)
PRESSURE = np.array([95000.0, 70000, 40000, 15000, 5000, 1000])
ATTRIBUTES = {"source": "squall-transport 0.1.0", "title": "made", "Conventions": "CF-1.8"}


def q(lon, lat, pressure, day):
    """Positive, highest at 185 E, the equator and the ground on day 0, and moves east by 10 degrees a day."""
    around = 1 + np.cos(np.deg2rad(lon - 185 - 10 * day))
    return 1e-6 * around * np.cos(np.deg2rad(lat)) * pressure / 1e5


def _times(frames):
    return {"time": ("time", 86400.0 * np.arange(frames), {"units": "seconds since 1991-06-15 00:00:00"})}


def _layers():
    told = {"standard_name": "atmosphere_hybrid_sigma_pressure_coordinate", "units": "1"}
    return {"lev": ("lev", PRESSURE / 1e5, told)}


def _levels():
    return {"ap": ("lev", 0.5 * PRESSURE, {"units": "Pa"}), "b": ("lev", 0.5 * PRESSURE / 1e5)}


def write(directory, frames=FRAMES):
    """A run directory with a history, zonal means and two stations; returns it."""
    directory.mkdir(parents=True)
    day = np.arange(frames)[:, None, None, None]
    values = q(LON, LAT[:, None], PRESSURE[:, None, None], day).astype(np.float32)
    grid = {"lat": ("lat", LAT, {"units": "degrees_north"}), "lon": ("lon", LON, {"units": "degrees_east"})}
    told = {"long_name": "mixing ratio of q", "units": "kg kg-1"}
    history = {
        "q": (("time", "lev", "lat", "lon"), values, told),
        "q_column": (("time", "lat", "lon"), values.sum(1), {"long_name": "column of q", "units": "kg m-2"}),
        "q_mass": ("time", np.full(frames, 5.0), {"units": "kg"}),
    }
    zonal = {"q": (("time", "lev", "lat"), values.mean(3), told)}
    stations = {
        "q": (("time", "lev", "station"), values[:, :, [9, 10], [17, 12]], told),
        "q_column": (("time", "station"), values.sum(1)[:, [9, 10], [17, 12]], {"units": "kg m-2"}),
        "station_name": ("station", np.array([b"Date line", b"Pinatubo"])),
        "longitude": ("station", [179.0, 120.35], {"units": "degrees_east"}),
        "latitude": ("station", [5.0, 15.14], {"units": "degrees_north"}),
    }
    for name, fields, axes in (
        ("history", history, grid), ("zonal", zonal, {"lat": grid["lat"]}), ("places", stations, {}),
    ):  # fmt: skip
        data = xr.Dataset(fields | _levels(), _times(frames) | _layers() | axes, ATTRIBUTES)
        data.to_netcdf(directory / f"{name}_1991-06-15_00:00:00.nc", unlimited_dims=["time"])
        (directory / f"{name}.manifest.jsonl").touch()
    return directory
