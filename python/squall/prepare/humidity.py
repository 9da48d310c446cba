"""Computes mixing ratio from the humidity fields of analyses.

Saturation is as the producer of a relative humidity defines it: `squall.diagnose.vapour`.
"""

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.vapour import Saturation, mixing_ratio, saturation_pressure_of_producer

Array = NDArray[np.float32]

IN_WORDS = {
    "water": "relative humidity: assumed with respect to liquid water",
    "ecmwf": "relative humidity: assumed as ECMWF's, with respect to mixed water and ice between 250 and "
    "273 K",
    "gfs": "relative humidity: assumed as the GFS's, with respect to mixed water and ice between 253 and "
    "273 K",
}


def from_vapour_pressure(vapour: Array, pressure: Array) -> Array:
    """kg of vapour per kg of dry air, of pressures in Pa; vapour at most half of it (high up, where
    saturation means nothing)."""
    return np.asarray(mixing_ratio(vapour, pressure), np.float32)


def from_relative(percent: Array, temperature: Array, pressure: Array, over: Saturation) -> Array:
    """Mixing ratio from relative humidity [%], temperature [K] and pressure [Pa]."""
    saturated = saturation_pressure_of_producer(temperature, over)
    return from_vapour_pressure(np.float32(0.01) * percent * saturated, pressure)


def from_dew_point(dew_point: Array, pressure: Array) -> Array:
    """Mixing ratio from the dew point over water [K] and pressure [Pa]."""
    return from_vapour_pressure(saturation_pressure_of_producer(dew_point), pressure)


def from_specific(specific: Array) -> Array:
    """Mixing ratio from specific humidity [kg of vapour per kg of moist air]."""
    specific = np.clip(specific, 0, 0.5)
    return np.asarray(specific / (1 - specific), np.float32)
