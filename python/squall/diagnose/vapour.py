"""Water vapour: saturation, and the measures of humidity. Functions of arrays of NumPy or xarray.

Mixing ratios are kg of vapour per kg of dry air, pressures Pa, temperatures K.
"""

from typing import Any, Literal

import numpy as np

from squall.diagnose.constants import EPSILON

Saturation = Literal["water", "ecmwf", "gfs"]

_E0, _A, _B, _T0 = 611.2, 17.67, 29.65, 273.15  # Bolton (1980), equation 10: Pa, 1, K, K


def saturation_pressure(temperature: Any) -> Any:
    """Saturation vapour pressure over liquid water [Pa]: Bolton (1980, Mon. Wea. Rev. 108, 1046-1053),
    equation 10. The model's schemes use the same formula, so air that is just saturated here does not
    condense there."""
    return _E0 * np.exp(_A * (temperature - _T0) / (temperature - _B))


def saturation_mixing_ratio(temperature: Any, pressure: Any) -> Any:
    """Saturation mixing ratio over liquid water [kg kg-1], from `saturation_pressure`; the vapour pressure is
    limited to half the pressure."""
    e = np.minimum(saturation_pressure(temperature), 0.5 * pressure)
    return EPSILON * e / (pressure - e)


def saturation_pressure_of_producer(temperature: Any, over: Saturation = "water") -> Any:
    """Pressure of vapour at saturation [Pa] as the producers of analyses define it.

    Over liquid water, or over water and ice mixed: "ecmwf" goes quadratically from ice at 250.16 K and below
    to water at 273.16 K (IFS documentation, part IV, section 7.4.2), "gfs" linearly from ice at 253.16 K to
    water at 273.16 K (NCEP's Unified Post Processor). Formulas of the IFS: Buck (1981) over water, Alduchov
    and Eskridge (1996) over ice.
    """
    warm = temperature - np.float32(273.16)
    water = 611.21 * np.exp(17.502 * warm / (temperature - 32.19))
    if over == "water":
        return water
    ice = 611.21 * np.exp(22.587 * warm / (temperature + 0.7))
    if over == "ecmwf":
        liquid = np.clip((temperature - 250.16) / 23.0, 0, 1) ** 2
    else:
        liquid = np.clip((temperature - 253.16) / 20.0, 0, 1)
    return liquid * water + (1 - liquid) * ice


def vapour_pressure(mixing_ratio: Any, pressure: Any) -> Any:
    """Vapour pressure [Pa] for a mixing ratio and a total pressure [Pa]."""
    return pressure * mixing_ratio / (EPSILON + mixing_ratio)


def relative_humidity(mixing_ratio: Any, temperature: Any, pressure: Any) -> Any:
    """Relative humidity over liquid water [1]: vapour pressure divided by saturation vapour pressure (WMO-No.
    8, annex 4.B), which differs slightly from the ratio of mixing ratios."""
    return vapour_pressure(mixing_ratio, pressure) / saturation_pressure(temperature)


def dew_point(mixing_ratio: Any, pressure: Any) -> Any:
    """Dew point over liquid water [K], the inverse of `saturation_pressure`; NaN without vapour."""
    e = vapour_pressure(mixing_ratio, pressure)
    x = np.log(np.maximum(e, 1e-10) / _E0)  # 1e-10 Pa: some 40 K, for what has no vapour
    return (_A * _T0 - _B * x) / (_A - x)


def virtual_temperature(temperature: Any, mixing_ratio: Any) -> Any:
    """Virtual temperature: the temperature of dry air of the same density [K]."""
    return temperature * (1 + mixing_ratio / EPSILON) / (1 + mixing_ratio)


def mixing_ratio(vapour_pressure: Any, pressure: Any) -> Any:
    """Mixing ratio for a vapour pressure [Pa] and a total pressure [Pa]; the vapour pressure is limited to
    half the total pressure."""
    e = np.clip(vapour_pressure, 0, 0.5 * pressure)
    return EPSILON * e / (pressure - e)
