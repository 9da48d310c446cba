"""Interprets the axes of netCDF variables: horizontal, levels, soil layers."""

import re
from typing import Literal

import numpy as np
import xarray as xr
from numpy.typing import NDArray

from squall.prepare.sources.grib_names import ECMWF_LAYERS
from squall.prepare.sources.netcdf_times import is_time

PRESSURE_UNITS = {"pa": 1.0, "hpa": 100.0, "mb": 100.0, "mbar": 100.0, "millibar": 100.0, "millibars": 100.0}

_LON = re.compile(r"lon(gitude)?s?(_?\d+)?|nav_lon|xlong", re.IGNORECASE)
_LAT = re.compile(r"lat(itude)?s?(_?\d+)?|nav_lat|xlat", re.IGNORECASE)
_X_NAMES = {"x", "rlon", "west_east", "xc", "easting"}
_Y_NAMES = {"y", "rlat", "south_north", "yc", "northing"}
_X_STANDARD = {"longitude", "projection_x_coordinate", "grid_longitude"}
_Y_STANDARD = {"latitude", "projection_y_coordinate", "grid_latitude"}
_EAST = re.compile(r"degrees?_?(e|east)")
_NORTH = re.compile(r"degrees?_?(n|north)")
_MEMBER = re.compile(
    r"number|mem(b(er)?)?s?|ens(emble)?s?(_?(mem(ber)?s?|number|id))?\d*|reali[sz]ations?|perturbation(_?number)?",
    re.IGNORECASE,
)
_STEP = re.compile(r"step|lead_?time|prediction_timedelta|(forecast|fcst|f)_?(hour|period)s?")
_LEVEL_NAMES = ("level", "lev", "plev", "isobaric", "pressure_level", "model_level")
_NO_UNITS = {"", "1", "level", "levels", "layer", "layers", "millibar or number", "count", "index", "none"}
_LENGTHS = {
    "m": 1.0, "meter": 1.0, "meters": 1.0, "metre": 1.0, "metres": 1.0, "km": 1000.0, "kilometer": 1000.0,
    "kilometers": 1000.0, "kilometre": 1000.0, "kilometres": 1000.0,
}  # fmt: skip

Meaning = Literal["earth", "rotated", "plane", "degrees", "nothing"]


def role(dataset: xr.Dataset, name: str) -> str:
    """The role of a dimension: time, step, x, y, pressure, hybrid, height, soil, version, member or other."""
    lowered = name.lower()
    if lowered == "expver":
        return "version"
    axis = dataset.get(name)
    if axis is None:
        return _role_by_name(lowered)
    attributes = axis.attrs
    standard, units = attributes.get("standard_name", ""), _units(axis)
    if standard == "forecast_period" or _STEP.fullmatch(lowered) or np.issubdtype(axis.dtype, np.timedelta64):
        return "step"
    if role_of_member(lowered, axis):
        return "member"
    if is_time(axis):
        return "time"
    if standard in _X_STANDARD or _EAST.fullmatch(units) or lowered in _X_NAMES or _LON.fullmatch(lowered):
        return "x"
    if standard in _Y_STANDARD or _NORTH.fullmatch(units) or lowered in _Y_NAMES or _LAT.fullmatch(lowered):
        return "y"
    if attributes.get("axis") in ("X", "Y"):
        return str(attributes["axis"]).lower()
    if "hybrid" in standard or "hybrid" in lowered or "formula_terms" in attributes:
        return "hybrid"
    return _vertical_role(axis, lowered, standard, units)


def role_of_member(name: str, axis: xr.DataArray) -> bool:
    """Whether an axis counts the members of an ensemble."""
    return axis.attrs.get("standard_name") == "realization" or bool(_MEMBER.fullmatch(name))


def _role_by_name(lowered: str) -> str:
    if _MEMBER.fullmatch(lowered):
        return "member"
    if _STEP.fullmatch(lowered):
        return "step"
    if lowered in _X_NAMES or _LON.fullmatch(lowered):
        return "x"
    return "y" if lowered in _Y_NAMES or _LAT.fullmatch(lowered) else "other"


def _units(axis: xr.DataArray) -> str:
    return str(axis.attrs.get("units", axis.encoding.get("units", ""))).strip().lower()


def _vertical_role(axis: xr.DataArray, lowered: str, standard: str, units: str) -> str:
    if standard in ("air_pressure", "pressure") or units in PRESSURE_UNITS:
        return "pressure"
    if standard == "depth" or "depth" in lowered or "soil" in lowered or "dbll" in lowered:
        return "soil"
    if standard in ("height", "altitude") or "height" in lowered or "htgl" in lowered:
        return "height"
    known = standard in ("", "model_level_number") and units in _NO_UNITS and axis.dtype.kind in "fiu"
    if lowered in _LEVEL_NAMES and known:
        # Without units: many whole numbers from 1 upwards are model levels.
        values = np.asarray(axis.values, float)
        return "hybrid" if values.max() - values.min() == len(values) - 1 else "pressure"
    return "other"


def meaning(axis: xr.DataArray) -> tuple[Meaning, NDArray[np.float64], str]:
    """The meaning of a horizontal axis, from its units and standard name, else its name: degrees
    east or north on the Earth, degrees of a rotated grid, m on a plane, degrees of who knows what, or nothing
    that places them; the numbers in degrees or m; and in words what the file says."""
    values = np.asarray(axis.values, np.float64)
    standard, units, name = str(axis.attrs.get("standard_name", "")), _units(axis), str(axis.name)
    told = f"{name}: " + ", ".join(
        [standard.replace("_", " ")] * bool(standard) + [f"units {units!r}" if units else "no units"]
    )
    if units in _LENGTHS:
        return "plane", values * _LENGTHS[units], told
    if units in ("radian", "radians", "rad"):
        values, units = np.degrees(values), "degrees"
    if standard in ("grid_longitude", "grid_latitude") or name.lower() in ("rlon", "rlat"):
        return "rotated", values, told
    if standard in ("longitude", "latitude") or _EAST.fullmatch(units) or _NORTH.fullmatch(units):
        return "earth", values, told
    if standard.startswith("projection_"):
        return ("plane" if units == "" else "nothing"), values, told
    if units in ("degrees", "degree", "deg", ""):
        words = str(axis.attrs.get("long_name", "")).lower()
        if _LON.fullmatch(name) or _LAT.fullmatch(name) or words in ("longitude", "latitude"):
            return "earth", values, told
        if units:
            return "degrees", values, told
    return "nothing", values, told


def pressures(axis: xr.DataArray) -> tuple[float, ...]:
    """Pressure levels in Pa; without units, numbers up to 1200 are hPa."""
    values = np.asarray(axis.values, np.float64)
    units = str(axis.attrs.get("units", "")).lower()
    factor = PRESSURE_UNITS.get(units, 100.0 if values.max() < 1200 else 1.0)
    return tuple(float(p) for p in np.round(values * factor, 3))


def soil_layers(dataset: xr.Dataset, name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Lower and upper edges in m, from the bounds of the axis or, without, from known sets."""
    axis = dataset[name]
    bounds = dataset.get(str(axis.attrs.get("bounds", f"{name}_bounds")))
    factor = 0.01 if str(axis.attrs.get("units", "m")).lower() == "cm" else 1.0
    if bounds is not None:
        edges = np.sort(np.asarray(bounds.values, float), axis=1) * factor
        return tuple(edges[:, 1].tolist()), tuple(edges[:, 0].tolist())
    if axis.size == len(ECMWF_LAYERS) and axis.values[0] < 0.06:
        return tuple(bottom for _, bottom in ECMWF_LAYERS), tuple(top for top, _ in ECMWF_LAYERS)
    lower = np.asarray(axis.values, float) * factor
    return tuple(lower.tolist()), (0.0, *lower[:-1].tolist())


def hybrid_coefficients(
    dataset: xr.Dataset, name: str, levels: tuple[float, ...]
) -> tuple[tuple[float, float], ...]:
    """a in Pa and b of each model level: those that formula_terms name, or CDO's hyam and hybm; none:
    the file lacks them."""
    axis = dataset[name]
    words = str(axis.attrs.get("formula_terms", "")).replace(":", " ").split()
    terms = dict(zip(words[::2], words[1::2], strict=False))
    a = dataset.get(terms.get("ap", terms.get("a", "hyam")))
    b = dataset.get(terms.get("b", "hybm"))
    if a is None or b is None:
        return ()
    scale = float(dataset[terms["p0"]]) if "ap" not in terms and terms.get("p0") in dataset else 1.0
    # A part of the levels may go with the coefficients of all.
    places = range(len(levels)) if a.size == len(levels) else [int(level) - 1 for level in levels]
    if min(places) < 0 or max(places) >= a.size:
        return ()
    return tuple((scale * float(a.values[n]), float(b.values[n])) for n in places)
