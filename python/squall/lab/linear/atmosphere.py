"""Resting dry atmospheres in hydrostatic balance, as functions of height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import C_P, C_V, P0, R_D, G

Array = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class ConstantStability:
    """Constant buoyancy frequency `n` [s-1] above potential temperature `theta_s` [K] at 1000 hPa.

    Valid below the height where the temperature falls to zero (about 30 km for n = 0.01 s-1).
    """

    n: float
    theta_s: float

    def theta(self, z: Array) -> Array:
        growth: Array = np.exp(self.n**2 * z / G)
        return self.theta_s * growth

    def exner(self, z: Array) -> Array:
        growth: Array = np.expm1(-(self.n**2) * z / G)
        return 1 + G**2 / (C_P * self.theta_s * self.n**2) * growth

    def density(self, z: Array) -> Array:
        return P0 * self.exner(z) ** (C_V / R_D) / (R_D * self.theta(z))

    def sound_speed(self, z: Array) -> Array:
        return np.sqrt(C_P / C_V * R_D * self.theta(z) * self.exner(z))

    def buoyancy_frequency(self, z: Array) -> Array:
        return np.full_like(z, self.n)


@dataclass(frozen=True)
class Isothermal:
    """Temperature `temperature` [K] everywhere, 1000 hPa at the surface."""

    temperature: float

    def theta(self, z: Array) -> Array:
        return self.temperature / self.exner(z)

    def exner(self, z: Array) -> Array:
        exner: Array = np.exp(-G * z / (C_P * self.temperature))
        return exner

    def density(self, z: Array) -> Array:
        decay: Array = np.exp(-G * z / (R_D * self.temperature))
        return P0 / (R_D * self.temperature) * decay

    def sound_speed(self, z: Array) -> Array:
        return np.full_like(z, np.sqrt(C_P / C_V * R_D * self.temperature))

    def buoyancy_frequency(self, z: Array) -> Array:
        return np.full_like(z, G / np.sqrt(C_P * self.temperature))


Atmosphere = ConstantStability | Isothermal
