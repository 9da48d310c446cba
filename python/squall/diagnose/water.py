"""Column water vapour and cloud, and cloud cover. SI units."""

from typing import Any

import numpy as np
import xarray as xr

from squall.diagnose import air, vapour
from squall.diagnose.columns import LEVEL, of_columns, of_points
from squall.diagnose.constants import FREEZING, G
from squall.diagnose.levels import interpolated
from squall.diagnose.staggering import centred


def dry_mass(history: xr.Dataset) -> xr.DataArray:
    """Mass of dry air in layers [kg m-2]: -DNW (C1H (MU + MUB) + C2H) / g, exact in the model's coordinate
    (Skamarock et al. 2019, NCAR/TN-556, equation 2.2); without C1H and C2H the coordinate is sigma."""
    column = centred(history["MU"] + history["MUB"])
    thickness = -_profile(history, "DNW")
    if "C1H" not in history:
        return thickness * column / G
    return thickness * (_profile(history, "C1H") * column + _profile(history, "C2H")) / G


def _profile(history: xr.Dataset, name: str) -> xr.DataArray:
    """A profile of the levels, without coordinates."""
    return xr.DataArray(history[name].variable)


def path(history: xr.Dataset, *species: str) -> xr.DataArray:
    """Column mass of water species [kg m-2]: the sum of mixing ratio times mass of dry air."""
    mixing_ratio = sum((centred(history[name]) for name in species[1:]), centred(history[species[0]]))
    found: xr.DataArray = (mixing_ratio * dry_mass(history)).sum(LEVEL)
    return found


def precipitable_water(history: xr.Dataset) -> xr.DataArray:
    """Column water vapour [kg m-2]."""
    return path(history, "QVAPOR")


def cloud_water_path(history: xr.Dataset) -> xr.DataArray:
    """Column cloud water, without rain [kg m-2]."""
    return path(history, "QCLOUD")


def cloud_ice_path(history: xr.Dataset) -> xr.DataArray:
    """Column cloud ice, without snow and graupel [kg m-2]."""
    return path(history, "QICE")


def cloud_fraction(history: xr.Dataset) -> xr.DataArray:
    """Cloud fraction of layers [1]: CLDFRA, or from relative humidity and cloud by Xu and Randall
    (1996, J. Atmos. Sci. 53, 3084-3102), equation 1: RH^0.25 (1 - exp(-100 q_c / ((1 - RH) q_s)^0.49)), 1 in
    saturated air, 0 where there is no cloud. Saturation is over water."""
    if "CLDFRA" in history:
        return centred(history["CLDFRA"])
    species = [name for name in ("QCLOUD", "QICE") if name in history]
    cloud = sum((centred(history[name]) for name in species[1:]), centred(history[species[0]])).clip(min=0)
    pressure = air.pressure(history)
    saturated: xr.DataArray = vapour.saturation_mixing_ratio(air.temperature(history), pressure)
    dryness = (saturated - air.mixing_ratio(history)).clip(min=0)  # (1 - RH) q_s
    humidity = 1 - dryness / saturated
    with_cloud = -of_points(np.expm1, -100 * cloud / (dryness + 1e-30) ** 0.49) * humidity**0.25
    return with_cloud.where(cloud > 1e-12, 0.0)


def cloud_cover(history: xr.Dataset) -> xr.DataArray:
    """Total cloud cover [1] with maximum-random overlap: maximum for adjacent layers, random otherwise
    (Geleyn and Hollingsworth 1979, Contrib. Atmos. Phys. 52, 1-16)."""
    found: xr.DataArray = of_columns(_cover, cloud_fraction(history))
    return found


def _cover(fraction: Any) -> Any:
    clear = 1 - fraction[..., 0]
    for k in range(1, fraction.shape[-1]):
        below, here = fraction[..., k - 1], fraction[..., k]
        clear = clear * (1 - np.maximum(below, here)) / np.maximum(1 - below, 1e-6)
    return 1 - np.where((fraction >= 1).any(-1), 0, clear)


def freezing_level(history: xr.Dataset) -> xr.DataArray:
    """Height of 0 °C above sea level, the highest if there are several [m]; NaN if the whole column is
    colder."""
    return interpolated(air.height(history), air.temperature(history), FREEZING)
