"""Soundings and time series at a point."""

from typing import Any

import numpy as np
import xarray as xr

from squall import diagnose
from squall.diagnose import parcel, vapour
from squall.diagnose.columns import LEVEL
from squall.diagnose.constants import C_P, FREEZING, KAPPA, P0
from squall.errors import UserError
from squall.geo.projection import Float
from squall.plot import choice
from squall.watch import view as views
from squall.watch.source import Source, calmly
from squall.watch.units import plain
from squall.watch.view import View

_AROUND = 2  # points: enough for differences along the grid
_NUMBERS = ("lapse_rate_700_500", "precipitable_water", "FZLEV", "UH")
_WAYS: tuple[tuple[parcel.Start, str], ...] = (
    ("surface", "surface"), ("mixed_layer", "mixed layer"), ("most_unstable", "most unstable"),
)  # fmt: skip


def check(origin: Source, i: int, j: int) -> None:
    """Raises UserError for a point outside the grid."""
    if not (i < origin.nx and j < origin.ny):
        raise UserError(f"There is no point {i}, {j}: the grid has {origin.nx} x {origin.ny} points.")


def _around(
    origin: Source, index: int | slice, i: int, j: int, field: str = ""
) -> tuple[xr.Dataset, dict[str, int]]:
    """The points around one, and where it is among them."""
    west, south = max(i - _AROUND, 0), max(j - _AROUND, 0)
    east, north = min(i + _AROUND + 1, origin.nx), min(j + _AROUND + 1, origin.ny)
    box = origin.near(index, slice(west, east), slice(south, north), field)
    return box, {"west_east": i - west, "south_north": j - south}


def series(origin: Source, view: View, i: int, j: int, first: int, last: int) -> list[float | None]:
    """Values of a field at a point in frames first to last - 1, in the unit that is shown."""
    check(origin, i, j)
    _, factor, offset = views.unit(origin, view)
    whole = _needs_whole(origin, view.field)
    two = view.field in diagnose.TABLE and diagnose.TABLE[view.field].over_time
    found: list[float | None] = []
    for index in range(first, last):
        if whole:
            raise UserError(
                f"{view.field} is derived from whole layers, so there is no time series at a point."
            )
        begin = max(index - 1, 0) if two else index
        box, at = _around(origin, slice(begin, index + 1), i, j, view.field)
        with calmly():
            frame = choice.frame(box, box.sizes["Time"] - 1, view.field)
            array, _ = choice.on_level(frame, diagnose.field(frame, view.field), view.level or None)
            value = float(array.isel(at).values) * factor + offset
        found.append(_number(value))
    return found


def _needs_whole(origin: Source, field: str) -> bool:
    """theta' without an initial profile is what differs from the mean of the layer."""
    return field == "theta_pert" and not {"T_BASE", "Z_BASE"} <= set(origin.history.variables)


def _number(value: float, digits: int = 5) -> float | None:
    return float(f"{value:.{digits}g}") if np.isfinite(value) else None


def sounding(origin: Source, index: int, i: int, j: int) -> dict[str, Any]:
    """The air above a point: pressure [hPa], height [m], temperature, dew point and that of mixed air that
    rises [°C], wind [m s-1]; and what parcels gain. Raises UserError where the stream has no columns."""
    check(origin, i, j)
    near, at = _around(origin, index, i, j)
    with calmly():

        def column(name: str) -> Float:
            array = diagnose.field(near, name)
            if LEVEL not in array.dims:
                raise UserError(f"This stream has no {name} on the model's layers, which a sounding needs.")
            return np.asarray(array.isel(at).values, float)

        p, t, z = column("pressure"), column("temperature"), column("height")
        moist = "QVAPOR" in near
        q = np.maximum(column("QVAPOR"), 1e-8) if moist else np.full_like(p, 1e-8)
        earth = {"wind_east", "wind_north"} <= set(diagnose.available(near))
        u, v = (column(name) for name in (("wind_east", "wind_north") if earth else ("U", "V")))
        dew = vapour.dew_point(q, p)
        told = _numbers(near, at)
        parcels = _parcels(p, t, q, z) if moist and q.max() > 1e-6 else []
        path = _path(p, t, q) if parcels else None
    profile = {"p": p / 100, "z": z, "t": t - FREEZING, "u": u, "v": v}
    if moist and q.max() > 1e-6:
        profile |= {"dew": dew - FREEZING}
    if path is not None:
        profile |= {"parcel": path - FREEZING}
    rounded = {name: [_number(value) for value in values] for name, values in profile.items()}
    place = _place(near, at)
    return rounded | {"parcels": parcels, "numbers": told, "place": place, "adiabats": adiabats()}


def _place(near: xr.Dataset, at: dict[str, int]) -> dict[str, float] | None:
    if not {"XLAT", "XLONG"} <= set(near.variables):
        return None
    latitude, longitude = (float(near[name].isel(at).values) for name in ("XLAT", "XLONG"))
    return {"latitude": latitude, "longitude": longitude} if latitude or longitude else None


def _parcels(p: Float, t: Float, q: Float, z: Float) -> list[dict[str, Any]]:
    found = []
    for start, name in _WAYS:
        cape, cin, lcl, lfc = (_number(float(value)) for value in parcel.ascent(p, t, q, z, start))
        found.append({"name": name, "cape": cape, "cin": cin, "lcl": lcl, "lfc": lfc})
    return found


def _path(p: Float, t: Float, q: Float) -> Float:
    """Temperature of air mixed over the lowest 100 hPa as it rises through the layers' pressures [K]."""
    start = parcel.mixed(p, t, q)
    at, where = parcel.condensation(start[0], start[1], p[0])
    found, warm, low = np.empty_like(p), at, where
    for k, pressure in enumerate(p):
        if pressure >= where:
            found[k] = start[0] * (pressure / p[0]) ** KAPPA
        else:
            warm, low = parcel.saturated_ascent(warm, low, pressure), pressure
            found[k] = warm
    return found


def _numbers(near: xr.Dataset, at: dict[str, int]) -> list[dict[str, Any]]:
    """Fields of one value a column that say something of storms."""
    known = diagnose.available(near)
    found = []
    for name in (name for name in _NUMBERS if name in known):
        array = diagnose.field(near, name)
        row = diagnose.TABLE[name]
        value = _number(float(array.isel(at).values), 3)
        found.append({"name": row.long_name, "value": value, "unit": plain(_shown(row.units))})
    return found


def _shown(units: str) -> str:
    from squall.plot import style

    return style.shown(units)[0]


def adiabats() -> dict[str, Any]:
    """Temperatures [°C] along moist adiabats, one for each temperature at 1000 hPa, on pressures [hPa]."""
    pressure = np.arange(1050.0, 90.0, -25.0)
    starts = np.arange(-20.0, 37.0, 8.0)
    curves = []
    for start in starts:
        warm = parcel.saturated_ascent(np.float64(start + FREEZING), np.float64(P0), np.float64(105000.0))
        curve = [float(warm)]
        for low, high in zip(pressure[:-1] * 100, pressure[1:] * 100, strict=True):
            warm = parcel.saturated_ascent(warm, low, high)
            curve.append(float(warm))
        curves.append([round(value - FREEZING, 2) for value in curve])
    return {"p": pressure.tolist(), "moist": curves, "kappa": KAPPA, "c_p": C_P}
