"""Temperature of the base state over pressure, and its heights.

T = max(t_iso, t00 + lapse ln(p / p00)) (Skamarock et al. 2019, NCAR/TN-556, section 5.2.2).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from squall.diagnose.constants import R_D, G


@dataclass(frozen=True)
class BaseAtmosphere:
    """WRF's constants P00, T00, TLP, TISO, with WRF's values of today."""

    p00: float = 1.0e5  # Pa
    t00: float = 290.0  # K at p00
    lapse: float = 50.0  # K per ln p
    t_iso: float = 200.0  # K, the least

    def height(self, pressure: NDArray[np.float64]) -> NDArray[np.float64]:
        """Height in m of a pressure in Pa, the hypsometric equation of T(p)."""
        x = np.log(pressure / self.p00)
        turn = min((self.t_iso - self.t00) / self.lapse, 0.0)
        warm = np.maximum(x, turn)
        return (
            -R_D / G * (self.t00 * warm + 0.5 * self.lapse * warm**2 + self.t_iso * np.minimum(x - turn, 0))
        )

    def pressure(self, height: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pressure in Pa at a height in m: height() solved for it."""
        turn = min((self.t_iso - self.t00) / self.lapse, 0.0)
        z_turn = float(self.height(np.asarray(self.p00 * np.exp(turn))))
        ratio = self.t00 / self.lapse
        below = np.minimum(height, z_turn)
        x = -ratio + np.sqrt(ratio**2 - 2 * G * below / (self.lapse * R_D))
        if self.t_iso > 0:
            x = x - np.maximum(height - z_turn, 0) * G / (R_D * self.t_iso)
        return self.p00 * np.exp(x)
