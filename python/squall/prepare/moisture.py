"""Saturation of air with water vapour, by the formula of the model's schemes: what is just saturated
here condenses nothing there."""

import numpy as np
from numpy.typing import NDArray

from squall.prepare.constants import EPSILON

Block = NDArray[np.float64]


def saturation_pressure(temperature: Block) -> Block:
    """Over liquid water, in Pa (Bolton 1980, eq. 10); temperature in K."""
    return np.asarray(611.2 * np.exp(17.67 * (temperature - 273.15) / (temperature - 29.65)))


def saturation_mixing_ratio(temperature: Block, pressure: Block) -> Block:
    """kg of vapour per kg of dry air; where water would boil, that at half the pressure."""
    e = np.minimum(saturation_pressure(temperature), 0.5 * pressure)
    return np.asarray(EPSILON * e / (pressure - e))
