"""Surface pressure, sea-level pressure, temperature and vapour at 2 m, and wind at 10 m."""

from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import air, vapour, wind
from squall.diagnose.columns import LEVEL, of_points
from squall.diagnose.constants import KAPPA, LAPSE, P0, R_D, G
from squall.diagnose.staggering import centred

ROUGHNESS_LAND, ROUGHNESS_WATER = 0.1, 2e-4  # m


def surface_pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure at the surface [Pa]: PSFC, or the weight of the dry column, MU + MUB + P_TOP. A PSFC of 0
    counts as missing."""
    column = None
    if {"MU", "MUB", "P_TOP"} <= set(history.variables):
        column = centred(history["MU"] + history["MUB"]) + history["P_TOP"]
    if "PSFC" not in history:
        return centred(history["MU"] + history["MUB"]) + history["P_TOP"]
    pressure = centred(history["PSFC"])
    return pressure.where(pressure > 0, np.nan if column is None else column)


def sea_level_pressure(history: xr.Dataset) -> xr.DataArray:
    """Pressure at sea level [Pa]: below ground the lapse rate is that of the standard atmosphere, adjusted
    where the ground is very warm or cold.

    Source: Trenberth, Berry and Buja (1993), NCAR/TN-396+STR, section 4, the method of ECMWF; their
    series in closed form, with virtual temperature from the lowest layer with 12 hPa, some 100 m, of air
    below it.
    """
    ground, pressure = air.surface_height(history), surface_pressure(history)
    layer = _representative_layer(history)

    def aloft(array: xr.DataArray) -> xr.DataArray:
        return array.isel({LEVEL: layer})

    temperature = aloft(air.virtual_temperature(history))
    surface = temperature * (pressure / aloft(air.pressure(history))) ** (R_D * LAPSE / G)
    return pressure * of_points(np.exp, of_points(_logarithm, surface, ground))


def _representative_layer(history: xr.Dataset) -> int:
    """The lowest with 12 hPa of air below it in a column that weighs 1000 hPa; the highest where none has;
    the first in a history without eta levels."""
    if not {"ZNU", "P_TOP"} <= set(history.variables):
        return 0
    znu = np.asarray(history["ZNU"].values)
    below = (1 - znu.reshape(-1, znu.shape[-1])[0]) * (P0 - np.ravel(history["P_TOP"].values)[0])
    deep = np.flatnonzero(below >= 1200.0)
    return int(deep[0]) if deep.size else znu.shape[-1] - 1


def _logarithm(surface: Any, ground: Any) -> Any:
    """Of the pressure at sea level over that at the surface, from temperature [K] and height [m] there."""
    top, lapse = _below_ground(surface, ground)
    exponent = G * ground / (R_D * top)
    a = lapse * R_D / G
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(a > 0, np.log1p(a * exponent) / a, exponent)


def _below_ground(surface: Any, ground: Any) -> tuple[Any, Any]:
    """Temperature at the top of the column below the ground [K], and its lapse rate [K m-1], above 0
    where it is not even."""
    sea = surface + LAPSE * ground
    hot = 290.5
    top = np.where(surface < 255.0, 0.5 * (surface + 255.0), surface)
    top = np.where(surface > hot, 0.5 * (surface + hot), top)
    with np.errstate(invalid="ignore", divide="ignore"):
        tempered = np.where(surface > hot, 0.0, (hot - surface) / ground)
    return top, np.where((sea > hot) & (ground > 0), tempered, LAPSE)


def wind_10m(history: xr.Dataset) -> tuple[xr.DataArray, xr.DataArray]:
    """Wind at 10 m along the grid [m s-1]: U10 and V10, or else the wind of the lowest layer reduced by the
    neutral logarithmic profile over land or water (LANDMASK; without it, land)."""
    if "U10" in history and "V10" in history:
        return centred(history["U10"]), centred(history["V10"])
    share = _share(history, 10.0)
    u, v = (centred(history[name].isel({LEVEL: 0})) for name in ("U", "V"))
    return u * share, v * share


def wind_gust(history: xr.Dataset) -> xr.DataArray:
    """Gust speed at 10 m [m s-1]: the wind at 10 m plus the largest excess of the wind in the mixed layer
    over it, weighted from 1 at the ground to one half at 1 km and above. The mixed layer is the air above the
    ground whose virtual potential temperature exceeds that of the lowest layer by at most 0.5 K.

    Source: Benjamin et al. (2002), RUC20 - the 20-km version of the Rapid Update Cycle, NOAA.
    """
    mean = wind.speed(history, *wind_10m(history))
    theta = air.virtual_temperature(history) * (P0 / air.pressure(history)) ** KAPPA
    mixed = (theta <= theta.isel({LEVEL: 0}) + 0.5).astype(float).cumprod(LEVEL)
    share = 1 - ((air.height(history) - air.surface_height(history)) / 2000.0).clip(max=0.5)
    excess = share * (wind.speed(history, *wind.along_grid(history)) - mean)
    found: xr.DataArray = mean + excess.where(mixed > 0, 0.0).max(LEVEL).clip(min=0.0)
    return found


def temperature_2m(history: xr.Dataset) -> xr.DataArray:
    """Temperature at 2 m [K]: T2, or interpolated between the ground (TSK) and the lowest layer by the
    neutral logarithmic profile of potential temperature, with the same roughness for heat as for wind."""
    if "T2" in history:
        return centred(history["T2"])
    pressure = surface_pressure(history)
    ground = centred(history["TSK"]) * (P0 / pressure) ** KAPPA
    theta = ground + (air.theta(history).isel({LEVEL: 0}) - ground) * _share(history, 2.0)
    weight = air.density(history).isel({LEVEL: 0}) * (2.0 * G)  # Pa of the air below 2 m
    return theta * ((pressure - weight) / P0) ** KAPPA


def mixing_ratio_2m(history: xr.Dataset) -> xr.DataArray:
    """Vapour mixing ratio at 2 m [kg kg-1]: Q2, or over water interpolated between saturation at TSK and the
    lowest layer by the neutral logarithmic profile; over land that of the lowest layer, because the wetness
    of the ground is unknown."""
    if "Q2" in history:
        return centred(history["Q2"])
    lowest = air.mixing_ratio(history).isel({LEVEL: 0})
    at_sea = vapour.saturation_mixing_ratio(centred(history["TSK"]), surface_pressure(history))
    over_water = at_sea + (lowest - at_sea) * _share(history, 2.0)
    return lowest.where(_land(history, lowest), over_water)


def _land(history: xr.Dataset, like: xr.DataArray) -> xr.DataArray:
    """Where there is land; everywhere in a history without LANDMASK."""
    if "LANDMASK" not in history:
        return xr.ones_like(like, bool)
    return centred(history["LANDMASK"]) >= 0.5


def _share(history: xr.Dataset, height: float) -> xr.DataArray:
    """Of the way from the ground's value to that of the lowest layer, at a height [m] above the ground, by
    the logarithmic profile of neutral air (Stull 1988, section 9.7)."""
    lowest = air.height(history).isel({LEVEL: 0}) - air.surface_height(history)
    roughness = xr.full_like(lowest, ROUGHNESS_LAND).where(_land(history, lowest), ROUGHNESS_WATER)
    return of_points(np.log, height / roughness) / of_points(np.log, lowest / roughness)
