"""Cases that start from an analysis, with input made from data that come with Squall."""

from pathlib import Path

import netCDF4
import numpy as np
import xarray as xr

from squall.diagnose.constants import R_D, R_V, THETA0
from squall.lab.variants import Changes
from squall.lab.workspace import Workspace

HILLS = "hills.nc"


def prepared(
    workspace: Workspace,
    name: str,
    case: str,
    changes: Changes,
    *,
    hills: bool = False,
    stormy: bool = False,
) -> Path:
    """The run file of a case with its changes, over ground without terrain, or over hills, and beside it the
    input of all its domains. `stormy`: with rain, snow and ice to come from the air around Britain, and snow
    on the ground and ice on the sea in its north."""
    from squall.prepare import command
    from squall.prepare.run_file import read_plan

    run_file = workspace.variant(name, case, {"prepare.terrain": HILLS if hills else None, **changes})
    if hills:
        _write_hills(run_file.parent / HILLS)
    plan = read_plan(run_file)
    analysis, domain = command.open_plan(plan)
    command.prepare_all(plan, analysis, domain, lambda *_: None)
    if stormy:
        for path in run_file.parent.glob("wrfinput_d*"):
            _wet(path)
            _freeze(path, path.with_name(path.name.replace("wrfinput", "wrflowinp")))
    return run_file


def _wet(path: Path) -> None:
    """More vapour than the air holds, but not at the domain's sides, whose file knows nothing of it."""
    with netCDF4.Dataset(path, "a") as file:
        latitude, longitude = file["XLAT"][0], file["XLONG"][0]
        near = np.exp(-(((latitude - 54.6) / 1.6) ** 2) - ((longitude + 3) / 2.8) ** 2)
        dry = file["T"][0] + THETA0
        vapour = file["QVAPOR"][0] * (1 + 1.2 * near)
        file["QVAPOR"][0] = vapour
        if "THM" in file.variables:
            file["THM"][0] = dry * (1 + R_V / R_D * vapour) - THETA0
        snow = (latitude > 56) & (file["LANDMASK"][0] > 0.5)
        file["SNOW"][0], file["SNOWH"][0], file["SNOWC"][0] = 20.0 * snow, 0.1 * snow, 1.0 * snow


def _freeze(path: Path, lower: Path) -> None:
    """Partly the sea of the north: two fifths of it at the start, and of its file, where there is one, three
    fifths at the end."""
    with netCDF4.Dataset(path, "a") as file:
        ice = 0.4 * ((file["XLAT"][0] > 57) & (file["LANDMASK"][0] < 0.5))
        file["SEAICE"][0] = ice
    if not lower.exists():
        return
    with netCDF4.Dataset(lower, "a") as file:
        times = np.linspace(1, 1.5, file.dimensions["Time"].size)
        file["SEAICE"][:] = times[:, None, None] * ice


def _write_hills(path: Path) -> None:
    """Around Britain: hills 25 km apart, within cells of 18 km and more, on ranges."""
    lon, lat = np.arange(-24, 16, 0.04), np.arange(46, 64, 0.04)
    x, y = np.meshgrid(np.radians(lon) * np.cos(np.radians(55)), np.radians(lat))
    hills = np.sin(2 * np.pi * 6370 / 25 * (x + 0.3 * y)) + np.sin(2 * np.pi * 6370 / 31 * (y - 0.2 * x))
    ranges = np.sin(2 * np.pi * 6370 / 600 * x) * np.cos(2 * np.pi * 6370 / 500 * y)
    height = np.maximum(600 + 400 * hills + 300 * ranges, 1).astype(np.float32)
    xr.Dataset(
        {"relief": (("Y", "X"), height, {"units": "meters"})},
        coords={"X": ("X", lon, {"units": "degrees_east"}), "Y": ("Y", lat, {"units": "degrees_north"})},
    ).to_netcdf(path)
