"""Surfaces that fields are brought to, and how callers name them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import xarray as xr

from squall import quantity
from squall.diagnose import levels
from squall.diagnose.columns import LEVEL
from squall.errors import UserError

Kind: TypeAlias = Literal["pressure", "height", "height_above_ground", "theta"]

_ABOVE_GROUND = re.compile(r"\s+(?:above (?:the )?ground|agl)\s*$", re.I)
_ABOVE_GROUND_KINDS: tuple[quantity.Kind, ...] = ("length",)
_KINDS: dict[quantity.Kind, Kind] = {"pressure": "pressure", "length": "height", "temperature": "theta"}


@dataclass(frozen=True)
class Surface:
    """A surface of constant pressure [Pa], height above sea level or above ground [m], or potential
    temperature [K]; with several values, several surfaces."""

    kind: Kind
    value: float | tuple[float, ...]


#: What `field` accepts as a level.
Level: TypeAlias = Surface | str | int | Sequence[str]


@dataclass(frozen=True)
class _Axis:
    """The coordinate of a kind, under the name and with the attributes that streams with levels have."""

    name: str
    attributes: dict[str, str]


def _axis(name: str, long_name: str, standard_name: str, units: str, positive: str) -> _Axis:
    told = {"standard_name": standard_name, "long_name": long_name, "units": units}
    return _Axis(name, told | {"axis": "Z", "positive": positive})


_AXES: dict[Kind, _Axis] = {
    "pressure": _axis("pressure_level", "pressure", "air_pressure", "Pa", "down"),
    "height": _axis("height_level", "height above sea level", "altitude", "m", "up"),
    "height_above_ground": _axis("ground_level", "height above the ground", "height", "m", "up"),
    "theta": _axis("theta_level", "potential temperature", "air_potential_temperature", "K", "up"),
}


def parse(level: Level) -> Surface | int:
    """The surface, or the index of the layer, that a caller names. Raises UserError for what is neither."""
    if isinstance(level, Surface):
        return level
    if isinstance(level, str):
        return int(level) if re.fullmatch(r"\s*[-+]?\d+\s*", level) else _one(level)
    if isinstance(level, int | np.integer):
        return int(level)
    if isinstance(level, Sequence) and level and all(isinstance(text, str) for text in level):
        found = [_one(text) for text in level]
        kinds = {surface.kind for surface in found}
        if len(kinds) > 1:
            raise UserError(f"level {list(level)}: the levels of one field must be all of one kind.")
        return Surface(found[0].kind, tuple(float(np.ravel(surface.value)[0]) for surface in found))
    raise UserError(f"level {level!r}: {_EXPECTED}.")


_EXPECTED = (
    'expected a pressure such as "850 hPa", a height such as "2 km" or "100 m above ground", a potential '
    'temperature such as "320 K", a list of these, or the index of a layer'
)


def _one(text: str) -> Surface:
    bare, above = _ABOVE_GROUND.subn("", text)
    try:
        asked = quantity.parse(bare, *_ABOVE_GROUND_KINDS if above else _KINDS)
    except ValueError:
        raise UserError(f'level "{text}": {_EXPECTED}.') from None
    return Surface("height_above_ground" if above else _KINDS[asked.kind], asked.value)


def layer(array: xr.DataArray, number: int) -> xr.DataArray:
    """A layer of an array, from 0 at the ground; negative numbers count from the top."""
    if LEVEL not in array.dims:
        raise UserError(f"{array.name} has no levels.")
    size = array.sizes[LEVEL]
    if not -size <= number < size:
        raise UserError(
            f"level {number}: {array.name} has layers 0 to {size - 1}. A height or pressure needs a unit: "
            f'"{abs(number)} m", "{abs(number)} hPa".'
        )
    return array.isel({LEVEL: number})


def on(history: xr.Dataset, array: xr.DataArray, surface: Surface) -> xr.DataArray:
    """Layer values on the surface; several values are a dimension in place of the layers. Without layers, the
    surface itself where the array has it. Raises UserError where there is none of both."""
    axis = _AXES[surface.kind]
    if LEVEL not in array.dims and axis.name in array.dims:
        return _of_its_own(history, array, surface, axis)
    values: Any = surface.value if isinstance(surface.value, int | float) else list(surface.value)
    if surface.kind == "pressure":
        found = levels.on_pressure(history, array, values)
    elif surface.kind == "theta":
        found = levels.on_theta(history, array, values)
    else:
        found = levels.on_height(history, array, values, surface.kind == "height_above_ground")
    made = {"pressure": "pressure", "theta": "theta"}.get(surface.kind, "height")
    if made in found.dims:
        found = found.drop_vars(made).rename({made: axis.name})
    return found.assign_coords({axis.name: coordinate(surface)})


def coordinate(surface: Surface) -> xr.Variable:
    """The values of a surface as a coordinate: a number, or along the dimension that they are."""
    axis = _AXES[surface.kind]
    dims = () if isinstance(surface.value, int | float) else (axis.name,)
    return xr.Variable(dims, np.asarray(surface.value, float), axis.attributes)


def _of_its_own(history: xr.Dataset, array: xr.DataArray, surface: Surface, axis: _Axis) -> xr.DataArray:
    there = np.asarray(history[axis.name].values, float)
    wanted = np.asarray(surface.value, float)
    nearest = np.abs(there[:, None] - wanted.ravel()).argmin(0)
    if not np.allclose(there[nearest], wanted.ravel(), rtol=1e-6, atol=0):
        known = ", ".join(f"{value:g}" for value in there)
        raise UserError(f"{array.name} lies on {axis.attributes['long_name']} {known} {_unit(axis)} alone.")
    chosen = array.isel({axis.name: nearest if wanted.ndim else int(nearest[0])})
    return chosen.assign_coords({axis.name: coordinate(surface)})


def _unit(axis: _Axis) -> str:
    return axis.attributes["units"]
