"""Checks columns before a state is made from them."""

import numpy as np
from numpy.typing import NDArray

from squall.errors import UserError
from squall.prepare.columns import Columns

Array = NDArray[np.float32]

# What no analysis exceeds: temperature over Antarctica and deserts, jets, a typhoon's centre.
LIMITS = {
    "temperature": (130.0, 350.0, "K"),
    "mixing_ratio": (-1e-3, 0.08, "kg kg-1"),
    "u": (-250.0, 250.0, "m s-1"),
    "v": (-250.0, 250.0, "m s-1"),
    "height": (-3000.0, 90000.0, "m"),
    "surface_pressure": (30000.0, 110000.0, "Pa"),
    "terrain": (-1000.0, 9500.0, "m"),
    "sea_level_pressure": (80000.0, 110000.0, "Pa"),
    "temperature_2m": (170.0, 350.0, "K"),
    "mixing_ratio_2m": (-1e-3, 0.08, "kg kg-1"),
    "u_10m": (-150.0, 150.0, "m s-1"),
    "v_10m": (-150.0, 150.0, "m s-1"),
}


def check_columns(columns: Columns, terrain: Array, top: float) -> None:
    """Raises UserError, naming field, place and time, for what cannot be an atmosphere, has another
    shape than the domain's terrain, or does not reach up to the pressure `top`."""
    levels = len(columns.pressure)
    ny, nx = terrain.shape
    shapes = {
        "temperature": (levels, ny, nx),
        "mixing_ratio": (levels, ny, nx),
        "u": (levels, ny, nx + 1),
        "v": (levels, ny + 1, nx),
        "height": (levels, ny, nx),
        "surface_pressure": (ny, nx),
        "terrain": (ny, nx),
        "sea_level_pressure": (ny, nx),
        "temperature_2m": (ny, nx),
        "mixing_ratio_2m": (ny, nx),
        "u_10m": (ny, nx + 1),
        "v_10m": (ny + 1, nx),
    }
    _check_range(columns, "domain's terrain", terrain, LIMITS["terrain"])
    for name, shape in shapes.items():
        values = getattr(columns, name)
        if values is not None:
            _check_shape(columns, name, values, shape)
            _check_range(columns, name, values, LIMITS[name])
    for name, values in columns.water.items():
        _check_shape(columns, name, values, (levels, ny, nx))
        _check_range(columns, name, values, (-1e-3, 0.05, "kg kg-1"))
    _check_pressure(columns, (ny, nx), top)
    _check_heights(columns)


def _refuse(columns: Columns, what: str) -> UserError:
    return UserError(f"The analysis of {columns.time:%Y-%m-%d %H:%M} UTC cannot be used: {what}.")


def _check_shape(columns: Columns, name: str, values: Array, shape: tuple[int, ...]) -> None:
    if values.shape != shape:
        raise _refuse(columns, f"{name} has shape {values.shape}, but the domain needs {shape}")


def _check_range(columns: Columns, name: str, values: Array, limits: tuple[float, float, str]) -> None:
    low, high, unit = limits
    # NaN fails both comparisons.
    if values.min() >= low and values.max() <= high:
        return
    where = np.unravel_index(np.argmin((values >= low) & (values <= high)), values.shape)
    place = ", ".join(
        f"{axis} {n}" for axis, n in zip(("level", "row", "column")[-len(where) :], where, strict=True)
    )
    raise _refuse(
        columns,
        f"{name} is {values[where]:g} {unit} at {place} (counted from 0); the valid range is {low:g} to "
        f"{high:g}",
    )


def _check_pressure(columns: Columns, shape: tuple[int, int], top: float) -> None:
    p = columns.pressure
    if p.ndim != 1:
        _check_shape(columns, "pressure", p, (len(p), *shape))
    if len(p) < 4:
        raise _refuse(columns, f"it has {len(p)} levels, but a forecast needs at least 4")
    if not (np.isfinite(p).all() and p.min() > 0):
        raise _refuse(columns, "pressure is not positive everywhere")
    if not (np.diff(p, axis=0) < 0).all():
        raise _refuse(columns, "pressure does not decrease from each level to the next")
    reach = float(p[-1].max())
    if reach > top * 1.001:
        raise _refuse(
            columns,
            f"it ends at {reach / 100:g} hPa, below the model's top at {top / 100:g} hPa: "
            f"set prepare.top to {reach / 100:g} hPa or more",
        )
    if not (p[-4] < columns.surface_pressure).all():
        raise _refuse(columns, "at some points fewer than 4 of its levels lie above the ground")


def _check_heights(columns: Columns) -> None:
    rises = np.diff(columns.height, axis=0) > 0
    if not rises.all():
        level, row, column = (int(n) for n in np.unravel_index(np.argmin(rises), rises.shape))
        raise _refuse(
            columns, f"height does not increase from level {level} to the next at row {row}, column {column}"
        )
