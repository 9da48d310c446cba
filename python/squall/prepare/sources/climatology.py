"""Climatological sea-surface temperature, for analyses without one."""

from calendar import monthrange
from datetime import datetime
from pathlib import Path

import numpy as np
import xarray as xr

from squall.prepare.sources import netcdf
from squall.prepare.sources import netcdf_names as names
from squall.prepare.sources.file_kind import kind_of
from squall.prepare.sources.netcdf_axes import role
from squall.prepare.sources.netcdf_grid import GridReader
from squall.prepare.sources.piece import Array, Piece, Window, fail

MONTHS = 12


def sea_surface_temperature(path: Path, time: datetime) -> Piece:
    """The field at a time, linear between the middles of the months of a netCDF file of monthly means.

    Raises UserError where the file has no sea-surface temperature of twelve months on a grid.
    """
    if not path.is_file():
        raise fail(str(path), "there is no such file; prepare.sea_surface_temperature names it")
    if kind_of(path) != "netcdf":
        raise fail(str(path), "prepare.sea_surface_temperature needs a netCDF file")
    dataset = netcdf.open_dataset(path, decode_times=False)
    variable, axes = _find(dataset, path)
    first, second, share = months_around(time)
    where = f"{path}: {variable.name}, climatological mean"

    def load(window: Window) -> Array:
        months = variable.transpose(axes["month"], axes["y"], axes["x"])
        early, late = (window.of(months[n].values) for n in (first, second))
        return np.asarray((1 - share) * early + share * late, np.float32)[None]

    return Piece(
        field="sea_surface_temperature",
        time=None,
        kind="surface",
        levels=(0.0,),
        grid=GridReader(dataset, str(path)).of(variable, axes["y"], axes["x"]),
        units=str(variable.attrs.get("units", "")),
        where=where,
        load=load,
    )


def months_around(time: datetime) -> tuple[int, int, float]:
    """The months (from 0) whose middles are before and after a time, and how far it is from one to the
    other."""
    days = monthrange(time.year, time.month)[1]
    along = time.month - 1.5 + (time.day - 1 + time.hour / 24) / days  # months since January's middle
    before = int(np.floor(along))
    return before % MONTHS, (before + 1) % MONTHS, along - before


def _find(dataset: xr.Dataset, path: Path) -> tuple[xr.DataArray, dict[str, str]]:
    for name in map(str, dataset.data_vars):
        variable = dataset[name]
        standard = str(variable.attrs.get("standard_name", ""))
        if names.field_of(name, standard, "surface") != "sea_surface_temperature":
            continue
        axes = {role(dataset, str(dim)): str(dim) for dim in variable.dims}
        months = [str(dim) for dim in variable.dims if dim not in (axes.get("x"), axes.get("y"))]
        if {"x", "y"} <= set(axes) and len(months) == 1 and variable.sizes[months[0]] == MONTHS:
            return variable, {"x": axes["x"], "y": axes["y"], "month": months[0]}
    raise fail(str(path), "no sea-surface temperature with twelve months on a grid of rows and columns")
