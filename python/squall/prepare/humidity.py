"""Mixing ratio from what analyses call humidity.

Saturation is over liquid water, or over water and ice mixed as the producer of the relative
humidity defines it: "ecmwf" goes quadratically from ice at 250.16 K and below to water at 273.16 K
(IFS documentation, part IV, section 7.4.2), "gfs" linearly from ice at 253.16 K to water at
273.16 K (NCEP's Unified Post Processor). Pressures of saturation are those of the IFS (Buck 1981
over water, Alduchov and Eskridge 1996 over ice).
"""

import numpy as np
from numpy.typing import NDArray

from squall.prepare.constants import EPSILON
from squall.prepare.sources.piece import Saturation

Array = NDArray[np.float32]

IN_WORDS = {
    "water": "relative humidity is taken as over liquid water",
    "ecmwf": "relative humidity is taken as ECMWF's: over water and ice mixed between 250 and 273 K",
    "gfs": "relative humidity is taken as the GFS's: over water and ice mixed between 253 and 273 K",
}


def saturation_pressure(temperature: Array, over: Saturation = "water") -> Array:
    """Pressure of vapour at saturation in Pa; temperature in K."""
    warm = temperature - np.float32(273.16)
    water = 611.21 * np.exp(17.502 * warm / (temperature - 32.19))
    if over == "water":
        return water.astype(np.float32)
    ice = 611.21 * np.exp(22.587 * warm / (temperature + 0.7))
    if over == "ecmwf":
        liquid = np.clip((temperature - 250.16) / 23.0, 0, 1) ** 2
    else:
        liquid = np.clip((temperature - 253.16) / 20.0, 0, 1)
    return np.asarray(liquid * water + (1 - liquid) * ice, np.float32)


def from_vapour_pressure(vapour: Array, pressure: Array) -> Array:
    """kg of vapour per kg of dry air, of pressures in Pa; vapour at most half of it (high up, where
    saturation means nothing)."""
    vapour = np.clip(vapour, np.float32(0), np.float32(0.5) * pressure)
    return np.asarray(EPSILON * vapour / (pressure - vapour), np.float32)


def from_relative(percent: Array, temperature: Array, pressure: Array, over: Saturation) -> Array:
    """From relative humidity in per cent, K and Pa."""
    return from_vapour_pressure(np.float32(0.01) * percent * saturation_pressure(temperature, over), pressure)


def from_dew_point(dew_point: Array, pressure: Array) -> Array:
    """From the dew point over water in K, and Pa."""
    return from_vapour_pressure(saturation_pressure(dew_point), pressure)


def from_specific(specific: Array) -> Array:
    """From kg of vapour per kg of moist air."""
    specific = np.clip(specific, 0, 0.5)
    return np.asarray(specific / (1 - specific), np.float32)
