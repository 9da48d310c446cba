"""Fields by name: those of the history files, put on mass points, and those derived from them.

Arrays keep the history's dimensions (Time, bottom_top, south_north, west_east), all or some of
them; index 0 is the lowest layer, the southernmost row, the westernmost column. SI units.
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from squall.errors import UserError

G = 9.81
P0 = 1.0e5
KAPPA = 2.0 / 7.0
THETA0 = 300.0

LEVEL = "bottom_top"


@dataclass(frozen=True)
class Derived:
    """How to compute a field, from which of the history's variables."""

    needs: tuple[str, ...]
    units: str
    long_name: str
    standard_name: str
    compute: Callable[[xr.Dataset], xr.DataArray]


def centred(array: xr.DataArray) -> xr.DataArray:
    """The array on mass points: the mean of neighbours along each staggered dimension."""
    variable = array.variable
    for dim in [str(dim) for dim in variable.dims if str(dim).endswith("_stag")]:
        low, high = variable.isel({dim: slice(0, -1)}), variable.isel({dim: slice(1, None)})
        variable = 0.5 * (low + high)
    dims = [str(dim).removesuffix("_stag") for dim in variable.dims]
    return xr.DataArray(variable.data, dims=dims, name=array.name, attrs=array.attrs)


def interface_height(history: xr.Dataset) -> xr.DataArray:
    """Height of the interfaces between layers above sea level [m]."""
    return xr.DataArray((history["PH"].variable + history["PHB"].variable) / G)


def height(history: xr.Dataset) -> xr.DataArray:
    """Height of the layers above sea level [m]."""
    return centred(interface_height(history))


def theta(history: xr.Dataset) -> xr.DataArray:
    """Potential temperature [K]."""
    return centred(history["T"]) + THETA0


def theta_pert(history: xr.Dataset) -> xr.DataArray:
    """Departure of theta from the initial profile at the same height, or, in a history that has no
    such profile (T_BASE on Z_BASE), from the mean of its layer [K]."""
    values = theta(history)
    profile = _initial_profile(history)
    if profile is None:
        return values - values.mean(["south_north", "west_east"])
    return values - THETA0 - _interpolated(height(history), *profile)


def _initial_profile(history: xr.Dataset) -> tuple[Any, Any] | None:
    """Heights [m] and theta - 300 K [K] of the initial profile; None: the history has none."""
    if "T_BASE" not in history or "Z_BASE" not in history:
        return None
    z, t = (history[name].values for name in ("Z_BASE", "T_BASE"))
    return (z, t) if np.all(np.diff(z) > 0) else None  # zeros: a file that was made without


def _interpolated(at: xr.DataArray, x: Any, y: Any) -> xr.DataArray:
    """y(x), linear, on `at`; beyond the ends with the slope there."""
    cell = np.clip(np.searchsorted(x, at.values) - 1, 0, len(x) - 2)
    slope = (y[cell + 1] - y[cell]) / (x[cell + 1] - x[cell])
    return at.copy(data=y[cell] + slope * (at.values - x[cell]))


def pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure on layers [Pa]."""
    return centred(history["P"] + history["PB"])


def temperature(history: xr.Dataset) -> xr.DataArray:
    """Temperature [K]."""
    return theta(history) * (pressure(history) / P0) ** KAPPA


def surface_pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure at the surface [Pa]: PSFC, or the weight of the dry column."""
    if "PSFC" in history:
        return centred(history["PSFC"])
    return centred(history["MU"] + history["MUB"]) + history["P_TOP"]


def wind_speed(history: xr.Dataset) -> xr.DataArray:
    """Horizontal wind speed on layers [m s-1]."""
    u, v = centred(history["U"]), centred(history["V"])
    return u.copy(data=np.hypot(u.values, v.values))


DERIVED = {
    "theta": Derived(("T",), "K", "potential temperature", "air_potential_temperature", theta),
    "theta_pert": Derived(("T", "PH", "PHB"), "K", "potential temperature perturbation", "", theta_pert),
    "temperature": Derived(("T", "P", "PB"), "K", "temperature", "air_temperature", temperature),
    "pressure": Derived(("P", "PB"), "Pa", "pressure", "air_pressure", pressure),
    "surface_pressure": Derived(
        ("MU", "MUB"), "Pa", "surface pressure", "surface_air_pressure", surface_pressure
    ),
    "wind_speed": Derived(("U", "V"), "m s-1", "wind speed", "wind_speed", wind_speed),
    "height": Derived(("PH", "PHB"), "m", "height", "altitude", height),
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
    Select times first: the whole of what `history` holds is read. Raises UserError for a name
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
    axis = array.dims.index(LEVEL)
    a, c = np.moveaxis(array.values, axis, 0), np.moveaxis(coordinate.values, axis, 0)
    result = np.full(a.shape[1:], np.nan)
    for k in range(a.shape[0] - 1):
        inside = (c[k] - value) * (c[k + 1] - value) <= 0
        weight = (value - c[k][inside]) / (c[k + 1][inside] - c[k][inside])
        result[inside] = a[k][inside] + weight * (a[k + 1][inside] - a[k][inside])
    dims = [dim for dim in array.dims if dim != LEVEL]
    return xr.DataArray(result, dims=dims, name=array.name, attrs=array.attrs)
