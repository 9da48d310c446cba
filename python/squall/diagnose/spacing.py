"""The grid spacing of a history."""

import numpy as np
import xarray as xr

from squall.diagnose.constants import EARTH_RADIUS
from squall.errors import UserError

_ATTRIBUTES = {"west_east": "DX", "south_north": "DY"}


def number(frame: xr.Dataset, attribute: str) -> float | None:
    """A global attribute as a number; None if it is missing or not a number, as in files of other
    programs."""
    try:
        value = float(np.ravel(frame.attrs[attribute])[0])
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return value if np.isfinite(value) else None


def told(frame: xr.Dataset, dim: str) -> float | None:
    """The grid spacing along west_east or south_north [m], from DX and DY; None if they do not give it."""
    value = number(frame, _ATTRIBUTES[dim])
    return value if value is not None and value > 0 else None


def spacing(frame: xr.Dataset, dim: str) -> float:
    """Like `told`, but raises UserError, which names the missing attribute."""
    value = told(frame, dim)
    if value is None:
        raise UserError(
            f"The history has no attribute {_ATTRIBUTES[dim]} with the grid spacing along {dim} in m, "
            f"which this needs. Set it, for example with ncatted."
        )
    return value


def drawn(frame: xr.Dataset, dim: str) -> float:
    """The spacing for axes of pictures [m]: from the attributes, or else the mean distance on the Earth from
    XLAT and XLONG. Raises UserError if neither gives it."""
    value = told(frame, dim)
    if value is None and {"XLAT", "XLONG"} <= set(frame.variables) and frame.sizes.get(dim, 0) > 1:
        value = _on_the_earth(frame, dim)
    return spacing(frame, dim) if value is None else value


def _on_the_earth(frame: xr.Dataset, dim: str) -> float | None:
    if dim not in frame["XLAT"].dims:
        return None
    axis = frame["XLAT"].get_axis_num(dim)
    latitude, longitude = (np.radians(frame[name].values.astype(float)) for name in ("XLAT", "XLONG"))
    north = np.sin(np.diff(latitude, axis=axis) / 2) ** 2
    east = np.sin(np.diff(longitude, axis=axis) / 2) ** 2
    middle = np.take(latitude, range(latitude.shape[axis] - 1), axis) + np.diff(latitude, axis=axis) / 2
    arc = 2 * np.arcsin(np.sqrt(north + np.cos(middle) ** 2 * east))
    return float(EARTH_RADIUS * arc.mean()) or None
