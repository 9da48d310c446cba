"""What the axes of netCDF variables say: times, levels, layers of soil."""

from datetime import datetime, timedelta

import numpy as np
import xarray as xr

from squall.prepare.sources.grib_names import ECMWF_LAYERS

PRESSURE_UNITS = {"pa": 1.0, "hpa": 100.0, "mb": 100.0, "mbar": 100.0, "millibar": 100.0, "millibars": 100.0}

_X_NAMES = {"x", "lon", "longitude", "rlon", "west_east", "lon_0", "xc", "easting"}
_Y_NAMES = {"y", "lat", "latitude", "rlat", "south_north", "lat_0", "yc", "northing"}
_X_STANDARD = {"longitude", "projection_x_coordinate", "grid_longitude"}
_Y_STANDARD = {"latitude", "projection_y_coordinate", "grid_latitude"}


def role(dataset: xr.Dataset, name: str) -> str:
    """What a dimension is: time, step, x, y, pressure, hybrid, height, soil, version, member or other."""
    if name in ("expver", "number", "step"):
        return {"expver": "version", "number": "member", "step": "step"}[name]
    lowered = name.lower()
    axis = dataset.get(name)
    if axis is None:
        return "x" if lowered in _X_NAMES else "y" if lowered in _Y_NAMES else "other"
    if np.issubdtype(axis.dtype, np.datetime64):
        return "time"
    standard, units = axis.attrs.get("standard_name", ""), str(axis.attrs.get("units", "")).lower()
    if standard in _X_STANDARD or units.startswith("degrees_e") or lowered in _X_NAMES:
        return "x"
    if standard in _Y_STANDARD or units.startswith("degrees_n") or lowered in _Y_NAMES:
        return "y"
    if "hybrid" in standard or "hybrid" in lowered or "formula_terms" in axis.attrs:
        return "hybrid"
    return _vertical_role(axis, lowered, standard, units)


def _vertical_role(axis: xr.DataArray, lowered: str, standard: str, units: str) -> str:
    if standard in ("air_pressure", "pressure") or units in PRESSURE_UNITS:
        return "pressure"
    if standard == "depth" or "depth" in lowered or "soil" in lowered or "dbll" in lowered:
        return "soil"
    if standard == "height" or "height" in lowered or "htgl" in lowered:
        return "height"
    if lowered in ("level", "lev", "plev", "isobaric", "pressure_level", "model_level"):
        # Without units: many whole numbers from 1 upwards are model levels.
        values = np.asarray(axis.values, float)
        return "hybrid" if values.max() - values.min() == len(values) - 1 else "pressure"
    return "other"


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
    return tuple((scale * float(a.values[n]), float(b.values[n])) for n in places)


def _moment(value: np.datetime64) -> datetime:
    """A time to the nearest second."""
    made: datetime = (value + np.timedelta64(500, "ms")).astype("datetime64[s]").item()
    return made


def times_of(
    dataset: xr.Dataset, variable: xr.DataArray, axes: dict[str, str]
) -> list[tuple[datetime | None, dict[str, int]]]:
    """Each time of a variable and the indices that pick it; None: it says none."""
    kinds: tuple[str, ...] = ("time", "step")
    named = {kind: axes[kind] for kind in kinds if kind in axes}
    sizes = [variable.sizes[name] for name in named.values()]
    made = []
    for indices in np.ndindex(*sizes):
        place = dict(zip(named.values(), (int(n) for n in indices), strict=True))
        made.append((_time(dataset, variable, place, named), place))
    return made


def _time(
    dataset: xr.Dataset, variable: xr.DataArray, place: dict[str, int], named: dict[str, str]
) -> datetime | None:
    for name in ("valid_time", named.get("time", "time"), "time"):
        axis = variable.coords.get(name)
        if axis is None or not np.issubdtype(axis.dtype, np.datetime64):
            continue
        value = axis.isel({key: n for key, n in place.items() if key in axis.dims})
        if value.size != 1:
            continue
        start = _moment(value.values.reshape(-1)[0])
        if name == "valid_time" or "step" not in place:
            return start
        step = dataset["step"].values[place["step"]] / np.timedelta64(1, "s")
        return start + timedelta(seconds=float(step))
    return _time_of_ncl(variable)


def _time_of_ncl(variable: xr.DataArray) -> datetime | None:
    if "initial_time" not in variable.attrs:
        return None
    start = datetime.strptime(str(variable.attrs["initial_time"]), "%m/%d/%Y (%H:%M)")
    return start + timedelta(hours=float(np.ravel(variable.attrs.get("forecast_time", 0))[0]))
