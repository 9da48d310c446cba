"""The field that is drawn of a run on the globe: which, on which layer, along which parallel or meridian."""

import numpy as np
import xarray as xr

from squall import quantity
from squall.errors import UserError
from squall.geo import maps
from squall.geo.globe import LEVEL, wrapped
from squall.plot import choice, style, track
from squall.plot.choice import Choice

ZONAL = "zonal"


def drawable(history: xr.Dataset) -> dict[str, xr.DataArray]:
    """The fields that lie on the globe and change in time, by name."""
    found = {str(name): array for name, array in history.data_vars.items()}
    return {n: a for n, a in found.items() if {"Time", "lat"} <= set(a.dims) and a.dtype.kind == "f"}


def field(history: xr.Dataset, name: str | None) -> xr.DataArray:
    """The field of a name or CF standard name; None: the first column, or else the first field. Raises
    UserError for one that there is not."""
    known = drawable(history)
    if name is None:
        return next((a for n, a in known.items() if n.endswith("_column")), next(iter(known.values())))
    by_standard = {str(a.attrs.get("standard_name")): a for a in reversed(known.values())}
    if name not in known | by_standard:
        raise UserError(choice.unknown("field", name, list(known), "This stream has"))
    return (by_standard | known)[name]


def described(array: xr.DataArray) -> tuple[str, str, float]:
    """What a field is, its unit as it is drawn, and the factor to that."""
    unit, factor = style.shown(str(array.attrs.get("units", "")))
    return str(array.attrs.get("long_name", array.name)), unit, factor


def on_level(array: xr.DataArray, text: str | None) -> tuple[xr.DataArray, str]:
    """A field on the layer that is chosen by index or, the nearest, by pressure, and that in words; None: the
    lowest. Raises UserError for a layer that there is not."""
    if LEVEL not in array.dims:
        if text is not None:
            raise UserError(f"--level {text}: {array.name} has no levels.")
        return array, ""
    pressures = array[LEVEL].values
    if text is None or choice.is_index(text):
        number = choice.index(text or "0", "level", len(pressures), ' A pressure needs a unit: "500 hPa".')
    else:
        number = _nearest(pressures, text)
    return array.isel({LEVEL: number}), f"at {pressures[number] / 100:.3g} hPa"


def _nearest(pressures: np.ndarray, text: str) -> int:
    try:
        asked = quantity.parse(text, "pressure").value
    except ValueError as error:
        raise UserError(f"--level {text}: expected an index or a pressure: {error}.") from None
    off = np.abs(np.log(pressures / asked)) if asked > 0 else np.array([np.inf])
    widest = float(np.abs(np.diff(np.log(pressures))).max()) if len(pressures) > 1 else 0.1
    if off.min() > widest:
        low, high = sorted((pressures[0] / 100, pressures[-1] / 100))
        raise UserError(f"--level {text}: the layers lie between {low:.4g} and {high:.4g} hPa.")
    return int(off.argmin())


def along(array: xr.DataArray, text: str, option: str) -> tuple[xr.DataArray, str, str]:
    """A field's mean over longitudes ("zonal"), or its row or column nearest to "lat=30" or "lon=-97"; the
    dimension that is left, and words for the title. Raises UserError for what is none of these."""
    if "lon" not in array.dims:
        if text != ZONAL:
            raise UserError(f"{option} {text}: this stream has zonal means: choose {option} {ZONAL}.")
        return array, "lat", "zonal mean"
    if text == ZONAL:
        return array.mean("lon", keep_attrs=True), "lat", "zonal mean"
    axis, _, where = (part.strip() for part in text.partition("="))
    if axis not in ("lat", "lon") or not where:
        raise UserError(f'{option} {text}: expected "{ZONAL}", "lat=30" or "lon=-97".')
    asked = track.coordinate(where, text, option)
    places = array[axis].values
    off = np.abs(places - asked if axis == "lat" else wrapped(places - asked))
    number = int(off.argmin())
    step = float(np.diff(places).mean()) if len(places) > 1 else 0.0
    if off[number] > abs(step) * 1.01:
        raise UserError(
            f"{option} {text}: the stream has {axis} {places[0]:.4g} to {places[-1]:.4g} degrees."
        )
    name = maps.degree_name(float(f"{places[number]:.4g}"), "NS" if axis == "lat" else "EW")
    return array.isel({axis: number}), "lon" if axis == "lat" else "lat", f"at {name}"


def scale(array: xr.DataArray, chosen: Choice, *values: np.ndarray) -> style.Scale:
    """Colours for values as they are drawn, as the user asks for them."""
    return style.asked(style.amounts(str(array.name), *values), chosen.limits, chosen.colours)
