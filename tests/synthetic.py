"""Histories in WRF's layout with fields in closed form, for tests of readers and pictures."""

from pathlib import Path

import netCDF4
import numpy as np

G, R, P0, KAPPA = 9.81, 287.0, 1.0e5, 2.0 / 7.0


def write_history(directory, case, *, nx, ny, nz, dx, top, times, theta_pert, terrain=None) -> Path:
    """One file per time [s]. An isentropic atmosphere at 300 K plus theta_pert(time, x, y, z) on layers;
    x, y, z [m] broadcast as (z, y, x). Returns the run directory."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "run.toml").write_text(f'[initial]\ncase = "{case}"\n')
    for seconds in times:
        stamp = f"{np.datetime64('2000-01-01T00:00:00') + np.timedelta64(int(seconds), 's')}".replace(
            "T", "_"
        )
        file = directory / f"history_d01_{stamp.replace(':', '-')}.nc"
        with netCDF4.Dataset(file, "w") as data:
            _dimensions(data, nx, ny, nz, dx)
            _time(data, stamp, seconds)
            _fields(data, nx, ny, nz, dx, top, seconds, theta_pert, terrain)
    return directory


def _dimensions(data, nx, ny, nz, dx):
    data.setncatts({"TITLE": "SYNTHETIC", "DX": np.float32(dx), "DY": np.float32(dx),
                    "START_DATE": "2000-01-01_00:00:00"})  # fmt: skip
    sizes = {"Time": None, "DateStrLen": 19, "west_east": nx, "south_north": ny, "bottom_top": nz,
             "west_east_stag": nx + 1, "south_north_stag": ny + 1, "bottom_top_stag": nz + 1}  # fmt: skip
    for name, size in sizes.items():
        data.createDimension(name, size)


def _time(data, stamp, seconds):
    data.createVariable("Times", "S1", ("Time", "DateStrLen"))[0] = netCDF4.stringtochar(
        np.array([stamp], "S19")
    )
    xtime = data.createVariable("XTIME", "f4", ("Time",))
    xtime.units = "minutes since 2000-01-01 00:00:00"
    xtime[0] = seconds / 60


def _fields(data, nx, ny, nz, dx, top, seconds, theta_pert, terrain):
    x, y = (np.arange(nx) + 0.5 - nx / 2) * dx, (np.arange(ny) + 0.5) * dx
    surface = np.zeros((ny, nx)) if terrain is None else np.broadcast_to(terrain(x), (ny, nx))
    eta = np.linspace(0, 1, nz + 1)[:, None, None]
    interfaces = surface + eta * (top - surface)
    z = 0.5 * (interfaces[:-1] + interfaces[1:])
    pert = np.broadcast_to(theta_pert(seconds, x[None, None, :], y[None, :, None], z), z.shape)
    exner = 1 - G * z / (R / KAPPA * 300.0)
    p = P0 * exner ** (1 / KAPPA)
    surface_p = P0 * (1 - G * surface / (R / KAPPA * 300.0)) ** (1 / KAPPA)
    mass, full = (
        ("Time", "bottom_top", "south_north", "west_east"),
        ("Time", "bottom_top_stag", "south_north", "west_east"),
    )
    _put(data, "T", mass, pert, "K", "perturbation potential temperature theta-t0")
    _put(data, "P", mass, 0.01 * p, "Pa", "perturbation pressure")
    _put(data, "PB", mass, 0.99 * p, "Pa", "BASE STATE PRESSURE")
    _put(data, "PH", full, 0 * interfaces, "m2 s-2", "perturbation geopotential")
    _put(data, "PHB", full, G * interfaces, "m2 s-2", "base-state geopotential")
    _put(
        data, "W", full, np.sin(interfaces / 3000 + x[None, None, :] / (8 * dx)), "m s-1", "z-wind component"
    )
    _put(
        data, "U", (*mass[:3], "west_east_stag"), np.full((nz, ny, nx + 1), 3.0), "m s-1", "x-wind component"
    )
    _put(data, "V", (*mass[:2], "south_north_stag", "west_east"), np.full((nz, ny + 1, nx), 4.0), "m s-1",
         "y-wind component")  # fmt: skip
    _put(
        data,
        "MU",
        ("Time", "south_north", "west_east"),
        0 * surface,
        "Pa",
        "perturbation dry air mass in column",
    )
    top_p = P0 * (1 - G * top / (R / KAPPA * 300.0)) ** (1 / KAPPA)
    _put(
        data,
        "MUB",
        ("Time", "south_north", "west_east"),
        surface_p + 10 * pert[0] - top_p,
        "Pa",
        "base state dry air mass",
    )
    data.createVariable("P_TOP", "f4", ("Time",))[0] = top_p
    for name, values in {"T_BASE": np.zeros(nz), "Z_BASE": z[:, 0, 0]}.items():
        data.createVariable(name, "f4", ("Time", "bottom_top"))[0] = values


def _put(data, name, dims, values, units, description):
    variable = data.createVariable(name, "f4", dims)
    variable.setncatts({"units": units, "description": description})
    variable[0] = values
