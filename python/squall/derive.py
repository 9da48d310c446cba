"""Fields by name: those of the history files, put on mass points, and those derived from them
(squall.air, squall.weather)."""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from squall import air, weather
from squall.air import LEVEL, centred
from squall.errors import UserError


@dataclass(frozen=True)
class Derived:
    """How to compute a field, from which of the history's variables."""

    needs: tuple[str, ...]
    units: str
    long_name: str
    standard_name: str
    compute: Callable[[xr.Dataset], xr.DataArray]


DERIVED = {
    "theta": Derived(("T",), "K", "potential temperature", "air_potential_temperature", air.theta),
    "theta_pert": Derived(("T", "PH", "PHB"), "K", "potential temperature perturbation", "", air.theta_pert),
    "temperature": Derived(("T", "P", "PB"), "K", "temperature", "air_temperature", air.temperature),
    "pressure": Derived(("P", "PB"), "Pa", "pressure", "air_pressure", air.pressure),
    "surface_pressure": Derived(
        ("MU", "MUB"), "Pa", "surface pressure", "surface_air_pressure", air.surface_pressure
    ),
    "sea_level_pressure": Derived(
        ("T", "P", "PB", "PH", "PHB", "PSFC"),
        "Pa",
        "sea-level pressure",
        "air_pressure_at_mean_sea_level",
        weather.sea_level_pressure,
    ),
    "wind_speed": Derived(("U", "V"), "m s-1", "wind speed", "wind_speed", air.wind_speed),
    "wind_speed_10m": Derived(
        ("U", "V", "PH", "PHB"), "m s-1", "wind speed at 10 m", "", weather.wind_speed_10m
    ),
    "vorticity": Derived(
        ("U", "V"), "s-1", "relative vorticity", "atmosphere_upward_relative_vorticity", weather.vorticity
    ),
    "precipitation": Derived(
        ("RAINNC",), "mm", "accumulated precipitation", "precipitation_amount", weather.precipitation
    ),
    "height": Derived(("PH", "PHB"), "m", "height", "altitude", air.height),
}


_IN_WORDS = {"U": "wind along x", "V": "wind along y", "W": "vertical wind"}


def available(history: xr.Dataset) -> list[str]:
    """The names that `field` knows for a history, derived ones first."""
    derived = [name for name, how in DERIVED.items() if all(need in history for need in how.needs)]
    return derived + [str(name) for name, array in history.data_vars.items() if _is_field(array)]


def _is_field(array: xr.DataArray) -> bool:
    horizontal = {str(dim).removesuffix("_stag") for dim in array.dims}
    return {"south_north", "west_east"} <= horizontal and array.dtype.kind in "fi"


def field(history: xr.Dataset, name: str) -> xr.DataArray:
    """A field on mass points, with the attributes units and long_name.

    `name` is a variable of the history, a derived field or a CF standard name of one of them.
    Select times first: the whole of what `history` holds is read, unless its arrays are Dask's, as the result
    then is. Raises UserError for a name
    that is none of these, listing those that are.
    """
    names = available(history)
    found = name if name in names else _by_standard_name(history, name, names)
    if found is None:
        raise UserError(_unknown(name, names))
    if found not in DERIVED:
        array = centred(history[found])
        array.attrs.setdefault("units", "")
        array.attrs["long_name"] = _IN_WORDS.get(found) or history[found].attrs.get("description", found)
    else:
        how = DERIVED[found]
        array = how.compute(history)
        array.attrs = {"units": how.units, "long_name": how.long_name}
    array.name = found
    return array


def _by_standard_name(history: xr.Dataset, name: str, names: list[str]) -> str | None:
    for known in names:
        how = DERIVED.get(known)
        if name == (how.standard_name if how else history[known].attrs.get("standard_name")):
            return known
    return None


def _unknown(name: str, names: list[str]) -> str:
    folded = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), folded, n=1)
    hint = f" Did you mean {folded[near[0]]}?" if near else ""
    return f"There is no field {name}.{hint} This run has: {', '.join(names)}."


def on_surface(array: xr.DataArray, coordinate: xr.DataArray, value: float) -> xr.DataArray:
    """The array where `coordinate` (on the same layers, monotonic upwards) has a value; linear between
    layers, NaN where the value is outside them."""
    if LEVEL not in array.dims:
        raise UserError(f"{array.name} has no levels.")

    def of_columns(a: Any, c: Any) -> Any:
        result = np.full(np.broadcast_shapes(a.shape, c.shape)[:-1], np.nan)
        for k in range(a.shape[-1] - 1):
            low, high = c[..., k], c[..., k + 1]
            inside = (low - value) * (high - value) <= 0
            weight = (value - low[inside]) / (high[inside] - low[inside])
            result[inside] = a[..., k][inside] + weight * (a[..., k + 1][inside] - a[..., k][inside])
        return result

    found = air.along_levels(of_columns, array, coordinate).rename(array.name)
    return found.assign_attrs(array.attrs)
